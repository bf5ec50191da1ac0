"""Springs and strings whose tension f(l, v) [N] is a function of their length l [m] and its rate v [m/s].

A string runs from its first end over fixed pulleys P_1 ... P_n without friction or mass to its second end:

    l = |P_1 - x_i| + |P_2 - P_1| + ... + |x_j - P_n|      v = -(u_i.v_i + u_j.v_j)
    F_i = f(l, v) u_i      F_j = f(l, v) u_j
    U = integral of f(s, 0) from l0 to l      P = -(f(l, v) - f(l, 0)) v

A string whose pulleys move with bodies, or of which a part from P_a to P_b has w strands, has

    l = sum of w |P_b - P_a|      v = dl/dt      F_a = w f(l, v) u      F_b = -w f(l, v) u

of each part, u from P_a to P_b. A spring with an axis, a unit vector a, has a length with a sign,

    l = (x_j - x_i).a      v = (v_j - v_i).a      F_i = f(l, v) a = -F_j

so that the course's m y'' = -k (y - l0) + m g (Imura eq. 1) is linear for every y, also above the upper end.

u_i and u_j are the unit vectors from the ends to the next pulley, or to each other without one, and l0 is the natural
length. U counts as elastic energy, and P, what the rate changes, goes to the ledger's line DAMPING. An end at the place
that it is pulled to has no direction and no force. A broken spring has neither force nor energy
(core/polhode/physics/breaking). What pulls only has

    f = max(f, 0) for l > l0, else 0

and switches where it begins or ceases to pull: the signs of l - l0 and f (core/polhode/engine/events.py).
"""

from __future__ import annotations

from math import floor, sqrt

import numpy as np

from polhode.engine.events import EventWork, is_on
from polhode.engine.ledger import DAMPING
from polhode.engine.model import NOTHING
from polhode.jit.formula_calls import call_2_1
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.bodies.at_point import add_force_at
from polhode.physics.points.arrays import (
    Anchors,
    AnchorWork,
    Breaking,
    Points,
    PointWork,
    Springs,
    TensionLaws,
    is_broken,
)
from polhode.physics.points.springs import end

NODE = 0.6546536707079771  # sqrt(3/7), of Lobatto's rule with five points on [-1, 1]
ENDS, BETWEEN, MIDDLE = 1.0 / 20.0, 49.0 / 180.0, 16.0 / 45.0  # its weights, on [0, 1]
COARSEST, FINEST = 0.5, 2.0**-32  # largest piece of l - l0, and smallest, at a jump of f
TOLERANCE = 1e-14  # of the energy, relative
ROUNDING = 2.0**-50  # of a length, four times the relative precision: pieces that differ by no more are not halved
MOST_ROUNDS = 4096  # for one energy; then the pieces that are left are not halved

Stretch = tuple[float, float, Triple, Triple]  # l [m], v [m/s], u_i and u_j


@kernel
def pull(laws: TensionLaws, k: int, rest: float, length: float, rate: float) -> float:
    """f(l, v) [N] of law k with the natural length `rest` [m]."""
    if laws.pull_only[k] and length <= rest:
        return 0.0
    tension = call_2_1(laws.address[k], laws.numbers, laws.first[k], length, rate)
    return max(tension, 0.0) if laws.pull_only[k] else tension


@kernel
def switches_of(laws: TensionLaws, k: int, rest: float, length: float, rate: float) -> tuple[float, float]:
    """Switching functions of law k, which pulls only: l - l0 [m], and f [N], which is positive where l <= l0."""
    longer = length - rest
    if longer <= 0.0:
        return longer, 1.0
    return longer, call_2_1(laws.address[k], laws.numbers, laws.first[k], length, rate)


@kernel
def tensions(
    laws: TensionLaws, events: EventWork, k: int, rest: float, length: float, rate: float
) -> tuple[float, float]:
    """f(l, v) and f(l, 0) [N] of law k as `pull`; what pulls only stays longer or shorter than l0, and pulling or
    pushing, during a step.
    """
    switch = laws.switch[k]
    if switch == NOTHING:
        return pull(laws, k, rest, length, rate), pull(laws, k, rest, length, 0.0)
    longer, pulling = switches_of(laws, k, rest, length, rate)
    if not is_on(events, switch, longer):
        return 0.0, 0.0
    longest = max(length, rest)
    at_rest = max(call_2_1(laws.address[k], laws.numbers, laws.first[k], longest, 0.0), 0.0)
    if not is_on(events, switch + 1, pulling):
        return 0.0, at_rest
    return call_2_1(laws.address[k], laws.numbers, laws.first[k], longest, rate), at_rest


