"""Six linear equations, by Gaussian elimination with partial pivoting."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel

SIZE = 6


@kernel
def solve_six(system: np.ndarray, solution: np.ndarray) -> None:
    """Write the solution (6,) of a regular system (6, 7), whose last column is the right side, and is overwritten."""
    for k in range(SIZE):
        bring_up_pivot(system, k)
        for i in range(k + 1, SIZE):
            factor = system[i, k] / system[k, k]
            for j in range(k, SIZE + 1):
                system[i, j] -= factor * system[k, j]
    for k in range(SIZE - 1, -1, -1):
        total = system[k, SIZE]
        for j in range(k + 1, SIZE):
            total -= system[k, j] * solution[j]
        solution[k] = total / system[k, k]


@kernel
def bring_up_pivot(system: np.ndarray, k: int) -> None:
    """Exchange row k of `system` (6, 7) with the one below whose entry in column k is the largest."""
    best = k
    for i in range(k + 1, SIZE):
        if abs(system[i, k]) > abs(system[best, k]):
            best = i
    if best != k:
        for j in range(SIZE + 1):
            system[k, j], system[best, j] = system[best, j], system[k, j]
