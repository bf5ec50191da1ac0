"""Linear equations with a symmetric positive definite matrix."""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.jit.kernel import kernel


@kernel
def solve_positive(matrix: np.ndarray, right: np.ndarray) -> None:
    """`right` (d,) becomes matrix^-1 right; the lower triangle of the matrix (d, d) becomes its Cholesky factor."""
    for i in range(len(right)):
        for j in range(i + 1):
            total = matrix[i, j]
            for n in range(j):
                total -= matrix[i, n] * matrix[j, n]
            matrix[i, j] = sqrt(total) if i == j else total / matrix[j, j]
        for n in range(i):
            right[i] -= matrix[i, n] * right[n]
        right[i] /= matrix[i, i]
    for i in range(len(right) - 1, -1, -1):
        for n in range(i + 1, len(right)):
            right[i] -= matrix[n, i] * right[n]
        right[i] /= matrix[i, i]
