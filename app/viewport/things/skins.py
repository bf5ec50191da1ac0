"""Skins: surfaces of soft meshes, deformed with the points inside."""

from __future__ import annotations

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.base.palette import shape_color, shape_opacity
from app.viewport.base.stage import Stage
from app.viewport.things.bodies import see_through
from app.viewport.things.shape_surfaces import surface_of
from core.physics.points.description import SoftMesh, skin_shape
from core.simulation.snapshot import Snapshot

NUMBER = "number"  # array that maps drawn points to vertices of the file; at sharp edges several share one


class SkinView:
    """One actor for each soft mesh."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._shown: list[_Skin] = []
        self._on = True

    def rebuild(self, stage: Stage) -> None:
        """Build the skins of all visible soft meshes."""
        for skin in self._shown:
            self._renderer.RemoveActor(skin.actor)
        first = len(stage.scene.bodies)
        self._shown = [
            _Skin(stage, soft, first + number)
            for number, soft in enumerate(stage.scene.soft)
            if isinstance(soft, SoftMesh) and soft.name not in stage.scene.view.hide
        ]
        for skin in self._shown:
            self._renderer.AddActor(skin.actor)
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Deform the skins."""
        if self._on:
            for skin in self._shown:
                skin.update(now)

    def set_visible(self, on: bool) -> None:
        """Show or hide the skins."""
        self._on = on
        for skin in self._shown:
            skin.actor.SetVisibility(on)


class _Skin:
    """One surface; until the scene is compiled it has the shape of the file."""

    def __init__(self, stage: Stage, soft: SoftMesh, number: int):
        shape = skin_shape(soft)
        self._surface = surface_of(shape, stage.meshes.of(shape, stage.scene.folder), number=NUMBER)
        self._number = np.asarray(self._surface.point_data[NUMBER])
        self._faces = self._surface.regular_faces
        self._places = np.asarray(self._surface.points)
        self._normals = np.asarray(self._surface.point_data.active_normals)
        self._at = stage.where[soft.name]
        self._weights = stage.built.skins[soft.name] if stage.built is not None else None
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self._surface)
        mapper.ScalarVisibilityOff()
        self.actor = vtkActor()
        self.actor.SetMapper(mapper)
        look = self.actor.GetProperty()
        look.SetColor(*shape_color(soft.color, number))
        see_through(shape_opacity(soft.color), look)
        look.SetAmbient(0.22)
        look.SetDiffuse(0.85)
        look.SetSpecular(0.28)
        look.SetSpecularPower(32)

    def update(self, now: Snapshot) -> None:
        """Write positions and normals of the vertices."""
        points = now.points.position[self._at]
        if self._weights is None or len(points) != self._weights.shape[1]:
            return
        self._places[:] = (self._weights @ points)[self._number]
        a, b, c = (self._places[self._faces[:, corner]] for corner in range(3))
        across = np.cross(b - a, c - a).repeat(3, axis=0)  # twice the area: weights of the normals
        corners, count = self._faces.ravel(), len(self._places)
        normals = np.column_stack([np.bincount(corners, across[:, axis], count) for axis in range(3)])
        self._normals[:] = normals / np.linalg.norm(normals, axis=1, keepdims=True).clip(min=1e-300)
        self._surface.GetPoints().Modified()
        self._surface.GetPointData().GetNormals().Modified()
