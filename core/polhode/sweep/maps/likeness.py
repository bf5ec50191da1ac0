"""When two runs are on one attractor, by the numbers that each of them keeps."""

from __future__ import annotations

import numpy as np

TOLERANCE = (
    0.1  # distance of features within which two rests are one: radians, or parts of the arm or of a length of the sweep
)
COMMON = 0.25  # part of the cells of a grid that two runs on one attractor have in common


def are_one(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n,) whether features (n, f) and (n, f) are those of the same rest; not where any is nan."""
    return np.abs(some - others).max(axis=-1, initial=0.0) < TOLERANCE


def share_cells(some: np.ndarray, one: np.ndarray) -> np.ndarray:
    """(n,) whether rows of hashes (n, w) have COMMON of their cells in common with `one` (w,); nan: no cell."""
    known = one[~np.isnan(one)]
    fewest = np.minimum((~np.isnan(some)).sum(axis=1), len(known))
    return (fewest > 0) & (np.isin(some, known).sum(axis=1) >= COMMON * fewest)
