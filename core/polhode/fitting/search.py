"""The search for the least sum of squares of a task, by the trust region method of scipy.

It ends where the values are settled, by the next step of Gauss and Newton in standard deviations of the values,

    e = |J dx| / sqrt(|r|^2 / (n - p)),    dx = -(J^T J)^-1 J^T r

below SETTLED, or below CLOSE, after that step: what it leaves are the errors of the differences in J, which keep scipy
from its own conditions for as many runs again. A window of the data, whose values are a start for the next one, ends
below ENOUGH.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import OptimizeResult, least_squares

from polhode.fitting.task import FitTask

EVALUATIONS = 100  # of one fit
SETTLED = 1e-3  # of the standard deviation: steps below do not change the values
CLOSE = 5e-2  # of the standard deviation
ENOUGH = 0.3  # of the standard deviation, of a window
ROUGH = {"ftol": 1e-2, "xtol": 1e-3, "gtol": None}  # of windows: their result is a start
FINE = {"ftol": 1e-12, "xtol": 1e-11, "gtol": 1e-14}


class _Settled(Exception):
    """Ends the search of scipy."""

    def __init__(self, found: OptimizeResult):
        self.found = found


def solved(
    task: FitTask, x: np.ndarray, loss: str, pull: float = 0.0, by_size: bool = False, within: bool = False
) -> OptimizeResult:
    """Least squares from `x` (p,); `pull` weighs the distance from it.

    by_size: steps are limited in parts of the sizes of the unknowns, not of those by the sensitivities

    Values that the scene does not allow, such as a friction below 0, are found out by runs; where they keep the search
    from its end, it is done again `within` the limits of the scene, by a method that takes more steps.
    """
    lower, upper = task.unknowns.allowed if within else task.unknowns.limits
    weight = pull * np.sqrt(task.is_there.sum())

    last: tuple[np.ndarray, np.ndarray, np.ndarray | None] = x, np.empty(0), None  # newest x, residuals, derivatives

    def with_pull(found: np.ndarray, now: np.ndarray) -> np.ndarray:
        return np.concatenate([found, weight * (now - x)]) if pull else found

    def residuals(now: np.ndarray) -> np.ndarray:
        nonlocal last
        last = now.copy(), *task.evaluated(now)
        return with_pull(last[1], now)

    def sensitivities(now: np.ndarray) -> np.ndarray:
        _, here, known = last if np.array_equal(last[0], now) else (now, *task.evaluated(now))
        found = task.sensitivities(now, here) if known is None else known
        found = np.where(np.isfinite(found), found, 0.0)  # a displaced run diverges
        slopes = np.concatenate([found, weight * np.eye(len(x))]) if pull else found
        if loss == "linear":
            step, size = next_step(with_pull(here, now), slopes)
            if size <= (ENOUGH if pull else CLOSE):
                x_end, end = _stepped(task, now, here, step) if size > SETTLED else (now.copy(), here)
                raise _Settled(OptimizeResult(x=x_end, cost=0.5 * float(end @ end), jac=found, fun=end, status=2))
        return slopes

    most = EVALUATIONS // 4 if pull or task.chained is not None else EVALUATIONS
    start, bounds = np.clip(x, lower, upper), (lower, upper)
    limits = ROUGH if pull else FINE
    options = {"loss": loss, "max_nfev": most, "x_scale": 1.0 if by_size else "jac"} | limits
    try:
        found = least_squares(residuals, start, sensitivities, bounds, **options)
        if pull or within or found.status > 0 or task.chained is not None:
            return found
        return solved(task, found.x, loss, by_size=by_size, within=True)
    except _Settled as ended:
        return ended.found


def next_step(residuals: np.ndarray, jacobian: np.ndarray) -> tuple[np.ndarray, float]:
    """The step (p,) of Gauss and Newton, and its size in standard deviations; residuals (n,), jacobian (n, p)."""
    count, unknowns = jacobian.shape
    square = float(residuals @ residuals) / max(count - unknowns, 1)
    step = np.linalg.lstsq(jacobian, -residuals, rcond=None)[0]
    return step, float(np.sqrt(np.sum((jacobian @ step) ** 2) / square)) if square > 0.0 else 0.0


def _stepped(task: FitTask, x: np.ndarray, residuals: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The values (p,) after a step, with their residuals (n,); those before it where it is invalid or no better."""
    moved = np.clip(x + step, *task.unknowns.limits)
    found = task.residuals(moved)
    is_better = bool(np.isfinite(found).all()) and found @ found <= residuals @ residuals
    return (moved, found) if is_better else (x.copy(), residuals)
