"""Poincare section: values at upward crossings of a level. (Strogatz, Nonlinear Dynamics and Chaos, section 8.7)"""

from __future__ import annotations

import numpy as np


def crossings(watched: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Upward crossings of a level by samples (n,): rows (k,) before each crossing, and fractions (k,) up to it.

    A sample on the level counts as above it. The interpolation is linear, with an error of about (w dt)^2 / 8 of the
    amplitude. There is no crossing next to a nan.
    """
    below, above = watched[:-1], watched[1:]
    rows = np.flatnonzero((below < level) & (above >= level))
    return rows, (level - below[rows]) / (above[rows] - below[rows])


def between(values: np.ndarray, rows: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """(k,) values (n,) interpolated linearly at the crossings: `rows` (k,) and `parts` (k,) of `crossings`."""
    return np.asarray(values[rows] + parts * (values[rows + 1] - values[rows]))
