"""Points and weights of Gauss and Legendre for integrals from -1 to 1, computed once for each number of points."""

from __future__ import annotations

from functools import cache

import numpy as np


@cache
def gauss_points(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (count,) within -1 and 1, and their weights (count,), whose sum is 2; read-only."""
    points, weights = np.polynomial.legendre.leggauss(count)
    points.flags.writeable = weights.flags.writeable = False
    return points, weights
