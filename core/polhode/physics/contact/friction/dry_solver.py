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

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, add, dot, row, scale, subtract
from polhode.physics.contact.friction.arrays import FrictionContacts, FrictionRows
from polhode.physics.contact.friction.dry_rows import HOLDS, SLIDES, YIELDS, ZERO

SWEEPS = 10, 100  # largest number of sweeps over many pairs, and over few
UPDATES = 1200  # of pairs in all sweeps, between those two numbers
ROUNDS = 5  # largest number of times that more pairs yield
AGREED = 1e-5  # change of each force in a sweep, over its limit or the normal force, below which it has converged
FARTHEST = 10.0  # largest extrapolation over the change between two sweeps
HELD = 1e-4  # of what the limit may give: a pair that lacks less holds, and is at its limit by chance
FLAT = 1e-12  # determinant over squared trace of a mobility that acts in one direction only


@kernel
def gain_of(rows: FrictionRows, b: int, p: int) -> Triple:
    """Acceleration [m/s^2] of the reference point of body b, or of point p, under the current forces."""
    if p != NOTHING:
        return row(rows.point_gain, p)
    return ZERO if b == NOTHING else row(rows.body_gain, b)


@kernel
def lacking(friction: FrictionContacts, rows: FrictionRows, q: int) -> tuple[float, float]:
    """ds/dt + s/t_stop [m/s^2] of both rows of pair q under the current forces."""
    k, r = rows.contact[q], 2 * q
    a, p, b, other = friction.ends[k, 0], friction.ends[k, 1], friction.ends[k, 2], friction.ends[k, 3]
    gained = subtract(gain_of(rows, a, p), gain_of(rows, b, other))
    first, second = rows.bias[r], rows.bias[r + 1]
    first += dot(row(rows.along, r), gained)
    second += dot(row(rows.along, r + 1), gained)
    if a != NOTHING:
        turned = row(rows.body_turn, a)
        first += dot(row(rows.turn, r), turned)
        second += dot(row(rows.turn, r + 1), turned)
    if b != NOTHING:
        turned = row(rows.body_turn, b)
        first += dot(row(rows.other_turn, r), turned)
        second += dot(row(rows.other_turn, r + 1), turned)
    return first, second


@kernel
def change_force(friction: FrictionContacts, rows: FrictionRows, q: int, first: float, second: float) -> None:
    """Replace the force of pair q by (first, second) [N], and update the accelerations of both ends."""
    k, r = rows.contact[q], 2 * q
    a, p, b, other = friction.ends[k, 0], friction.ends[k, 1], friction.ends[k, 2], friction.ends[k, 3]
    x, y = first - rows.force[r], second - rows.force[r + 1]
    rows.force[r], rows.force[r + 1] = first, second
    force = add(scale(x, row(rows.along, r)), scale(y, row(rows.along, r + 1)))
    if p != NOTHING:
        accumulate(rows.point_gain, p, scale(rows.yielding[q, 0], force))
    if a != NOTHING:
        accumulate(rows.body_gain, a, scale(rows.yielding[q, 0], force))
        accumulate(rows.body_turn, a, add(scale(x, row(rows.gain, r)), scale(y, row(rows.gain, r + 1))))
    if other != NOTHING:
        accumulate(rows.point_gain, other, scale(-rows.yielding[q, 1], force))
    if b != NOTHING:
        accumulate(rows.body_gain, b, scale(-rows.yielding[q, 1], force))
        accumulate(rows.body_turn, b, add(scale(x, row(rows.other_gain, r)), scale(y, row(rows.other_gain, r + 1))))


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
def relax(friction: FrictionContacts, rows: FrictionRows, q: int) -> float:
    """Solve pair q under the forces of all others; returns its change over its static limit, or over the normal force
    where that is smaller.

    The force that leaves nothing lacking, if the limit allows it; else a step against what is lacking, cut to the
    limit: that leads to the minimum over the disc, where the force is opposed to what is lacking. If the power of that
    is positive, because other forces end the slip sooner than within t_stop, the part along the slip is left out.
    """
    u, v = lacking(friction, rows, q)
    r, most = 2 * q, rows.limit[q, 0]
    m11, m12, m22 = rows.mobility[q, 0], rows.mobility[q, 1], rows.mobility[q, 2]
    determinant, trace = m11 * m22 - m12 * m12, m11 + m22
    rows.state[q] = HOLDS
    held, x, y = determinant > FLAT * trace * trace, 0.0, 0.0
    if held:
        x = rows.force[r] - (m22 * u - m12 * v) / determinant
        y = rows.force[r + 1] - (m11 * v - m12 * u) / determinant
        held = x * x + y * y <= most * most
    if not held:
        largest = 0.5 * (trace + sqrt((m11 - m22) * (m11 - m22) + 4.0 * m12 * m12))
        x, y = rows.force[r] - u / largest, rows.force[r + 1] - v / largest
    if rows.resists[q] and x * rows.slip[r] + y * rows.slip[r + 1] > 0.0:
        x, y = without_power(rows, q, u, v)
    size = sqrt(x * x + y * y)
    if size > most:
        rows.state[q] = YIELDS
        x, y = x * most / size, y * most / size
    change = sqrt((x - rows.force[r]) ** 2 + (y - rows.force[r + 1]) ** 2)
    change_force(friction, rows, q, x, y)
    return change / min(most, friction.numbers[rows.contact[q], 0])


