"""Forces of dry friction at contacts that share bodies (rows: dry_rows.py, islands: islands.py).

A pair of rows holds its slip s by the force x with da/dt + s/t_stop = 0 as long as |x| is at most the static limit; at
the limit x is opposed to what is left of that sum. These forces are the minimum of a convex function over discs. It is
found by going through the pairs one by one, each under the current forces of all others (Gauss-Seidel iteration), and
by extrapolating from the last two sweeps (Anderson acceleration, J. ACM 12, 547, 1965, of depth 1).

Pairs at their limit then slide: with the kinetic force against the slip, or, of a slip that may reverse within t_stop,
along x. That may overload others, so the rest is solved again until no more yield.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.vec import Triple, dot
from polhode.physics.contact.friction.arrays import (
    BIAS,
    FIRST,
    FORCE,
    INVERSE,
    KINETIC_LIMIT,
    LARGEST,
    LAST,
    MOBILITY,
    OTHER,
    SCALE,
    SLIP,
    STATIC_LIMIT,
    STEP,
    FrictionRows,
)
from polhode.physics.contact.friction.dry_rows import HOLDS, SLIDES, YIELDS

SWEEPS = 10, 100  # largest number of sweeps over many pairs, and over few
LATER_SWEEPS = 4  # instead of the first number, beginning with forces of another evaluation in the same step
UPDATES = 1200  # of pairs in all sweeps, between those two numbers
ROUNDS = 5  # largest number of times that more pairs yield
AGREED = 1e-5  # change of each force in a sweep, over its limit or the normal force, below which it has converged
SETTLED = 3e-5  # change of the motion in a sweep, over what all limits could change, below which it has converged
FARTHEST = 10.0  # largest extrapolation over the change between two sweeps
HELD = 1e-4  # of what the limit may give: a pair that lacks less holds, and is at its limit by chance


@part_of_caller
def lacking(rows: FrictionRows, q: int) -> tuple[float, float]:
    """ds/dt + s/t_stop [m/s^2] of both rows of pair q under the current forces."""
    numbers, one, other = rows.numbers[q], rows.motion[rows.ends[q, 0]], rows.motion[rows.ends[q, 1]]
    first, second = numbers[BIAS], numbers[BIAS + 1]
    moved, turned = triple(one, 0), triple(one, 3)
    first += dot(triple(numbers, FIRST), moved) + dot(triple(numbers, FIRST + 3), turned)
    second += dot(triple(numbers, FIRST + 6), moved) + dot(triple(numbers, FIRST + 9), turned)
    moved, turned = triple(other, 0), triple(other, 3)
    first += dot(triple(numbers, OTHER), moved) + dot(triple(numbers, OTHER + 3), turned)
    second += dot(triple(numbers, OTHER + 6), moved) + dot(triple(numbers, OTHER + 9), turned)
    return first, second


@part_of_caller
def triple(numbers: np.ndarray, column: int) -> Triple:
    """The three numbers from `column` on of (k,)."""
    return numbers[column], numbers[column + 1], numbers[column + 2]


@part_of_caller
def change_force(rows: FrictionRows, q: int, first: float, second: float) -> None:
    """Replace the force of pair q by (first, second) [N], and update the motions of both ends."""
    numbers, one, other = rows.numbers[q], rows.motion[rows.ends[q, 0]], rows.motion[rows.ends[q, 1]]
    x, y = first - numbers[FORCE], second - numbers[FORCE + 1]
    numbers[FORCE], numbers[FORCE + 1] = first, second
    for axis in range(6):
        one[axis] += x * numbers[FIRST + axis] + y * numbers[FIRST + 6 + axis]
    for axis in range(6):
        other[axis] += x * numbers[OTHER + axis] + y * numbers[OTHER + 6 + axis]


@kernel
def without_power(numbers: np.ndarray, u: float, v: float) -> tuple[float, float]:
    """The force [N] across the slip of a pair that leaves nothing lacking along itself.

    numbers: (COLUMNS,) of the pair; u, v: what is lacking [m/s^2].
    """
    x, y = -numbers[SLIP + 1], numbers[SLIP]
    m11, m12, m22 = numbers[MOBILITY], numbers[MOBILITY + 1], numbers[MOBILITY + 2]
    now, next_now = numbers[FORCE], numbers[FORCE + 1]
    yielding = m11 * x * x + 2.0 * m12 * x * y + m22 * y * y
    if yielding <= 0.0:
        return 0.0, 0.0
    wanted = x * (m11 * now + m12 * next_now - u) + y * (m12 * now + m22 * next_now - v)
    return x * wanted / yielding, y * wanted / yielding


@part_of_caller
def relax(rows: FrictionRows, q: int) -> float:
    """Solve pair q under the forces of all others; returns the square of its change over its static limit, or over the
    normal force where that is smaller.

    The force that leaves nothing lacking, if the limit allows it; else a step against what is lacking, cut to the
    limit: that leads to the minimum over the disc, where the force is opposed to what is lacking. If the power of that
    is positive, because other forces end the slip sooner than within t_stop, the part along the slip is left out.
    """
    (u, v), numbers = lacking(rows, q), rows.numbers[q]
    last_x, last_y, i12 = numbers[FORCE], numbers[FORCE + 1], numbers[INVERSE + 1]
    state, most = HOLDS, numbers[STATIC_LIMIT] * numbers[STATIC_LIMIT]
    x = last_x - (numbers[INVERSE] * u + i12 * v)
    y = last_y - (i12 * u + numbers[INVERSE + 2] * v)
    if not x * x + y * y <= most:  # NaN where the mobility has no inverse
        x, y = last_x - numbers[LARGEST] * u, last_y - numbers[LARGEST] * v
    if rows.resists[q] and x * numbers[SLIP] + y * numbers[SLIP + 1] > 0.0:
        x, y = without_power(numbers, u, v)
    square = x * x + y * y
    if square > most:
        state, part = YIELDS, sqrt(most / square)
        x, y = part * x, part * y
    rows.state[q] = state
    change_force(rows, q, x, y)
    return ((x - last_x) * (x - last_x) + (y - last_y) * (y - last_y)) * numbers[SCALE]


@kernel
def sweep_pairs(rows: FrictionRows, count: int) -> tuple[float, float]:
    """Relax the pairs order[0] ... order[count - 1] that do not slide, one by one.

    Returns the largest of the squares of `relax`, and the c of `converge`.
    """
    most, above, below = 0.0, 0.0, 0.0
    for m in range(count):
        q = rows.order[m]
        if rows.state[q] == SLIDES:
            continue
        numbers = rows.numbers[q]
        before, next_before = numbers[FORCE], numbers[FORCE + 1]
        most = max(most, relax(rows, q))
        x, y = numbers[FORCE] - before, numbers[FORCE + 1] - next_before
        bent_x, bent_y = x - numbers[STEP], y - numbers[STEP + 1]
        weight = numbers[MOBILITY] + numbers[MOBILITY + 2]
        above += weight * (x * bent_x + y * bent_y)
        below += weight * (bent_x * bent_x + bent_y * bent_y)
        numbers[STEP], numbers[STEP + 1] = x, y
    return most, min(max(-above / below, 0.0), FARTHEST) if below > 0.0 else 0.0


@kernel
def extrapolate(rows: FrictionRows, count: int, members: int, share: float) -> None:
    """Add a share of the changes since the last sweep to the forces of the pairs that do not slide, and note them.

    The motions of the nodes are linear in the forces and change by the same share.
    """
    for m in range(count):
        q = rows.order[m]
        if rows.state[q] == SLIDES:
            continue
        numbers = rows.numbers[q]
        for i in range(2):
            x = numbers[FORCE + i]
            if share > 0.0:
                numbers[FORCE + i] = x + share * (x - numbers[LAST + i])
            numbers[LAST + i] = x
    for m in range(members):
        node = rows.member[m]
        now, last, before = rows.motion[node], rows.last_motion[node], rows.first_motion[node]
        for axis in range(6):
            x = now[axis]
            if share > 0.0:
                now[axis] = x + share * (x - last[axis])
            last[axis], before[axis] = x, now[axis]


@kernel
def motion_has_settled(rows: FrictionRows, count: int, members: int) -> bool:
    """Whether the last sweep has changed the motions of all nodes together by less than SETTLED of what the limits of
    all pairs could change them by.
    """
    changed, possible = 0.0, 0.0
    for m in range(count):
        numbers = rows.numbers[rows.order[m]]
        possible += (numbers[MOBILITY] + numbers[MOBILITY + 2]) / numbers[SCALE]
    for m in range(members):
        now, before = rows.motion[rows.member[m]], rows.first_motion[rows.member[m]]
        for axis in range(6):
            changed += (now[axis] - before[axis]) * (now[axis] - before[axis])
    return changed <= SETTLED * SETTLED * possible


@kernel
def converge(rows: FrictionRows, count: int, members: int, fewest: int, most_sweeps: int) -> int:
    """Find the forces of the pairs order[0] ... order[count - 1] that do not slide; returns the number of sweeps.

    With the change g of a sweep and y the forces after it, the next sweep starts from y + c (y - y'), with c = -g.(g -
    g')/(g - g')^2 between 0 and FARTHEST, primes of the last sweep. Products are weighted by mobilities.

    Contacts of two bodies that slide and turn demand a little more than both can do; their forces then grow against
    each other for thousands of sweeps, up to their limits, with hardly any effect on the motion. So after the `fewest`
    sweeps it is enough that the motion does not change any more.
    """
    for sweep in range(most_sweeps):
        most, share = sweep_pairs(rows, count)
        if most <= AGREED * AGREED or sweep == most_sweeps - 1:
            return sweep + 1
        if sweep + 1 >= fewest and motion_has_settled(rows, count, members):
            return sweep + 1
        extrapolate(rows, count, members, share if sweep > 0 else 0.0)
    return 0


@kernel
def let_slide(rows: FrictionRows, q: int, stop_time: float) -> bool:
    """Give pair q, which is at its limit, its force of sliding; False if it has it, or if it holds after all.

    Slip that friction alone might stop within t_stop, or that loses half of it within that time, may reverse: then the
    force is along that of the limit, which opposes the slip after t_stop. Force against the slip itself would overshoot
    there, and never come to rest.
    """
    (u, v), numbers = lacking(rows, q), rows.numbers[q]
    static, kinetic, trace = numbers[STATIC_LIMIT], numbers[KINETIC_LIMIT], numbers[MOBILITY] + numbers[MOBILITY + 2]
    if sqrt(u * u + v * v) < HELD * trace * static:
        return False
    x, y = numbers[SLIP], numbers[SLIP + 1]
    u, v = stop_time * u - x, stop_time * v - y  # what the slip gains within t_stop
    speed = sqrt(x * x + y * y)
    is_fast = speed > max(2.0 * sqrt(u * u + v * v), 0.5 * stop_time * trace * static)
    if not is_fast and kinetic == static:
        return False
    if is_fast:
        x, y = -kinetic * x / speed, -kinetic * y / speed
    else:
        x, y = numbers[FORCE] * kinetic / static, numbers[FORCE + 1] * kinetic / static
    change_force(rows, q, x, y)
    rows.state[q] = SLIDES
    return True


@kernel
def slide_at_once(rows: FrictionRows, q: int, stop_time: float) -> None:
    """Give pair q, without any friction so far, its force of sliding if its slip is so fast that it can't be held: it
    neither may reverse within t_stop (`let_slide`), nor could twice the largest friction stop it within that time.
    """
    numbers = rows.numbers[q]
    x, y = numbers[SLIP], numbers[SLIP + 1]
    speed, trace = sqrt(x * x + y * y), numbers[MOBILITY] + numbers[MOBILITY + 2]
    if speed <= 2.0 * stop_time * trace * numbers[STATIC_LIMIT]:
        return
    u, v = lacking(rows, q)
    u, v = stop_time * u - x, stop_time * v - y
    if speed > 4.0 * sqrt(u * u + v * v):
        share = -numbers[KINETIC_LIMIT] / speed
        change_force(rows, q, share * x, share * y)
        rows.state[q] = SLIDES


@kernel
def begin_with_last_forces(rows: FrictionRows, count: int) -> None:
    """Give the pairs order[0] ... order[count - 1] that do not slide their forces of the last evaluation of the same
    step, as far as their limits allow them.
    """
    for m in range(count):
        q = rows.order[m]
        if rows.state[q] == SLIDES:
            continue
        numbers = rows.numbers[q]
        x, y, most = numbers[LAST], numbers[LAST + 1], numbers[STATIC_LIMIT]
        square = x * x + y * y
        part = most / sqrt(square) if square > most * most else 1.0
        change_force(rows, q, part * x, part * y)


@kernel
def solve_pairs(rows: FrictionRows, count: int, members: int, stop_time: float) -> None:
    """Find the forces of the pairs order[0] ... order[count - 1], which share no moving body with any others.

    members: number of nodes at their ends, in `rows.member`
    """
    for m in range(count):
        slide_at_once(rows, rows.order[m], stop_time)
    fewest, left = SWEEPS[0], max(SWEEPS[0], min(SWEEPS[1], UPDATES // max(1, count)))
    if rows.known[0] > 0:
        begin_with_last_forces(rows, count)
        fewest, left = LATER_SWEEPS, max(LATER_SWEEPS, left * LATER_SWEEPS // SWEEPS[0])
    for _ in range(ROUNDS):
        left -= converge(rows, count, members, fewest, max(1, left))
        yielded = False
        for m in range(count):
            if rows.state[rows.order[m]] == YIELDS:
                slides = let_slide(rows, rows.order[m], stop_time)
                yielded = yielded or slides
        if not yielded:
            return
