"""Observer: values of a column at every look, or where another column passes a level upwards."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.run.method import CompiledMethod
from polhode.run.observers.table_row import observe_row

NUMBER, LARGEST, VALUE, HEIGHT, SIZE = range(5)


class Section(KernelStruct):
    """Record of `observe_section`."""

    first: int
    """Steps after which points are taken."""
    stride: int
    """Steps between two looks."""
    column: int
    """Of the table: its values are the points."""
    passing: int
    """Column whose upward passages of `level` take points; -1: every look does."""
    level: float
    row: np.ndarray
    """(1,) int64 number of the run."""
    values: np.ndarray
    """(c,) row of the table."""
    points: np.ndarray
    """(n, p) rings of the last points of each run."""
    found: np.ndarray
    """(n, SIZE): NUMBER of points, LARGEST |value| of all looks, VALUE and HEIGHT of both columns at the last look."""


@kernel
def observe_section(
    method: CompiledMethod, model: Model, inputs: Inputs, now: Clock, state: np.ndarray, work: Work, record: Section
) -> int:
    """Take the point that is due, if any."""
    observe_row(method, model, inputs, now, state, work, record.values)
    points, found = record.points[record.row[0]], record.found[record.row[0]]
    value, before, below = record.values[record.column], found[VALUE], found[HEIGHT]
    height = record.values[record.passing] if record.passing >= 0 else 0.0
    found[LARGEST] = max(found[LARGEST], abs(value))
    found[VALUE], found[HEIGHT] = value, height
    if now.done > record.first:
        index = int(found[NUMBER]) % len(points)
        if record.passing < 0:
            points[index] = value
            found[NUMBER] += 1.0
        elif below < record.level <= height:
            points[index] = before + (record.level - below) / (height - below) * (value - before)
            found[NUMBER] += 1.0
    return record.stride
