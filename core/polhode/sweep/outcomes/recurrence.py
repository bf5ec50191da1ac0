"""Attractors by recurrences on a grid: a run is on its attractor once it returns repeatedly to cells it has visited.

Quantities sampled at equal intervals are assigned to the cells of a grid (core/polhode/run/observers/recurrence.py). In
the paper by Datseris and Wagemakers each run uses the attractors found by earlier runs. Here runs are independent, so
their order does not affect the result: each keeps a sample of the cells of its attractor, the WIDTH ones with the
smallest hashes, and two runs are on one attractor if they share a quarter of these (MinHash: Broder, 1997).
"""

from __future__ import annotations

import numpy as np

from polhode.analysis.columns import columns
from polhode.engine.compiled_scene import CompiledScene
from polhode.run.loop import ENDED, FINISHED
from polhode.run.observers.recurrence import EMPTY, ON_IT, TABLE, Recurrences, observe_recurrences
from polhode.run.observers.recurrence import SAMPLES as AT_IT
from polhode.run.observers.table_row import empty_row
from polhode.scene.problem import Problem
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.checks import Checks
from polhode.sweep.maps.map import Results
from polhode.sweep.maps.similarity import share_cells
from polhode.sweep.outcomes.outcome_runner import End, OutcomeRunner, OutcomeRuns, run_checked, unknown_columns

WIDTH = 16  # cells of an attractor that are kept
SAMPLES = 5000  # of a run, unless a period is given


class RecurrenceRunner(OutcomeRunner):
    """Attractors of cells."""

    def __init__(self, compiled: CompiledScene, sweep: SweepSettings):
        super().__init__(compiled, sweep)
        known, self._checks, axes = list(columns(compiled)), Checks(compiled, sweep), sweep.outcome.grid
        self._watched = np.array([known.index(axis.quantity) for axis in axes], dtype=np.int64)
        self._grid = np.array(
            [[axis.range[0], (axis.range[1] - axis.range[0]) / axis.count, axis.count] for axis in axes]
        )

    def run(self, states: np.ndarray) -> Results:
        """Numbers: ascending hashes of cells of the attractors of the motions from `states` (n, k), padded with nan.

        Time: when the run reached it. Unsettled: no attractor was found, or the run left the grid. Uncertain: a
        repetition ends at another attractor.
        """

        def run(state: np.ndarray, parts: int) -> End | None:
            found = self._sample(state, parts)
            return None if found is None else End(*found, is_settled=not np.isnan(found[1]))

        def agree(one: End, other: End) -> bool:
            return not other.is_settled or bool(share_cells(one.numbers[None], other.numbers)[0])

        return run_checked(states, WIDTH, run, agree, self._checks, lambda: self._runner.is_cancelled)

    def _sample(self, state: np.ndarray, parts: int) -> tuple[np.ndarray, float] | None:
        """(WIDTH,) hashes and the time [s] after which the run was on its attractor, nan if it was not.

        None if the run ended early. parts: by which the step is divided
        """
        sweep, wanted = self._sweep, self._built.scene.solver.time_step
        period = sweep.outcome.period
        stride = max(1, int(np.ceil((period or sweep.until / SAMPLES) / wanted - 1e-9)))
        step = (period / stride if period else wanted) / parts
        stride *= parts
        record = Recurrences(
            stride,
            np.zeros(1, dtype=np.int64),
            self._watched,
            self._grid,
            empty_row(self._runner.work),
            np.full(TABLE, EMPTY, dtype=np.int64),
            np.array([0, -1, 0], dtype=np.int64),
        )
        looks = min(int(sweep.until / step * (1 + 1e-12)) // stride, TABLE // 2)
        stop = self._runner.run(state[None].copy(), step, looks * stride, observe_recurrences, record)[1]
        if stop[0] not in (FINISHED, ENDED):
            return None
        hashes = np.full(WIDTH, np.nan)
        if record.counts[ON_IT] < 0 or record.counts[AT_IT] == 0:
            return hashes, float("nan")
        cells = record.visited[record.visited != EMPTY].astype(np.uint64)
        kept = np.sort((cells + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(11))[:WIDTH]
        hashes[: len(kept)] = kept
        return hashes, float(record.counts[ON_IT] * step)


def _problems(compiled: CompiledScene, sweep: SweepSettings, where: str) -> list[Problem]:
    return unknown_columns(compiled, sweep.outcome.grid, f"{where}.outcome.grid")


RUNS = OutcomeRuns(RecurrenceRunner, observe_recurrences, _problems, lambda compiled, sweep: WIDTH)
