"""Path kernels: r(q) and its derivatives by q, and displacements of moving paths.

q is the internal parameter here. It equals the user parameter, except for a cycloid, where it is the arc length from
the bottom of its first arch, l = -4 a cos(q/2): regular at the cusps, where r' = 0 in terms of the angle. A closed path
takes any q; an open one continues beyond its ends by its formula. Lengths are in m; r' and r'' are per unit of q, in
the laboratory frame.
"""

from __future__ import annotations

from math import floor, pi, sqrt, tau

import numpy as np

from polhode.jit.formula_calls import call_1_9
from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.kernel_struct import Addresses, KernelStruct
from polhode.jit.libm.inverse_trigonometric import acos
from polhode.jit.libm.trigonometric import cos
from polhode.jit.vec import Triple, add, combine, rotated, row, scale, subtract
from polhode.physics.sensor.sensor_motion import smoothed_follower_motion

FORMULA, SPLINE, CYCLOID = range(3)
STILL = 0  # the code of a path at rest
CUSP = 1e-9  # sine of the angle between tangent and vertical at which the curvature of a cycloid is cut off

Curve = tuple[Triple, Triple, Triple]
ZERO = (0.0, 0.0, 0.0)


class Paths(KernelStruct):
    """Constants of paths, one for each bead; equal paths share code, constants and spline pieces."""

    kind: np.ndarray
    """(n,) int64: FORMULA, SPLINE or CYCLOID."""
    start: np.ndarray
    """(n,) first q, internal parameter."""
    stop: np.ndarray
    """(n,) last q, internal parameter."""
    closed: np.ndarray
    """(n,) bool: without ends; q may take any value."""
    period: np.ndarray
    """(n,) period of r(q); 0 where it is periodic by itself, or not at all."""
    origin: np.ndarray
    """(n, 3) [m] origin of the path's own frame, laboratory frame."""
    frame: np.ndarray
    """(n, 3, 3) rows: unit vectors of the path's own frame, in which formulas give r; laboratory frame."""
    code: Addresses
    """(n,) int64 address of r, r', r'' in q (core/polhode/jit/formula_calls.py); 0 of splines and cycloids."""
    first: np.ndarray
    """(n,) int64 index of their constants in `numbers`; of a cycloid, of its radius."""
    follows: np.ndarray
    """(n, 4) followers of the sensor (sensor_motion.py); all zero: does not follow."""
    along: np.ndarray
    """(n, 3) unit vector of that motion, laboratory frame."""
    motion: Addresses
    """(n,) int64 address of the code of x0, v0, a0 in t, or STILL."""
    first_of_motion: np.ndarray
    """(n,) int64 index of their constants in `numbers`."""
    turns: np.ndarray
    """(n,) bool: turns about a fixed axis."""
    axis: np.ndarray
    """(n, 3) unit vector of that axis, laboratory frame."""
    pivot: np.ndarray
    """(n, 3) [m] a point of it."""
    rate: np.ndarray
    """(n,) [rad/s] angular velocity about it."""
    numbers: np.ndarray
    """flat: constants of formulas and motions, radii of cycloids."""
    first_piece: np.ndarray
    """(n,) int64 first piece of a spline; equal paths share pieces."""
    stop_piece: np.ndarray
    """(n,) int64 index after its last piece."""
    knots: np.ndarray
    """(j,) q at the start of a piece."""
    ends: np.ndarray
    """(j,) q at the end of a piece."""
    pieces: np.ndarray
    """(j, 3, 4) r = ((c0 s + c1) s + c2) s + c3 at s = q - knot, each axis."""
    panels: np.ndarray
    """(n,) int64 number of panels of a table of lengths: the pieces of a spline, or equal ones from start to stop."""
    first_length: np.ndarray
    """(n,) int64 index of its first number in `lengths`; equal paths share a table."""
    lengths: np.ndarray
    """flat [m]: arc lengths from the start of a path to the start of each panel, and its whole length."""


@kernel
def curve(paths: Paths, i: int, q: float) -> Curve:
    """r [m], dr/dq and d2r/dq2 of path i at rest, laboratory frame, at the internal parameter q.

    Searches the piece of a spline from its first one; `curve_in` with `piece_at` remembers it.
    """
    inside, piece = piece_at(paths, i, q, paths.first_piece[i])
    return curve_in(paths, i, inside, piece)


