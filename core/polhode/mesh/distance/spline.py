"""Cubic B-splines on a grid: value and gradient between its nodes.

    f(x) = sum_ijk c_ijk B(x - i) B(y - j) B(z - k)        x, y, z in cells from the first node

with the cubic B-spline B and the coefficients c of the spline that interpolates the values at the nodes (Unser, IEEE
Signal Processing Magazine 16, 22, 1999). f has continuous second derivatives, so a force that is its gradient has a
continuous derivative, and the order of an integrator is kept.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple

MARGIN = 1  # cells at the sides in which the spline is not evaluated


def coefficients(values: np.ndarray) -> np.ndarray:
    """(nx, ny, nz) float32 coefficients of the spline through the values (nx, ny, nz) at the nodes.

    float32 halves the memory that an evaluation reads; its rounding, 6e-8 of the largest value, is the same in value
    and gradient.
    """
    from scipy.ndimage import spline_filter  # noqa: PLC0415 - slow import, for new fields only

    return spline_filter(values, order=3, mode="mirror", output=np.float64).astype(np.float32)


@kernel
def weights(t: float) -> tuple[float, float, float, float]:
    """B(t + 1), B(t), B(t - 1), B(t - 2) for 0 <= t < 1."""
    s, square, cube = 1.0 - t, t * t, t * t * t
    return (
        s * s * s / 6.0,
        (4.0 - 6.0 * square + 3.0 * cube) / 6.0,
        (1.0 + 3.0 * t + 3.0 * square - 3.0 * cube) / 6.0,
        cube / 6.0,
    )


@kernel
def slopes(t: float) -> tuple[float, float, float, float]:
    """Derivatives of `weights`."""
    s, square = 1.0 - t, t * t
    return (-0.5 * s * s, -2.0 * t + 1.5 * square, 0.5 + t - 1.5 * square, 0.5 * square)


@kernel
def is_within(counts: Triple, at: Triple) -> bool:
    """Whether a place `at`, in cells from the first node, lies in the part of the grid in which the spline is known.

    counts: nodes along each axis
    """
    return (
        MARGIN <= at[0] < counts[0] - 1 - MARGIN
        and MARGIN <= at[1] < counts[1] - 1 - MARGIN
        and MARGIN <= at[2] < counts[2] - 1 - MARGIN
    )


@kernel
def spline(numbers: np.ndarray, first: int, ny: int, nz: int, at: Triple) -> tuple[float, Triple]:
    """Value of a spline, and its gradient per cell, at a place `at` in cells from the first node.

    numbers: (c,) float32 coefficients of several grids, one after another; first: index of that of the first node
    ny, nz: nodes along y and z
    """
    i, j, k = int(at[0]), int(at[1]), int(at[2])
    wx, wy, wz = weights(at[0] - i), weights(at[1] - j), weights(at[2] - k)
    sx, sy, sz = slopes(at[0] - i), slopes(at[1] - j), slopes(at[2] - k)
    value = dx = dy = dz = 0.0
    for a in range(4):
        plane = plane_y = plane_z = 0.0
        for b in range(4):
            begin = first + ((i - 1 + a) * ny + (j - 1 + b)) * nz + k - 1
            c0, c1, c2, c3 = numbers[begin], numbers[begin + 1], numbers[begin + 2], numbers[begin + 3]
            line = wz[0] * c0 + wz[1] * c1 + wz[2] * c2 + wz[3] * c3
            line_z = sz[0] * c0 + sz[1] * c1 + sz[2] * c2 + sz[3] * c3
            plane += wy[b] * line
            plane_y += sy[b] * line
            plane_z += wy[b] * line_z
        value += wx[a] * plane
        dx += sx[a] * plane
        dy += wx[a] * plane_y
        dz += wx[a] * plane_z
    return value, (dx, dy, dz)
