"""Observer: recurrences of columns on a grid, which end a run once its attractor is known.

As soon as RECURRENCES samples in a row fall into cells that the run has visited before, it goes round on an attractor,
and the cells of the next LOCATED samples are that attractor. (Datseris and Wagemakers, Chaos 32, 023104, 2022)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.run.method import CompiledMethod
from polhode.run.observers.table_row import observe_row

RECURRENCES = 100  # samples in a row in cells that were visited before
LOCATED = 1000  # samples that show the attractor
TABLE = 1 << 15  # slots of the hash table of visited cells: more than twice the samples of a run
EMPTY = -1
RETURNED, ON_IT, SAMPLES, COUNTS = range(4)


class Recurrences(KernelStruct):
    """Record of `observe_recurrences`, for one run."""

    stride: int
    """Steps between two samples."""
    row: np.ndarray
    """(1,) int64 number of the run."""
    columns: np.ndarray
    """(q,) int64 columns of the table."""
    grid: np.ndarray
    """(q, 3) first value, size of a cell and number of cells of each column."""
    values: np.ndarray
    """(c,) row of the table."""
    visited: np.ndarray
    """(TABLE,) int64 hash table of cells, EMPTY at the start; at the end those of the attractor."""
    counts: np.ndarray
    """(COUNTS,) int64 samples RETURNED in a row, steps after which the run was ON_IT or -1, SAMPLES on it."""


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
def cell_of(values: np.ndarray, columns: np.ndarray, grid: np.ndarray) -> int:
    """Number of the cell of the grid (q, 3) that the `columns` (q,) of a row (c,) fall into; EMPTY outside."""
    cell = 0
    for k in range(len(columns)):
        index = np.floor((values[columns[k]] - grid[k, 0]) / grid[k, 1])
        is_inside = cell >= 0 and index >= 0.0 and index < grid[k, 2]
        cell = cell * int(grid[k, 2]) + int(index) if is_inside else EMPTY
    return cell


@kernel
def observe_recurrences(
    method: CompiledMethod, model: Model, inputs: Inputs, now: Clock, state: np.ndarray, work: Work, record: Recurrences
) -> int:
    """Enter the cell of the state; the run ends where LOCATED samples were on its attractor."""
    if now.done == 0:
        return record.stride
    observe_row(method, model, inputs, now, state, work, record.values)
    cell, counts = cell_of(record.values, record.columns, record.grid), record.counts
    if counts[ON_IT] < 0:
        counts[RETURNED] = counts[RETURNED] + 1 if cell >= 0 and visit(record.visited, cell) else 0
        if counts[RETURNED] >= RECURRENCES:
            counts[ON_IT] = now.done - (RECURRENCES - 1) * record.stride
            record.visited[:] = EMPTY
    elif cell >= 0:
        visit(record.visited, cell)
        counts[SAMPLES] += 1
    return 0 if counts[SAMPLES] >= LOCATED else record.stride
