"""Linear equations with a symmetric positive definite matrix."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from polhode.jit.kernel import kernel

POSITIVE = -1


@kernel
def factorise(matrix: np.ndarray) -> tuple[int, float]:
    """The lower triangle of the matrix (d, d) becomes its Cholesky factor.

    Returns the first row whose pivot p is negative or 0, from which on the factor is of no use, with its coupling to
    the rows before, sqrt(1 - p/m), m on the diagonal; else POSITIVE and 0.
    """
    found, coupling = POSITIVE, 0.0
    for i in range(len(matrix)):
        for j in range(i + 1):
            total = matrix[i, j]
            for n in range(j):
                total -= matrix[i, n] * matrix[j, n]
            if i == j and total <= 0.0 and found == POSITIVE:
                found, coupling = i, sqrt(1.0 - total / matrix[i, i]) if matrix[i, i] > 0.0 else inf
            matrix[i, j] = sqrt(total) if i == j else total / matrix[j, j]
    return found, coupling


@kernel
def closest_row(matrix: np.ndarray, i: int) -> int:
    """The row j of a matrix (d, d) with the largest m_ij^2/m_jj; i itself where all others are 0."""
    closest, most = i, 0.0
    for j in range(len(matrix)):
        square = matrix[i, j] * matrix[i, j] / matrix[j, j]
        if j != i and square > most:
            closest, most = j, square
    return closest


@kernel
def substitute(factor: np.ndarray, right: np.ndarray) -> None:
    """`right` (d,) becomes the solution for a Cholesky factor (d, d)."""
    for i in range(len(right)):
        for n in range(i):
            right[i] -= factor[i, n] * right[n]
        right[i] /= factor[i, i]
    for i in range(len(right) - 1, -1, -1):
        for n in range(i + 1, len(right)):
            right[i] -= factor[n, i] * right[n]
        right[i] /= factor[i, i]
