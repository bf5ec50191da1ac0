"""Spatial vectors (linear, angular) and symmetric spatial inertias as tuples. (Featherstone, chapter 2)

An inertia ((A, B), (B^T, C)) has 21 numbers: the upper half of A, B row by row, the upper half of C. A motion is the
velocity, acceleration or displacement of the reference point and of the body's turn; a force and its torque about that
point is what an inertia makes of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, cross, dot, scale

Spatial = tuple[Triple, Triple]
Inertia = Any  # 21 numbers, of a tuple or of a row of an array


@kernel
def spatial(array: np.ndarray, t: int) -> Spatial:
    """Row t of an (n, 6) array."""
    return (array[t, 0], array[t, 1], array[t, 2]), (array[t, 3], array[t, 4], array[t, 5])


@kernel
def put_spatial(array: np.ndarray, t: int, a: Spatial) -> None:
    """Write a into row t of an (n, 6) array."""
    array[t, 0], array[t, 1], array[t, 2] = a[0]
    array[t, 3], array[t, 4], array[t, 5] = a[1]


@kernel
def add_spatial(array: np.ndarray, t: int, a: Spatial) -> None:
    """Add a to row t of an (n, 6) array."""
    for k in range(3):
        array[t, k] += a[0][k]
        array[t, 3 + k] += a[1][k]


@kernel
def product(a: Spatial, b: Spatial) -> float:
    """Scalar product of a motion and a force."""
    return dot(a[0], b[0]) + dot(a[1], b[1])


@kernel
def add_scaled(a: Spatial, s: float, b: Spatial) -> Spatial:
    """a + s b."""
    return add(a[0], scale(s, b[0])), add(a[1], scale(s, b[1]))


@kernel
def at_offset(a: Spatial, offset: Triple) -> Spatial:
    """The motion a of a rigid body at the point that is `offset` [m] from its reference point."""
    return add(a[0], cross(a[1], offset)), a[1]


@kernel
def read_inertia(array: np.ndarray, t: int) -> Inertia:
    """Row t of an (n, 21) array as a tuple."""
    i = array[t]
    return (
        i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], i[8], i[9], i[10],
        i[11], i[12], i[13], i[14], i[15], i[16], i[17], i[18], i[19], i[20],
    )  # fmt: skip


@kernel
def times(i: Inertia, a: Spatial) -> Spatial:
    """I a."""
    (x, y, z), (u, v, w) = a
    force = (
        i[0] * x + i[1] * y + i[2] * z + i[6] * u + i[7] * v + i[8] * w,
        i[1] * x + i[3] * y + i[4] * z + i[9] * u + i[10] * v + i[11] * w,
        i[2] * x + i[4] * y + i[5] * z + i[12] * u + i[13] * v + i[14] * w,
    )
    torque = (
        i[6] * x + i[9] * y + i[12] * z + i[15] * u + i[16] * v + i[17] * w,
        i[7] * x + i[10] * y + i[13] * z + i[16] * u + i[18] * v + i[19] * w,
        i[8] * x + i[11] * y + i[14] * z + i[17] * u + i[19] * v + i[20] * w,
    )
    return force, torque


@kernel
def times_turn(i: Inertia, n: Triple) -> Spatial:
    """I (0, n)."""
    u, v, w = n
    force = i[6] * u + i[7] * v + i[8] * w, i[9] * u + i[10] * v + i[11] * w, i[12] * u + i[13] * v + i[14] * w
    torque = i[15] * u + i[16] * v + i[17] * w, i[16] * u + i[18] * v + i[19] * w, i[17] * u + i[19] * v + i[20] * w
    return force, torque


@kernel
def times_tensor(i: np.ndarray, a: Triple) -> Triple:
    """C a, with the upper half i (6,) of a symmetric tensor."""
    x, y, z = a
    return i[0] * x + i[1] * y + i[2] * z, i[1] * x + i[3] * y + i[4] * z, i[2] * x + i[4] * y + i[5] * z


@kernel
def less_square(i: Inertia, s: float, a: Spatial) -> Inertia:
    """I - s a a^T."""
    (x, y, z), (u, v, w) = a
    p, q, r, e, f, g = s * x, s * y, s * z, s * u, s * v, s * w
    return (
        i[0] - p * x, i[1] - p * y, i[2] - p * z, i[3] - q * y, i[4] - q * z, i[5] - r * z,
        i[6] - p * u, i[7] - p * v, i[8] - p * w,
        i[9] - q * u, i[10] - q * v, i[11] - q * w,
        i[12] - r * u, i[13] - r * v, i[14] - r * w,
        i[15] - e * u, i[16] - e * v, i[17] - e * w, i[18] - f * v, i[19] - f * w, i[20] - g * w,
    )  # fmt: skip


@kernel
def add_moved(i: Inertia, offset: Triple, to: np.ndarray) -> None:
    """Add X^T I X to `to` (21,), from whose reference point that of I is `offset` [m] away.

    With [r] of a cross product: B' = B - A [r], C' = C - B^T [r] + [r] B'.
    """
    x, y, z = offset
    b6, b7, b8 = moved_row(i[6], i[7], i[8], i[0], i[1], i[2], offset)
    b9, b10, b11 = moved_row(i[9], i[10], i[11], i[1], i[3], i[4], offset)
    b12, b13, b14 = moved_row(i[12], i[13], i[14], i[2], i[4], i[5], offset)
    for k in range(6):
        to[k] += i[k]
    to[6] += b6
    to[7] += b7
    to[8] += b8
    to[9] += b9
    to[10] += b10
    to[11] += b11
    to[12] += b12
    to[13] += b13
    to[14] += b14
    # rows of B^T are columns of B; row k of [r] B' is that of the cross product with the columns of B'
    c15, c16, c17 = moved_row(i[15], i[16], i[17], i[6], i[9], i[12], offset)
    _, c18, c19 = moved_row(i[16], i[18], i[19], i[7], i[10], i[13], offset)
    _, _, c20 = moved_row(i[17], i[19], i[20], i[8], i[11], i[14], offset)
    to[15] += c15 + y * b12 - z * b9
    to[16] += c16 + y * b13 - z * b10
    to[17] += c17 + y * b14 - z * b11
    to[18] += c18 + z * b7 - x * b13
    to[19] += c19 + z * b8 - x * b14
    to[20] += c20 + x * b11 - y * b8


@kernel
def moved_row(b1: float, b2: float, b3: float, a1: float, a2: float, a3: float, offset: Triple) -> Triple:
    """b - a x r: one row of B - A [r]."""
    x, y, z = offset
    return b1 - (a2 * z - a3 * y), b2 - (a3 * x - a1 * z), b3 - (a1 * y - a2 * x)
