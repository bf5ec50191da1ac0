"""Eddy currents in metal: its surface in the colours of the stream function, with lines along the currents.

Of a sheet the stream function is positive where currents go round by the right-hand rule about the outward normal of
its upper or outer side. Between two lines the same current flows. Rings have the colours of their own currents.
"""

from __future__ import annotations

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkFiltersCore import vtkContourFilter
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.painted.metal_surfaces import Painted, drawn_metals
from polhode_app.viewport.painted.painted_surface import PaintedSurface
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
        self._drawn = [_Metal(b, of_body) for b, of_body in drawn_metals(stage)]
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


class _Metal:
    """The surface of the metal of a body, and the lines of its currents."""

    def __init__(self, body: int, painted: Painted):
        self._painted, self._surface = painted, PaintedSurface(body, painted.points, painted.faces)
        self._surface.actor.ForceTranslucentOn()
        self._largest, self.is_seen = NO_CURRENT, False
        self._surface.mesh.point_data["current"] = np.zeros(len(painted.points), np.float32)
        self._current = np.asarray(self._surface.mesh.point_data["current"])
        self._lines = vtkContourFilter()
        self._lines.SetInputData(self._surface.mesh)
        self._lines.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_POINTS, "current")
        self.actors = [self._surface.actor, *([self._line_actor()] if painted.has_lines else [])]

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
        actor.SetUserMatrix(self._surface.matrix)
        actor.PickableOff()
        actor.VisibilityOff()
        actor.ForceTranslucentOn()
        return actor

    def show(self, on: bool) -> None:
        """Show or hide both actors."""
        for actor in self.actors:
            actor.SetVisibility(on)

    def update(self, poses: BodyPoses, currents: np.ndarray, on: bool) -> None:
        """Write the pose of the body, and its currents among those (n,) [A] of all nodes."""
        values = self._painted.at_points(currents)
        most = float(np.abs(values).max(initial=0.0))
        self._largest = max(self._largest, most)
        self.is_seen = most > max(LEAST * self._largest, NO_CURRENT)
        self.show(on and self.is_seen)
        if not (on and self.is_seen):
            return
        share = np.abs(values) / self._largest
        self._current[:] = values
        self._surface.color[:, :3] = SENSES[(values > 0.0).astype(np.intp)]
        self._surface.color[:, 3] = np.round(255 * STRONGEST * share**FADING)
        self._surface.mesh.GetPointData().GetArray("current").Modified()
        self._surface.place(poses)
        levels = self._largest * (np.arange(LEVELS) + 0.5) / LEVELS
        for k, level in enumerate([*-levels, *levels]):
            self._lines.SetValue(k, float(level))
