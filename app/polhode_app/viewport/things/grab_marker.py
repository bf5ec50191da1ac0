"""Marker of a mouse interaction: a ball at the grabbed point, and the mouse spring or the axis of a twist."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLSphereMapper

from polhode.physics.grab.interactions import Twist
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import HELD, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.springs import line_actor

BALL = 0.016  # radius, in radii of the stage
AXIS = 0.25  # length of the axis of a twist per angle [rad], in radii of the stage
WIDTH = 3.0  # [pixel]


class GrabMarkerView(ViewBase):
    """A line with a ball at each end."""

    def __init__(self, renderer: vtkRenderer):
        self._line = pv.PolyData(np.zeros((2, 3), np.float32), lines=[2, 0, 1])
        self._balls = pv.PolyData(np.zeros((2, 3), np.float32), verts=[2, 0, 1])
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self._line)
        spheres = vtkOpenGLSphereMapper()
        spheres.SetInputData(self._balls)
        spheres.ScalarVisibilityOff()
        self._spheres = spheres
        ball = vtkActor()
        ball.SetMapper(spheres)
        ball.PickableOff()
        ball.GetProperty().SetAmbient(0.5)
        ball.GetProperty().SetDiffuse(0.6)
        self._actors = [line_actor(mapper, WIDTH), ball]
        self._radius = 1.0
        self._on = True
        for actor in self._actors:
            actor.GetProperty().SetColor(*rgb(HELD))
            actor.VisibilityOff()
            renderer.AddActor(actor)

    def rebuild(self, stage: Stage) -> None:
        """Set the size for a new stage."""
        self._radius = stage.radius
        self._spheres.SetRadius(BALL * stage.radius)

    def update(self, now: Snapshot) -> None:
        """Draw the marker of a snapshot, if it has one."""
        marker = now.interaction_marker if self._on else None
        for actor in self._actors:
            actor.SetVisibility(marker is not None)
        if marker is None:
            return
        end = marker.pointer
        if isinstance(marker.interaction, Twist):
            end = marker.attachment + AXIS * self._radius * np.array(marker.interaction.turn)
        for data in (self._line, self._balls):
            np.asarray(data.points)[:] = marker.attachment, end
            data.GetPoints().Modified()

    def set_visible(self, on: bool) -> None:
        """Show or hide the marker."""
        self._on = on
        for actor in self._actors:
            actor.SetVisibility(False)  # shown by the next update
