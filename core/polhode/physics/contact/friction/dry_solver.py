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

from polhode.jit.kernel import kernel
from polhode.jit.vec import dot, row
from polhode.physics.contact.friction.arrays import FrictionRows
from polhode.physics.contact.friction.dry_rows import HOLDS, SLIDES, YIELDS

SWEEPS = 10, 100  # largest number of sweeps over many pairs, and over few
UPDATES = 1200  # of pairs in all sweeps, between those two numbers
ROUNDS = 5  # largest number of times that more pairs yield
AGREED = 1e-5  # change of each force in a sweep, over its limit or the normal force, below which it has converged
FARTHEST = 10.0  # largest extrapolation over the change between two sweeps
HELD = 1e-4  # of what the limit may give: a pair that lacks less holds, and is at its limit by chance


@kernel
def lacking(rows: FrictionRows, q: int) -> tuple[float, float]:
    """ds/dt + s/t_stop [m/s^2] of both rows of pair q under the current forces."""
    r, one, other = 2 * q, rows.motion[rows.ends[q, 0]], rows.motion[rows.ends[q, 1]]
    gained = one[0] - other[0], one[1] - other[1], one[2] - other[2]
    turned, opposite = (one[3], one[4], one[5]), (other[3], other[4], other[5])
    first = rows.bias[r] + dot(row(rows.along, r), gained)
    second = rows.bias[r + 1] + dot(row(rows.along, r + 1), gained)
    first += dot(row(rows.turn, r), turned) + dot(row(rows.other_turn, r), opposite)
    second += dot(row(rows.turn, r + 1), turned) + dot(row(rows.other_turn, r + 1), opposite)
    return first, second


@kernel
def change_force(rows: FrictionRows, q: int, first: float, second: float) -> None:
    """Replace the force of pair q by (first, second) [N], and update the accelerations of both ends."""
    r, one, other = 2 * q, rows.motion[rows.ends[q, 0]], rows.motion[rows.ends[q, 1]]
    x, y = first - rows.force[r], second - rows.force[r + 1]
    rows.force[r], rows.force[r + 1] = first, second
    for axis in range(3):
        force = x * rows.along[r, axis] + y * rows.along[r + 1, axis]
        one[axis] += rows.yielding[q, 0] * force
        one[3 + axis] += x * rows.gain[r, axis] + y * rows.gain[r + 1, axis]
        other[axis] -= rows.yielding[q, 1] * force
        other[3 + axis] += x * rows.other_gain[r, axis] + y * rows.other_gain[r + 1, axis]


@kernel
def without_power(rows: FrictionRows, q: int, u: float, v: float) -> tuple[float, float]:
    """The force [N] across the slip of pair q that leaves nothing lacking along itself.

    u, v: what is lacking [m/s^2].
    """
    r = 2 * q
    x, y = -rows.slip[r + 1], rows.slip[r]
    m11, m12, m22 = rows.mobility[q, 0], rows.mobility[q, 1], rows.mobility[q, 2]
    now, next_now = rows.force[r], rows.force[r + 1]
    yielding = m11 * x * x + 2.0 * m12 * x * y + m22 * y * y
    if yielding <= 0.0:
        return 0.0, 0.0
    wanted = x * (m11 * now + m12 * next_now - u) + y * (m12 * now + m22 * next_now - v)
    return x * wanted / yielding, y * wanted / yielding


@kernel
def relax(rows: FrictionRows, q: int) -> float:
    """Solve pair q under the forces of all others; returns the square of its change over its static limit, or over the
    normal force where that is smaller.

    The force that leaves nothing lacking, if the limit allows it; else a step against what is lacking, cut to the
    limit: that leads to the minimum over the disc, where the force is opposed to what is lacking. If the power of that
    is positive, because other forces end the slip sooner than within t_stop, the part along the slip is left out.
    """
    u, v = lacking(rows, q)
    r, most = 2 * q, rows.limit[q, 0] * rows.limit[q, 0]
    last_x, last_y, i12 = rows.force[r], rows.force[r + 1], rows.inverse[q, 1]
    rows.state[q] = HOLDS
    x = last_x - (rows.inverse[q, 0] * u + i12 * v)
    y = last_y - (i12 * u + rows.inverse[q, 2] * v)
    if not x * x + y * y <= most:  # NaN where the mobility has no inverse
        x, y = last_x - rows.inverse[q, 3] * u, last_y - rows.inverse[q, 3] * v
    if rows.resists[q] and x * rows.slip[r] + y * rows.slip[r + 1] > 0.0:
        x, y = without_power(rows, q, u, v)
    square = x * x + y * y
    if square > most:
        rows.state[q] = YIELDS
        part = sqrt(most / square)
        x, y = part * x, part * y
    change_force(rows, q, x, y)
    return ((x - last_x) * (x - last_x) + (y - last_y) * (y - last_y)) * rows.scale[q]


