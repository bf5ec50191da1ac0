"""Times from which deviations to first order and those of draws count as different."""

from __future__ import annotations

import numpy as np

DIFFERENT = 0.2  # of the largest deviation so far: from there on tangents and draws count as different


def first_different(time: np.ndarray, first: np.ndarray, other: np.ndarray) -> float:
    """The first of times (n,) [s] at which two deviations (n, m) of a column differ by more than 20 %; inf for none.

    Of the largest deviation of all columns up to each time.
    """
    sizes = np.maximum(np.nan_to_num(first), np.nan_to_num(other)).max(axis=1)
    largest = np.maximum.accumulate(sizes)[:, None]
    differ = np.flatnonzero(~(np.abs(first - other) <= DIFFERENT * largest).all(axis=1))
    return float(time[differ[0]]) if len(differ) else float("inf")
