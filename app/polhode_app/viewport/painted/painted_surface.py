"""Surfaces of bodies in colours of their own, and views of them with a colour bar."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.color_scale import ColorScale
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.instances import BodyPoses

AMBIENT, DIFFUSE = 0.85, 0.25  # colours that are to be read depend little on the light


class PaintedSurface:
    """A surface in the frame of a body, with a colour and an opacity at each point."""

    def __init__(self, body: int, points: np.ndarray, faces: np.ndarray, normals: np.ndarray | None = None):
        """Points (p, 3) [m], faces (f, 3) or (f, 4) int64, and normals (p, 3), without which each face is flat."""
        self.body = body
        self.mesh = pv.PolyData(points, faces=np.insert(faces, 0, faces.shape[1], axis=1).ravel())
        self.mesh.point_data["color"] = np.zeros((len(points), 4), np.uint8)
        if normals is not None:
            self.mesh.point_data.active_normals = normals
        self.color = np.asarray(self.mesh.point_data["color"])
        """(p, 4) uint8 red, green, blue, opacity, to write to."""
        self._array = self.mesh.GetPointData().GetArray("color")
        self.matrix = vtkMatrix4x4()
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self.mesh)
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray("color")
        mapper.SetColorModeToDirectScalars()
        self.actor = vtkActor()
        self.actor.SetMapper(mapper)
        look = self.actor.GetProperty()
        look.SetAmbient(AMBIENT)
        look.SetDiffuse(DIFFUSE)
        look.BackfaceCullingOn()
        self.actor.SetUserMatrix(self.matrix)
        self.actor.PickableOff()
        self.actor.VisibilityOff()

    def place(self, poses: BodyPoses) -> None:
        """Write the pose of the body, and the colours."""
        self.matrix.DeepCopy(poses.rows[self.body])
        self._array.Modified()
        self.mesh.Modified()


class ScaledView(ViewBase):
    """Surfaces in the colours of a scalar. They are made when they are first shown."""

    fading = 0.0
    """Exponent of the opacity as a function of the size of the scalar; 0: opaque."""

    def __init__(self, renderer: vtkRenderer, scale: ColorScale):
        self._renderer, self._scale = renderer, scale
        self._stage: Stage | None = None
        self._surfaces: list[PaintedSurface] | None = None
        self._on = False

    @abstractmethod
    def _made(self, stage: Stage) -> Iterator[PaintedSurface]:
        """The surfaces of all bodies that are not hidden, of a compiled scene."""

    @abstractmethod
    def _values(self, now: Snapshot) -> list[np.ndarray]:
        """The scalar at the points of each surface; empty arrays of a snapshot from before an edit."""

    def rebuild(self, stage: Stage) -> None:
        """Discard the surfaces of the previous scene."""
        for surface in self._surfaces or []:
            self._renderer.RemoveActor(surface.actor)
        self._stage, self._surfaces = stage, None
        self._scale.reset(rgb(stage.theme.text))
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Write poses and colours."""
        if not self._on or not self._surfaces:
            return
        poses, values = BodyPoses(now.bodies), self._values(now)
        self._scale.fit(max((float(np.abs(each).max()) for each in values if len(each)), default=0.0))
        for surface, each in zip(self._surfaces, values, strict=True):
            surface.actor.SetVisibility(len(each) > 0)
            if len(each):
                surface.color[:, :3] = self._scale.colors[self._scale.index(each)]
                surface.color[:, 3] = np.round(255 * self._scale.share(each).clip(0, 1) ** self.fading)
                surface.place(poses)

    def set_visible(self, on: bool) -> None:
        """Show or hide the surfaces and the colour bar; the surfaces are shown by the next update."""
        self._on = on
        if on and self._surfaces is None and self._stage is not None and self._stage.compiled is not None:
            self._surfaces = [*self._made(self._stage)]
            for surface in self._surfaces:
                if self.fading:
                    surface.actor.ForceTranslucentOn()
                self._renderer.AddActor(surface.actor)
        for surface in self._surfaces or []:
            surface.actor.SetVisibility(False)
        self._scale.switch(on and bool(self._surfaces))
