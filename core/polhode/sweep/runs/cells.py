"""Runs of the cells of a sweep, in compiled loops: many starts of one compiled scene, one after the other.

A cell is settled when its kinetic energy has stayed below CALM of the largest that it has had, for a window of time. At
a turning point of an oscillation the energy is small for a moment only; near a saddle it may stay small for longer than
the window, which the repetition with half of the step shows, because the way on from a saddle depends on the smallest
difference. Where the barriers between attractors are known (core/polhode/sweep/runs/barriers.py), a cell is settled,
too, when its energy is too low to leave the attractor that it is nearest to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import typeof

from polhode.analysis.diagnostics import ENERGY_COLUMNS, energies, write_row
from polhode.engine.compile import STOP_STEPS, CompiledScene
from polhode.engine.history import begin_history
from polhode.engine.ledger import KINETIC, LEDGER_SIZE
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import rates
from polhode.engine.work import make_work
from polhode.integrators import AS_PRINTED, METHODS
from polhode.jit.calls import call_advance, call_on_state
from polhode.jit.kernel import kernel
from polhode.jit.vec import add, dot, subtract
from polhode.jit.vec import row as row_of
from polhode.physics.bodies.arrays import BODY_SIZE, DRIVEN, POSITION, BodyWork
from polhode.run.table_types import COUNT, ROW, ROWS, step_types, table_types
from polhode.sweep.maps.status import DIVERGED, PENDING, SETTLED, UNSETTLED
from polhode.sweep.runs.wells import Wells, no_wells

CALM = 1e-4  # of the largest kinetic energy: 1 % of the largest speed
CHECKS = 600  # of the kinetic energy during `until`
WINDOW = 20  # checks in a row that must be calm
LAST, LOWEST, HIGHEST, SUM, SAMPLES, FIRST_CROSSING, LAST_CROSSING, CROSSINGS = range(8)  # of the plan's column
REACH = 8  # [m] largest displacement of a body or point from its start, by coordinates
SERIES = 9  # numbers that are kept of a cell


@dataclass(frozen=True)
class Plan:
    """How every cell is run."""

    steps: int  # of `step`
    step: float  # [s]
    stride: int  # steps between two checks
    first: int  # checks after which samples count
    column: int  # of the table, whose values are sampled at each check; -1: none
    ends_early: bool  # whether a run ends that rests, or that can't leave its attractor any more


@kernel
def sample(row: np.ndarray, column: int, elapsed: float, apart: float, level: float, series: np.ndarray) -> None:
    """Add the value row[column] at `elapsed` [s] since the start to the numbers `series` (SERIES,) of a cell.

    apart: [s] since the sample before; level: whose upward crossings are counted, with linear interpolation
    """
    value, before = row[column], series[LAST]
    if series[SAMPLES] == 0.0:
        series[LOWEST] = series[HIGHEST] = before = value
    series[LOWEST], series[HIGHEST] = min(series[LOWEST], value), max(series[HIGHEST], value)
    if before < level and value >= level:
        crossing = elapsed - apart * (value - level) / (value - before)
        if series[CROSSINGS] == 0.0:
            series[FIRST_CROSSING] = crossing
        series[LAST_CROSSING] = crossing
        series[CROSSINGS] += 1.0
    series[LAST] = value
    series[SUM] += value
    series[SAMPLES] += 1.0


@kernel
def total(energy: np.ndarray) -> float:
    """Sum of the energies (ENERGIES,) [J]."""
    found = 0.0
    for k in range(len(energy)):
        found += energy[k]
    return found


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
    if len(wells.near) == 0:
        return -np.inf
    middle = add(row_of(bodies.position, wells.body), row_of(bodies.com_offset, wells.body))
    limit, least = -np.inf, np.inf
    for k in range(len(wells.near)):
        way = subtract(row_of(wells.near, k), middle)
        if dot(way, way) < least:
            limit, least = wells.limit[k], dot(way, way)
    return limit


@kernel
def run_cell(
    addresses: tuple[int, int, int],
    model: Model,
    inputs: Inputs,
    state: np.ndarray,
    history: np.ndarray,
    work: Work,
    plan: tuple[int, float, int, int, int, bool, bool],
    level: float,
    wells: Wells,
    row: np.ndarray,
    start: np.ndarray,
    series: np.ndarray,
) -> tuple[int, int]:
    """Run `state` (k,) in place; returns the status, PENDING if it was cancelled, and the steps after which it rests or
    can't leave its attractor any more.

    addresses: of `advance` of the method, `energies`, `rates`; plan: the fields of Plan, and whether the method is one
    as printed; row: (c,) of the table; start: (k,) scratch; series: (SERIES,), written: REACH, and the others where the
    plan has a column
    """
    advance, measure, rate = addresses
    steps, step, stride, first, column, ends_early, is_printed = plan
    series[:] = 0.0
    for k in range(len(state)):
        start[k] = state[k]
    work.step[0] = step
    begin_history(rate, model, inputs, 0.0, state, history, work, is_printed)
    call_on_state(measure, model, inputs, 0.0, state, work)
    largest, calm, done, check = work.energy[KINETIC], 0, 0, 0
    while done < steps:
        count = min(stride, steps - done)
        taken = call_advance(advance, model, inputs, state, history, work, Clock(0.0, step, done), count)
        done += taken
        if taken < count:
            return PENDING if work.cancel[0] != 0 else DIVERGED, done
        check += 1
        call_on_state(measure, model, inputs, done * step, state, work)
        kinetic = work.energy[KINETIC]
        series[REACH] = max(series[REACH], displacement(model, start, state))
        if column >= 0 and check > first:
            write_row(model, inputs, done * step, state, work, row)
            sample(row, column, done * step, count * step, level, series)
        largest = max(largest, kinetic)
        calm = calm + 1 if kinetic <= CALM * largest else 0
        if calm >= WINDOW and ends_early:
            return SETTLED, done - (WINDOW - 1) * stride
        if ends_early and total(work.energy) - wells.still < limit_at(wells, work.bodies):
            return SETTLED, done
    return SETTLED if calm >= WINDOW else UNSETTLED, done - min(calm, WINDOW - 1) * stride


class CellRunner:
    """Runs cells of one compiled scene, with scratch arrays of its own: one for each thread."""

    def __init__(self, built: CompiledScene, wells: Wells | None = None):
        """Link the hooks of the scene, which compiles them if necessary."""
        self._wells = wells or no_wells()
        self._built, self._work = built, make_work(built.model, built.inputs)
        method = (METHODS | AS_PRINTED)[built.scene.solver.method]
        self._is_printed = method.NAME in AS_PRINTED
        model, inputs, work, _ = table_types()
        advance = (model, inputs, ROW, ROWS, work, typeof(Clock(0.0, 0.0, 0)), COUNT)
        self._addresses = (
            method.advance.address(advance),
            energies.address(step_types()),
            rates.address((*step_types(), ROW)),
        )
        self._history = np.zeros((method.HISTORY, len(built.start)))
        self._row = np.zeros(self._work.program.width[0] + ENERGY_COLUMNS + LEDGER_SIZE)
        self._start = np.zeros(len(built.start))

    def run(self, states: np.ndarray, plan: Plan, level: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Run all starts `states` (n, k) in place; they become the ends.

        Returns the status (n,), the time [s] after which each rests or can't leave its attractor any more (n,), nan of
        one that does not, and the numbers (n, SERIES) of each. After `cancel` other cells are PENDING.
        """
        count = len(states)
        status, rest = np.full(count, PENDING, dtype=np.uint8), np.full(count, np.nan)
        series = np.zeros((count, SERIES))
        numbers = (plan.steps, plan.step, plan.stride, plan.first, plan.column, plan.ends_early, self._is_printed)
        self._work.stop_time[0] = STOP_STEPS * plan.step
        done = np.zeros(count, dtype=np.int64)
        built = self._built
        run_cells(
            self._addresses,
            built.model,
            built.inputs,
            states,
            self._history,
            self._work,
            numbers,
            level,
            self._wells,
            self._row,
            self._start,
            (series, status, done),
        )
        rest[status == SETTLED] = done[status == SETTLED] * plan.step
        return status, rest, series

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self._work.cancel[0] = 1


@kernel
def run_cells(
    addresses: tuple[int, int, int],
    model: Model,
    inputs: Inputs,
    states: np.ndarray,
    history: np.ndarray,
    work: Work,
    plan: tuple[int, float, int, int, int, bool, bool],
    level: float,
    wells: Wells,
    row: np.ndarray,
    start: np.ndarray,
    results: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    """Run each row of `states` (n, k) as `run_cell` does, in place.

    results: series (n, SERIES), status (n,) and steps (n,), written
    """
    series, status, done = results
    for cell in range(len(states)):
        status[cell], done[cell] = run_cell(
            addresses, model, inputs, states[cell], history, work, plan, level, wells, row, start, series[cell]
        )
        if status[cell] == PENDING:
            return
