"""Profiles: the least sum of squares with one unknown held at other values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import t as students_t

from polhode.fitting.result import FitResult
from polhode.fitting.segmented import refitted
from polhode.fitting.task import FitTask
from polhode.fitting.unknowns import Unknown
from polhode.scene.checks.arguments import PositiveCount, PositiveNumber, checked

EVALUATIONS = 25  # of the other unknowns at each value
RHO: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "linear": lambda z: z,
    "soft_l1": lambda z: 2.0 * (np.sqrt(1.0 + z) - 1.0),
    "huber": lambda z: np.where(z <= 1.0, z, 2.0 * np.sqrt(z) - 1.0),
    "cauchy": np.log1p,
}
"""Losses of scipy.optimize.least_squares as functions of squared residuals."""


@dataclass(frozen=True, eq=False)
class ProfileCurve:
    """The profile of an unknown."""

    name: str
    unit: str
    values: np.ndarray  # (k,) [SI], increasing
    rises: np.ndarray  # (k,) of the least sum of squares, in variances of the residuals; nan for invalid values
    level: float  # rise at the ends of the 95 % interval

    @property
    def interval(self) -> tuple[float, float]:
        """Crossings of the level on both sides of the minimum; infinite without one.

        Between the values the signed root of the rise is interpolated linearly, which is exact for a parabola.
        """
        there = np.isfinite(self.rises)
        values, roots = self.values[there], np.sqrt(np.maximum(self.rises[there], 0.0))
        if not len(values):
            return -np.inf, np.inf
        least, wanted = int(np.argmin(roots)), np.sqrt(self.level)
        low = _crossing(values[least::-1], roots[least::-1], wanted)
        high = _crossing(values[least:], roots[least:], wanted)
        return -np.inf if low is None else low, np.inf if high is None else high


def _crossing(values: np.ndarray, roots: np.ndarray, wanted: float) -> float | None:
    """Value at which `roots` (k,), from the minimum on, first reach `wanted`."""
    over = np.flatnonzero(roots >= wanted)
    if not len(over) or over[0] == 0:
        return None
    k = int(over[0])
    part = (wanted - roots[k - 1]) / (roots[k] - roots[k - 1])
    return float(values[k - 1] + part * (values[k] - values[k - 1]))


def profile_curve(
    result: FitResult,
    name: str,
    progress: Callable[[int], None] = lambda _rows: None,
    count: int = 13,
    width: float = 3.0,
) -> ProfileCurve:
    """The profile of the unknown `name`, with the level of 95 %; arguments as of `profile`.

    The noise of measured inputs raises the level as it widens the variance of the unknown: the profile of a linear
    model crosses it at the ends of the interval of the fit.
    """
    values, squares = profile(result, name, count, width, progress).T
    freedom = result.covariance.freedom  # equals the sum at the best fit, in its variance
    level = students_t.ppf(0.975, freedom) ** 2 * result.covariance.widening[result.task.unknowns.names.index(name)]
    return ProfileCurve(name, result.estimate(name).unknown.unit, values, squares - freedom, float(level))


@checked
def profile(
    result: FitResult,
    name: str,
    count: PositiveCount = 9,
    width: PositiveNumber = 3.0,
    progress: Callable[[int], None] = lambda _rows: None,
) -> np.ndarray:
    """(count, 2) values [SI] of the unknown `name` and the least sums of squares with it held there.

    Sums are those of the loss of the fit, in variances of the residuals at the best fit: 1 larger at one standard
    deviation; nan for invalid values and diverging runs. width: of the range on each side, in standard deviations,
    within the bounds of the unknown. progress: called before each run with its number of rows, may raise to end the
    profile. Raises InputError for an unknown name.
    """
    estimate = result.estimate(name)
    task = replace(result.task.first(result.fitted), progress=progress)
    at = task.unknowns.names.index(name)
    best = np.array([each.value for each in result.estimates])
    if result.runs is None:
        cost = _cost(task, best / task.unknowns.scales, result.loss)
    else:
        cost = float(np.sum(result.runs.runs.residuals**2))
    variance = max(cost, 1e-300) / result.covariance.freedom
    reach = width * estimate.error
    low = max(estimate.value - reach, estimate.unknown.lower)
    high = min(estimate.value + reach, estimate.unknown.upper)
    found = []
    for value in np.linspace(low, high, count):
        fixed = replace(task.unknowns.each[at], lower=value, upper=np.nextafter(value, np.inf), start=value)
        found.append((value, _least(task, at, fixed, best, result) / variance))
    return np.array(found)


def _cost(task: FitTask, x: np.ndarray, loss: str) -> float:
    """The sum that a fit minimises, at `x` (p,)."""
    return float(np.sum(RHO[loss](task.residuals(x) ** 2)))


def _least(task: FitTask, at: int, fixed: Unknown, best: np.ndarray, result: FitResult) -> float:
    """The least sum of squares with the unknown of index `at` held at the start of `fixed`; nan if runs diverge."""
    loss = result.loss
    if result.runs is not None:
        each = tuple(fixed if k == at else unknown for k, unknown in enumerate(task.unknowns.each))
        held = replace(task, unknowns=replace(task.unknowns, each=each))
        x = best / task.unknowns.scales
        x[at] = fixed.start / task.unknowns.scales[at]
        return refitted(result.runs, held, x)
    scales, others = task.unknowns.scales, np.delete(np.arange(len(best)), at)

    def whole(x: np.ndarray) -> np.ndarray:
        made = np.empty(len(best))
        made[at], made[others] = fixed.start / scales[at], x
        return made

    lower, upper = (np.delete(each, at) for each in task.unknowns.limits)
    x = np.clip((best / scales)[others], lower, upper)
    if not np.isfinite(task.residuals(whole(x))).all():
        return np.nan
    if not len(others):
        return _cost(task, whole(x), loss)
    done = least_squares(
        lambda now: task.residuals(whole(now)),
        x,
        lambda now: np.delete(task.sensitivities(whole(now)), at, axis=1),
        (lower, upper),
        loss=loss,
        max_nfev=EVALUATIONS,
    )
    return 2 * float(done.cost)
