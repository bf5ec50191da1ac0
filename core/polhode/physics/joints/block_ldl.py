"""Factors A = L D L^T of a symmetric matrix of small blocks that is positive semidefinite, and the solution of A x = b.

The blocks that fill up are known beforehand (elimination.py), so cost and memory are in proportion to them: linear in
the number of bodies for chains, and for trees whose bodies have few joints. An equation that others contain has a pivot
of rounding size; it gets the multiplier 0, which solves every consistent system. (Golub and Van Loan, Matrix
Computations, sections 4.1 and 4.2.8)
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.physics.joints.arrays import Factor

SMALLEST_PIVOT = 1e-11
"""Pivots below this part of the diagonal count as 0. Rounding leaves about 1e-15; two axes that differ by an angle a
have pivots of about a^2."""


@kernel
def factorise(
    factor: Factor,
    row: np.ndarray,
    matrix: np.ndarray,
    original: np.ndarray,
    inverse: np.ndarray,
    column: np.ndarray,
) -> None:
    """Replace the blocks of A in `matrix` by those of L, and write the inverse pivots, 0 for dependent equations.

    row: (n + 1,) first equation of each joint; original: (r,) receives the diagonal of A; inverse: (r,); column:
    scratch. Symmetric blocks on the diagonal are read in their lower halves.
    """
    for p in range(len(factor.order)):
        first = row[factor.order[p]]
        d, at = row[factor.order[p] + 1] - first, factor.diagonal[p]
        for i in range(d):
            original[first + i] = matrix[at + d * i + i]
    done = 0
    for p in range(len(factor.order)):
        first = row[factor.order[p]]
        d = row[factor.order[p] + 1] - first
        factorise_diagonal(matrix, factor.diagonal[p], d, original, inverse, first)
        begin, stop, start = factor.first[p], factor.first[p + 1], 0
        for s in range(begin, stop):
            q = factor.order[factor.below[s]]
            e = row[q + 1] - row[q]
            divide_block(matrix, factor.offset[s], e, factor.diagonal[p], d, inverse, first, column, start)
            start += e * d
        left = 0
        for s in range(begin, stop):
            q = factor.order[factor.below[s]]
            e, right = row[q + 1] - row[q], 0
            for t in range(begin, s + 1):
                o = factor.order[factor.below[t]]
                f = row[o + 1] - row[o]
                subtract_product(column, left, e, matrix, factor.offset[t], f, d, matrix, factor.target[done])
                done += 1
                right += f * d
            left += e * d


@kernel
def factorise_diagonal(
    matrix: np.ndarray, at: int, d: int, original: np.ndarray, inverse: np.ndarray, first: int
) -> None:
    """Factor the (d, d) block at an offset in place: L below its diagonal; inverse pivots from `first` on."""
    for i in range(d):
        for j in range(i):
            total = matrix[at + d * i + j]
            for k in range(j):
                total -= matrix[at + d * i + k] * matrix[at + d * j + k]
            matrix[at + d * i + j] = total  # L_ij D_j until the row is complete
        pivot = matrix[at + d * i + i]
        for j in range(i):
            held = matrix[at + d * i + j]
            matrix[at + d * i + j] = held * inverse[first + j]
            pivot -= held * matrix[at + d * i + j]
        is_dependent = not pivot > SMALLEST_PIVOT * original[first + i]
        inverse[first + i] = 0.0 if is_dependent else 1.0 / pivot


@kernel
def divide_block(
    matrix: np.ndarray,
    block: int,
    e: int,
    at: int,
    d: int,
    inverse: np.ndarray,
    first: int,
    column: np.ndarray,
    start: int,
) -> None:
    """Replace the (e, d) block X by X L^-T D^-1, and write X L^-T to `column` from `start` on."""
    for i in range(e):
        for j in range(d):
            total = matrix[block + d * i + j]
            for k in range(j):
                total -= column[start + d * i + k] * matrix[at + d * j + k]
            column[start + d * i + j] = total
        for j in range(d):
            matrix[block + d * i + j] = column[start + d * i + j] * inverse[first + j]


@kernel
def subtract_product(
    left: np.ndarray, a: int, e: int, right: np.ndarray, b: int, f: int, d: int, matrix: np.ndarray, to: int
) -> None:
    """Subtract the product of an (e, d) block and the transpose of an (f, d) block from the (e, f) block at `to`."""
    for i in range(e):
        for j in range(f):
            total = 0.0
            for k in range(d):
                total += left[a + d * i + k] * right[b + d * j + k]
            matrix[to + f * i + j] -= total


@kernel
def solve(factor: Factor, row: np.ndarray, matrix: np.ndarray, inverse: np.ndarray, x: np.ndarray) -> None:
    """Replace the right-hand side b in `x` (r,) by the solution of A x = b, with the factors of `factorise`."""
    for p in range(len(factor.order)):
        first, at = row[factor.order[p]], factor.diagonal[p]
        d = row[factor.order[p] + 1] - first
        for i in range(1, d):
            for k in range(i):
                x[first + i] -= matrix[at + d * i + k] * x[first + k]
        for s in range(factor.first[p], factor.first[p + 1]):
            q, block = factor.order[factor.below[s]], factor.offset[s]
            for i in range(row[q + 1] - row[q]):
                for k in range(d):
                    x[row[q] + i] -= matrix[block + d * i + k] * x[first + k]
    for i in range(len(x)):
        x[i] *= inverse[i]
    for p in range(len(factor.order) - 1, -1, -1):
        first, at = row[factor.order[p]], factor.diagonal[p]
        d = row[factor.order[p] + 1] - first
        for s in range(factor.first[p], factor.first[p + 1]):
            q, block = factor.order[factor.below[s]], factor.offset[s]
            for i in range(row[q + 1] - row[q]):
                for k in range(d):
                    x[first + k] -= matrix[block + d * i + k] * x[row[q] + i]
        for i in range(d - 1, -1, -1):
            for k in range(i + 1, d):
                x[first + i] -= matrix[at + d * k + i] * x[first + k]
