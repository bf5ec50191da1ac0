"""Observer: columns of the table at any times, without interpolation: a copy of the state takes one shorter step.

A value has the error of the method alone, and the run does not depend on these times.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import copy
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.run.loop import advance
from polhode.run.method import CompiledMethod
from polhode.run.observers.table_row import observe_row

NEAR = 1e-9  # of a step: times that near to a grid point are on it
LAST = 2**62  # steps: no further look
AT, RUN = range(2)


class AtTimes(KernelStruct):
    """Record of `observe_at_times`. A time before the first step of a run is reached by one step back."""

    row: np.ndarray
    """(1,) int64 number of the run."""
    times: np.ndarray
    """(n,) [s] of all runs, one after the other; they increase in each."""
    first: np.ndarray
    """(r + 1,) int64 index of the first time of each run, and n."""
    columns: np.ndarray
    """(m,) int64 columns of the table."""
    values: np.ndarray
    """(c,) row of the table."""
    out: np.ndarray
    """(n, m) the columns at the times; nan at the start."""
    cursor: np.ndarray
    """(2,) int64 index of the next time, AT, of the run RUN; -1 at the start."""
    beside: CompiledMethod
    """The method of the run with a history of its own, for steps of copies."""
    copied: np.ndarray
    """(k,) a copy of the state."""
    sides: np.ndarray
    """(n,) values of the switching functions at the last whole step."""


@kernel
def step_aside(
    method: CompiledMethod,
    model: Model,
    inputs: Inputs,
    now: Clock,
    rest: float,
    state: np.ndarray,
    work: Work,
    record: AtTimes,
) -> bool:
    """Copy `state` (k,) to `record.copied`, and take one step of `rest` [s] there; False where it has no finite end.

    Neither the state nor what belongs to it changes.
    """
    copy(state, record.copied)
    for h in range(len(method.history)):
        copy(method.history[h], record.beside.history[h])
    events, clock = work.events, Clock(now.start + now.done * now.step, rest, 0)
    known = events.known[0]
    copy(events.before, record.sides)
    work.step[0] = rest
    taken = advance(record.beside, model, inputs, record.copied, work, clock, 1)
    work.step[0] = now.step
    copy(record.sides, events.before)
    events.known[0] = known
    return taken == 1


@kernel
def observe_at_times(
    method: CompiledMethod, model: Model, inputs: Inputs, now: Clock, state: np.ndarray, work: Work, record: AtTimes
) -> int:
    """Write the columns at all times before the next whole step; steps to that of the next time."""
    run, cursor, step = record.row[0], record.cursor, now.step
    if cursor[RUN] != run:
        cursor[AT], cursor[RUN] = record.first[run], run
    while cursor[AT] < record.first[run + 1]:
        time = record.times[cursor[AT]]
        target = int(np.floor((time - now.start) / step + NEAR))
        if target > now.done:
            return target - now.done
        rest = time - (now.start + now.done * step)
        if abs(rest) <= NEAR * step:
            observe_row(method, model, inputs, now, state, work, record.values)
        elif step_aside(method, model, inputs, now, rest, state, work, record):
            there = Clock(time, step, 0)
            observe_row(method, model, inputs, there, record.copied, work, record.values)
        else:
            return 0
        record.values[0] = time  # which may differ from that of a whole step by rounding
        for j in range(len(record.columns)):
            record.out[cursor[AT], j] = record.values[record.columns[j]]
        cursor[AT] += 1
    return LAST
