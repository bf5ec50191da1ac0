"""Runs of cells until they rest, for outcomes that depend on their ends and on one column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Work
from polhode.run.loop import CANCELLED
from polhode.run.loop import DIVERGED as NOT_FINITE
from polhode.run.observers.rest import SERIES, Rest, observe_rest
from polhode.run.observers.table_row import empty_row
from polhode.run.observers.wells import Wells, no_wells
from polhode.run.runner import Runner
from polhode.run.status import DIVERGED, PENDING, SETTLED, UNSETTLED

CHECKS = 600  # of the kinetic energy during `until`


@dataclass(frozen=True)
class Plan:
    """How every cell is run."""

    steps: int  # of `step`
    step: float  # [s]
    stride: int  # steps between two checks
    first: int  # check from which on samples count
    column: int  # of the table, whose values are sampled at each check; -1: none
    ends_early: bool  # whether a run ends once it rests or can't leave its attractor any more


def record_of(plan: Plan, wells: Wells, work: Work, count: int, size: int, level: float = 0.0) -> Rest:
    """The record of `observe_rest` for `count` runs of a plan, of states of `size` numbers."""
    return Rest(
        plan.steps,
        plan.stride,
        plan.first,
        plan.column,
        level,
        plan.ends_early,
        wells,
        np.zeros(1, dtype=np.int64),
        empty_row(work),
        np.zeros(size),
        np.zeros((count, SERIES)),
        np.zeros(count, dtype=np.int64),
        np.full(count, -1, dtype=np.int64),
    )


class CellRunner:
    """Runs cells of one compiled scene, with scratch arrays of its own: one for each thread."""

    def __init__(self, compiled: CompiledScene, wells: Wells | None = None):
        """Link the hooks of the scene, which compiles them if necessary."""
        self._wells, self._runner = wells or no_wells(), Runner(compiled)

    def run(self, states: np.ndarray, plan: Plan, level: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Run all starts `states` (n, k) in place, to their ends.

        Returns the status (n,), the time (n,) [s] after which each rests or can't leave its attractor any more, or nan,
        and the numbers (n, SERIES) of each. After `cancel` other cells are PENDING.
        """
        record = record_of(plan, self._wells, self._runner.work, len(states), states.shape[1], level)
        stop = self._runner.run(states, plan.step, plan.steps, observe_rest, record)[1]
        status = np.where(record.settled >= 0, SETTLED, UNSETTLED).astype(np.uint8)
        status[stop == NOT_FINITE], status[stop == CANCELLED] = DIVERGED, PENDING
        rest = np.where(status == SETTLED, record.settled * plan.step, np.nan)
        return status, rest, record.series

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self._runner.cancel()
