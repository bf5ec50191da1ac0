"""Cells of a grid in which a spline may be at most a given number, by the coefficients of its Bernstein polynomials.

In each cell a spline is a polynomial, and its values lie between the least and the largest of its 64 coefficients in
Bernstein's basis. Along one axis they follow from the coefficients c of the B-splines around the cell:

    (c0 + 4 c1 + c2)/6    (2 c1 + c2)/3    (c1 + 2 c2)/3    (c1 + 4 c2 + c3)/6
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.mesh.distance.spline import MARGIN

AROUND_CELL = 64  # coefficients on which a spline depends in a cell
TO_BERNSTEIN = np.array([[1, 4, 1, 0], [0, 4, 2, 0], [0, 2, 4, 0], [0, 1, 4, 1]]) / 6


def reached_cells(numbers: np.ndarray, most: float) -> np.ndarray:
    """(nx, ny, nz) bool of each node: whether the spline may be at most `most` in the cell behind it.

    numbers: (nx, ny, nz) float32 coefficients. Cells at the sides, where the spline is not known, are not marked.
    """
    marked = np.zeros(numbers.shape, dtype=np.bool_)
    mark_cells(numbers, most, TO_BERNSTEIN, marked, np.empty((2, 4, 4, 4)))
    return marked


@kernel
def mark_cells(
    numbers: np.ndarray, most: float, to_bernstein: np.ndarray, marked: np.ndarray, scratch: np.ndarray
) -> None:
    """Write `marked` of `reached_cells`. scratch: (2, 4, 4, 4), overwritten"""
    nx, ny, nz = numbers.shape
    for i in range(MARGIN, nx - 1 - MARGIN):
        for j in range(MARGIN, ny - 1 - MARGIN):
            for k in range(MARGIN, nz - 1 - MARGIN):
                below = count_below(numbers, i, j, k, most)
                if below == AROUND_CELL:
                    marked[i, j, k] = True
                elif below > 0:
                    marked[i, j, k] = least_in_cell(numbers, i, j, k, to_bernstein, scratch) <= most


@kernel
def count_below(numbers: np.ndarray, i: int, j: int, k: int, most: float) -> int:
    """Number of the coefficients (nx, ny, nz) around the cell behind node i, j, k that are at most `most`: the spline
    lies between the least and the largest of them.
    """
    count = 0
    for a in range(i - 1, i + 3):
        for b in range(j - 1, j + 3):
            for c in range(k - 1, k + 3):
                count += numbers[a, b, c] <= most
    return count


@kernel
def least_in_cell(numbers: np.ndarray, i: int, j: int, k: int, to_bernstein: np.ndarray, scratch: np.ndarray) -> float:
    """Least Bernstein coefficient of the cell behind node i, j, k. scratch: (2, 4, 4, 4), overwritten

    One axis after another is transformed, and becomes the last one.
    """
    for a in range(4):
        for b in range(4):
            for c in range(4):
                scratch[0, a, b, c] = numbers[i - 1 + a, j - 1 + b, k - 1 + c]
    for axis in range(3):
        old, new = scratch[axis % 2], scratch[(axis + 1) % 2]
        for a in range(4):
            for b in range(4):
                for c in range(4):
                    total = 0.0
                    for n in range(4):
                        total += to_bernstein[c, n] * old[n, a, b]
                    new[a, b, c] = total
    least = scratch[1, 0, 0, 0]
    for a in range(4):
        for b in range(4):
            for c in range(4):
                least = min(least, scratch[1, a, b, c])
    return least
