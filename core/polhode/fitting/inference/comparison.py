"""Comparison of two models of the same data: F test, Akaike's criterion, and where they separate.

With the sums of squares S_1 >= S_2 of p_1 < p_2 unknowns, the smaller model being the larger one with numbers held,

    F = ((S_1 - S_2)/(p_2 - p_1)) / (S_2/(n - p_2))

is distributed as F with p_2 - p_1 and n - p_2 degrees of freedom if the smaller one is right. Fits in other segments
are not nested. For any two models

    AICc = sum_k n_k log(S_k/n_k) + 2 K + 2 K (K + 1)/(n - K - 1),    K = p + m

with the m columns, each with its variance: the smaller the better, by more than about 10 beyond doubt. (Burnham and
Anderson, Model Selection and Multimodel Inference, Springer 2002.) Both hold for independent residuals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import f as fishers_f

from polhode.fitting.result import FitResult
from polhode.scene.message import Message
from polhode.scene.problem import InputError


@dataclass(frozen=True)
class ComparedColumn:
    """The residuals of both models in one column; AICc is of these sums, F of them divided by the square of `sigma`."""

    quantity: str
    unit: str
    count: int  # values
    sigma: float  # by which the second model divides residuals
    sums: tuple[float, float]  # of squares, in the square of the unit


@dataclass(frozen=True, eq=False)
class Comparison:
    """A smaller and a larger model of the same data, or two models that are not nested in the order given."""

    is_nested: bool
    sums: tuple[float, float]  # of squares, in the weights of the second model
    unknowns: tuple[int, int]
    count: int  # values
    f: float  # nan if they are not nested
    probability: float  # of such an F or a larger one if the smaller model is right; nan if they are not nested
    aicc: tuple[float, float]
    quantity: str  # in which they separate most
    time: float  # [s] of the data, when they do
    separation: float  # there, in root mean squares of the residuals of the second model
    columns: tuple[ComparedColumn, ...]

    @property
    def prefers_second(self) -> bool:
        """Whether the second model is the better one: by F beyond 1 in 20 if they are nested, by AICc else."""
        return self.probability < 0.05 if self.is_nested else self.aicc[1] < self.aicc[0]


def compared(first: FitResult, second: FitResult) -> Comparison:
    """Compare two fits of the same rows. Raises InputError for other data."""
    task = second.task
    if first.fitted != second.fitted or not np.array_equal(first.task.values, task.values, equal_nan=True):
        rule = Message("the two models are fitted to different data")
        raise InputError.of("polhode", rule, Message("fit both to the same rows"), "second")
    smaller, larger = set(first.task.unknowns.names), set(task.unknowns.names)
    is_nested = (
        smaller < larger and first.task.unknowns.scene == task.unknowns.scene and _segments(first) == _segments(second)
    )
    there = task.is_there & second.fitted_rows[:, None]
    counts = there.sum(axis=0)
    differences = [np.where(there, found.model - task.values, 0.0) for found in (first, second)]
    squares = [np.sum(each**2, axis=0) for each in differences]
    sums = [float(np.sum(each / task.sigma**2)) for each in squares]
    numbers, n = (_unknowns(first), _unknowns(second)), int(counts.sum())
    f, probability = np.nan, np.nan
    if is_nested:
        freedom = len(larger) - len(smaller), n - numbers[1]
        gain, left = (sums[0] - sums[1]) / freedom[0], sums[1] / freedom[1]
        f = gain / left if left > 0.0 else np.inf if gain > 0.0 else 0.0
        probability = float(fishers_f.sf(f, *freedom))
    spread = np.sqrt(squares[1] / np.maximum(counts, 1))
    differing = np.where(there, np.abs(first.model - second.model) / np.maximum(spread, 1e-300), 0.0)
    row, k = np.unravel_index(int(np.argmax(differing)), differing.shape)
    numbers_of_columns = counts.tolist(), task.sigma.tolist(), zip(*(each.tolist() for each in squares), strict=True)
    aicc = _aicc(squares[0], counts, numbers[0]), _aicc(squares[1], counts, numbers[1])
    return Comparison(
        is_nested,
        (sums[0], sums[1]),
        numbers,
        n,
        f,
        probability,
        aicc,
        task.observed.names[k],
        float(task.times[row]),
        float(differing[row, k]),
        tuple(map(ComparedColumn, task.observed.names, task.observed.units, *numbers_of_columns)),
    )


def _segments(found: FitResult) -> int:
    """Number of segments, each with a start of its own."""
    return found.runs.count if found.runs is not None else 1


def _unknowns(found: FitResult) -> int:
    """Number of unknowns, with the starts of segments."""
    return len(found.estimates) + (found.runs.lost if found.runs is not None else 0)


def _aicc(squares: np.ndarray, counts: np.ndarray, unknowns: int) -> float:
    """AICc of sums of squares (m,) of columns with counts (m,) values."""
    k, n = unknowns + len(squares), int(counts.sum())
    logs = float(np.sum(counts * np.log(np.maximum(squares, 1e-300) / np.maximum(counts, 1))))
    return logs + 2 * k + 2 * k * (k + 1) / max(n - k - 1, 1)
