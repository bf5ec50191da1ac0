"""Rebuilds the view when parameters driven by the sensor change the appearance of the scene."""

from __future__ import annotations

from polhode.scene.scene import Scene
from polhode.scene.variants.drivable_parameters import parameter_at
from polhode_app.messages import FrameData
from polhode_app.viewport.view import SceneView

EVERY = 0.2  # [s] least wall time between two rebuilds, which cost more than a frame
DRAWN = ("m", "rad", "T", "")  # units of parameters that may change the appearance, unlike masses or forces


def changes_the_look(scene: Scene) -> bool:
    """Whether the sensor drives a parameter that may change the appearance."""
    return any(parameter_at(scene, drive.parameter)[1].unit in DRAWN for drive in scene.sensor.drive)


class DrivenRedraw:
    """Rebuilds the view, at most every EVERY seconds."""

    def __init__(self, view: SceneView):
        self._view = view
        self._generation = 0  # of the scene for which _seen was determined
        self._seen = False  # whether any driven parameter changes the appearance
        self._drawn: Scene | None = None  # scene with the parameter values that are drawn
        self._at = 0.0  # [s] wall time of the last rebuild

    def update(self, frame: FrameData, now: float) -> None:
        """Handle a frame at wall time `now` [s]."""
        if frame.driven is None or now - self._at < EVERY:
            return
        if frame.generation != self._generation:
            self._generation, self._seen = frame.generation, changes_the_look(frame.scene)
        scene, compiled = frame.driven
        if self._seen and scene != self._drawn:
            self._at, self._drawn = now, scene
            self._view.redraw_driven(scene, compiled)
