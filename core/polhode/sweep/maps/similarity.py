"""Whether two runs are on one attractor, by the features or hashes of each."""

from __future__ import annotations

import numpy as np

TOLERANCE = 0.1  # largest difference of the features of one rest: [rad], or in arms, or in lengths of the sweep
COMMON = 0.25  # least part of the cells of a grid that two runs on one attractor share


def are_one(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n,) whether features (n, f) and (n, f) are those of one rest; False where any is nan."""
    return np.abs(some - others).max(axis=-1, initial=0.0) < TOLERANCE


def share_cells(some: np.ndarray, one: np.ndarray) -> np.ndarray:
    """(n,) whether rows of hashes (n, w) share COMMON of their cells with `one` (w,); nan: no cell."""
    known = one[~np.isnan(one)]
    fewest = np.minimum((~np.isnan(some)).sum(axis=1), len(known))
    return (fewest > 0) & (np.isin(some, known).sum(axis=1) >= COMMON * fewest)
