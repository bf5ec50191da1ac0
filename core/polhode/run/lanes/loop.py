"""Cells in SIMD lanes: eight at a time take steps together, and a lane whose cell is done gets the next one.

A cell has the same bits in any lane and next to any others (step.py).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compile import STOP_STEPS
from polhode.engine.rates import LARGEST as LARGEST_NUMBER
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, chosen_lanes
from polhode.physics.bodies.arrays import BODY_SIZE
from polhode.run.lanes.bank import KINETIC, LARGEST, NEAREST, STATE, STOP_TIME, TIME, TOTAL
from polhode.run.lanes.constants import LaneConstants
from polhode.run.lanes.rates import write_energies
from polhode.run.lanes.step import step_lanes
from polhode.run.lanes.tableau import Tableau
from polhode.run.observers.rest import CALM, WINDOW
from polhode.run.observers.wells import Wells
from polhode.run.status import DIVERGED, SETTLED, UNSETTLED

EMPTY = -1  # in place of the cell of a lane
CELL, DONE, CALM_CHECKS, COUNTS = range(4)


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
    body: LaneConstants, states: np.ndarray, following: int, wells: Wells, counts: np.ndarray, bank: np.ndarray
) -> int:
    """Load the rows of `states` (n, k) from `following` on into the empty lanes; returns the next row."""
    fresh, begin = 0, BODY_SIZE * body.body
    for lane in range(WIDTH):
        if counts[CELL, lane] == EMPTY and following < len(states):
            bank[TIME, lane] = 0.0
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
    body: LaneConstants,
    states: np.ndarray,
    wells: Wells,
    plan: tuple[int, float, int, bool],
    counts: np.ndarray,
    bank: np.ndarray,
    results: tuple[np.ndarray, np.ndarray],
) -> int:
    """Write finished lanes to their rows of `states` (n, k) and to the results; returns the number of busy lanes."""
    status, done = results
    begin, busy = BODY_SIZE * body.body, 0
    for lane in range(WIDTH):
        bank[TIME, lane] = plan[1] * counts[DONE, lane]
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
    body: LaneConstants,
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
        bank[STOP_TIME, lane] = STOP_STEPS * dt
    while (busy > 0 or following < len(states)) and cancel[0] == 0:
        following = enter(body, states, following, wells, counts, bank)
        for _ in range(stride):
            going = 0
            for lane in range(WIDTH):
                if counts[CELL, lane] != EMPTY and counts[DONE, lane] < steps:
                    going |= 1 << lane
                    bank[TIME, lane] = dt * counts[DONE, lane]
                    counts[DONE, lane] += 1
            if going == 0 or cancel[0] != 0:
                break
            step_lanes(body, table, dt, bank, chosen_lanes(np.uint32(going)))
        if cancel[0] == 0:
            busy = leave(body, states, wells, plan, counts, bank, results)
