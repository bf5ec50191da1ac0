"""Bodies: one actor per shape, all shapes of a body moved by one matrix that is written in place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.palette import NORTH, SOUTH, rgb, shape_color
from app.viewport.sketch import Library
from app.viewport.solids import surface_of
from app.viewport.stage import Part, Solid, Stage
from core.scene import Body
from core.shapes import MeshShape, Shape
from core.snapshot import Bodies

TWO_COLORED = {"sphere", "cylinder", "capsule", "ellipsoid", "cuboid"}  # their cells do not cross the plane z = 0


def solid_of(body: Body, number: int, folder: Path, meshes: Library) -> Solid:
    """How the number-th body of a scene looks."""
    return Solid(body, tuple(_part(body, shape, number, folder, meshes) for shape in body.shape))


def _part(body: Body, shape: Shape, number: int, folder: Path, meshes: Library) -> Part:
    mesh = meshes.of(shape, folder) if isinstance(shape, MeshShape) else None
    surface = surface_of(shape, mesh)
    north = _north(body, shape)
    if north is None:
        return Part(surface, shape_color(shape.color, number))
    side = (surface.cell_centers().points - shape.position) @ north > 0
    poles = np.array([rgb(SOUTH), rgb(NORTH)])
    surface.cell_data["pole"] = np.round(255 * poles[side.astype(int)]).astype(np.uint8)
    return Part(surface, None)


def _north(body: Body, shape: Shape) -> np.ndarray | None:
    """Direction of the north pole (3,) of a shape that is a magnet along its own axis and has no colour of its own."""
    if shape.color is not None or shape.kind not in TWO_COLORED:
        return None
    axis = shape.orientation.matrix()[:, 2]
    for dipole in body.dipole:
        moment = np.array(dipole.moment)
        strength = np.linalg.norm(moment)
        along = abs(moment @ axis) > 0.999 * strength > 0
        if along and np.allclose(dipole.position, shape.position, atol=1e-6):
            return moment / strength
    return None


class BodyView:
    """Draws every solid of the stage."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._shown: list[tuple[Solid, list[vtkActor], vtkMatrix4x4]] = []
        self._rows = np.zeros((0, 4, 4))

    def show(self, stage: Stage) -> None:
        """Make the actors of new and changed solids; keep those of the others."""
        old = {id(solid): (solid, actors, matrix) for solid, actors, matrix in self._shown}
        self._shown = [old.pop(id(solid), None) or self._raised(solid) for solid in stage.solids]
        for _, actors, _ in old.values():
            for actor in actors:
                self._renderer.RemoveActor(actor)
        self._rows = np.tile(np.eye(4), (len(self._shown), 1, 1))

    def move(self, bodies: Bodies, time: float) -> None:
        """Write position and turn of every body."""
        self._rows[:, :3, :3] = bodies.basis.transpose(0, 2, 1)
        self._rows[:, :3, 3] = bodies.position
        for (_, _, matrix), rows in zip(self._shown, self._rows.reshape(-1, 16).tolist(), strict=True):
            matrix.DeepCopy(rows)

    def switch(self, on: bool) -> None:
        for _, actors, _ in self._shown:
            for actor in actors:
                actor.SetVisibility(on)

    def _raised(self, solid: Solid) -> tuple[Solid, list[vtkActor], vtkMatrix4x4]:
        matrix = vtkMatrix4x4()
        actors = [_actor(part) for part in solid.parts]
        for actor in actors:
            actor.SetUserMatrix(matrix)
            self._renderer.AddActor(actor)
        return solid, actors, matrix


def _actor(part: Part) -> vtkActor:
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(part.surface)
    mapper.SetScalarVisibility(part.color is None)
    if part.color is None:
        mapper.SetScalarModeToUseCellFieldData()
        mapper.SelectColorArray("pole")
        mapper.SetColorModeToDirectScalars()
    mapper.StaticOn()  # nothing upstream: the pipeline need not be asked every frame
    actor = vtkActor()
    actor.SetMapper(mapper)
    look = actor.GetProperty()
    look.SetColor(part.color or (1.0, 1.0, 1.0))
    look.SetAmbient(0.22)
    look.SetDiffuse(0.85)
    look.SetSpecular(0.28)
    look.SetSpecularPower(32)
    return actor


def surface_samples(surface: pv.PolyData, count: int) -> np.ndarray:
    """`count` points (count, 3) [m] spread evenly over a surface."""
    triangles = surface.triangulate().regular_faces
    a, b, c = (np.asarray(surface.points, dtype=float)[triangles[:, corner]] for corner in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    upto = np.cumsum(area)
    # Even steps along the summed area, and a fixed low-discrepancy sequence inside: the same picture every time.
    number = np.arange(count)
    chosen = np.searchsorted(upto, (number + 0.5) / count * upto[-1]).clip(max=len(area) - 1)
    u, v = (number * 0.7548776662466927) % 1, (number * 0.5698402909980532) % 1
    over = u + v > 1
    u, v = np.where(over, 1 - u, u), np.where(over, 1 - v, v)
    return a[chosen] + u[:, None] * (b - a)[chosen] + v[:, None] * (c - a)[chosen]
