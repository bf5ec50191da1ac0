"""Cubic splines by their second derivatives: C2 through given positions, straight at open ends.

Between two knots the curve is a cubic with the positions p and second derivatives M of its ends. That its first
derivative is continuous gives a tridiagonal system for all M, so the cost is linear in the number of knots (de Boor, A
Practical Guide to Splines, chapter IV):

    h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 (d_i - d_i-1),    h_i = t_i+1 - t_i,  d_i = (p_i+1 - p_i)/h_i
"""

from __future__ import annotations

import numpy as np


def cubic_pieces(knots: np.ndarray, points: np.ndarray, closed: bool) -> np.ndarray:
    """(n - 1, k, 4) coefficients of c0 s^3 + c1 s^2 + c2 s + c3, s from each knot to the next.

    knots: (n,) increasing; points: (n, k)

    A closed one ends where it begins, as smoothly as anywhere else, and its last point must be the first; an open one
    has no curvature at its ends.
    """
    h = np.diff(knots)[:, None]
    slopes = np.diff(points, axis=0) / h
    bends = _periodic(h[:, 0], slopes) if closed else _natural(h[:, 0], slopes)
    first, last = bends[:-1], bends[1:]
    coefficients = (last - first) / (6 * h), first / 2, slopes - h * (2 * first + last) / 6, points[:-1]
    return np.ascontiguousarray(np.stack(coefficients, axis=-1))


def _natural(h: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """(n, k) second derivatives M with M = 0 at both ends, from h (n - 1,) and slopes d (n - 1, k) of the pieces."""
    inner = _solved(2 * (h[:-1] + h[1:]), h[1:-1], 6 * np.diff(slopes, axis=0))
    return np.vstack([np.zeros((1, slopes.shape[1])), inner, np.zeros((1, slopes.shape[1]))])


def _periodic(h: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """(n, k) second derivatives on a ring, the first and the last equal; arguments as for `_natural`.

    The corners of its matrix are a change of rank one of a tridiagonal matrix (Sherman and Morrison).
    """
    before = np.roll(h, 1)
    diagonal, right = 2 * (before + h), 6 * (slopes - np.roll(slopes, 1, axis=0))
    corner = h[-1]
    weight = np.zeros((len(h), 1))
    weight[0], weight[-1] = -diagonal[0], corner
    diagonal = diagonal.copy()
    diagonal[-1] += corner * corner / diagonal[0]
    diagonal[0] *= 2
    found = _solved(diagonal, h[:-1], np.hstack([right, weight]))
    along, change = found[:, :-1], found[:, -1:]
    share = corner / weight[0]
    factor = (along[0] + share * along[-1]) / (1 + change[0] + share * change[-1])
    inner = along - change * factor
    return np.vstack([inner, inner[:1]])


def _solved(diagonal: np.ndarray, beside: np.ndarray, right: np.ndarray) -> np.ndarray:
    """x (m, k) of a symmetric tridiagonal system with several right sides, by elimination without pivoting.

    diagonal: (m,); beside: (m - 1,); right: (m, k). Diagonally dominant here, so that no pivot is small.
    """
    d, x = diagonal.astype(float), right.astype(float)
    for i in range(1, len(d)):
        factor = beside[i - 1] / d[i - 1]
        d[i] -= factor * beside[i - 1]
        x[i] -= factor * x[i - 1]
    for i in range(len(d) - 1, -1, -1):
        if i + 1 < len(d):
            x[i] -= beside[i] * x[i + 1]
        x[i] /= d[i]
    return x