@kernel
def extrapolate(rows: FrictionRows, count: int, members: int, share: float) -> None:
    """Add a share of the changes since the last sweep to the forces of the pairs that do not slide, and note them.

    The accelerations are linear in the forces: those of the nodes change by the same share.
    """
    for m in range(count):
        q = rows.order[m]
        if rows.state[q] == SLIDES:
            continue
        for r in range(2 * q, 2 * q + 2):
            x = rows.force[r]
            if share > 0.0:
                rows.force[r] = x + share * (x - rows.last_force[r])
            rows.last_force[r] = x
    for m in range(members):
        now, last = rows.motion[rows.member[m]], rows.last_motion[rows.member[m]]
        for axis in range(6):
            x = now[axis]
            if share > 0.0:
                now[axis] = x + share * (x - last[axis])
            last[axis] = x


@kernel
def converge(rows: FrictionRows, count: int, members: int, most_sweeps: int) -> int:
    """Find the forces of the pairs order[0] ... order[count - 1] that do not slide; returns the number of sweeps.

    With the change g of a sweep and y the forces after it, the next sweep starts from y + c (y - y'), with c = -g.(g -
    g')/(g - g')^2 between 0 and FARTHEST, primes of the last sweep. Products are weighted by mobilities.
    """
    for sweep in range(most_sweeps):
        most, above, below = 0.0, 0.0, 0.0
        for m in range(count):
            q = rows.order[m]
            if rows.state[q] == SLIDES:
                continue
            before = rows.force[2 * q], rows.force[2 * q + 1]
            most = max(most, relax(rows, q))
            weight = rows.mobility[q, 0] + rows.mobility[q, 2]
            for i in range(2):
                r = 2 * q + i
                step = rows.force[r] - before[i]
                bent = step - rows.last_step[r]
                above += weight * step * bent
                below += weight * bent * bent
                rows.last_step[r] = step
        if most <= AGREED * AGREED or sweep == most_sweeps - 1:
            return sweep + 1
        share = min(max(-above / below, 0.0), FARTHEST) if sweep > 0 and below > 0.0 else 0.0
        extrapolate(rows, count, members, share)
    return 0


@kernel
def let_slide(rows: FrictionRows, q: int, stop_time: float) -> bool:
    """Give pair q, which is at its limit, its force of sliding; False if it has it, or if it holds after all.

    Slip that friction alone might stop within t_stop, or that loses half of it within that time, may reverse: then the
    force is along that of the limit, which opposes the slip after t_stop. Force against the slip itself would overshoot
    there, and never come to rest.
    """
    r = 2 * q
    u, v = lacking(rows, q)
    static, kinetic, trace = rows.limit[q, 0], rows.limit[q, 1], rows.mobility[q, 0] + rows.mobility[q, 2]
    if sqrt(u * u + v * v) < HELD * trace * static:
        return False
    x, y = rows.slip[r], rows.slip[r + 1]
    u, v = stop_time * u - x, stop_time * v - y  # what the slip gains within t_stop
    speed = sqrt(x * x + y * y)
    is_fast = speed > max(2.0 * sqrt(u * u + v * v), 0.5 * stop_time * trace * static)
    if not is_fast and kinetic == static:
        return False
    if is_fast:
        x, y = -kinetic * x / speed, -kinetic * y / speed
    else:
        x, y = rows.force[r] * kinetic / static, rows.force[r + 1] * kinetic / static
    change_force(rows, q, x, y)
    rows.state[q] = SLIDES
    return True


@kernel
def slide_at_once(rows: FrictionRows, q: int, stop_time: float) -> None:
    """Give pair q, without any friction so far, its force of sliding if its slip is so fast that it can't be held: it
    neither may reverse within t_stop (`let_slide`), nor could twice the largest friction stop it within that time.
    """
    r = 2 * q
    u, v = lacking(rows, q)
    x, y = rows.slip[r], rows.slip[r + 1]
    u, v = stop_time * u - x, stop_time * v - y
    speed, trace = sqrt(x * x + y * y), rows.mobility[q, 0] + rows.mobility[q, 2]
    if speed > max(4.0 * sqrt(u * u + v * v), 2.0 * stop_time * trace * rows.limit[q, 0]):
        share = -rows.limit[q, 1] / speed
        change_force(rows, q, share * x, share * y)
        rows.state[q] = SLIDES


@kernel
def solve_pairs(rows: FrictionRows, count: int, members: int, stop_time: float) -> None:
    """Find the forces of the pairs order[0] ... order[count - 1], which share no moving body with any others.

    members: number of nodes at their ends, in `rows.member`
    """
    for m in range(count):
        slide_at_once(rows, rows.order[m], stop_time)
    left = max(SWEEPS[0], min(SWEEPS[1], UPDATES // max(1, count)))
    for _ in range(ROUNDS):
        left -= converge(rows, count, members, max(1, left))
        yielded = False
        for m in range(count):
            if rows.state[rows.order[m]] == YIELDS:
                slides = let_slide(rows, rows.order[m], stop_time)
                yielded = yielded or slides
        if not yielded:
            return
