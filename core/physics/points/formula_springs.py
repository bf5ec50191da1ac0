"""Springs whose pulling force f(l, v) [N] is a formula of their length l [m] and its rate v [m/s].

    F_j = -f(l, v) r/l      U = integral of f(s, 0) from l0 to l      P = -(f(l, v) - f(l, 0)) v

on the second end, with r from the first end to it and l0 the natural length; the opposite force acts on the first end.
U counts as elastic energy, and P, what the rate changes, goes to the ledger's line DAMPING. A spring of no length has
no direction and no force.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from core.engine.ledger import DAMPING
from core.engine.model import NOTHING
from core.jit.formula_calls import call_2_1
from core.jit.kernel import kernel
from core.jit.vec import Triple, dot, scale, subtract
from core.physics.bodies.arrays import BodyWork
from core.physics.bodies.at_point import add_force_at
from core.physics.points.arrays import Anchors, AnchorWork, FormulaSprings, Points, PointWork, Springs
from core.physics.points.springs import end

NODE, NEAR, FAR = 0.7745966692414834, 5.0 / 18.0, 4.0 / 9.0  # of Gauss's rule with three points, on [-1, 1] and [0, 1]
MOST_PIECES = 4096
TOLERANCE = 1e-14  # of the energy, relative


@kernel
def pull(laws: FormulaSprings, k: int, length: float, rate: float) -> float:
    """f(l, v) [N] of law k."""
    return call_2_1(laws.address[k], laws.numbers, laws.first[k], length, rate)


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
def add_formula_springs(
    points: Points,
    anchors: Anchors,
    springs: Springs,
    laws: FormulaSprings,
    state: np.ndarray,
    point_work: PointWork,
    anchor_work: AnchorWork,
    body_work: BodyWork,
    power: np.ndarray,
) -> None:
    """LAW: add the forces of springs by formulas to points and bodies; power[DAMPING] gets P [W]."""
    for k in range(len(laws.spring)):
        s = laws.spring[k]
        x_i, v_i = end(points, state, anchor_work, springs.first[s])
        x_j, v_j = end(points, state, anchor_work, springs.second[s])
        along = subtract(x_j, x_i)
        length = sqrt(dot(along, along))
        if length == 0.0:
            continue
        rate = dot(along, subtract(v_j, v_i)) / length
        tension = pull(laws, k, length, rate)
        on_j = scale(-tension / length, along)
        power[DAMPING] -= (tension - pull(laws, k, length, 0.0)) * rate
        force_on(points, anchors, springs.first[s], x_i, scale(-1.0, on_j), point_work, body_work)
        force_on(points, anchors, springs.second[s], x_j, on_j, point_work, body_work)


@kernel
def stretch_integral(laws: FormulaSprings, k: int, low: float, high: float, pieces: int) -> tuple[float, float]:
    """Integral of f(s, 0) ds from low to high [m], and of its size, by Gauss's rule of order 6 on equal pieces."""
    total, size, width = 0.0, 0.0, (high - low) / pieces
    for piece in range(pieces):
        middle = low + (piece + 0.5) * width
        a, b = pull(laws, k, middle - 0.5 * NODE * width, 0.0), pull(laws, k, middle, 0.0)
        c = pull(laws, k, middle + 0.5 * NODE * width, 0.0)
        total += width * (NEAR * a + FAR * b + NEAR * c)
        size += abs(width) * (NEAR * abs(a) + FAR * abs(b) + NEAR * abs(c))
    return total, size


@kernel
def stretch_energy(laws: FormulaSprings, k: int, rest: float, length: float) -> float:
    """U [J] of law k: pieces are halved until the integral changes by TOLERANCE."""
    before, size = stretch_integral(laws, k, rest, length, 1)
    pieces = 2
    while pieces <= MOST_PIECES:
        now, size = stretch_integral(laws, k, rest, length, pieces)
        if not abs(now - before) > TOLERANCE * size:
            return now
        before, pieces = now, 2 * pieces
    return before


@kernel
def formula_spring_energy(
    points: Points, springs: Springs, laws: FormulaSprings, state: np.ndarray, anchor_work: AnchorWork
) -> float:
    """ENERGY: sum of U [J] of the springs by formulas, at the placed anchors."""
    energy = 0.0
    for k in range(len(laws.spring)):
        s = laws.spring[k]
        x_i, _ = end(points, state, anchor_work, springs.first[s])
        x_j, _ = end(points, state, anchor_work, springs.second[s])
        along = subtract(x_j, x_i)
        energy += stretch_energy(laws, k, springs.rest[s], sqrt(dot(along, along)))
    return energy
