"""Surfaces of soft bodies: skins of meshes that deform with the points inside, sheets, blocks and ropes."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkProperty, vtkRenderer

from polhode.physics.points.description import Lattice, Soft, SoftMesh, skin_shape
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import shape_color, shape_opacity
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.soft_surfaces import SoftSurface, surface_through
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.bodies import closed_surface
from polhode_app.viewport.things.shape_surfaces import surface_of

NUMBER = "number"  # array that maps drawn points to vertices of the file; at sharp edges several share one
JELLY = 0.62  # opacity of a block: bodies inside of it stay visible
BEHIND = 0.84  # brightness of the back of a sheet, relative to its front


class SkinView(ViewBase):
    """One actor for each soft body."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._shown: dict[int, Skin] = {}
        self._on = True

    def rebuild(self, stage: Stage) -> None:
        """Build the surfaces of all visible soft bodies."""
        for skin in self._shown.values():
            self._renderer.RemoveActor(skin.actor)
        first = len(stage.scene.bodies)
        made = {
            number: skin_of(stage, soft, first + number)
            for number, soft in enumerate(stage.scene.soft)
            if soft.name not in stage.scene.view.hide
        }
        self._shown = {number: skin for number, skin in made.items() if skin is not None}
        for skin in self._shown.values():
            self._renderer.AddActor(skin.actor)
        self.set_visible(self._on)

    def surface_of(self, number: int) -> Skin | None:
        """The surface of a soft body by its number in the scene; None if none is drawn."""
        return self._shown.get(number) if self._on else None

    def update(self, now: Snapshot) -> None:
        """Deform the surfaces."""
        if self._on:
            for skin in self._shown.values():
                skin.update(now)

    def set_visible(self, on: bool) -> None:
        """Show or hide the surfaces."""
        self._on = on
        for skin in self._shown.values():
            skin.actor.SetVisibility(on)


class Skin(Protocol):
    """The drawn surface of one soft body."""

    actor: vtkActor
    surface: pv.PolyData

    @property
    def edges(self) -> list[np.ndarray]:
        """(n, 3) [m] current lines along the edges of a sheet or a block; none of a round surface."""

    def update(self, now: Snapshot) -> None:
        """Write positions and normals of the vertices."""


def skin_of(stage: Stage, soft: Soft, number: int) -> Skin | None:
    """The surface of a soft body, in the colour of `number` unless it has its own; None for a single point."""
    if isinstance(soft, SoftMesh):
        return _MeshSkin(stage, soft, number)
    surface = surface_through(soft)
    if surface is None:
        return None
    actor = _actor(surface.surface, shape_color(soft.color, number))
    opacity, is_block = shape_opacity(soft.color), isinstance(soft, Lattice) and min(soft.counts) > 1
    if len(surface.borders) == 1:  # a sheet
        actor.GetProperty().SetOpacity(opacity)
        actor.SetBackfaceProperty(_back(actor.GetProperty()))
    else:
        closed_surface(opacity * (JELLY if is_block else 1.0), actor.GetProperty())
    actor.GetMapper().SetResolveCoincidentTopologyToPolygonOffset()  # springs lie in the surface
    actor.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(1.0, 1.0)
    return _PointSkin(surface, stage.where[soft.name], actor)


class _PointSkin:
    """A surface through the points of a lattice or a chain."""

    def __init__(self, surface: SoftSurface, where: slice, actor: vtkActor):
        self._shape, self._at, self.actor = surface, where, actor
        self.surface = surface.surface

    @property
    def edges(self) -> list[np.ndarray]:
        """(n, 3) [m] current lines along the edges of a sheet or a block; none of a rope."""
        return [np.asarray(self.surface.points)[border] for border in self._shape.borders]

    def update(self, now: Snapshot) -> None:
        """Write positions and normals of the vertices."""
        points = now.points.position[self._at]
        if len(points) == self._at.stop - self._at.start:  # otherwise it is a snapshot of an earlier scene
            self._shape.write(points)


class _MeshSkin:
    """Surface of a soft mesh; until the scene is compiled it has the shape of the file."""

    def __init__(self, stage: Stage, soft: SoftMesh, number: int):
        shape = skin_shape(soft)
        self.surface = surface_of(shape, stage.meshes.of(shape, stage.scene.folder), number=NUMBER)
        self._number = np.asarray(self.surface.point_data[NUMBER])
        self._faces = self.surface.regular_faces
        self._positions = np.asarray(self.surface.points)
        self._normals = np.asarray(self.surface.point_data.active_normals)
        self._at = stage.where[soft.name]
        self._weights = stage.compiled.skins[soft.name] if stage.compiled is not None else None
        self.actor = _actor(self.surface, shape_color(soft.color, number))
        closed_surface(shape_opacity(soft.color), self.actor.GetProperty())

    @property
    def edges(self) -> list[np.ndarray]:
        """None: a mesh is closed."""
        return []

    def update(self, now: Snapshot) -> None:
        """Write positions and normals of the vertices."""
        points = now.points.position[self._at]
        if self._weights is None or len(points) != self._weights.shape[1]:
            return
        self._positions[:] = (self._weights @ points)[self._number]
        a, b, c = (self._positions[self._faces[:, corner]] for corner in range(3))
        across = np.cross(b - a, c - a).repeat(3, axis=0)  # twice the area: weights of the normals
        corners, count = self._faces.ravel(), len(self._positions)
        normals = np.column_stack([np.bincount(corners, across[:, axis], count) for axis in range(3)])
        self._normals[:] = normals / np.linalg.norm(normals, axis=1, keepdims=True).clip(min=1e-300)
        self.surface.GetPoints().Modified()
        self.surface.GetPointData().GetNormals().Modified()


def _actor(surface: pv.PolyData, color: tuple[float, float, float]) -> vtkActor:
    """An actor of one colour."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(surface)
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    look = actor.GetProperty()
    look.SetColor(*color)
    look.SetAmbient(0.22)
    look.SetDiffuse(0.85)
    look.SetSpecular(0.28)
    look.SetSpecularPower(32)
    return actor


def _back(front: vtkProperty) -> vtkProperty:
    """Properties of the back of a sheet: a darker shade of the front."""
    back = vtkProperty()
    back.DeepCopy(front)
    back.SetColor(*(BEHIND * part for part in front.GetColor()))
    return back
