"""Animated preview of a normal mode, slow and exaggerated, while the run is paused."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from polhode.physics.modal.mode_control import posed, reach_of
from polhode.physics.modal.normal_modes import Net
from polhode_app.session.session import Session
from polhode_app.viewport.view import SceneView

PERIOD = 1.6  # [s] period of the animation, whatever that of the mode
SHOWN_SIZE, SHOWN_SLOPE = 0.15, 0.6  # limits of the amplitude, see reach_of


@dataclass(frozen=True, eq=False)
class _Shape:
    """The animated mode shape."""

    name: str
    net: Net
    shape: np.ndarray  # (3, n) displacements, laboratory frame
    reach: float  # [m] amplitude of the largest displacement


class ModePreview:
    """Shows at most one mode shape, added to the positions of the paused simulation.

    The simulation itself is not changed. Play, step and reset end the preview.
    """

    def __init__(self, session: Session, scene_view: SceneView):
        self._session, self._scene_view = session, scene_view
        self._shape: _Shape | None = None
        self._begun = 0.0  # [s] wall time at which the preview began
        self._resume = False  # the run was playing before
        self.paused_step: int | None = None  # step number at which the run is paused; None until it is

    @property
    def is_active(self) -> bool:
        """Whether a preview is shown."""
        return self._shape is not None

    def show(self, name: str, net: Net, shape: np.ndarray, now: float) -> None:
        """Pause the run and show a shape (3, n) of the body `name`, from wall time `now` [s] on."""
        if not self.is_active:
            self._resume, self.paused_step, self._begun = self._session.running, None, now
        self._shape = _Shape(name, net, shape, reach_of(net, shape, SHOWN_SIZE, SHOWN_SLOPE))
        if self._session.running:
            self._session.play(False)

    def end(self, resume: bool = True) -> None:
        """Show the actual state again; with `resume` the run continues if it was playing before."""
        if not self.is_active:
            return
        self._shape = None
        if self._session.moment is not None:
            self._scene_view.show_pose(self._session.moment.snapshot)
        if resume and self._resume:
            self._session.play(True)

    def tick(self, now: float) -> bool:
        """Draw the shape at wall time `now` [s]; True if the view has changed."""
        animated, moment = self._shape, self._session.moment
        if animated is None or moment is None:
            return False
        if self.paused_step is None and not moment.running:
            self.paused_step = moment.snapshot.step
        if self._session.running or (self.paused_step is not None and moment.snapshot.step != self.paused_step):
            self.end(resume=False)
            return True
        here = self._scene_view.stage.where[animated.name] if self._scene_view.stage is not None else slice(0, 0)
        points = moment.snapshot.points
        if len(points.position[here]) != len(animated.net.mass):
            return False  # the frame is older than the last edit
        position = points.position.copy()
        reach = animated.reach * np.sin(2 * np.pi * (now - self._begun) / PERIOD)
        position[here] = posed(animated.net, position[here], animated.shape, float(reach))
        self._scene_view.show_pose(replace(moment.snapshot, points=replace(points, position=position)))
        return True
