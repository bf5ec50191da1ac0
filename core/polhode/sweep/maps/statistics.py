"""Statistics of a map: entropies of basins, uncertainty exponent, smallest shock, and the spread of values.

Those of basins use integer labels only; cells with a negative label are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

BOX = 5  # cells along an edge of a box
QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)
LOG_2 = float(np.log(2.0))
FEWEST_PAIRS = 10  # least number of uncertain pairs of a distance


@dataclass(frozen=True)
class BasinEntropy:
    """Entropies of a map of basins [nat]. (Daza, Wagemakers, Georgeot, Guery-Odelin and Sanjuan, Sci. Rep. 6, 31416,
    2016)
    """

    basin: float
    """Mean over all boxes of the entropy -sum p ln p of the labels within; nan where the map is smaller than a box."""
    boundary: float
    """Mean over the boxes with more than one label; nan without one."""
    boxes: int
    """Number of boxes."""
    on_boundary: int
    """Number of boxes with more than one label."""

    @property
    def is_fractal(self) -> bool:
        """Whether the boundary entropy exceeds ln 2, the limit for smooth boundaries: a sufficient condition."""
        return self.boundary > LOG_2


@dataclass(frozen=True, eq=False)
class UncertaintyExponent:
    """Scaling of the fraction f of pairs with different labels at the distance e: f is proportional to e^exponent.

    (Grebogi, McDonald, Ott and Yorke, Phys. Lett. A 99, 415, 1983)
    """

    exponent: float
    """1 for smooth boundaries; between 0 and 1 for fractal ones; nan for too few pairs."""
    error: float
    """Standard error of the straight line through the logarithms."""
    distances: np.ndarray
    """(n,) distances e in cells."""
    fractions: np.ndarray
    """(n,) fractions f of uncertain pairs."""
    dimensions: int
    """Number of dimensions of the map."""

    @property
    def boundary_dimension(self) -> float:
        """Box-counting dimension of the boundary in the map: that of the map less the exponent."""
        return self.dimensions - self.exponent


@dataclass(frozen=True)
class SmallestShock:
    """The nearest cell with another attractor than the present state."""

    distance: float
    """[SI] if all axes have one unit, else in parts of the ranges of the axes."""
    change: tuple[float, ...]
    """[SI] of each axis, from the present state."""
    label: int
    """Of its attractor."""
    is_relative: bool
    """Whether the distance is in parts of the ranges."""


@dataclass(frozen=True, eq=False)
class Spread:
    """Statistics of a value over its draws. (...) is the shape of all axes but the draws."""

    mean: np.ndarray
    """(...) [SI]; nan where no draw has a value."""
    deviation: np.ndarray
    """(...) [SI] standard deviation, with n - 1; nan for fewer than two values."""
    quantiles: np.ndarray
    """(q, ...) [SI] for QUANTILES."""
    count: np.ndarray
    """(...) number of draws with a value."""


def spread(values: np.ndarray) -> Spread:
    """Statistics over the last dimension of `values` (..., n), nan excepted."""
    count = np.isfinite(values).sum(axis=-1)
    known = np.where(np.isfinite(values), values, np.nan)
    mean, deviation = np.full(count.shape, np.nan), np.full(count.shape, np.nan)
    quantiles = np.full((len(QUANTILES), *count.shape), np.nan)
    some, two = count > 0, count > 1
    mean[some], deviation[two] = np.nanmean(known[some], axis=-1), np.nanstd(known[two], axis=-1, ddof=1)
    quantiles[:, some] = np.nanquantile(known[some], QUANTILES, axis=-1)
    return Spread(mean, deviation, quantiles, count)


def basin_entropy(label: np.ndarray, box: int = BOX) -> BasinEntropy:
    """Entropies of labels (n, m, ...) in boxes of `box` cells along each edge, beginning at the first cell.

    Incomplete boxes at the ends of the axes, and boxes without labels, do not count.
    """
    used = label[tuple(slice(0, size - size % box) for size in label.shape)]
    if used.size == 0:
        return BasinEntropy(float("nan"), float("nan"), 0, 0)
    parts = used.reshape([part for size in used.shape for part in (size // box, box)])
    order = [*range(0, parts.ndim, 2), *range(1, parts.ndim, 2)]
    cells = parts.transpose(order).reshape(-1, box**label.ndim)
    counts = np.stack([(cells == k).sum(axis=1) for k in range(int(label.max(initial=0)) + 1)], axis=1)
    total = counts.sum(axis=1)
    counts, total = counts[total > 0], total[total > 0]
    if len(counts) == 0:
        return BasinEntropy(float("nan"), float("nan"), 0, 0)
    p = counts / total[:, None]
    entropy = -(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=1)
    mixed = (counts > 0).sum(axis=1) > 1
    boundary = float(entropy[mixed].mean()) if mixed.any() else float("nan")
    return BasinEntropy(float(entropy.mean()), boundary, len(counts), int(mixed.sum()))


def uncertainty_exponent(label: np.ndarray) -> UncertaintyExponent:
    """Exponent of labels (n, m, ...): all pairs of cells along each axis, at the distances 1, 2, 4 ... up to an eighth.

    For a boundary of dimension D in d dimensions the fraction of pairs with different labels at the distance e is
    proportional to e^(d - D). The line through the logarithms is fitted by least squares.
    """
    distances, fractions = [], []
    distance = 1
    while 8 * distance <= min(label.shape):
        different, pairs = 0, 0
        for axis in range(label.ndim):
            rows = np.moveaxis(label, axis, 0)
            near, far = rows[:-distance], rows[distance:]
            known = (near >= 0) & (far >= 0)
            different += int(((near != far) & known).sum())
            pairs += int(known.sum())
        if different >= FEWEST_PAIRS:
            distances.append(float(distance))
            fractions.append(different / pairs)
        distance *= 2
    if len(distances) < 3:
        return UncertaintyExponent(float("nan"), float("nan"), np.array(distances), np.array(fractions), label.ndim)
    x, y = np.log(distances), np.log(fractions)
    slope, offset = np.polyfit(x, y, 1)
    left = y - slope * x - offset
    error = float(np.sqrt((left**2).sum() / (len(x) - 2) / ((x - x.mean()) ** 2).sum()))
    return UncertaintyExponent(float(slope), error, np.array(distances), np.array(fractions), label.ndim)


def smallest_shock(
    label: np.ndarray, axis_values: tuple[np.ndarray, ...], units: tuple[str, ...], present: np.ndarray
) -> SmallestShock | None:
    """The cell nearest to `present` (axes,) [SI] with another label than the cell at it.

    label: (n, m, ...), for axes with ascending or descending `axis_values`. None if no label differs, if `present` lies
    outside the map, or if its cell has no label.
    """
    ranges = np.array([float(np.ptp(values)) for values in axis_values])
    is_relative = len(set(units)) > 1
    scale = ranges if is_relative else np.ones(len(ranges))
    half = [0.51 * float(np.ptp(values)) / max(len(values) - 1, 1) for values in axis_values]
    inside = all(v.min() - h <= x <= v.max() + h for v, h, x in zip(axis_values, half, present, strict=True))
    at = tuple(int(np.abs(values - x).argmin()) for values, x in zip(axis_values, present, strict=True))
    if not inside or label[at] < 0:
        return None
    others = np.argwhere((label >= 0) & (label != label[at]))
    if len(others) == 0:
        return None
    points = np.stack([values[others[:, k]] for k, values in enumerate(axis_values)], axis=1)
    distance, nearest = scipy.spatial.cKDTree(points / scale).query(present / scale)
    change = tuple((points[nearest] - present).tolist())
    return SmallestShock(float(distance), change, int(label[tuple(others[nearest])]), is_relative)


def probabilities(label: np.ndarray) -> np.ndarray:
    """(labels, ...) part of the draws (..., draws) with each label from 0 on; nan where no draw has one."""
    count = (label >= 0).sum(axis=-1)
    found = np.array([(label == k).sum(axis=-1) for k in range(int(label.max(initial=-1)) + 1)])
    found = found.reshape(-1, *count.shape)
    return np.where(count > 0, found / np.maximum(count, 1), np.nan)
