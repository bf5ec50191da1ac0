"""Bands about the trails of bodies whose positions are uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from polhode.scene.fields import written
from polhode.scene.problem import InputError
from polhode.scene.uncertain import uncertain_numbers
from polhode.uncertainty.points import point_columns, uncertain_point
from polhode_app.jobs import CheckCancelled, Job
from polhode_app.messages import FrameData
from polhode_app.session.session import Session
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.trail_bands import Prediction
from polhode_app.viewport.things.appearance_cache import AppearanceCache
from polhode_app.viewport.things.trails import TrailView, followed
from polhode_app.viewport.view import SceneView
from polhode_app.window.parts.uncertain_runs import FAILURE, UncertainRuns
from polhode_app.window.parts.window_part import WindowPart

if TYPE_CHECKING:
    from polhode.uncertainty.result import Uncertainties  # imports the compiler, for which the window does not wait
    from polhode.uncertainty.sources import Source

MOST = 20  # trails with bands: those of the first bodies


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
            self._names = _columns(self._stage)
        is_wanted = view.visible["trails"] and frame is not None and self._is_of_session
        self.runs.want(self._names if is_wanted else (), frame.snapshot.time if frame is not None else 0.0)
        if self.runs.version != self._version:
            self._version = self.runs.version
            self._job.cancel()
            found, stage = self.runs.found, self._stage
            if found is None or stage is None or not self._is_of_session:
                return self._show(None)
            self._job.add(lambda check_cancelled: (stage.scene, _prediction(found, stage, check_cancelled)))
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


def _prediction(found: Uncertainties, stage: Stage, check_cancelled: CheckCancelled) -> Prediction | None:
    """The bands of uncertainties, in the background. Raises JobCancelled."""
    others = []
    for source in found.sources:
        check_cancelled()
        others.append(_displaced(stage, source))
    points = {}
    for row, number in enumerate(stage.moving[:MOST]):
        check_cancelled()
        here = followed(stage.solids[number])
        moved = np.array([np.zeros(3) if other is None else other[row] - here for other in others])
        point = uncertain_point(found, stage.scene.bodies[number].name, here, moved)
        if point is not None:
            points[row] = point
    return Prediction.of(points)


def _columns(stage: Stage | None) -> tuple[str, ...]:
    """Columns of the bodies with trails."""
    if stage is None:
        return ()
    return tuple(
        name
        for number in stage.moving[:MOST]
        for name in point_columns(stage.scene.bodies[number].name, not followed(stage.solids[number]).any())
    )


def _displaced(stage: Stage, source: Source) -> list[np.ndarray] | None:
    """(3,) [m] the traced point of each body with a trail, where a random number is larger by one deviation.

    None for numbers that move no surface or magnet of a body, and without a valid scene there.
    """
    if not any(map(_moves_point, source.names)):
        return None
    numbers = {written(path): number for path, number in uncertain_numbers(stage.scene)}
    values = {name: float(numbers[name]) + numbers[name].deviation * source.deviation for name in source.names}
    try:
        solids = AppearanceCache().of(stage.scene.with_values(values), stage.meshes)
    except InputError:
        return None
    return [followed(solids[number]) for number in stage.moving]


def _moves_point(name: str) -> bool:
    """Whether a number, by its path, is one of a shape or magnet that may move the traced point of its body."""
    return (".shape[" in name or ".dipole[" in name) and not name.endswith((".mass", ".density"))