@kernel
def converge(friction: FrictionContacts, rows: FrictionRows, count: int, most_sweeps: int) -> int:
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
            most = max(most, relax(friction, rows, q))
            weight = rows.mobility[q, 0] + rows.mobility[q, 2]
            for i in range(2):
                r = 2 * q + i
                step = rows.force[r] - before[i]
                bent = step - rows.last_step[r]
                above += weight * step * bent
                below += weight * bent * bent
                rows.last_step[r] = step
        if most <= AGREED or sweep == most_sweeps - 1:
            return sweep + 1
        share = min(max(-above / below, 0.0), FARTHEST) if sweep > 0 and below > 0.0 else 0.0
        for m in range(count):
            q = rows.order[m]
            if rows.state[q] == SLIDES:
                continue
            r = 2 * q
            x, y = rows.force[r], rows.force[r + 1]
            if share > 0.0:
                next_x, next_y = x + share * (x - rows.last_force[r]), y + share * (y - rows.last_force[r + 1])
                change_force(friction, rows, q, next_x, next_y)
            rows.last_force[r], rows.last_force[r + 1] = x, y
    return 0


@kernel
def let_slide(friction: FrictionContacts, rows: FrictionRows, q: int, stop_time: float) -> bool:
    """Give pair q, which is at its limit, its force of sliding; False if it has it, or if it holds after all.

    Slip that friction alone might stop within t_stop, or that loses half of it within that time, may reverse: then the
    force is along that of the limit, which opposes the slip after t_stop. Force against the slip itself would overshoot
    there, and never come to rest.
    """
    r = 2 * q
    u, v = lacking(friction, rows, q)
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
    change_force(friction, rows, q, x, y)
    rows.state[q] = SLIDES
    return True


@kernel
def slide_at_once(friction: FrictionContacts, rows: FrictionRows, q: int, stop_time: float) -> None:
    """Give pair q, without any friction so far, its force of sliding if its slip is so fast that it can't be held: it
    neither may reverse within t_stop (`let_slide`), nor could twice the largest friction stop it within that time.
    """
    r = 2 * q
    u, v = lacking(friction, rows, q)
    x, y = rows.slip[r], rows.slip[r + 1]
    u, v = stop_time * u - x, stop_time * v - y
    speed, trace = sqrt(x * x + y * y), rows.mobility[q, 0] + rows.mobility[q, 2]
    if speed > max(4.0 * sqrt(u * u + v * v), 2.0 * stop_time * trace * rows.limit[q, 0]):
        share = -rows.limit[q, 1] / speed
        change_force(friction, rows, q, share * x, share * y)
        rows.state[q] = SLIDES


@kernel
def solve_pairs(friction: FrictionContacts, rows: FrictionRows, count: int, stop_time: float) -> None:
    """Find the forces of the pairs order[0] ... order[count - 1], which share no moving body with any others."""
    for m in range(count):
        slide_at_once(friction, rows, rows.order[m], stop_time)
    left = max(SWEEPS[0], min(SWEEPS[1], UPDATES // max(1, count)))
    for _ in range(ROUNDS):
        left -= converge(friction, rows, count, max(1, left))
        yielded = False
        for m in range(count):
            if rows.state[rows.order[m]] == YIELDS:
                slides = let_slide(friction, rows, rows.order[m], stop_time)
                yielded = yielded or slides
        if not yielded:
            return
