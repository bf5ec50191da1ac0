"""Profiles: how much worse the data fit with one unknown held at other values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.optimize import least_squares

from core.fitting.result import FitResult
from core.fitting.task import FitTask
from core.fitting.unknowns import Unknown

EVALUATIONS = 25  # of the other unknowns at each value


def profile(result: FitResult, name: str, count: int = 9, width: float = 3.0) -> np.ndarray:
    """(count, 2) values [SI] of the unknown `name` and the least sums of squares with it held there.

    The sums count in the variance of the residuals at the best fit, so that they are 1 larger at one standard deviation
    from it. `width`: of the range on each side, in standard deviations. Raises KeyError for another name.
    """
    estimate, task = result.estimate(name), result.task.first(result.fitted)
    at = task.unknowns.names.index(name)
    best = np.array([each.value for each in result.estimates])
    squares = float(np.sum(task.residuals(best / task.unknowns.scales) ** 2))
    variance = squares / max(int(task.is_there.sum()) - len(best), 1)
    found = []
    for value in np.linspace(estimate.value - width * estimate.error, estimate.value + width * estimate.error, count):
        fixed = replace(task.unknowns.each[at], lower=value, upper=np.nextafter(value, np.inf), start=value)
        found.append((value, _least(task, at, fixed, best) / variance))
    return np.array(found)


def _least(task: FitTask, at: int, fixed: Unknown, best: np.ndarray) -> float:
    """The least sum of squares with the unknown of index `at` held at the start of `fixed`."""
    scales, others = task.unknowns.scales, np.delete(np.arange(len(best)), at)

    def whole(x: np.ndarray) -> np.ndarray:
        made = np.empty(len(best))
        made[at], made[others] = fixed.start / scales[at], x
        return made

    x = (best / scales)[others]
    if not len(others):
        return float(np.sum(task.residuals(whole(x)) ** 2))
    done = least_squares(
        lambda now: task.residuals(whole(now)),
        x,
        lambda now: np.delete(task.sensitivities(whole(now)), at, axis=1),
        max_nfev=EVALUATIONS,
    )
    return 2 * float(done.cost)
