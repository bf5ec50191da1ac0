"""What the hand over the sensor drives and what is drawn of it: walls elsewhere, other sizes, another field."""

from __future__ import annotations

from app.messages import FrameData
from app.viewport.view import SceneView
from core.scene.drivable_parameters import parameter_at
from core.scene.scene import Scene

EVERY = 0.2  # [s] wall time: views are made anew, which costs more than a frame
DRAWN = ("m", "rad", "T", "")  # units of numbers that may be seen; forces by themselves are not


def changes_the_look(scene: Scene) -> bool:
    """Whether the hand drives a number that may be seen."""
    return any(parameter_at(scene, drive.parameter)[1].unit in DRAWN for drive in scene.sensor.drive)


class DrivenRedraw:
    """Draws the scene anew when numbers of it that are seen have changed."""

    def __init__(self, view: SceneView):
        self._view = view
        self._scene: Scene | None = None  # whose drives are known
        self._seen = False  # whether any of them changes what is drawn
        self._drawn: Scene | None = None
        self._at = 0.0  # [s]

    def update(self, moment: FrameData, now: float) -> None:
        """A frame of the window at a wall time [s]."""
        if moment.driven is None or now - self._at < EVERY:
            return
        if moment.scene is not self._scene:
            self._scene, self._seen = moment.scene, changes_the_look(moment.scene)
        scene, built = moment.driven
        if self._seen and scene != self._drawn:
            self._at, self._drawn = now, scene
            self._view.redraw_driven(scene, built)
