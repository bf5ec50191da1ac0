"""Animated preview of a small motion about an equilibrium, slow and exaggerated, while the run is paused."""

from __future__ import annotations

from collections.abc import Sequence

from polhode.simulation.snapshot import Snapshot
from polhode_app.session.session import Session
from polhode_app.viewport.view import SceneView

PERIOD = 1.6  # [s] period of the animation, whatever that of the mode


class MotionPreview:
    """Shows moments of one period again and again. The simulation is not changed; play, step and reset end it."""

    def __init__(self, session: Session, scene_view: SceneView):
        self._session, self._scene_view = session, scene_view
        self._moments: Sequence[Snapshot] = ()
        self._begun = 0.0  # [s] wall time at which the preview began
        self._resume = False  # the run was playing before
        self._paused_step: int | None = None  # step number at which the run is paused; None until it is
        self._generation = 0

    @property
    def is_active(self) -> bool:
        """Whether a preview is shown."""
        return bool(self._moments)

    def show(self, moments: Sequence[Snapshot], now: float) -> None:
        """Pause the run and show the moments, evenly spaced over one period, from wall time `now` [s] on."""
        if not self.is_active:
            self._resume, self._paused_step, self._begun = self._session.running, None, now
        self._moments, self._generation = moments, self._session.document.generation
        if self._session.running:
            self._session.play(False)

    def end(self, resume: bool = True) -> None:
        """Show the actual state again; with `resume` the run continues if it was playing before."""
        if not self.is_active:
            return
        self._moments = ()
        if self._session.moment is not None:
            self._scene_view.show_pose(self._session.moment.snapshot)
        if resume and self._resume:
            self._session.play(True)

    def tick(self, now: float) -> bool:
        """Draw the moment of wall time `now` [s]; True if the view has changed."""
        moment = self._session.moment
        if not self.is_active:
            return False
        if self._session.document.generation != self._generation:  # the view may draw another scene
            self._moments = ()
            return False
        if moment is None:
            return False
        if self._paused_step is None and not moment.running:
            self._paused_step = moment.snapshot.step
        if self._session.running or (self._paused_step is not None and moment.snapshot.step != self._paused_step):
            self.end(resume=False)
            return True
        phase = (now - self._begun) / PERIOD % 1.0
        self._scene_view.show_pose(self._moments[int(phase * len(self._moments))])
        return True
