"""Crossing edges of two solids: where two lines are nearest to each other, and the potential of their contact.

Two edges of unit directions u and v, nearest at arc lengths s and t, with c = u.v, the distance D between them along
their common normal, and the overlap d = r - D, have the potential

    U = U' w        U' = k d^2/2        w = (1 - c^2) f(s) g(t)

f and g rise smoothly from 0 at the ends of an edge to 1, since vertices take over there, and 1 - c^2 lets parallel
edges do nothing, whose nearest points are not unique: their vertices touch as well. The first edge may bend, du/ds =
-b; then

    P = (1 - c^2) f'(s) g(t) + 2 c f(s) g(t) b.v        Q = (1 - c^2) f(s) g'(t)        H = 1 - c^2 - b.D

with the vector D = p - q between the nearest points p on the first and q on the second edge; the gradient of w gives

    force on the first     U' {(P + c Q)/H (u - c v) - Q v}, opposite on the second
    couple on the first    U' {2 c f g u x v + (P + c Q)/H u x D}
    couple on the second  -U' {2 c f g u x v + (c P/H + Q + c^2 Q/H) v x D}

beside the normal force k d w n. Forces and couples conserve momentum and angular momentum.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, cross, dot, scale, subtract

PARALLEL = 1e-9  # squared sine of the angle between two edges below which they are parallel
ZERO = (0.0, 0.0, 0.0)


class Edge(NamedTuple):
    """A straight edge, in any frame."""

    start: Triple
    """[m]"""
    direction: Triple
    """Unit vector."""
    length: float
    """[m]"""
    outward: Triple
    """Sum of the normals of the faces at it; zero of the axis of a round solid."""
    bend: Triple
    """[1/m] b: curvature times the unit vector away from the centre; zero of a straight edge."""


class Crossing(NamedTuple):
    """Where two edges are nearest to each other."""

    gap: float
    """[m] distance along the normal; negative if the edges have passed through each other."""
    normal: Triple
    """Unit vector from the second edge to the first."""
    first: Triple
    """[m] nearest point of the first edge."""
    second: Triple
    """[m] nearest point of the second edge."""
    weight: float
    """w; 0 if the edges do not cross."""
    force: Triple
    """[1/m] force on the first edge over U', from the gradient of w."""
    couple_on_first: Triple
    """Couple on the first over U'."""
    couple_on_second: Triple
    """Couple on the second over U'."""


@kernel
def fade(s: float, length: float, width: float) -> tuple[float, float]:
    """f and its derivative [1/m] at the arc length s [m] of an edge: smooth within `width` [m] of its ends."""
    from_end = min(s, length - s)
    if from_end >= width:
        return 1.0, 0.0
    x = from_end / width
    slope = 6.0 * x * (1.0 - x) / width
    return x * x * (3.0 - 2.0 * x), slope if s <= length - s else -slope


@kernel
def cross_inside(a: Edge, b: Edge) -> bool:
    """Whether two edges are nearest to each other inside of both, and not parallel."""
    u, v, between = a.direction, b.direction, subtract(a.start, b.start)
    c, along_u, along_v = dot(u, v), dot(u, between), dot(v, between)
    sine, s, t = 1.0 - c * c, c * along_v - along_u, along_v - c * along_u
    return sine >= PARALLEL and 0.0 < s < a.length * sine and 0.0 < t < b.length * sine


@kernel
def cross_edges(a: Edge, b: Edge, width: float) -> Crossing:
    """Crossing of the edge a, which may be the tangent of a bent one at its middle, with the straight edge b.

    width: [m] of the fading at their ends.
    """
    none = Crossing(0.0, ZERO, ZERO, ZERO, 0.0, ZERO, ZERO, ZERO)
    u, v, between = a.direction, b.direction, subtract(a.start, b.start)
    c = dot(u, v)
    sine = 1.0 - c * c
    if not cross_inside(a, b):
        return none
    s, t = (c * dot(v, between) - dot(u, between)) / sine, (dot(v, between) - c * dot(u, between)) / sine
    first, second = add(a.start, scale(s, u)), add(b.start, scale(t, v))
    separation, across = subtract(first, second), cross(u, v)
    normal, outward = scale(1.0 / sqrt(sine), across), subtract(b.outward, a.outward)
    if dot(normal, separation if dot(outward, outward) == 0.0 else outward) < 0.0:
        normal = scale(-1.0, normal)
    steepness = sine - dot(a.bend, separation)
    if dot(normal, b.outward) < 0.0 or dot(normal, a.outward) > 0.0 or steepness < PARALLEL:
        return none
    f, df = fade(s, a.length, min(width, 0.25 * a.length))
    g, dg = fade(t, b.length, min(width, 0.25 * b.length))
    by_s, by_t = sine * df * g + 2.0 * c * f * g * dot(a.bend, v), sine * f * dg
    slope = (by_s + c * by_t) / steepness
    turn = scale(2.0 * c * f * g, across)
    on_first = add(turn, scale(slope, cross(u, separation)))
    on_second = add(turn, scale(c * slope + by_t, cross(v, separation)))
    force = subtract(scale(slope, subtract(u, scale(c, v))), scale(by_t, v))
    return Crossing(
        dot(normal, separation), normal, first, second, sine * f * g, force, on_first, scale(-1.0, on_second)
    )
