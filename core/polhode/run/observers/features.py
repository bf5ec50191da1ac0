"""Observer: lowest and highest values, sums and sums of squares of columns in both halves of the time that counts."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.run.method import CompiledMethod
from polhode.run.observers.table_row import observe_row

LOWEST, HIGHEST, SUM, SQUARES = range(4)


class Features(KernelStruct):
    """Record of `observe_features`."""

    first: int
    """Steps after which samples count."""
    steps: int
    """Of the whole run."""
    stride: int
    """Steps between two samples."""
    row: np.ndarray
    """(1,) int64 number of the run."""
    columns: np.ndarray
    """(q,) int64 columns of the table."""
    values: np.ndarray
    """(c,) row of the table."""
    found: np.ndarray
    """(n, 2, q, 4) LOWEST, HIGHEST, SUM, SQUARES of each column in each half; begins as `empty` makes it."""
    counts: np.ndarray
    """(n, 2) samples of each half."""


def no_features(runs: int, columns: int) -> np.ndarray:
    """(n, 2, q, 4) features of runs without samples."""
    found = np.zeros((runs, 2, columns, 4))
    found[..., LOWEST], found[..., HIGHEST] = np.inf, -np.inf
    return found


@kernel
def observe_features(
    method: CompiledMethod, model: Model, inputs: Inputs, now: Clock, state: np.ndarray, work: Work, record: Features
) -> int:
    """Add the columns to the features of the run."""
    done = now.done
    if done > record.first:
        observe_row(method, model, inputs, now, state, work, record.values)
        half = 0 if 2 * (done - record.first) <= record.steps - record.first else 1
        for k in range(len(record.columns)):
            value, numbers = record.values[record.columns[k]], record.found[record.row[0], half, k]
            numbers[LOWEST] = min(numbers[LOWEST], value)
            numbers[HIGHEST] = max(numbers[HIGHEST], value)
            numbers[SUM] += value
            numbers[SQUARES] += value * value
        record.counts[record.row[0], half] += 1.0
    return record.first - done if done < record.first else record.stride