@part_of_caller
def curve_in(paths: Paths, i: int, q: float, piece: int) -> Curve:
    """As `curve`, for q within the first period and in this piece of a spline. q, piece: as returned by `piece_at`."""
    if paths.kind[i] == SPLINE:
        return spline(paths, piece, q)
    if paths.kind[i] == CYCLOID:
        r, d, d2 = cycloid(paths.numbers[paths.first[i]], paths.start[i], paths.stop[i], q)
    else:
        x, y, z, dx, dy, dz, d2x, d2y, d2z = call_1_9(paths.code[i], paths.numbers, paths.first[i], q)
        r, d, d2 = (x, y, z), (dx, dy, dz), (d2x, d2y, d2z)
    u1, u2, u3 = row(paths.frame[i], 0), row(paths.frame[i], 1), row(paths.frame[i], 2)
    return add(row(paths.origin, i), combine(r, u1, u2, u3)), combine(d, u1, u2, u3), combine(d2, u1, u2, u3)


@part_of_caller
def piece_at(paths: Paths, i: int, q: float, guess: int) -> tuple[float, int]:
    """q within the first period of path i, and its spline piece, by bisection; `guess` is tried first.

    The first and the last piece continue beyond the ends. Of other paths `guess` is returned as it is.
    """
    if paths.period[i] > 0.0:
        q -= paths.period[i] * floor((q - paths.start[i]) / paths.period[i])
    if paths.kind[i] != SPLINE:
        return q, guess
    low, high = paths.first_piece[i], paths.stop_piece[i] - 1
    is_known = low <= guess <= high
    if is_known and (guess == low or paths.knots[guess] <= q) and (guess == high or q < paths.ends[guess]):
        return q, guess
    while low < high:
        middle = (low + high + 1) // 2
        if paths.knots[middle] <= q:
            low = middle
        else:
            high = middle - 1
    return q, low


@part_of_caller
def spline(paths: Paths, piece: int, q: float) -> Curve:
    """r [m], dr/dq and d2r/dq2 of a spline piece at q, laboratory frame."""
    c, s = paths.pieces[piece], q - paths.knots[piece]
    return (
        (cubic(c, 0, s), cubic(c, 1, s), cubic(c, 2, s)),
        (first_derivative(c, 0, s), first_derivative(c, 1, s), first_derivative(c, 2, s)),
        (second_derivative(c, 0, s), second_derivative(c, 1, s), second_derivative(c, 2, s)),
    )


@kernel
def slopes(paths: Paths, piece: int, q: float) -> Triple:
    """dr/dq of a spline piece at q, laboratory frame; as `spline` without value and second derivative."""
    c, s = paths.pieces[piece], q - paths.knots[piece]
    return first_derivative(c, 0, s), first_derivative(c, 1, s), first_derivative(c, 2, s)


@kernel
def cubic(c: np.ndarray, k: int, s: float) -> float:
    """Value ((c0 s + c1) s + c2) s + c3 of axis k of the cubic c (3, 4) at s."""
    return ((c[k, 0] * s + c[k, 1]) * s + c[k, 2]) * s + c[k, 3]


@kernel
def first_derivative(c: np.ndarray, k: int, s: float) -> float:
    """First derivative by s of axis k of the cubic c (3, 4)."""
    return (3.0 * c[k, 0] * s + 2.0 * c[k, 1]) * s + c[k, 2]


@kernel
def second_derivative(c: np.ndarray, k: int, s: float) -> float:
    """Second derivative by s of axis k of the cubic c (3, 4)."""
    return 6.0 * c[k, 0] * s + 2.0 * c[k, 1]


