"""DOP853 for many independent systems at once: scipy's coefficients and step control, with a step of its own for each.

`solve_ivp` integrates them as one system, whose step is that of the stiffest moment of all.
"""

from collections.abc import Callable

import numpy as np
from scipy.integrate import DOP853

SAFETY, SMALLEST, LARGEST = 0.9, 0.2, 10.0  # as in scipy/integrate/_ivp/rk.py
A, B, E3, E5, STAGES = DOP853.A, DOP853.B, DOP853.E3, DOP853.E5, DOP853.n_stages


def integrate(
    rates: Callable[[np.ndarray], np.ndarray], start: np.ndarray, until: float, rtol: float, atol: float
) -> np.ndarray:
    """(n, d) states at the time `until` from `start` (n, d), for autonomous rates (m, d) -> (m, d)."""
    ends, left = start.copy(), np.arange(len(start))
    y, t, h = start.copy(), np.zeros(len(start)), np.full(len(start), 1e-4 * until)
    k = np.empty((STAGES + 1, *y.shape))
    k[0] = rates(y)
    was_rejected = np.zeros(len(start), dtype=bool)
    while len(left):
        step = np.minimum(h, until - t)
        for s in range(1, STAGES):
            k[s] = rates(y + step[:, None] * np.tensordot(A[s, :s], k[:s], 1))
        new = y + step[:, None] * np.tensordot(B, k[:STAGES], 1)
        k[STAGES] = rates(new)
        size = atol + rtol * np.maximum(np.abs(y), np.abs(new))
        five, three = (((np.tensordot(e, k, 1) / size) ** 2).sum(axis=1) for e in (E5, E3))
        with np.errstate(invalid="ignore", divide="ignore"):
            error = np.where(five + three > 0, step * five / np.sqrt((five + 0.01 * three) * y.shape[1]), 0.0)
            factor = np.clip(SAFETY * error**-0.125, SMALLEST, LARGEST)
        good = error < 1
        h = step * np.where(good & was_rejected, np.minimum(factor, 1.0), factor)
        was_rejected = ~good
        t = np.where(good, t + step, t)
        y = np.where(good[:, None], new, y)
        k[0] = np.where(good[:, None], k[STAGES], k[0])
        is_over = t >= until * (1 - 1e-15)
        if is_over.any():
            ends[left[is_over]] = y[is_over]
            rest = ~is_over
            left, y, t, h, was_rejected, k = left[rest], y[rest], t[rest], h[rest], was_rejected[rest], k[:, rest]
    return ends