@kernel
def direction(start: Triple, stop: Triple) -> tuple[float, Triple]:
    """Distance [m] between two places, and the unit vector from the first to the second; zero where they coincide."""
    along = subtract(stop, start)
    length = sqrt(dot(along, along))
    return length, scale(1.0 / length if length > 0.0 else 0.0, along)


@kernel
def stretch(
    points: Points, springs: Springs, laws: TensionLaws, k: int, state: np.ndarray, anchor_work: AnchorWork
) -> Stretch:
    """Length, its rate, and the unit vectors at both ends of spring or string k."""
    if laws.has_course[k]:
        return stretch_of_course(points, springs, laws, k, state, anchor_work)
    x_i, v_i = end(points, state, anchor_work, springs.first[laws.spring[k]])
    x_j, v_j = end(points, state, anchor_work, springs.second[laws.spring[k]])
    if laws.has_axis[k]:
        axis = row(laws.axis, k)
        return dot(subtract(x_j, x_i), axis), dot(subtract(v_j, v_i), axis), axis, scale(-1.0, axis)
    begin, stop = laws.first_pulley[k], laws.first_pulley[k + 1]
    if begin == stop:
        length, at_i = direction(x_i, x_j)
        at_j = scale(-1.0, at_i)
    else:
        length, at_i = direction(x_i, row(laws.pulleys, begin))
        last, at_j = direction(x_j, row(laws.pulleys, stop - 1))
        length += laws.between[k] + last
    return length, -(dot(at_i, v_i) + dot(at_j, v_j)), at_i, at_j


@kernel
def node_of(springs: Springs, laws: TensionLaws, k: int, i: int) -> int:
    """Number of place i of string k: its first end, its pulleys, its second end."""
    if i == 0:
        return int(springs.first[laws.spring[k]])
    at = laws.first_node[k] + i - 1
    return int(laws.node[at]) if at < laws.first_node[k + 1] else int(springs.second[laws.spring[k]])


@kernel
def stretch_of_course(
    points: Points, springs: Springs, laws: TensionLaws, k: int, state: np.ndarray, anchor_work: AnchorWork
) -> Stretch:
    """As `stretch`, of a string with a course; the vectors at both ends are times the strands there."""
    length, rate, at_i, at_j = 0.0, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for part in range(laws.first_strand[k + 1] - laws.first_strand[k]):
        x_a, v_a = end(points, state, anchor_work, node_of(springs, laws, k, part))
        x_b, v_b = end(points, state, anchor_work, node_of(springs, laws, k, part + 1))
        strands = laws.strands[laws.first_strand[k] + part]
        distance, along = direction(x_a, x_b)
        length, rate = length + strands * distance, rate + strands * dot(along, subtract(v_b, v_a))
        if part == 0:
            at_i = scale(strands, along)
        at_j = scale(-strands, along)
    return length, rate, at_i, at_j


@kernel
def pull_course(
    points: Points,
    anchors: Anchors,
    springs: Springs,
    laws: TensionLaws,
    k: int,
    tension: float,
    state: np.ndarray,
    point_work: PointWork,
    anchor_work: AnchorWork,
    body_work: BodyWork,
) -> None:
    """Add the forces [N] of string k with a course at both ends of each of its parts."""
    for part in range(laws.first_strand[k + 1] - laws.first_strand[k]):
        a, b = node_of(springs, laws, k, part), node_of(springs, laws, k, part + 1)
        x_a, _ = end(points, state, anchor_work, a)
        x_b, _ = end(points, state, anchor_work, b)
        _, along = direction(x_a, x_b)
        pulled = scale(tension * laws.strands[laws.first_strand[k] + part], along)
        force_on(points, anchors, a, x_a, pulled, point_work, body_work)
        force_on(points, anchors, b, x_b, scale(-1.0, pulled), point_work, body_work)


@kernel
def force_on(
    points: Points,
    anchors: Anchors,
    number: int,
    at: Triple,
    force: Triple,
    point_work: PointWork,
    body_work: BodyWork,
) -> None:
    """Add a force [N] at `at` [m] to a spring's end: to point `number`, or to the body of anchor number - p."""
    p = len(points.mass)
    if number < p:
        for axis in range(3):
            point_work.force[axis, number] += force[axis]
    elif anchors.body[number - p] != NOTHING:
        add_force_at(body_work, anchors.body[number - p], at, force)


