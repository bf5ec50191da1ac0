"""Fits of scenes to data: least squares over numbers of the scene, with what the result is worth.

Windows of the data that grow from the start, each fitted from the result of the one before, lead to the right period of
a swing of many periods; a weak pull to the former values keeps unknowns that a short window does not show. The last fit
has all rows and no pull. With several columns the residuals are divided by the root mean square of their column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import OptimizeResult, least_squares
from scipy.stats import t as students_t

from core.data.measured import MeasuredData
from core.fitting.determination import Determination, determination
from core.fitting.residual_tests import ResidualTest, residual_test
from core.fitting.task import FitTask, fit_task
from core.fitting.unknowns import Unknown, unknowns_of
from core.mesh.mesh import Meshes
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene

LOSSES = ("linear", "soft_l1", "huber", "cauchy")
WINDOWS = (1 / 16, 1 / 8, 1 / 4, 1 / 2)  # parts of the rows, before all of them
FEWEST = 4  # rows of a window for each unknown
PULL = 1e-2  # of the root of the number of values: residual of an unknown that changes by its scale
EVALUATIONS = 100  # of one fit
SMALLEST = 1e-12  # of the spread of a column: residuals below count as that large


@dataclass(frozen=True)
class Estimate:
    """What a fit says of an unknown [SI]."""

    unknown: Unknown
    value: float
    error: float  # standard deviation
    low: float  # 95 % interval
    high: float


@dataclass(frozen=True, eq=False)
class FitResult:
    """The outcome of a fit."""

    scene: Scene  # with the values found
    task: FitTask
    estimates: tuple[Estimate, ...]
    correlations: np.ndarray  # (p, p)
    determination: Determination  # at the start
    residuals: tuple[ResidualTest, ...]  # of each column, of the rows that were fitted
    fitted: int  # rows; later ones were held out
    held_out: tuple[float, ...]  # root mean square of the residuals of each column in later rows; () without any
    model: np.ndarray  # (n, m) computed columns at all rows
    loss: str
    has_converged: bool

    def estimate(self, name: str) -> Estimate:
        """That of the unknown of a name. Raises KeyError."""
        found = {estimate.unknown.name: estimate for estimate in self.estimates}
        return found[name]


def fit(
    scene: Scene,
    data: MeasuredData,
    mapping: Mapping[str, str],
    free: Sequence[str],
    bounds: Mapping[str, tuple[float, float]] | None = None,
    loss: str = "linear",
    hold_out: float = 0.0,
    meshes: Meshes | None = None,
    told: Callable[[], None] = lambda: None,
) -> FitResult:
    """Find numbers of a scene from data.

        data = read_data("swing.csv")
        found = fit(read_scene("pendulum.toml"), data, {"wy": "bob.angular_velocity.y"}, ["body[0].friction"])
        print(found.estimate("body[0].friction"))

    mapping: columns of the table by those of the data; free: unknowns, core/fitting/unknowns.py; bounds: [SI] by name;
    loss: one of LOSSES, as of scipy.optimize.least_squares; hold_out: part of the rows, the last ones, that is only
    predicted; told: called before each run, may raise to end the fit

    Raises InputError for names that are not there, and where the data leave combinations of the unknowns open.
    """
    unknowns = unknowns_of(scene, free, bounds or {}, float(data.times[0]))
    if loss not in LOSSES or not 0.0 <= hold_out < 1.0:
        rule = Message("the loss is '{loss}' and the part held out {part:g}", loss=loss, part=hold_out)
        remedy = Message("choose a loss out of {known}, and a part from 0 to below 1", known=", ".join(LOSSES))
        raise InputError("polhode", [Problem("--loss, --hold-out", rule, remedy)])
    task = fit_task(unknowns, data, mapping, meshes or Meshes(), told)
    fitted = len(data.times) - int(hold_out * len(data.times))
    part = task.first(fitted)
    x = np.array([unknown.start for unknown in unknowns.each]) / unknowns.scales
    if int(part.is_there.sum()) <= len(x):
        rule = Message("has {count} values for {unknowns} unknowns", count=int(part.is_there.sum()), unknowns=len(x))
        raise InputError(data.source, [Problem("", rule, Message("give more data, or fewer unknowns"))])
    told_first = determination(unknowns, part.sensitivities(x))
    if told_first.problems:
        raise InputError(data.source, list(told_first.problems))
    for share in WINDOWS:
        rows = int(share * fitted)
        if rows >= FEWEST * len(x):
            x = _solved(part.first(rows), x, "linear", PULL).x
    done = _solved(part, x, loss)
    if len(part.quantities) > 1 or loss != "linear":
        for _ in range(2):
            part = replace(part, sigma=_spread(part, done.x))
            done = _solved(part, done.x, loss)
    return _result(replace(task, sigma=part.sigma), part, done, told_first, loss)


def _solved(task: FitTask, x: np.ndarray, loss: str, pull: float = 0.0) -> OptimizeResult:
    """Least squares from `x` (p,); `pull` weighs the distance from it."""
    each = task.unknowns.each
    lower = np.array([unknown.lower for unknown in each]) / task.unknowns.scales
    upper = np.array([unknown.upper for unknown in each]) / task.unknowns.scales
    weight = pull * np.sqrt(task.is_there.sum())

    def residuals(now: np.ndarray) -> np.ndarray:
        found = task.residuals(now)
        return np.concatenate([found, weight * (now - x)]) if pull else found

    def sensitivities(now: np.ndarray) -> np.ndarray:
        found = task.sensitivities(now)
        return np.concatenate([found, weight * np.eye(len(x))]) if pull else found

    start = np.clip(x, lower, upper)
    limits = {"ftol": 1e-6, "xtol": 1e-6, "gtol": None} if pull else {"ftol": 1e-14, "xtol": 1e-12, "gtol": 1e-14}
    most = EVALUATIONS // 4 if pull else EVALUATIONS
    return least_squares(
        residuals, start, sensitivities, (lower, upper), loss=loss, max_nfev=most, x_scale=np.ones(len(x)), **limits
    )


def _spread(task: FitTask, x: np.ndarray) -> np.ndarray:
    """(m,) root mean square of the residuals of each column, or for robust losses its like by the median."""
    apart = np.where(task.is_there, task.model(x) - task.values, np.nan)
    return np.maximum(1.4826 * np.nanmedian(np.abs(apart), axis=0), SMALLEST * np.nanstd(task.values, axis=0) + 1e-300)


def _result(task: FitTask, part: FitTask, done: OptimizeResult, first: Determination, loss: str) -> FitResult:
    """The outcome of a fit of `part`, the first rows of `task`."""
    values, scales = done.x * task.unknowns.scales, task.unknowns.scales
    count, unknown = int(part.is_there.sum()), len(values)
    freedom = count - unknown
    _, singular, turned = np.linalg.svd(done.jac, full_matrices=False)
    inverse = (turned.T / np.maximum(singular, 1e-300) ** 2) @ turned
    errors = np.sqrt(np.diag(inverse) * 2 * done.cost / freedom) * scales
    size = np.sqrt(np.diag(inverse))
    wide = students_t.ppf(0.975, freedom) * errors
    estimates = tuple(
        Estimate(each, float(value), float(error), float(value - half), float(value + half))
        for each, value, error, half in zip(task.unknowns.each, values, errors, wide, strict=True)
    )
    model, rows = task.model(done.x), len(part.times)
    apart = task.values - model
    tests = [
        residual_test(name, unit, apart[:rows, k][part.is_there[:, k]])
        for k, (name, unit) in enumerate(zip(task.quantities, task.units, strict=True))
    ]
    later = apart[rows:]
    held = (
        tuple(np.sqrt(np.nanmean(later**2, axis=0)).tolist()) if len(later) and not np.isnan(later).all(0).any() else ()
    )
    scene = task.unknowns.scene_with(values)
    return FitResult(
        scene=scene,
        task=task,
        estimates=estimates,
        correlations=inverse / np.outer(size, size),
        determination=first,
        residuals=tuple(tests),
        fitted=rows,
        held_out=held,
        model=model,
        loss=loss,
        has_converged=bool(done.status > 0),
    )


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
        max_nfev=EVALUATIONS // 4,
    )
    return 2 * float(done.cost)
