"""Runs of cells in SIMD lanes, for scenes that allow it."""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.jit.pages import aligned_zeros
from polhode.jit.simd import WIDTH
from polhode.run.lanes.agreement import have_all_laws
from polhode.run.lanes.body import LaneBody, lane_body
from polhode.run.lanes.constants import shared_constants
from polhode.run.lanes.loop import COUNTS, run_lanes
from polhode.run.lanes.step import ROWS
from polhode.run.lanes.tableau import TABLEAUS
from polhode.run.observers.rest import SERIES
from polhode.run.observers.wells import Wells, no_wells
from polhode.run.status import PENDING, SETTLED
from polhode.sweep.cells import Plan


class LaneRunner:
    """Runs cells of one scene as CellRunner does, without a column."""

    def __init__(self, body: LaneBody, method: str, wells: Wells):
        """`method`: one of TABLEAUS."""
        self._constants, self._table, self._wells = shared_constants(body), TABLEAUS[method], wells
        self._bank = aligned_zeros(ROWS * WIDTH).reshape(ROWS, WIDTH)
        self._counts, self._cancel = np.zeros((COUNTS, WIDTH), dtype=np.int64), np.zeros(1, dtype=np.int64)

    def run(self, states: np.ndarray, plan: Plan, level: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As CellRunner.run of `states` (n, k); rows of other bodies and the ledger stay, and the numbers are 0."""
        count = len(states)
        status, rest = np.full(count, PENDING, dtype=np.uint8), np.full(count, np.nan)
        done, numbers = np.zeros(count, dtype=np.int64), (plan.steps, plan.step, plan.stride, plan.ends_early)
        scratch = self._bank, self._counts, self._cancel
        run_lanes(self._constants, self._table, self._wells, numbers, states, *scratch, (status, done))
        rest[status == SETTLED] = done[status == SETTLED] * plan.step
        return status, rest, np.zeros((count, SERIES))

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self._cancel[0] = 1


def body_in_lanes(compiled: CompiledScene) -> LaneBody | None:
    """The constants of a scene whose cells can run in lanes; None for other scenes."""
    body, solver = lane_body(compiled), compiled.scene.solver
    if body is None or solver.method not in TABLEAUS:
        return None

    def ends(states: np.ndarray, steps: int) -> np.ndarray:
        found = states.copy()
        LaneRunner(body, solver.method, no_wells()).run(found, Plan(steps, solver.time_step, 1, 0, -1, False))
        return found

    return body if have_all_laws(compiled, body, ends) else None
