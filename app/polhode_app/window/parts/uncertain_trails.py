"""Bands about the trails of bodies whose positions are uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from polhode.scene.fields import written
from polhode.scene.problem import InputError
from polhode.scene.uncertain import uncertain_numbers
from polhode.uncertainty.points import point_columns, uncertain_point
from polhode_app.messages import FrameData
from polhode_app.session.session import Session
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.trail_bands import Prediction
from polhode_app.viewport.things.appearance_cache import AppearanceCache
from polhode_app.viewport.things.trails import TrailView, followed
from polhode_app.viewport.view import SceneView
from polhode_app.window.parts.uncertain_runs import UncertainRuns
from polhode_app.window.parts.window_part import WindowPart

if TYPE_CHECKING:
    from polhode.uncertainty.sources import Source  # imports the compiler, for which the window does not wait

MOST = 20  # trails with bands: those of the first bodies


class UncertainTrails(WindowPart):
    """Computes the positions of traced points in the background, and gives their bands to the view of the trails."""

    def __init__(self, session: Session, scene_view: SceneView):
        self._session, self._scene_view = session, scene_view
        self.runs = UncertainRuns(session)
        self._version = self.runs.version
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
        if self.runs.version == self._version:
            return False
        self._version = self.runs.version
        trails = view.views["trails"]
        assert isinstance(trails, TrailView)
        trails.show_bands(self._prediction())
        if view.now is not None:
            trails.update(view.now)
        return True

    def stop(self) -> None:
        """End the thread."""
        self.runs.stop()

    @property
    def _is_of_session(self) -> bool:
        """Whether the view shows the scene that runs, and not one whose numbers a sensor has changed."""
        return self._stage is not None and self._stage.scene is self._session.scene

    def _prediction(self) -> Prediction | None:
        """The bands of the newest uncertainties."""
        found, stage = self.runs.found, self._stage
        if found is None or stage is None or not self._is_of_session:
            return None
        others = [_displaced(stage, source) for source in found.sources]
        points = {}
        for row, number in enumerate(stage.moving[:MOST]):
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

    None for numbers that change no shape or magnet of a body, and without a valid scene there.
    """
    if not any(".shape[" in name or ".dipole[" in name for name in source.names):
        return None
    numbers = {written(path): number for path, number in uncertain_numbers(stage.scene)}
    values = {name: float(numbers[name]) + numbers[name].deviation * source.deviation for name in source.names}
    try:
        solids = AppearanceCache().of(stage.scene.with_values(values), stage.meshes)
    except InputError:
        return None
    return [followed(solids[number]) for number in stage.moving]
