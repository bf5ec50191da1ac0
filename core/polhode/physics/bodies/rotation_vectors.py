"""Rotations by a vector f(t): about its direction, by its length.

With s = |f|, the functions A = sin(s)/s, B = (1 - cos(s))/s^2 and C = (s - sin(s))/s^3 of s, and their derivatives
D = (A - 2 B)/s^2 and E = (B - 3 C)/s^2 of B and C by s^2/2, a vector v becomes

    v + A f x v + B f x (f x v)

and the angular velocity and its derivative are

    w = f' + B f x f' + C f x (f x f')
    w' = f'' + B f x f'' + C (f' x (f x f') + f x (f x f'')) + (f.f') (D f x f' + E f x (f x f'))
"""

from __future__ import annotations

from math import sqrt

from polhode.jit.kernel import kernel
from polhode.jit.libm.trigonometric import sincos
from polhode.jit.vec import Triple, add, cross, dot, scale

SMALL = 1e-3  # s^2 below which the functions are series: their differences would lose digits


@kernel
def turned_by(turn: Triple, v: Triple) -> Triple:
    """The vector `v` rotated by the rotation vector `turn` [rad]."""
    a, b, _, _, _ = _functions(dot(turn, turn))
    once = cross(turn, v)
    return add(v, add(scale(a, once), scale(b, cross(turn, once))))


@kernel
def velocity_of_turn(turn: Triple, rate: Triple) -> Triple:
    """Angular velocity [rad/s] of a rotation vector `turn` [rad] with the derivative `rate` [rad/s]."""
    _, b, c, _, _ = _functions(dot(turn, turn))
    once = cross(turn, rate)
    return add(rate, add(scale(b, once), scale(c, cross(turn, once))))


@kernel
def acceleration_of_turn(turn: Triple, rate: Triple, change: Triple) -> Triple:
    """Angular acceleration [rad/s^2] of a rotation vector `turn` [rad]; rate, change: its derivatives."""
    _, b, c, d, e = _functions(dot(turn, turn))
    by_rate, by_change, along = cross(turn, rate), cross(turn, change), dot(turn, rate)
    twice = cross(turn, by_rate)
    total = add(change, scale(b, by_change))
    total = add(total, scale(c, add(cross(rate, by_rate), cross(turn, by_change))))
    return add(total, scale(along, add(scale(d, by_rate), scale(e, twice))))


@kernel
def _functions(square: float) -> tuple[float, float, float, float, float]:
    """A, B, C, D and E of the squared length."""
    if square < SMALL:
        a = 1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
        b = 0.5 - square / 24.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0))
        c = 1.0 / 6.0 - square / 120.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0))
        d = -1.0 / 12.0 + square / 180.0 * (1.0 - square / 37.333333333333336)
        e = -1.0 / 60.0 + square / 1260.0 * (1.0 - square / 48.0)
        return a, b, c, d, e
    length = sqrt(square)
    sine, cosine = sincos(length)
    a = sine / length
    b = (1.0 - cosine) / square
    c = (1.0 - a) / square
    return a, b, c, (a - 2.0 * b) / square, (b - 3.0 * c) / square
