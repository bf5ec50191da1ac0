"""Cells in SIMD lanes: eight at a time take steps together, and a lane whose cell is done gets the next one.

A lane's numbers depend on nothing in the other lanes, so a cell has the same bits in any lane and beside any others.
"""

from __future__ import annotations

import numpy as np

from core.engine.rates import LARGEST as LARGEST_NUMBER
from core.jit.kernel import kernel
from core.jit.simd import WIDTH, Bool8, chosen_lanes, load, reduce_sum, where
from core.jit.vec import combine, dot, scale, subtract
from core.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE, FREE
from core.physics.bodies.placement import turnable_part
from core.sweep.lanes.body import LaneBody
from core.sweep.lanes.rates import (
    KINETIC,
    LARGEST,
    NEAREST,
    RATES,
    STAGE,
    STATE,
    TOTAL,
    LaneTriple,
    put_three,
    three,
    write_energies,
    write_rates,
)
from core.sweep.lanes.tableau import MOST_STAGES, Tableau
from core.sweep.maps.status import DIVERGED, SETTLED, UNSETTLED
from core.sweep.runs.cells import CALM, WINDOW
from core.sweep.runs.wells import Wells

ROWS = RATES + MOST_STAGES * BODY_SIZE  # of the bank
EMPTY = -1  # in place of the cell of a lane
CELL, DONE, CALM_CHECKS, COUNTS = range(4)


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

    As `repair` of core/physics/bodies/placement.py does.

    A lane that is near enough is left as it is while others go on.
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
def step_lanes(body: LaneBody, table: Tableau, dt: float, bank: np.ndarray, going: Bool8) -> None:
    """Advance the states in `bank` (ROWS, 8) by one step of dt [s], in the lanes of `going`."""
    first = 0 if body.bodies.support[body.body] == FREE else BASIS
    for i in range(0, first, 3):
        put_three(bank, STAGE + i, three(bank, STATE + i))
    write_rates(body, bank, STATE, RATES)
    for stage in range(1, table.stages):
        combine_rates(table, stage, dt, first, bank)
        write_rates(body, bank, STAGE, RATES + stage * BODY_SIZE)
    combine_rates(table, table.stages, dt, first, bank)
    orthonormalise(bank, STAGE + BASIS)
    if body.bodies.restricted[body.body]:
        u1, u2, u3 = three(bank, STAGE + BASIS), three(bank, STAGE + BASIS + 3), three(bank, STAGE + BASIS + 6)
        spin = turnable_part(body.bodies, body.body, three(bank, STAGE + ANGULAR_MOMENTUM), u1, u2, u3)
        put_three(bank, STAGE + ANGULAR_MOMENTUM, spin)
    for i in range(first, BODY_SIZE, 3):
        put_three(bank, STATE + i, chosen(going, three(bank, STAGE + i), three(bank, STATE + i)))


@kernel
def verdict(
    kinetic: float,
    total: float,
    limit: float,
    plan: tuple[int, float, int, bool],
    lane: int,
    counts: np.ndarray,
    bank: np.ndarray,
) -> tuple[bool, int, int]:
    """Whether the cell in a lane is done, its status, and the steps after which it rests or can't leave any more.

    kinetic, total: energies [J]; limit: [J] of the well; plan: as of run_lanes; counts: (COUNTS, 8); bank: (ROWS, 8)
    """
    steps, _, stride, ends_early = plan
    bank[LARGEST, lane] = max(bank[LARGEST, lane], kinetic)
    counts[CALM_CHECKS, lane] = counts[CALM_CHECKS, lane] + 1 if kinetic <= CALM * bank[LARGEST, lane] else 0
    done, calm = counts[DONE, lane], counts[CALM_CHECKS, lane]
    if not abs(total) <= LARGEST_NUMBER:
        return True, DIVERGED, done
    if ends_early and calm >= WINDOW:
        return True, SETTLED, done - (WINDOW - 1) * stride
    if ends_early and total < limit:
        return True, SETTLED, done
    status = SETTLED if calm >= WINDOW else UNSETTLED
    return done >= steps, status, done - min(calm, WINDOW - 1) * stride


@kernel
def enter(
    body: LaneBody, states: np.ndarray, following: int, wells: Wells, counts: np.ndarray, bank: np.ndarray
) -> int:
    """Give the rows of `states` (n, k) from `following` on to the empty lanes; returns the row that comes next."""
    fresh, begin = 0, BODY_SIZE * body.body
    for lane in range(WIDTH):
        if counts[CELL, lane] == EMPTY and following < len(states):
            for i in range(BODY_SIZE):
                bank[STATE + i, lane] = states[following, begin + i]
            counts[CELL, lane], counts[DONE, lane], counts[CALM_CHECKS, lane] = following, 0, 0
            following, fresh = following + 1, fresh | 1 << lane
    if fresh != 0:
        write_energies(body, wells.near, bank)
        for lane in range(WIDTH):
            if fresh >> lane & 1:
                bank[LARGEST, lane] = bank[KINETIC, lane]
    return following


@kernel
def leave(
    body: LaneBody,
    states: np.ndarray,
    wells: Wells,
    plan: tuple[int, float, int, bool],
    counts: np.ndarray,
    bank: np.ndarray,
    results: tuple[np.ndarray, np.ndarray],
) -> int:
    """Write what is done to its row of `states` (n, k) and to the results; returns the number of lanes still busy."""
    status, done = results
    begin, busy = BODY_SIZE * body.body, 0
    write_energies(body, wells.near, bank)
    for lane in range(WIDTH):
        cell = counts[CELL, lane]
        if cell == EMPTY:
            continue
        limit = wells.limit[int(bank[NEAREST, lane])]
        is_done, found, at = verdict(bank[KINETIC, lane], bank[TOTAL, lane], limit, plan, lane, counts, bank)
        if is_done:
            status[cell], done[cell], counts[CELL, lane] = found, at, EMPTY
            for i in range(BODY_SIZE):
                states[cell, begin + i] = bank[STATE + i, lane]
        else:
            busy += 1
    return busy


@kernel
def run_lanes(
    body: LaneBody,
    table: Tableau,
    wells: Wells,
    plan: tuple[int, float, int, bool],
    states: np.ndarray,
    bank: np.ndarray,
    counts: np.ndarray,
    cancel: np.ndarray,
    results: tuple[np.ndarray, np.ndarray],
) -> None:
    """Run each row of `states` (n, k) in place, eight at a time.

    plan: number and length [s] of the steps, steps between two checks, whether a run that is decided ends; bank (ROWS,
    8) and counts (COUNTS, 8): scratch; cancel (1,): not 0 ends it; results: status (n,) and steps (n,), written
    """
    steps, dt, stride, _ = plan
    following, busy = 0, 0
    for lane in range(WIDTH):
        counts[CELL, lane] = EMPTY
    while (busy > 0 or following < len(states)) and cancel[0] == 0:
        following = enter(body, states, following, wells, counts, bank)
        for _ in range(stride):
            going = 0
            for lane in range(WIDTH):
                if counts[CELL, lane] != EMPTY and counts[DONE, lane] < steps:
                    going |= 1 << lane
                    counts[DONE, lane] += 1
            if going == 0 or cancel[0] != 0:
                break
            step_lanes(body, table, dt, bank, chosen_lanes(np.uint32(going)))
        if cancel[0] == 0:
            busy = leave(body, states, wells, plan, counts, bank, results)
