"""Uncertain positions of the traced points of bodies, for the bands of their trails. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from polhode.scene.fields import written
from polhode.scene.problem import InputError
from polhode.scene.uncertain import uncertain_numbers
from polhode.uncertainty.points import point_columns, uncertain_point
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.trail_bands import Prediction
from polhode_app.viewport.things.appearance_cache import AppearanceCache
from polhode_app.viewport.things.trails import followed

if TYPE_CHECKING:
    from polhode.uncertainty.result import Uncertainties  # imports the compiler, for which the window does not wait
    from polhode.uncertainty.sources import Source

MOST = 20  # trails with bands: those of the first bodies


def predicted(
    found: Uncertainties, stage: Stage, check_cancelled: Callable[[], object] = lambda: None
) -> Prediction | None:
    """The bands of uncertainties of `trail_columns`; None without any. `check_cancelled` may raise to end the work."""
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


def trail_columns(stage: Stage | None) -> tuple[str, ...]:
    """Columns of the bodies with trails; none without a stage."""
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
