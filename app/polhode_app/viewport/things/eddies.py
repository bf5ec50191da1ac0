"""Eddy currents in metal: its surface in the colours of the stream function, with lines along the currents.

Of a sheet the stream function is positive where currents go round by the right-hand rule about the outward normal of
its upper or outer side. Between two lines the same current flows. Rings have the colours of their own currents.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkFiltersCore import vtkContourFilter
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.metal_surfaces import Painted, painted_of
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.instances import BodyPoses

COLORS = {1: PALETTE[4], -1: PALETTE[6]}  # of currents by the right-hand rule about the normal, and of others
SENSES = np.array([[round(255 * part) for part in rgb(COLORS[sense])] for sense in (-1, 1)], np.uint8)
FADING = 0.8  # exponent of the opacity as a function of the current
STRONGEST = 0.88  # opacity
LEVELS = 7  # lines of each sense at the largest current so far
LEAST = 0.01  # share of the largest current that is seen
NO_CURRENT = 1e-9  # [A]
LINE, LINE_WIDTH, LINE_OPACITY = (0.08, 0.09, 0.11), 1.6, 0.75
DEPTH = -3.0  # of lines, before the surface


class EddyView(ViewBase):
    """Two actors for each conductor: its painted surface and the lines on it."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._drawn: list[_Metal] = []
        self._stage: Stage | None = None
        self._on = True

    def rebuild(self, stage: Stage) -> None:
        """Make the surfaces of all conductors that are not hidden, once the scene is compiled."""
        for metal in self._drawn:
            for actor in metal.actors:
                self._renderer.RemoveActor(actor)
        self._drawn = [_Metal(b, of_body) for b, of_body in _painted(stage)]
        for metal in self._drawn:
            for actor in metal.actors:
                self._renderer.AddActor(actor)

    def update(self, now: Snapshot) -> None:
        """Write poses and currents."""
        if not self._drawn:
            return
        poses = BodyPoses(now.bodies)
        for metal in self._drawn:
            metal.update(poses, now.in_metal, self._on)

    def set_visible(self, on: bool) -> None:
        """Show or hide all currents; those of a conductor are shown by the next update."""
        self._on = on
        for metal in self._drawn:
            metal.show(on and metal.is_seen)


def _painted(stage: Stage) -> Iterator[tuple[int, Painted]]:
    """Surfaces of the conductors of a compiled scene, with the numbers of their bodies."""
    if stage.compiled is None:
        return
    for b, of_body in painted_of(stage.scene):
        if b not in stage.unseen:
            yield b, of_body


class _Metal:
    """The surface of the metal of a body, and the lines of its currents."""

    def __init__(self, body: int, painted: Painted):
        self._body, self._painted = body, painted
        self._matrix = vtkMatrix4x4()
        self._largest, self.is_seen = NO_CURRENT, False
        faces = np.insert(painted.faces, 0, painted.faces.shape[1], axis=1).ravel()
        self._surface = pv.PolyData(painted.points, faces=faces)
        for name, values in (
            ("current", np.zeros(len(painted.points), np.float32)),
            ("color", np.zeros((len(painted.points), 4), np.uint8)),
        ):
            self._surface.point_data[name] = values
        self._current, self._color = (np.asarray(self._surface.point_data[name]) for name in ("current", "color"))
        self._arrays = [self._surface.GetPointData().GetArray(name) for name in ("current", "color")]
        self._lines = vtkContourFilter()
        self._lines.SetInputData(self._surface)
        self._lines.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_POINTS, "current")
        self.actors = [self._actor(), self._line_actor()] if painted.has_lines else [self._actor()]
        for actor in self.actors:
            actor.SetUserMatrix(self._matrix)
            actor.PickableOff()
            actor.VisibilityOff()

    def _actor(self) -> vtkActor:
        """The painted surface."""
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self._surface)
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray("color")
        mapper.SetColorModeToDirectScalars()
        actor = vtkActor()
        actor.SetMapper(mapper)
        look = actor.GetProperty()
        look.SetAmbient(0.85)
        look.SetDiffuse(0.25)
        look.BackfaceCullingOn()
        actor.ForceTranslucentOn()
        return actor

    def _line_actor(self) -> vtkActor:
        """The lines of the currents."""
        mapper = vtkPolyDataMapper()
        mapper.SetInputConnection(self._lines.GetOutputPort())
        mapper.ScalarVisibilityOff()
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        mapper.SetRelativeCoincidentTopologyLineOffsetParameters(DEPTH, DEPTH)
        actor = vtkActor()
        actor.SetMapper(mapper)
        look = actor.GetProperty()
        look.LightingOff()
        look.SetColor(*LINE)
        look.SetOpacity(LINE_OPACITY)
        look.SetLineWidth(LINE_WIDTH)
        actor.ForceTranslucentOn()
        return actor

    def show(self, on: bool) -> None:
        """Show or hide both actors."""
        for actor in self.actors:
            actor.SetVisibility(on)

    def update(self, poses: BodyPoses, currents: np.ndarray, on: bool) -> None:
        """Write the pose of the body, and its currents among those (n,) [A] of all nodes."""
        of = self._painted
        count = of.share.shape[1]
        own = currents[of.first : of.first + count]
        values = of.share @ own if len(own) == count else np.zeros(len(of.points))  # else not yet
        most = float(np.abs(values).max())
        self._largest = max(self._largest, most)
        self.is_seen = most > max(LEAST * self._largest, NO_CURRENT)
        self.show(on and self.is_seen)
        if not (on and self.is_seen):
            return
        self._matrix.DeepCopy(poses.rows[self._body])
        share = np.abs(values) / self._largest
        self._current[:] = values
        self._color[:, :3] = SENSES[(values > 0.0).astype(np.intp)]
        self._color[:, 3] = np.round(255 * STRONGEST * share**FADING)
        for array in self._arrays:
            array.Modified()
        self._surface.Modified()
        levels = self._largest * (np.arange(LEVELS) + 0.5) / LEVELS
        for k, level in enumerate([*-levels, *levels]):
            self._lines.SetValue(k, float(level))
