"""Observer: growth of tangent vectors, which are carried along a run as differences of neighbouring states.

The vectors are made orthonormal every few steps; the mean of the logarithms of their lengths before that, divided by
the time, are the Lyapunov exponents. (Benettin, Galgani, Giorgilli and Strelcyn, Meccanica 15, 9, 1980; Shimada and
Nagashima, Prog. Theor. Phys. 61, 1605, 1979)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import copy
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.libm.logarithm import log
from polhode.run.loop import advance
from polhode.run.method import CompiledMethod, begin
from polhode.run.neighbours import Chart, difference, displace, orthonormalise

STRIDE = 5  # steps between two times at which vectors are made orthonormal
SMALLEST = 1e-300  # length whose logarithm is taken in place of that of 0


class Tangents(KernelStruct):
    """Record of `observe_tangents`, for one run."""

    first: int
    """The first step that counts."""
    steps: int
    """Of the whole run."""
    row: np.ndarray
    """(1,) int64 number of the run."""
    chart: Chart
    """Independent coordinates of states."""
    vectors: np.ndarray
    """(n, d) tangent vectors, orthonormal at each look."""
    lengths: np.ndarray
    """(n,) of the vectors at the last look, before they were made orthonormal; 0 at the start."""
    sums: np.ndarray
    """(2, n) sums of logarithms of lengths over both halves of the steps that count."""
    copies: np.ndarray
    """(n, k) neighbouring states."""
    sides: np.ndarray
    """(n,) values of the switching functions at the last whole step of the run."""
    beside: CompiledMethod
    """The method of the copies."""
    last: np.ndarray
    """(1,) int64 step of the last look; -1 before the first one."""


@kernel
def move_copies(model: Model, inputs: Inputs, now: Clock, work: Work, record: Tangents) -> bool:
    """Take the copies from the last look to `now`; False where one has no finite end."""
    events, since = work.events, Clock(now.start, now.step, record.last[0])
    known = events.known[0]
    copy(events.before, record.sides)
    moved = 0
    for i in range(len(record.copies)):
        begin(record.beside, model, inputs, since.start + since.done * since.step, record.copies[i], work)
        steps = now.done - since.done
        moved += advance(record.beside, model, inputs, record.copies[i], work, since, steps) == steps
    copy(record.sides, events.before)
    events.known[0] = known
    return moved == len(record.copies)


@kernel
def observe_tangents(
    method: CompiledMethod,  # as of all observers
    model: Model,
    inputs: Inputs,
    now: Clock,
    state: np.ndarray,
    work: Work,
    record: Tangents,
) -> int:
    """Add the logarithms of the lengths since the last look, and begin with orthonormal vectors again."""
    last, first = record.last[0], record.first
    if last >= 0:
        if not move_copies(model, inputs, now, work, record):
            return 0
        for i in range(len(record.vectors)):
            difference(record.chart, state, record.copies[i], record.vectors[i])
        orthonormalise(record.vectors, record.lengths)
        half = 0 if 2 * (last - first) < record.steps - first else 1
        if last >= first:
            for i in range(len(record.vectors)):
                record.sums[half, i] += log(max(record.lengths[i], SMALLEST))
    for i in range(len(record.vectors)):
        displace(record.chart, state, record.vectors[i], record.copies[i])
    record.last[0] = now.done
    return STRIDE
