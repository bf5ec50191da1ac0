"""Animated previews, slow and exaggerated, of normal modes and of small motions about an equilibrium."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from polhode.physics.modal.mode_control import posed, reach_of
from polhode.physics.modal.normal_modes import Net
from polhode.simulation.snapshot import Snapshot
from polhode_app.session.session import Session
from polhode_app.viewport.view import SceneView

PERIOD = 1.6  # [s] period of the animation, whatever that of the motion
SHOWN_SIZE, SHOWN_SLOPE = 0.15, 0.6  # limits of the amplitude, see reach_of


class Preview:
    """Shows a periodic motion in the view while the run is paused.

    The simulation itself is not changed. Play, step and reset end the preview.
    """

    def __init__(self, session: Session, scene_view: SceneView):
        self._session, self._scene_view = session, scene_view
        self._pose: Callable[[Snapshot, float], Snapshot | None] | None = None
        self._begun = 0.0  # [s] wall time at which the preview began
        self._resume = False  # the run was playing before
        self.paused_step: int | None = None  # step number at which the run is paused; None until it is

    @property
    def is_active(self) -> bool:
        """Whether a preview is shown."""
        return self._pose is not None

    def _begin(self, pose: Callable[[Snapshot, float], Snapshot | None], now: float) -> None:
        """Pause the run and draw `pose`, from wall time `now` [s] on.

        pose: snapshot that is drawn, by the current one and the phase 0 ... 1; None if they are of different scenes
        """
        if not self.is_active:
            self._resume, self.paused_step, self._begun = self._session.running, None, now
        self._pose = pose
        if self._session.running:
            self._session.play(False)

    def end(self, resume: bool = True) -> None:
        """Show the actual state again; with `resume` the run continues if it was playing before."""
        if not self.is_active:
            return
        self._pose = None
        if self._session.frame is not None:
            self._scene_view.show_pose(self._session.frame.snapshot)
        if resume and self._resume:
            self._session.play(True)

    def tick(self, now: float) -> bool:
        """Draw the motion at wall time `now` [s]; True if the view has changed."""
        frame = self._session.frame
        if self._pose is None or frame is None:
            return False
        if self.paused_step is None and not frame.running:
            self.paused_step = frame.snapshot.step
        if self._session.running or (self.paused_step is not None and frame.snapshot.step != self.paused_step):
            self.end(resume=False)
            return True
        drawn = self._pose(frame.snapshot, (now - self._begun) / PERIOD % 1.0)
        if drawn is not None:
            self._scene_view.show_pose(drawn)
        return drawn is not None


class ModePreview(Preview):
    """Shows at most one mode shape, added to the positions of the paused simulation."""

    def show(self, name: str, net: Net, shape: np.ndarray, now: float) -> None:
        """Show a shape (3, n), laboratory frame, of the body `name`, from wall time `now` [s] on."""
        reach = reach_of(net, shape, SHOWN_SIZE, SHOWN_SLOPE)

        def pose(snapshot: Snapshot, phase: float) -> Snapshot | None:
            here = self._scene_view.stage.where[name] if self._scene_view.stage is not None else slice(0, 0)
            position = snapshot.points.position.copy()
            if len(position[here]) != len(net.mass):
                return None  # the frame is older than the last edit
            position[here] = posed(net, position[here], shape, float(reach * np.sin(2 * np.pi * phase)))
            return replace(snapshot, points=replace(snapshot.points, position=position))

        self._begin(pose, now)


class MotionPreview(Preview):
    """Shows the snapshots of one period repeatedly."""

    def show(self, snapshots: Sequence[Snapshot], now: float) -> None:
        """Show the snapshots, evenly spaced over one period, from wall time `now` [s] on."""
        generation = self._session.document.generation

        def pose(_snapshot: Snapshot, phase: float) -> Snapshot | None:
            is_current = self._session.document.generation == generation  # else the view may draw another scene
            return snapshots[int(phase * len(snapshots))] if is_current else None

        self._begin(pose, now)
