"""Bands about the trails of bodies whose positions are uncertain."""

from __future__ import annotations

from collections.abc import Sequence

from polhode.scene.problem import InputError
from polhode_app.jobs import Job
from polhode_app.messages import FrameData
from polhode_app.session.session import Session
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.trail_bands import Prediction
from polhode_app.viewport.things.predicted_trails import predicted, trail_columns
from polhode_app.viewport.things.trails import TrailView
from polhode_app.viewport.view import SceneView
from polhode_app.window.parts.uncertain_runs import FAILURE, UncertainRuns
from polhode_app.window.parts.window_part import WindowPart


class UncertainTrails(WindowPart):
    """Computes the positions of traced points in the background, and gives their bands to the view of the trails."""

    def __init__(self, session: Session, scene_view: SceneView):
        self._session, self._scene_view = session, scene_view
        self.runs = UncertainRuns(session)
        self._version = self.runs.version
        self._job = Job("bands of trails", FAILURE)
        self._stage: Stage | None = None
        self._names: tuple[str, ...] = ()

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Ask for what the trails need, and show what is new."""
        self.runs.tick(wall, passed)
        view, frame = self._scene_view, self._session.frame
        if view.stage is not self._stage:
            self._stage = view.stage
            self._names = trail_columns(self._stage)
        is_wanted = view.visible["trails"] and frame is not None and self._is_of_session
        self.runs.want(self._names if is_wanted else (), frame.snapshot.time if frame is not None else 0.0)
        if self.runs.version != self._version:
            self._version = self.runs.version
            self._job.cancel()
            found, stage = self.runs.found, self._stage
            if found is None or stage is None or not self._is_of_session:
                return self._show(None)
            self._job.add(lambda check_cancelled: (stage.scene, predicted(found, stage, check_cancelled)))
        made = self._job.poll()
        if made is None or isinstance(made, InputError) or self._stage is None:
            return False
        scene, prediction = made
        return self._show(prediction) if scene is self._stage.scene else False

    def stop(self) -> None:
        """End the threads."""
        self.runs.stop()
        self._job.close()

    @property
    def _is_of_session(self) -> bool:
        """Whether the view shows the scene that runs, and not one whose numbers a sensor has changed."""
        return self._stage is not None and self._stage.scene is self._session.scene

    def _show(self, prediction: Prediction | None) -> bool:
        """Show bands, None for none; the view has changed then."""
        view = self._scene_view
        trails = view.views["trails"]
        assert isinstance(trails, TrailView)
        trails.show_bands(prediction)
        if view.now is not None:
            trails.update(view.now)
        return True
