"""Columns of the body that moves in eight runs at once, at any times: as core/polhode/run/observers/at_times.py."""

from __future__ import annotations

import numpy as np

from polhode.engine.compile import STOP_STEPS
from polhode.engine.rates import TO_INFINITY
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, chosen_lanes, constant, load, store
from polhode.jit.vec import add, combine, components, cross, scale
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, AXLE, BASIS, BODY_SIZE, FREE, MOMENTUM, POSITION
from polhode.run.lanes.bank import STAGE, STATE, STOP_TIME, TIME, constants, put_three, three
from polhode.run.lanes.constants import INERTIA, INVERSE_MASS, ORIGIN, LaneConstants
from polhode.run.lanes.rates import spinning, turned_by
from polhode.run.lanes.step import ROWS, chosen, step_lanes, write_next
from polhode.run.lanes.tableau import Tableau

COLUMNS = ROWS  # first row of the columns of the body
CHECK = COLUMNS + 24  # row that is zero in the lanes whose state is finite
OBSERVING_ROWS = CHECK + 1  # of the bank
DONE, LAST, COUNT, COUNTS = range(4)


@kernel
def write_columns(body: LaneConstants, bank: np.ndarray, at: int) -> None:
    """Write the columns of the states in the rows of `bank` (rows, 8) from `at` on to those of COLUMNS.

    As `write_bodies` of core/polhode/physics/bodies/part.py.
    """
    numbers = body.numbers
    u1, u2, u3 = three(bank, at + BASIS), three(bank, at + BASIS + 3), three(bank, at + BASIS + 6)
    spin = three(bank, at + ANGULAR_MOMENTUM)
    omega, to_origin = spinning(body, spin, u1, u2, u3), combine(constants(numbers, ORIGIN), u1, u2, u3)
    velocity = cross(omega, to_origin)
    if body.support == FREE:
        velocity = add(scale(constant(numbers, INVERSE_MASS), three(bank, at + MOMENTUM)), velocity)
    if body.support == AXLE:
        spin = turned_by(numbers, INERTIA, omega, u1, u2, u3)
    put_three(bank, COLUMNS, add(three(bank, at + POSITION), to_origin))
    put_three(bank, COLUMNS + 3, velocity)
    put_three(bank, COLUMNS + 6, u1)
    put_three(bank, COLUMNS + 9, u2)
    put_three(bank, COLUMNS + 12, u3)
    put_three(bank, COLUMNS + 15, omega)
    put_three(bank, COLUMNS + 18, spin)
    put_three(bank, COLUMNS + 21, components(spin, u1, u2, u3))


@kernel
def stop_nonfinite(bank: np.ndarray, at: int, row: int, counts: np.ndarray) -> None:
    """End the lanes whose state, in the rows of `bank` (rows, 8) from `at` on, is beyond LARGEST or NaN.

    Their rows end before `row`, and their state becomes NaN.
    """
    check = broadcast(0.0)
    for i in range(BODY_SIZE):
        check = check + 0.0 * (TO_INFINITY * load(bank, at + i, 0))
    store(bank, CHECK, 0, None, check)
    for lane in range(WIDTH):
        if bank[CHECK, lane] != 0.0:
            counts[COUNT, lane], counts[LAST, lane] = min(counts[COUNT, lane], row), counts[DONE, lane]
            for i in range(BODY_SIZE):
                bank[STATE + i, lane] = np.nan


@kernel
def write_row(
    body: LaneConstants,
    table: Tableau,
    rest: np.ndarray,
    row: int,
    columns: np.ndarray,
    counts: np.ndarray,
    bank: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write the columns (m,) of the row `row` into `out` (n m, 8), after a step of rest[row] [s] where that is not 0.

    The states in `bank` (rows, 8) stay, but for those of lanes that end here; see `stop_nonfinite`.
    """
    at, is_between = STATE, False
    for lane in range(WIDTH):
        is_between |= rest[row, lane] != 0.0
    if is_between:
        step = load(rest, row, 0)
        write_next(body, table, step, bank)
        for i in range(0, BODY_SIZE, 3):
            put_three(bank, STAGE + i, chosen(step != 0.0, three(bank, STAGE + i), three(bank, STATE + i)))
        at = STAGE
    stop_nonfinite(bank, at, row, counts)
    write_columns(body, bank, at)
    for j in range(len(columns)):
        store(out, row * len(columns) + j, 0, None, load(bank, COLUMNS + columns[j], 0))


@kernel
def observe_lanes(
    body: LaneConstants,
    table: Tableau,
    step: float,
    target: np.ndarray,
    rest: np.ndarray,
    columns: np.ndarray,
    counts: np.ndarray,
    bank: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write columns of eight runs into `out` (n m, 8): of each row m.

    step: [s]; target: (n, 8) int64 steps after which each row is due, rest: (n, 8) [s] from there to its time, 0 where
    they count as the same; columns: (m,) int64 of those of a body; counts: (COUNTS, 8) int64 the step at the start of
    each lane, that at its end, and its number of rows, which becomes that of the rows with finite values; bank:
    (OBSERVING_ROWS, 8) begins with the states, of which those at the end remain, nan where a run does not reach it

    Lanes wait for each other at each row.
    """
    row = 0
    for lane in range(WIDTH):
        bank[TIME, lane] = step * counts[DONE, lane]
        bank[STOP_TIME, lane] = STOP_STEPS * step
    while True:
        going, due, ahead, least = 0, False, False, 0
        for lane in range(WIDTH):
            is_due = row < counts[COUNT, lane]
            left = (target[row, lane] if is_due else counts[LAST, lane]) - counts[DONE, lane]
            due |= is_due
            if left > 0:
                going |= 1 << lane
                ahead |= is_due
                least = left if least == 0 else min(least, left)
        if due and not ahead:
            write_row(body, table, rest, row, columns, counts, bank, out)
            row += 1
        elif going != 0:
            for _ in range(least):
                step_lanes(body, table, step, bank, chosen_lanes(np.uint32(going)))
                for lane in range(WIDTH):
                    counts[DONE, lane] += going >> lane & 1
                    bank[TIME, lane] = step * counts[DONE, lane]
        else:
            break
    stop_nonfinite(bank, STATE, row, counts)
