"""Vectors as 3-tuples for kernels, where a small numpy array would be thirty times slower.

The functions work on tuples of floats, and, as far as they use + - * only, on tuples of Float64x8. A tuple carries
neither unit nor frame: the caller does.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.libm.trigonometric import sincos

Triple = tuple[float, float, float]


@kernel
def row(array: np.ndarray, i: int) -> Triple:
    """Row i of an (n, 3) array as a 3-tuple."""
    return array[i, 0], array[i, 1], array[i, 2]


@kernel
def put(array: np.ndarray, i: int, a: Triple) -> None:
    """Write a into row i of an (n, 3) array."""
    array[i, 0], array[i, 1], array[i, 2] = a


@kernel
def accumulate(array: np.ndarray, i: int, a: Triple) -> None:
    """Add a to row i of an (n, 3) array."""
    array[i, 0] += a[0]
    array[i, 1] += a[1]
    array[i, 2] += a[2]


@kernel
def add(a: Triple, b: Triple) -> Triple:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def subtract(a: Triple, b: Triple) -> Triple:
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale(s: float, a: Triple) -> Triple:
    """s a."""
    return s * a[0], s * a[1], s * a[2]


@kernel
def dot(a: Triple, b: Triple) -> float:
    """a.b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Triple, b: Triple) -> Triple:
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def combine(a: Triple, u1: Triple, u2: Triple, u3: Triple) -> Triple:
    """a1 u1 + a2 u2 + a3 u3: from components in the frame (u1, u2, u3) to the outer frame."""
    return add(add(scale(a[0], u1), scale(a[1], u2)), scale(a[2], u3))


@kernel
def components(a: Triple, u1: Triple, u2: Triple, u3: Triple) -> Triple:
    """(a.u1, a.u2, a.u3): from components in the outer frame to the frame (u1, u2, u3)."""
    return dot(a, u1), dot(a, u2), dot(a, u3)


@kernel
def rotated(a: Triple, axis: Triple, angle: float) -> Triple:
    """a rotated about a unit axis by `angle` [rad], right-handed (Rodrigues).

    a cos + (axis x a) sin + axis (axis.a)(1 - cos).
    """
    sine, cosine = sincos(angle)
    along = scale((1.0 - cosine) * dot(axis, a), axis)
    return add(add(scale(cosine, a), scale(sine, cross(axis, a))), along)


@kernel
def transform(matrices: np.ndarray, i: int, a: Triple) -> Triple:
    """Matrix i of an (n, 3, 3) array times a: sum_k m_jk a_k."""
    m = matrices[i]
    return (
        m[0, 0] * a[0] + m[0, 1] * a[1] + m[0, 2] * a[2],
        m[1, 0] * a[0] + m[1, 1] * a[1] + m[1, 2] * a[2],
        m[2, 0] * a[0] + m[2, 1] * a[1] + m[2, 2] * a[2],
    )