@kernel
def cycloid(a: float, start: float, stop: float, l: float) -> Curve:  # noqa: E741  # l as in the formula
    """x = a (2 acos(-s) + 2 s sqrt(1 - s^2)), z = 2 a s^2 with s = l/(4 a), and so on in each further arch.

    From x = a (q - sin q), z = a (1 + cos q) and s = -cos(q/2): dx/dl = sqrt(1 - s^2), dz/dl = s. The curvature has no
    bound at a cusp; beyond the last one z continues as l^2, so that a bead keeps its energy and period there.
    """
    last = floor((stop - start) / (8.0 * a) - 0.5)
    arch = float(min(max(floor((l - start) / (8.0 * a)), 0), last))
    s = l / (4.0 * a) - 2.0 * arch
    inside = min(max(s, -1.0), 1.0)
    across = sqrt(1.0 - inside * inside)
    x = a * (2.0 * acos(-inside) + 2.0 * inside * across) + arch * tau * a
    bent = -inside / (4.0 * a * max(across, CUSP)) if inside == s else 0.0
    return (x, 0.0, 2.0 * a * s * s), (across, 0.0, s), (bent, 0.0, 0.25 / a)


@kernel
def to_internal_parameter(paths: Paths, i: int, q: float) -> float:
    """The internal parameter of a user parameter q: of a cycloid the arc length [m], else q."""
    if paths.kind[i] != CYCLOID:
        return q
    a, arch = paths.numbers[paths.first[i]], floor(q / tau)
    return 8.0 * a * arch - 4.0 * a * cos(0.5 * q - pi * arch)


@kernel
def to_user_parameter(paths: Paths, i: int, q: float) -> float:
    """The user parameter of an internal parameter q: of a cycloid the angle [rad], else q."""
    if paths.kind[i] != CYCLOID:
        return q
    a = paths.numbers[paths.first[i]]
    arch = floor((q + 4.0 * a) / (8.0 * a))
    return tau * arch + 2.0 * acos(min(max(2.0 * arch - q / (4.0 * a), -1.0), 1.0))


@kernel
def is_moved(paths: Paths, i: int) -> bool:
    """Whether path i moves, or may move: it has formulas of t, turns, or follows the sensor."""
    return bool(paths.follows[i, 0] != 0.0 or paths.motion[i] != STILL or paths.turns[i])


@kernel
def moves_as_before(paths: Paths, i: int) -> bool:
    """Whether path i has the same motion as path i - 1: the same formulas with the same constants, or none."""
    if i == 0 or paths.follows[i, 0] != 0.0 or paths.follows[i - 1, 0] != 0.0:
        return False
    same_numbers = paths.first_of_motion[i] == paths.first_of_motion[i - 1]
    return bool(same_numbers and paths.motion[i] == paths.motion[i - 1])


@part_of_caller
def path_moves(paths: Paths, i: int, track: np.ndarray, t: float) -> Curve:
    """Displacement x0 [m], velocity v0 [m/s] and acceleration a0 [m/s^2] of path i at time t [s], laboratory frame.

    By its formulas of t, or smoothly by the sensor's `track`; zero of a path that turns or is at rest.
    """
    if paths.follows[i, 0] != 0.0:
        displacement, velocity, acceleration = smoothed_follower_motion(paths.follows, i, track, t)
        along = row(paths.along, i)
        return scale(displacement, along), scale(velocity, along), scale(acceleration, along)
    if paths.motion[i] == STILL:
        return ZERO, ZERO, ZERO
    x, y, z, vx, vy, vz, ax, ay, az = call_1_9(paths.motion[i], paths.numbers, paths.first_of_motion[i], t)
    return (x, y, z), (vx, vy, vz), (ax, ay, az)


@part_of_caller
def turned_path(paths: Paths, i: int, t: float, at_rest: Curve) -> Curve:
    """r [m], r' and r'' of path i, which turns, at time t [s], from those at rest; laboratory frame."""
    (point, first, second), axis, pivot = at_rest, row(paths.axis, i), row(paths.pivot, i)
    angle = paths.rate[i] * t
    point = add(pivot, rotated(subtract(point, pivot), axis, angle))
    return point, rotated(first, axis, angle), rotated(second, axis, angle)


@kernel
def trace(paths: Paths, i: int, q: np.ndarray, found: np.ndarray) -> None:
    """Write r [m], r', r'' of path i at rest at each internal parameter q into `found`.

    q: (n,); found: (n, 3, 3) rows r, r', r'' of each, laboratory frame, written.
    """
    for k in range(len(q)):
        r, d, d2 = curve(paths, i, q[k])
        for axis in range(3):
            found[k, 0, axis], found[k, 1, axis], found[k, 2, axis] = r[axis], d[axis], d2[axis]
