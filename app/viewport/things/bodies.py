"""Bodies: one actor per shape, or per shape of all bodies that look the same, moved in place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyvista as pv
from vtkmodules.vtkFiltersCore import vtkCellCenters
from vtkmodules.vtkRenderingCore import vtkProperty, vtkRenderer

from app.viewport.base.mesh_preview_loader import MeshSource
from app.viewport.base.palette import NORTH, RGB, SOUTH, rgb, shape_color
from app.viewport.base.polydata import filtered
from app.viewport.base.solid import SolidPart, is_ball
from app.viewport.base.stage import Stage
from app.viewport.things.instances import COLORS, Instances, Poses, colored, groups
from app.viewport.things.shape_surfaces import surface_of
from core.physics.bodies.shapes import MeshShape, Shape
from core.scene.scene import Body
from core.simulation.snapshot import Snapshot

TWO_COLORED = {"sphere", "cylinder", "capsule", "ellipsoid", "cuboid"}  # their cells do not cross the plane z = 0

PALE = 0.35  # share of its colour in the other eighths of a ball, by which its turning is seen
LIGHT = 0.8  # mean of the components of a colour beyond which these are darker, not paler
GHOSTLY = 0.38  # opacity of a ghost


def parts_of(body: Body, number: int, folder: Path, meshes: MeshSource, around: int) -> tuple[SolidPart, ...]:
    """How the number-th body of a scene looks, with `around` facets to a full turn."""
    return tuple(_part(body, shape, number, folder, meshes, around) for shape in body.shape)


def _part(body: Body, shape: Shape, number: int, folder: Path, meshes: MeshSource, around: int) -> SolidPart:
    mesh = meshes.of(shape, folder) if isinstance(shape, MeshShape) else None
    surface = surface_of(shape, mesh, around)
    north = north_of(body, shape)
    if north is not None:
        _color_cells(surface, _cells(surface, shape) @ north > 0, rgb(SOUTH), rgb(NORTH))
    elif is_ball(body):
        color = np.array(shape_color(shape.color, number))
        toward = 1.0 if color.mean() < LIGHT else 0.35
        eighths = np.prod(_cells(surface, shape), axis=1) > 0
        _color_cells(surface, eighths, tuple(color), tuple(PALE * color + (1 - PALE) * toward))
    else:
        return SolidPart(surface, shape_color(shape.color, number))
    return SolidPart(surface, None)


def _cells(surface: pv.PolyData, shape: Shape) -> np.ndarray:
    """(n, 3) [m] middles of the cells of a shape, from its own origin."""
    return np.asarray(filtered(surface, vtkCellCenters()).points) - shape.position


def _color_cells(surface: pv.PolyData, other: np.ndarray, color: tuple[float, ...], second: tuple[float, ...]) -> None:
    """Give each cell a colour, the second where it is the `other` one."""
    surface.cell_data[COLORS] = np.round(255 * np.array([color, second])[other.astype(int)]).astype(np.uint8)


def north_of(body: Body, shape: Shape) -> np.ndarray | None:
    """Direction of the north pole (3,) of a shape that is a magnet along its own axis and has no colour of its own."""
    if shape.color is not None or shape.kind not in TWO_COLORED:
        return None
    axis = shape.orientation.matrix()[:, 2]
    moments = [dipole.moment for dipole in body.dipole if np.allclose(dipole.position, shape.position, atol=1e-6)]
    if shape.magnet is not None:
        moments.append(tuple(shape.orientation.matrix() @ (shape.magnet.moment or shape.magnet.remanence)))
    for moment in map(np.array, moments):
        strength = np.linalg.norm(moment)
        if abs(moment @ axis) > 0.999 * strength > 0:
            return moment / strength
    return None


class BodyView:
    """Draws every solid of the stage; as a ghost in one colour, and see-through."""

    def __init__(self, renderer: vtkRenderer, ghost: RGB | None = None):
        self._renderer = renderer
        self._ghost = ghost
        self._shown: dict[tuple[object, ...], tuple[tuple[SolidPart, ...], list[Instances]]] = {}

    def rebuild(self, stage: Stage) -> None:
        """Make the actors of new and changed solids; keep those of the others."""
        old, self._shown = self._shown, {}
        for numbers in groups((i, id(solid.parts)) for i, solid in enumerate(stage.solids) if i not in stage.unseen):
            parts = stage.solids[numbers[0]].parts
            key = (id(parts), *numbers)
            self._shown[key] = old.pop(key, None) or (parts, self._raised(parts, numbers))  # holds the parts, and so id
        for _, gone in old.values():
            for copies in gone:
                copies.remove()

    def update(self, now: Snapshot) -> None:
        """Write position and turn of every body."""
        poses = Poses(now.bodies)
        for _, shown in self._shown.values():
            for copies in shown:
                copies.update(poses)

    def set_visible(self, on: bool) -> None:
        for _, shown in self._shown.values():
            for copies in shown:
                copies.set_visible(on)

    def remove(self) -> None:
        """Take everything away."""
        for _, shown in self._shown.values():
            for copies in shown:
                copies.remove()
        self._shown = {}

    def _raised(self, parts: tuple[SolidPart, ...], numbers: list[int]) -> list[Instances]:
        pieces = [(part.surface, self._ghost or part.color) for part in parts]
        if len(numbers) > 1:
            pieces = [piece for surface, color in pieces for piece in colored(surface, color)]
        look = _solid if self._ghost is None else _see_through
        raised = [Instances(self._renderer, surface, numbers, color, look) for surface, color in pieces]
        if self._ghost is not None:
            for copies in raised:
                copies.stand_behind()  # while a ghost is where its body is, the body is seen
        return raised


def _solid(look: vtkProperty) -> None:
    look.SetAmbient(0.22)
    look.SetDiffuse(0.85)
    look.SetSpecular(0.28)
    look.SetSpecularPower(32)


def _see_through(look: vtkProperty) -> None:
    look.SetAmbient(0.6)
    look.SetDiffuse(0.55)
    look.SetOpacity(GHOSTLY)
    look.BackfaceCullingOn()  # or its far side shines through its near one


def surface_samples(part: SolidPart, count: int) -> np.ndarray:
    """`count` points (count, 3) [m] spread evenly over the surface of a part."""
    (a, b, c), upto = part.corners, np.cumsum(part.areas)
    # Even steps along the summed area, and a fixed low-discrepancy sequence inside: the same picture every time.
    number = np.arange(count)
    chosen = np.searchsorted(upto, (number + 0.5) / count * upto[-1]).clip(max=len(upto) - 1)
    u, v = (number * 0.7548776662466927) % 1, (number * 0.5698402909980532) % 1
    over = u + v > 1
    u, v = np.where(over, 1 - u, u), np.where(over, 1 - v, v)
    return a[chosen] + u[:, None] * (b - a)[chosen] + v[:, None] * (c - a)[chosen]
