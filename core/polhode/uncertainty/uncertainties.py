"""Uncertainty in, uncertainty out: the public function."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from polhode.analysis.columns import columns as columns_of
from polhode.analysis.table.named_columns import NamedColumns
from polhode.analysis.table.row_times import RowTimes
from polhode.analysis.table.sampling import ROW_INTERVAL
from polhode.data.input_checks import check_until
from polhode.mesh.mesh import Meshes
from polhode.scene.checks.arguments import Count, Duration, PositiveNumber, checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.uncertainty.propagation import Propagation
from polhode.uncertainty.result import Uncertainties

MOST_NUMBERS = 200_000_000  # of columns and tangents
DRAWS, FEWEST, SECONDS = 1000, 100, 20.0  # draws, and those at least where they take longer than about this [s]


@checked
def uncertainties(
    scene: Scene,
    until: Duration,
    every: PositiveNumber | None = None,
    columns: Sequence[str] = (),
    draws: Count = 0,
    seed: Count = 0,
    meshes: Meshes | None = None,
    progress: Callable[[float], None] = lambda part: None,
) -> Uncertainties:
    """Uncertainties of columns of a run from those of the numbers of a scene: "0.458 +- 0.001".

        scene = read_scene("heavy_top").with_values({"body[0].friction": "1e-4 +- 2e-5"})
        found = uncertainties(scene, until=5.0, columns=["top.u3.z"], draws=1000)
        print(found.at_end("top.u3.z"), found.differs_from("top.u3.z"))

    until: [s] end of the run; every: [s] between rows, by default 0.01 or the time step; columns: names of columns or
    vectors, by default all; draws: number of runs with drawn values, besides the tangents, by default none; seed: of
    the draws; progress: called before each run with the part that is done, may raise to end it

    Tangents are one-sided differences of runs, one for each uncertain number or letter. Raises InputError for a scene
    without uncertain numbers, for unknown columns, and where the scene is invalid beside the means.
    """
    work = Propagation(scene, meshes, progress)
    compiled = work.models.first
    check_until(work.sources.scene, compiled.data_end, until)
    table = columns_of(compiled)
    chosen = chosen_columns(table, columns)
    step = scene.solver.time_step
    times = RowTimes(until, max(ROW_INTERVAL, step) if every is None else every)
    if is_too_large(len(times), len(chosen), len(work.sources.each)):
        rule = Message("{rows:.3g} rows of {columns} columns are too many", rows=len(times), columns=len(chosen))
        raise InputError.of("uncertainties", rule, Message("give a longer one, or fewer columns"), "every")
    return found_at(work, table, times.part(0, len(times)), chosen, draws, seed)


def is_too_large(rows: int, columns: int, sources: int) -> bool:
    """Whether memory can't hold the columns with their tangents."""
    return rows * columns * (1 + sources) > MOST_NUMBERS


def found_at(
    work: Propagation, table: dict[str, str], times: np.ndarray, chosen: np.ndarray, draws: int = 0, seed: int = 0
) -> Uncertainties:
    """Uncertainties of the columns `chosen` (m,) of a table at times (n,) [s]."""
    values, tangents = work.tangents(times, chosen)
    drawn = work.draws(times, chosen, draws, seed) if draws else None
    names = [*table]
    kept = {names[k]: table[names[k]] for k in chosen}
    return Uncertainties(times, tuple(kept), kept, values, tangents, work.sources.each, drawn)


def found_with_draws(
    work: Propagation,
    table: dict[str, str],
    times: np.ndarray,
    chosen: np.ndarray,
    report: Callable[[Uncertainties], object] = lambda found: None,
) -> Uncertainties:
    """Uncertainties of the columns `chosen` (m,) at times (n,) [s], with 1000 draws, or fewer that take about 20 s.

    report: called with those to first order, before the draws
    """
    begun = time.monotonic()
    found = found_at(work, table, times, chosen)
    each = (time.monotonic() - begun) / (1 + len(work.sources.each))
    report(found)
    count = round(min(DRAWS, max(FEWEST, SECONDS / max(each, 1e-9))))
    return replace(found, drawn=work.draws(times, chosen, count))


def chosen_columns(table: dict[str, str], names: Sequence[str]) -> np.ndarray:
    """(m,) indices of columns and vectors of a table by name, each once; all but the time for none."""
    if not names:
        return np.arange(1, len(table))
    return np.array(list(dict.fromkeys(NamedColumns("uncertainties", table).single(names))))