@kernel
def add_tensions(
    points: Points,
    anchors: Anchors,
    springs: Springs,
    laws: TensionLaws,
    breaking: Breaking,
    state: np.ndarray,
    point_work: PointWork,
    anchor_work: AnchorWork,
    body_work: BodyWork,
    events: EventWork,
    power: np.ndarray,
) -> None:
    """LAW: add the forces of springs and strings with tension laws; power[DAMPING] gets P [W]."""
    for k in range(len(laws.spring)):
        if is_broken(breaking, breaking.of_law[k], state):
            continue
        s = laws.spring[k]
        length, rate, at_i, at_j = stretch(points, springs, laws, k, state, anchor_work)
        tension, at_rest = tensions(laws, events, k, springs.rest[s], length, rate)
        power[DAMPING] -= (tension - at_rest) * rate
        if laws.has_course[k]:
            pull_course(points, anchors, springs, laws, k, tension, state, point_work, anchor_work, body_work)
            continue
        x_i, _ = end(points, state, anchor_work, springs.first[s])
        x_j, _ = end(points, state, anchor_work, springs.second[s])
        force_on(points, anchors, springs.first[s], x_i, scale(tension, at_i), point_work, body_work)
        force_on(points, anchors, springs.second[s], x_j, scale(tension, at_j), point_work, body_work)


@kernel
def tension_integral(
    laws: TensionLaws, k: int, rest: float, length: float, at: float, width: float
) -> tuple[float, float]:
    """Integral of f(s, 0) ds over a piece of l0 to l = `length` [m], and of its size, by Lobatto's rule of order 8.

    at, width: begin and width of the piece, 0 at l and 1 at l0
    """
    long, total, size = width * (length - rest), 0.0, 0.0
    middle = length - (at + 0.5 * width) * (length - rest)
    for node, weight in ((-1.0, ENDS), (-NODE, BETWEEN), (0.0, MIDDLE), (NODE, BETWEEN), (1.0, ENDS)):
        tension = pull(laws, k, rest, middle + 0.5 * node * long, 0.0)
        total += weight * long * tension
        size += weight * abs(long * tension)
    return total, size


@kernel
def energy_of(laws: TensionLaws, k: int, rest: float, length: float) -> float:
    """U [J] of law k: pieces are halved where that changes the integral by more than TOLERANCE, and by more than the
    rounding of l changes it, ROUNDING l/|l - l0| relative; at most MOST_ROUNDS are tried.

    They have nodes at both ends: the stop of a spring that has just met it is seen.
    """
    if laws.pull_only[k] and length <= rest:
        return 0.0
    total, size, at, width, rounds, longer = 0.0, 0.0, 0.0, COARSEST, 0, abs(length - rest)
    accepted = TOLERANCE * longer + ROUNDING * max(abs(length), abs(rest))  # [m], times the energy
    while at < 1.0:
        half, rounds = 0.5 * width, rounds + 1
        whole, _ = tension_integral(laws, k, rest, length, at, width)
        one, size_one = tension_integral(laws, k, rest, length, at, half)
        other, size_other = tension_integral(laws, k, rest, length, at + half, half)
        more = size + size_one + size_other
        is_fine = width <= FINEST or rounds >= MOST_ROUNDS
        if not is_fine and abs(one + other - whole) * longer > accepted * more:
            width = half
            continue
        total, size, at = total + one + other, more, at + width
        while width < COARSEST and floor(at / (2.0 * width)) * 2.0 * width == at:
            width *= 2.0
    return total


@kernel
def tension_energy(
    points: Points,
    springs: Springs,
    laws: TensionLaws,
    breaking: Breaking,
    state: np.ndarray,
    anchor_work: AnchorWork,
) -> float:
    """ENERGY: sum of U [J] of the springs and strings with tension laws, at the placed anchors."""
    energy = 0.0
    for k in range(len(laws.spring)):
        if is_broken(breaking, breaking.of_law[k], state):
            continue
        length, _, _, _ = stretch(points, springs, laws, k, state, anchor_work)
        energy += energy_of(laws, k, springs.rest[laws.spring[k]], length)
    return energy


@kernel
def write_pulling(
    points: Points,
    springs: Springs,
    laws: TensionLaws,
    breaking: Breaking,
    state: np.ndarray,
    anchor_work: AnchorWork,
    values: np.ndarray,
) -> None:
    """SWITCH: write the switching functions of everything that pulls only into `values` (n,), two for each."""
    for k in range(len(laws.spring)):
        if laws.switch[k] != NOTHING and is_broken(breaking, breaking.of_law[k], state):
            values[laws.switch[k]], values[laws.switch[k] + 1] = -1.0, 1.0
        elif laws.switch[k] != NOTHING:
            length, rate, _, _ = stretch(points, springs, laws, k, state, anchor_work)
            longer, pulling = switches_of(laws, k, springs.rest[laws.spring[k]], length, rate)
            values[laws.switch[k]], values[laws.switch[k] + 1] = longer, pulling
