"""The map of a sweep: results of its cells, and statistics of all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.run.status import PENDING, SETTLED, STATUS, UNCERTAIN, UNSETTLED
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.map_layout import NO_LABEL
from polhode.sweep.maps.similarity import TOLERANCE, are_one, share_cells
from polhode.sweep.maps.statistics import (
    BOX,
    BasinEntropy,
    SmallestShock,
    Spread,
    UncertaintyExponent,
    basin_entropy,
    probabilities,
    smallest_shock,
    spread,
    uncertainty_exponent,
)
from polhode.sweep.variation import Variation

SHADE = 0.04  # of the range of values: a difference that is seen in a picture
Z_95 = 1.959963984540054  # quantile of the normal distribution for intervals of 95 %


@dataclass(eq=False)
class Results:
    """Results of some cells, in the order of their starts."""

    label: np.ndarray  # (n,) int32
    value: np.ndarray  # (n,) [SI]
    time: np.ndarray  # (n,) [s]
    features: np.ndarray  # (n, f)
    status: np.ndarray  # (n,) uint8

    @classmethod
    def empty(cls, shape: int | tuple[int, ...], width: int) -> Results:
        """Results of pending cells of this shape, with `width` features each."""
        label, status = np.full(shape, NO_LABEL, dtype=np.int32), np.full(shape, PENDING, dtype=np.uint8)
        value, features = np.full(shape, np.nan), np.full((*status.shape, width), np.nan)
        return cls(label, value, value.copy(), features, status)

    def put(self, rows: np.ndarray, others: Results) -> None:
        """Replace the results of the cells `rows` (m,)."""
        for name, values in vars(others).items():
            getattr(self, name)[rows] = values


@dataclass(frozen=True)
class Fraction:
    """Part of the cells that end at an attractor, with its 95 % interval (Wilson) as if cells were drawn at random."""

    label: int
    cells: int
    value: float
    low: float
    high: float


@dataclass(eq=False)
class SweepMap:
    """Results of all cells, as arrays of the shape (n, m, ...) of the sweep; cells that are not done are pending."""

    sweep: SweepSettings
    axis_values: tuple[np.ndarray, ...]  # (count,) [SI] of each axis
    units: tuple[str, ...]  # of these values
    label: np.ndarray  # (n, m, ...) int32 number of the attractor, or NO_LABEL
    value: np.ndarray  # (n, m, ...) of the outcome's quantity [SI], or nan
    time: np.ndarray  # (n, m, ...) [s] after which the run rests or can't leave its attractor; nan where it does not
    status: np.ndarray  # (n, m, ...) uint8 index of STATUS
    features: np.ndarray
    """(n, m, ..., f) further numbers of each cell: features or hashes of attractors, points of a section in order and
    padded with nan, or Lyapunov exponents, the largest first. f = 0 for other outcomes."""

    @classmethod
    def empty(cls, variation: Variation, width: int) -> SweepMap:
        """A map of pending cells, with `width` features each."""
        results = Results.empty(variation.shape, width)
        return cls(variation.sweep, variation.axis_values, variation.units, **vars(results))

    def __repr__(self) -> str:
        named = zip(self.sweep.axes, self.axis_values, strict=False)  # draws are a further dimension
        axes = ", ".join(f"{axis.parameter} ({len(values)} values)" for axis, values in named)
        counts = ", ".join(f"{count} {name}" for name, count in self.counts().items())
        return f"Map of sweep {self.sweep.name!r} over {axes}: {counts}"

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each dimension."""
        return self.status.shape

    @property
    def is_pending(self) -> bool:
        """Whether some cells are not done."""
        return bool((self.status == PENDING).any())

    @property
    def done(self) -> float:
        """Part of the cells that are done, 0 to 1."""
        return float(np.mean(self.status != PENDING))

    @property
    def certain(self) -> float:
        """Part of the cells with a run that settle with a label that the sweep's check confirms; nan without any."""
        count = np.isin(self.status, (SETTLED, UNSETTLED, UNCERTAIN)).sum()
        return float((self.status == SETTLED).sum() / count) if count else float("nan")

    def write(self, cells: np.ndarray, results: Results, done: np.ndarray) -> None:
        """Enter the results of cells (n,) that are `done` (n,) bool, their status last."""
        for name, values in vars(results).items():
            own: np.ndarray = getattr(self, name)
            own.reshape(self.status.size, *own.shape[self.status.ndim :])[cells[done]] = values[done]

    def numbers(self) -> tuple[np.ndarray, float]:
        """(cells, f) numbers that distinguish cells, nan of pending ones, and the least significant difference."""
        status = self.status.reshape(-1)
        found = self.label.reshape(-1, 1).astype(float)
        least = 0.0
        if self.sweep.outcome.kind != "attractor":
            found = self.value.reshape(-1, 1).copy()
            least = SHADE * float(np.ptp(found[np.isfinite(found)])) if np.isfinite(found).any() else 0.0
        elif not self.sweep.outcome.near:
            found, least = self.features.reshape(status.size, -1).copy(), TOLERANCE
            found = found[:, :1] if self.sweep.outcome.grid else found  # the smallest hash: most often the same
        kind = np.where(np.isin(status, (SETTLED, UNSETTLED)), 0.0, status * 2.0 * max(least, 1.0))
        found = np.column_stack([np.where(np.isfinite(found), found, -1e300), kind])
        found[status == PENDING] = np.nan
        return found, least

    def counts(self) -> dict[str, int]:
        """Number of cells of each status that occurs."""
        counts = np.bincount(self.status.reshape(-1), minlength=len(STATUS))
        return {name: int(count) for name, count in zip(STATUS, counts, strict=True) if count}

    def fractions(self) -> list[Fraction]:
        """Part of each attractor among the cells that end at one, uncertain ones included, in the order of labels."""
        labels = self.label[self.label >= 0]
        total = len(labels)
        return [Fraction(k, int(n), n / total, *interval(int(n), total)) for k, n in enumerate(np.bincount(labels))]

    @property
    def is_grid(self) -> bool:
        """Whether all axes have ranges, so that neighbouring cells are neighbouring starts."""
        return all(axis.draws is None for axis in self.sweep.axes)

    def basin_entropy(self, box: int = BOX) -> BasinEntropy:
        """Entropies of the basins in boxes of `box` cells along each axis; nan for maps without a grid."""
        return basin_entropy(self.label if self.is_grid else self.label[:0], box)

    def uncertainty_exponent(self) -> UncertaintyExponent:
        """Growth of the fraction of pairs with different labels with their distance; nan for maps without a grid."""
        return uncertainty_exponent(self.label if self.is_grid else self.label[:0])

    def smallest_shock(self, present: np.ndarray) -> SmallestShock | None:
        """The cell nearest to `present` (axes,) [SI], such as `Sweep.variation.stated`, with another attractor.

        None if all cells have the same, `present` lies outside the map, or the map has no grid.
        """
        return smallest_shock(self.label, self.axis_values, self.units, present) if self.is_grid else None

    def spread(self) -> Spread | None:
        """Mean, standard deviation and quantiles of the values over all draws; None for maps without draws.

        The arrays have the shape of the axes with ranges. Cells without a value do not count.
        """
        return spread(self.value) if any(axis.draws is not None for axis in self.sweep.axes) else None

    def probabilities(self) -> np.ndarray | None:
        """(labels, ...) part of the draws of each cell that end at each attractor; None for maps without draws.

        The further dimensions are those of the axes with ranges. Draws without a label do not count; nan where no draw
        has one.
        """
        if all(axis.draws is None for axis in self.sweep.axes) or self.sweep.outcome.kind != "attractor":
            return None
        return probabilities(self.label)

    def number_attractors(self) -> None:
        """Number the attractors of settled cells in the order of their features; others get the nearest one.

        The first settled cell that matches no attractor so far begins a new one. Unsettled cells that match none have
        no label.
        """
        found = self.features.reshape(self.status.size, -1)
        label = np.full(len(found), NO_LABEL, dtype=np.int32)
        left = np.flatnonzero(self.status.reshape(-1) == SETTLED)
        rests: list[np.ndarray] = []
        alike = share_cells if self.sweep.outcome.grid else are_one
        while len(left):
            rests.append(found[left[0]])
            left = left[~alike(found[left], rests[-1])]
        rests.sort(key=lambda rest: np.round(rest, 3).tolist())
        for number, rest in enumerate(rests):
            label[alike(found, rest) & (label == NO_LABEL)] = number
        self.label[...] = label.reshape(self.shape)


def interval(count: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a probability, for `count` of `total` trials. (J. Am. Stat. Assoc. 22, 209, 1927)"""
    p, z2 = count / total, Z_95**2
    middle = (p + z2 / (2 * total)) / (1 + z2 / total)
    half = Z_95 / (1 + z2 / total) * np.sqrt(p * (1 - p) / total + z2 / (4 * total**2))
    return float(max(middle - half, 0.0)), float(min(middle + half, 1.0))
