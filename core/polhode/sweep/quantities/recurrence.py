"""Attractors by recurrences on a grid: a run has found its attractor when it returns to where it was, again and again.

Values of some quantities, sampled in equal times, fall into the cells of a grid. As soon as RECURRENCES samples in a
row fall into cells that the run has visited before, it goes round on an attractor, and the cells of the next LOCATED
samples are that attractor. (Datseris and Wagemakers, Chaos 32, 023104, 2022)

There every run knows the attractors of the runs before it. Here runs know nothing of each other, so that the order in
which they are done has no part in the result: each keeps a sample of its attractor's cells, the WIDTH ones with the
smallest hashes, and two runs are on one attractor if a quarter of these are common (MinHash: Broder, 1997).
"""

from __future__ import annotations

import numpy as np

from polhode.analysis.columns import columns
from polhode.engine.compile import CompiledScene
from polhode.engine.model import Inputs, Model, Work
from polhode.jit.kernel import kernel
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.likeness import share_cells
from polhode.sweep.quantities.results import End, Results, run_checked
from polhode.sweep.quantities.rows import advance_to_row
from polhode.sweep.quantities.steps import Steps
from polhode.sweep.runs.checks import Checks

RECURRENCES = 100  # samples in a row in cells that were visited before
LOCATED = 1000  # samples that show the attractor
WIDTH = 16  # cells of it that are kept
SAMPLES = 5000  # of a run, unless a period is given
TABLE = 1 << 15  # places of the hash table of visited cells: more than twice the samples of a run
EMPTY = -1


@kernel
def visit(table: np.ndarray, cell: int) -> bool:
    """Enter `cell` into the hash table (TABLE,) int64; returns whether it was there."""
    at = (cell * 2654435761) % len(table)
    while table[at] != EMPTY:
        if table[at] == cell:
            return True
        at = (at + 1) % len(table)
    table[at] = cell
    return False


@kernel
def run_recurrences(
    addresses: tuple[int, int],
    model: Model,
    inputs: Inputs,
    state: np.ndarray,
    history: np.ndarray,
    work: Work,
    plan: tuple[int, int, float, int],
    watched: np.ndarray,
    grid: np.ndarray,
    row: np.ndarray,
    table: np.ndarray,
    found: np.ndarray,
) -> int:
    """Run `state` (k,) in place until its attractor is known; returns the steps that were taken.

    addresses: of the method and of `energies`; plan: steps, steps between two samples, step [s], most samples; watched:
    (q,) columns; grid: (q, 3) first value, size of a cell and number of cells of each; row: (c,) of the table of
    quantities; table: (TABLE,) int64, whose cells are those of the attractor at the end; found: (2,) steps after which
    the run was on it, or -1, and samples on it
    """
    steps, stride, step, most = plan
    done, returned, located = 0, 0, 0
    table[:] = EMPTY
    found[0], found[1] = -1.0, 0.0
    while done + stride <= steps and done < stride * most:
        taken = advance_to_row(addresses, model, inputs, state, history, work, (done, stride, step), row)
        done += taken
        if taken < stride:
            return -done - 1
        cell = 0
        for k in range(len(watched)):
            index = np.floor((row[watched[k]] - grid[k, 0]) / grid[k, 1])
            is_inside = cell >= 0 and index >= 0.0 and index < grid[k, 2]
            cell = cell * int(grid[k, 2]) + int(index) if is_inside else EMPTY
        if found[0] < 0.0:
            returned = returned + 1 if cell >= 0 and visit(table, cell) else 0
            if returned >= RECURRENCES:
                found[0] = done - (RECURRENCES - 1) * stride
                table[:] = EMPTY
        elif cell >= 0:
            visit(table, cell)
            located += 1
            found[1] = located
            if located >= LOCATED:
                return done
    return done


class RecurrenceRunner:
    """Attractors of cells of one compiled scene, with scratch arrays of its own: one for each thread."""

    def __init__(self, built: CompiledScene, sweep: SweepSettings):
        """Prepare for runs as the sweep asks for them."""
        known = list(columns(built))
        self._built, self._sweep, self._checks = built, sweep, Checks(built, sweep)
        axes = sweep.outcome.grid
        self._watched = np.array([known.index(axis.quantity) for axis in axes], dtype=np.int64)
        self._grid = np.array(
            [[axis.range[0], (axis.range[1] - axis.range[0]) / axis.count, axis.count] for axis in axes]
        )
        self._steps = Steps(built, built.scene.solver.time_step)
        self._table = np.empty(TABLE, dtype=np.int64)

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self._steps.cancel()

    def run(self, states: np.ndarray) -> Results:
        """Attractors of the motions from `states` (n, k): numbers are hashes of some of their cells, ascending, nan
        beyond the last; time is that after which the run was on it.

        Unsettled: no attractor was found, or it left the grid. Uncertain: a repetition ends at another one.
        """

        def run(state: np.ndarray, parts: int) -> End | None:
            found = self._sample(state, parts)
            return None if found is None else End(*found, is_settled=not np.isnan(found[1]))

        def agree(one: End, other: End) -> bool:
            return not other.is_settled or bool(share_cells(one.numbers[None], other.numbers)[0])

        return run_checked(states, WIDTH, run, agree, self._checks, lambda: self._steps.is_cancelled)

    def _sample(self, state: np.ndarray, parts: int) -> tuple[np.ndarray, float] | None:
        """(WIDTH,) hashes and the time [s] after which the run was on its attractor, nan if it was not.

        None if it ended before. parts: of a step
        """
        sweep, steps = self._sweep, self._steps
        wanted = self._built.scene.solver.time_step
        interval = sweep.outcome.period or max(sweep.until / SAMPLES, wanted)
        stride = parts * max(1, int(np.ceil(interval / wanted - 1e-9)))
        step, found = interval / stride, np.zeros(2)
        steps.set_step(step)
        taken = run_recurrences(
            (steps.advance, steps.measure),
            self._built.model,
            self._built.inputs,
            state.copy(),
            steps.history,
            steps.work,
            (int(sweep.until / step * (1 + 1e-12)), stride, step, TABLE // 2),
            self._watched,
            self._grid,
            steps.row,
            self._table,
            found,
        )
        if taken < 0:
            return None
        hashes = np.full(WIDTH, np.nan)
        if found[0] < 0 or found[1] == 0:
            return hashes, float("nan")
        cells = self._table[self._table != EMPTY].astype(np.uint64)
        kept = np.sort((cells + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(11))[:WIDTH]
        hashes[: len(kept)] = kept
        return hashes, float(found[0] * step)
