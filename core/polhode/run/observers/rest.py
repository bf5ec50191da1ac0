"""Observer: whether a run has come to rest, or can't leave its attractor any more, and the series of a column.

A run is settled when its kinetic energy has stayed below CALM of the largest that it has had, for WINDOW checks. At a
turning point of an oscillation the energy is small for a short time; near a saddle it may stay small for longer, which
a repetition with half of the step detects, because the path from a saddle depends on the smallest difference. Where
barriers between attractors are known (core/polhode/sweep/barriers.py), it is settled, too, when its energy is too low
to leave the attractor that it is nearest to.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.diagnostics import write_row
from polhode.engine.ledger import KINETIC
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.calls import call_on_state
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.vec import add, dot, subtract
from polhode.jit.vec import row as row_of
from polhode.physics.bodies.arrays import BODY_SIZE, DRIVEN, POSITION, BodyWork
from polhode.run.method import CompiledMethod
from polhode.run.observers.wells import Wells

CALM = 1e-4  # of the largest kinetic energy: 1 % of the largest speed
WINDOW = 20  # checks in a row that must be calm
LAST, LOWEST, HIGHEST, SUM, SAMPLES, FIRST_CROSSING, LAST_CROSSING, CROSSINGS, REACH, LARGEST, SERIES = range(11)
"""Numbers of a run: of a column the last, lowest and highest value, their sum and number, times of the first and the
last upward crossing [s] and their number; then the largest displacement [m] and kinetic energy [J]."""


class Rest(KernelStruct):
    """Record of `observe_rest`."""

    steps: int
    """Of the whole run."""
    stride: int
    """Steps between two checks."""
    first: int
    """Checks after which values of the column count."""
    column: int
    """Of the table; -1: none."""
    level: float
    """Of the column, whose upward crossings count."""
    ends_early: bool
    """Whether a run ends that rests, or that can't leave its attractor any more."""
    wells: Wells
    row: np.ndarray
    """(1,) int64 number of the run."""
    values: np.ndarray
    """(c,) row of the table."""
    start: np.ndarray
    """(k,) state at the start."""
    series: np.ndarray
    """(n, SERIES) numbers of each run, 0 at the start."""
    calm: np.ndarray
    """(n,) int64 last checks in a row that were calm."""
    settled: np.ndarray
    """(n,) int64 steps after which a run rests or can't leave any more; -1: it is not settled."""


@kernel
def sample(value: float, elapsed: float, interval: float, level: float, series: np.ndarray) -> None:
    """Add a value at `elapsed` [s] since the start to the numbers `series` (SERIES,) of a run.

    interval: [s] since the sample before; level: whose upward crossings are counted, with linear interpolation
    """
    before = series[LAST]
    if series[SAMPLES] == 0.0:
        series[LOWEST] = series[HIGHEST] = before = value
    series[LOWEST], series[HIGHEST] = min(series[LOWEST], value), max(series[HIGHEST], value)
    if before < level and value >= level:
        crossing = elapsed - interval * (value - level) / (value - before)
        if series[CROSSINGS] == 0.0:
            series[FIRST_CROSSING] = crossing
        series[LAST_CROSSING] = crossing
        series[CROSSINGS] += 1.0
    series[LAST] = value
    series[SUM] += value
    series[SAMPLES] += 1.0


@kernel
def displacement(model: Model, start: np.ndarray, state: np.ndarray) -> float:
    """Largest change [m] of a coordinate of a body's reference point or of a point from `start` (k,) to `state` (k,).

    Driven bodies, whose motion is given, do not count.
    """
    found, first = 0.0, model.points.at
    for b in range(len(model.bodies.mass)):
        if model.bodies.support[b] != DRIVEN:
            for i in range(BODY_SIZE * b + POSITION, BODY_SIZE * b + POSITION + 3):
                found = max(found, abs(state[i] - start[i]))
    for i in range(first, first + 3 * len(model.points.mass)):
        found = max(found, abs(state[i] - start[i]))
    return found


@kernel
def limit_at(wells: Wells, bodies: BodyWork) -> float:
    """Limit [J] of the well whose place is nearest to the placed centre of mass of the body."""
    middle = add(row_of(bodies.position, wells.body), row_of(bodies.com_offset, wells.body))
    limit, least = -np.inf, np.inf
    for k in range(len(wells.near)):
        displacement = subtract(row_of(wells.near, k), middle)
        if dot(displacement, displacement) < least:
            limit, least = wells.limit[k], dot(displacement, displacement)
    return limit


@kernel
def is_below_barrier(wells: Wells, work: Work) -> bool:
    """Whether the total energy is too low to leave the nearest well; bodies are placed, and energies known."""
    if len(wells.near) == 0:
        return False
    total = 0.0
    for k in range(len(work.energy)):
        total += work.energy[k]
    return total - wells.still < limit_at(wells, work.bodies)


@kernel
def observe_rest(
    method: CompiledMethod, model: Model, inputs: Inputs, now: Clock, state: np.ndarray, work: Work, record: Rest
) -> int:
    """Check the energy, and sample the column."""
    run, done, time = record.row[0], now.done, now.start + now.done * now.step
    series, stride = record.series[run], record.stride
    if done == 0:
        for k in range(len(state)):
            record.start[k] = state[k]
    call_on_state(method.energies, model, inputs, time, state, work)
    kinetic = work.energy[KINETIC]
    series[LARGEST] = max(series[LARGEST], kinetic)
    if done == 0:
        return stride
    check = -(-done // stride)  # the last one may come sooner than after `stride` steps
    series[REACH] = max(series[REACH], displacement(model, record.start, state))
    is_decided = record.ends_early and is_below_barrier(record.wells, work)
    if record.column >= 0 and check > record.first:
        interval = (done - (check - 1) * stride) * now.step
        write_row(model, inputs, time, state, work, record.values)
        sample(record.values[record.column], time, interval, record.level, series)
    record.calm[run] = record.calm[run] + 1 if kinetic <= CALM * series[LARGEST] else 0
    calm = record.calm[run]
    is_calm = calm >= WINDOW
    if is_calm:
        record.settled[run] = done - (WINDOW - 1) * stride
    elif is_decided:
        record.settled[run] = done
    else:
        record.settled[run] = -1
    return 0 if record.ends_early and (is_calm or is_decided) else stride
