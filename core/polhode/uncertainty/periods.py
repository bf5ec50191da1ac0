"""The period of a sampled column, and its change with those of the samples."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline

ROUNDING = 1e-8  # of a column: smaller variations are those of a constant
UNEQUAL = 0.2  # of their mean, by which the times between rises may differ


def period_of(times: np.ndarray, values: np.ndarray, changes: np.ndarray) -> tuple[float, np.ndarray] | None:
    """Mean period [s] between rises of samples (n,) at times (n,) [s] through their mean, and its changes (g,).

    The column is a cubic spline through its samples. A crossing at y(t) = c moves by dt = -(dy - dc)/y'(t), with c the
    middle between the extremes, whose changes are those of the samples there. None for fewer than two rises, and for a
    motion without a period, such as a chaotic one.
    """
    if len(times) < 4 or not np.isfinite(values).all() or np.ptp(values) <= ROUNDING * np.abs(values).max():
        return None
    top, bottom = int(values.argmax()), int(values.argmin())
    level = 0.5 * (values[top] + values[bottom])
    curve = CubicSpline(times, values - level)
    slope = curve.derivative()
    crossings = curve.roots(extrapolate=False)
    rises = crossings[slope(crossings) > 0.0]
    if len(rises) < 2 or np.ptp(np.diff(rises)) > UNEQUAL * np.diff(rises).mean():
        return None
    ends = rises[[0, -1]]
    moved = CubicSpline(times, changes, axis=1)(ends) - 0.5 * (changes[:, [top]] + changes[:, [bottom]])
    shifts = -moved / slope(ends)
    count = len(rises) - 1
    return float((ends[1] - ends[0]) / count), (shifts[:, 1] - shifts[:, 0]) / count
