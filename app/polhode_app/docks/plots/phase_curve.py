"""The curve of a phase plane: few enough points to be drawn quickly, and no lines where samples are too sparse."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NEWEST = 3000  # points that are drawn as they were sampled
OLDER = 8000  # points of the rest, at most
LONG = 0.03  # chord, in extents of the curve, above which a turn shows
TURN = 0.7  # cosine of the angle between two chords, below which the curve between their ends is not known
SPARSE = 3.0  # interval of samples from which on their curve may be unknown, in the shortest intervals
UNLIKE = 20.0  # ratio of two extents that are not drawn at the same scale


class PhaseCurve(NamedTuple):
    """Drawn data: a line with NaN between its parts, and points that no line joins."""

    x: np.ndarray  # (n,)
    y: np.ndarray  # (n,)
    points: np.ndarray  # (k, 2)


def phase_curve(times: np.ndarray, x: np.ndarray, y: np.ndarray) -> PhaseCurve:
    """Curve through samples (n,) at `times` (n,) [s]; rows of NaN mark discontinuities.

    The older samples are thinned, and so are those recalled from the rewind buffer. Where such samples are too far
    apart to show the curve between them, they are drawn as points. A jump between two samples in close succession, such
    as an impact, is a line.
    """
    shortest = _shortest(times)
    kept = _kept(times, np.isnan(x) | np.isnan(y), shortest)
    times, x, y = times[kept], x[kept], y[kept]
    if len(times) < 3:
        return PhaseCurve(x, y, np.empty((0, 2)))
    unknown = _unknown(x, y) & (np.diff(times) > SPARSE * shortest)
    lonely = np.r_[False, unknown] | np.r_[unknown, False]
    after = np.flatnonzero(unknown) + 1
    return PhaseCurve(np.insert(x, after, np.nan), np.insert(y, after, np.nan), np.column_stack([x, y])[lonely])


def are_alike(x: np.ndarray, y: np.ndarray) -> bool:
    """Whether two quantities, x (n,) and y (n,), have extents that can be drawn at the same scale."""
    wide, high = _extent(x), _extent(y)
    return bool(max(wide, high) <= UNLIKE * min(wide, high))


def _kept(times: np.ndarray, is_gap: np.ndarray, shortest: float) -> np.ndarray:
    """Indices of the samples that are drawn: all gaps, the newest samples, and some of the others.

    Of the older samples at `times` (n,) [s] those are drawn that come first after multiples of an interval, which is a
    power of two: the same ones while the run adds samples and the visible span moves, so that the curve is at rest.
    """
    older = max(len(is_gap) - NEWEST, 0)
    if older <= OLDER or shortest <= 0.0:
        return np.arange(len(is_gap))
    span = float(times[older - 1] - times[0])
    interval = 2.0 ** np.ceil(np.log2(max(span / OLDER, shortest)))
    numbers = np.floor(times / interval)
    kept = np.r_[True, np.diff(numbers) > 0]
    kept[older:] = True
    return np.flatnonzero(kept | is_gap)


def _shortest(times: np.ndarray) -> float:
    """Shortest interval [s] of some samples, apart from a few outliers."""
    steps = np.diff(times)
    steps = steps[steps > 0]
    return float(np.percentile(steps, 1)) if len(steps) else 0.0


def _unknown(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(n - 1,) whether a chord between two samples (n,) is long and at an angle with one of its neighbours."""
    across, up = np.diff(x) / (_extent(x) or 1.0), np.diff(y) / (_extent(y) or 1.0)
    length = np.hypot(across, up)
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = (across[1:] * across[:-1] + up[1:] * up[:-1]) / (length[1:] * length[:-1])
        turns = (cosine < TURN) & (length[1:] > LONG) & (length[:-1] > LONG)
    return np.r_[False, turns] | np.r_[turns, False]


def _extent(values: np.ndarray) -> float:
    """Difference of the largest and the smallest finite value; 0.0 if there are none."""
    finite = values[np.isfinite(values)]
    return float(np.ptp(finite)) if len(finite) else 0.0
