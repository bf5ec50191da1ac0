"""Steps of eight runs at once by an explicit Runge-Kutta method.

A lane's numbers depend on nothing in the other lanes, so a run has the same bits in any lane and next to any others.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.simd import Bool8, load, reduce_sum, where
from polhode.jit.vec import combine, dot, scale, subtract
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE, FREE, POSITION
from polhode.run.lanes.bank import RATES, STAGE, STATE, LaneTriple, put_three, three
from polhode.run.lanes.constants import TURNABLE, LaneConstants
from polhode.run.lanes.rates import set_time, turned_by, write_rates
from polhode.run.lanes.tableau import MOST_STAGES, Tableau

ROWS = RATES + MOST_STAGES * BODY_SIZE  # of the bank


@kernel
def combine_rates(table: Tableau, stage: int, dt: float, first: int, bank: np.ndarray) -> None:
    """Write the state plus dt [s] times the weighted rates of row `stage` of the table to the rows of STAGE.

    first: rows of the body's section before it do not change; bank: (ROWS, 8)
    """
    for i in range(first, BODY_SIZE, 3):
        x, y, z = three(bank, i)
        for entry in range(table.first[stage], table.first[stage + 1]):
            weight, rate = dt * table.weight[entry], RATES + BODY_SIZE * table.source[entry] + i
            x = x + weight * load(bank, rate, 0)
            y = y + weight * load(bank, rate + 1, 0)
            z = z + weight * load(bank, rate + 2, 0)
        put_three(bank, STAGE + i, (x, y, z))


@kernel
def larger(a: float, b: float) -> float:
    """The larger one of a and |b|."""
    size = where(b > 0.0, b, -b)
    return where(size > a, size, a)


@kernel
def chosen(mask: Bool8, a: LaneTriple, b: LaneTriple) -> LaneTriple:
    """a in the lanes of the mask, b in the others."""
    return where(mask, a[0], b[0]), where(mask, a[1], b[1]), where(mask, a[2], b[2])


@kernel
def orthonormalise(bank: np.ndarray, at: int) -> None:
    """Replace the bases in the rows of `bank` (ROWS, 8) from `at` on by the nearest orthonormal ones.

    As `repair` of core/polhode/physics/bodies/placement.py does.

    A lane that is near enough stays while others continue.
    """
    u1, u2, u3 = three(bank, at), three(bank, at + 3), three(bank, at + 6)
    left = where(True, 1.0, u1[0])
    for _ in range(12):
        g11, g22, g33 = dot(u1, u1), dot(u2, u2), dot(u3, u3)
        g12, g13, g23 = dot(u1, u2), dot(u1, u3), dot(u2, u3)
        drift = larger(larger(larger(0.0 * left, g11 - 1.0), g22 - 1.0), g33 - 1.0)
        drift = larger(larger(larger(drift, g12), g13), g23)
        v1 = subtract(scale(1.5, u1), scale(0.5, combine((g11, g12, g13), u1, u2, u3)))
        v2 = subtract(scale(1.5, u2), scale(0.5, combine((g12, g22, g23), u1, u2, u3)))
        v3 = subtract(scale(1.5, u3), scale(0.5, combine((g13, g23, g33), u1, u2, u3)))
        going = left > 0.5
        u1, u2, u3 = chosen(going, v1, u1), chosen(going, v2, u2), chosen(going, v3, u3)
        left = where(drift > 1e-8, left, 0.0)
        if reduce_sum(left) == 0.0:
            break
    put_three(bank, at, chosen(left > 0.5, scale(np.nan, u1), u1))
    put_three(bank, at + 3, u2)
    put_three(bank, at + 6, u3)


@kernel
def step_lanes(body: LaneConstants, table: Tableau, dt: float, bank: np.ndarray, going: Bool8) -> None:
    """Advance the states in `bank` (ROWS, 8) from the times of TIME by one step of dt [s], in the lanes of `going`."""
    write_next(body, table, dt, bank)
    for i in range(first_moving(body), BODY_SIZE, 3):
        put_three(bank, STATE + i, chosen(going, three(bank, STAGE + i), three(bank, STATE + i)))


@part_of_caller
def first_moving(body: LaneConstants) -> int:
    """First row of the body's section that changes."""
    return POSITION if body.support == FREE else BASIS


@kernel
def write_next(body: LaneConstants, table: Tableau, dt: float, bank: np.ndarray) -> None:
    """Write the states after a step of dt [s] (one, or one a lane) from TIME to STAGE of `bank` (ROWS, 8)."""
    first = first_moving(body)
    for i in range(0, first, 3):
        put_three(bank, STAGE + i, three(bank, STATE + i))
    set_time(body, bank, 0.0)
    write_rates(body, bank, STATE, RATES)
    for stage in range(1, table.stages):
        combine_rates(table, stage, dt, first, bank)
        set_time(body, bank, table.time[stage] * dt)
        write_rates(body, bank, STAGE, RATES + stage * BODY_SIZE)
    combine_rates(table, table.stages, dt, first, bank)
    orthonormalise(bank, STAGE + BASIS)
    if body.restricted:
        u1, u2, u3 = three(bank, STAGE + BASIS), three(bank, STAGE + BASIS + 3), three(bank, STAGE + BASIS + 6)
        spin = turned_by(body.numbers, TURNABLE, three(bank, STAGE + ANGULAR_MOMENTUM), u1, u2, u3)
        put_three(bank, STAGE + ANGULAR_MOMENTUM, spin)
