"""Bands about the trails of films and pictures of scenes with uncertain numbers."""

from __future__ import annotations

from collections.abc import Callable

from polhode.analysis.columns import columns
from polhode.analysis.table.row_times import RowTimes
from polhode.scene.problem import InputError
from polhode.scene.uncertain import uncertain_numbers
from polhode.uncertainty.propagation import Propagation
from polhode.uncertainty.uncertainties import chosen_columns, found_with_draws
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.trail_bands import Prediction
from polhode_app.viewport.things.predicted_trails import predicted, trail_columns

LONGEST, ROWS = 80.0, 3000  # [s] and rows of the undisturbed run, as in the window


def film_bands(stage: Stage, until: float, progress: Callable[[float], None]) -> Prediction | None:
    """The bands of a stage from the start of its scene to `until` [s].

    None for a scene of certain numbers, or one that is invalid beside its means. `progress` is called before each run
    with the part that is done, and may raise to end the work.
    """
    if not uncertain_numbers(stage.scene):
        return None
    try:
        return _computed(stage, until, Propagation(stage.scene, progress=progress))
    except InputError:
        return None


def _computed(stage: Stage, until: float, work: Propagation) -> Prediction | None:
    """The bands, None without bodies that move. Raises InputError."""
    table = columns(work.models.first)
    known = [name for name in trail_columns(stage) if name in table]
    end = min(until, LONGEST, work.models.first.data_end.time)
    if not known or end <= 0.0:
        return None
    times = RowTimes(end, max(end / ROWS, stage.scene.solver.time_step))
    found = found_with_draws(work, table, times.part(0, len(times)), chosen_columns(table, known))
    return predicted(found, stage)
