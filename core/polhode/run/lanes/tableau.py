"""Explicit Runge-Kutta methods as tables of their weights, for the loop over lanes.

k_i = f(t + c_i dt, y + dt sum_j a_ij k_j)      y += dt sum_i b_i k_i
"""

from __future__ import annotations

import numpy as np

from polhode.integrators import dormand_prince_8, runge_kutta_4
from polhode.jit.kernel_struct import KernelStruct


class Tableau(KernelStruct):
    """Weights a_ij of the stages and, as a last row, b_i of the step; those that are zero are left out."""

    stages: int
    first: np.ndarray
    """(stages + 2,) int64: entries of row i are first[i] ... first[i + 1] - 1."""
    source: np.ndarray
    """(e,) int64 stage j whose rate an entry weighs."""
    weight: np.ndarray
    """(e,)."""
    time: np.ndarray
    """(stages,) of each stage, as parts c_i of the step."""


def tableau(rows: np.ndarray, last: np.ndarray, times: np.ndarray) -> Tableau:
    """The table of a method with the weights a_ij (s, s) and b_i (s,), and the times c_i (s,)."""
    weights = np.vstack([rows, last])
    counts = (weights != 0.0).sum(axis=1)
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Tableau(len(rows), first, np.nonzero(weights)[1].astype(np.int64), weights[weights != 0.0], times)


def _chain(next_stage: tuple[float, ...]) -> np.ndarray:
    """Weights a_ij (s, s) of a method whose stage i + 1 lies on the rate i alone."""
    return np.diag(next_stage[:-1], -1)


TABLEAUS = {
    dormand_prince_8.NAME: tableau(dormand_prince_8.STAGE_WEIGHTS, dormand_prince_8.WEIGHTS, dormand_prince_8.TIMES),
    runge_kutta_4.NAME: tableau(
        _chain(runge_kutta_4.NEXT_STAGE), np.array(runge_kutta_4.WEIGHTS), np.array(runge_kutta_4.TIMES)
    ),
}
MOST_STAGES = max(table.stages for table in TABLEAUS.values())
