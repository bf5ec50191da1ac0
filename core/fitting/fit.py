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

from core.data.measured import MeasuredData
from core.fitting.determination import Determination, determination
from core.fitting.result import FitResult, result_of
from core.fitting.task import FitTask, fit_task
from core.fitting.unknowns import unknowns_of
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


@dataclass(frozen=True, eq=False)
class PreparedFit:
    """What a fit is made of, and what the data can tell before it begins."""

    task: FitTask  # of all rows
    part: FitTask  # of those that are fitted
    start: np.ndarray  # (p,) the unknowns divided by their scales
    determination: Determination


def fit(
    scene: Scene,
    data: MeasuredData,
    mapping: Mapping[str, str],
    free: Sequence[str],
    bounds: Mapping[str, tuple[float, float]] | None = None,
    loss: str = "linear",
    hold_out: float = 0.0,
    meshes: Meshes | None = None,
    stated: Mapping[str, float] | None = None,
    told: Callable[[int], None] = lambda _rows: None,
) -> FitResult:
    """Find numbers of a scene from data.

        data = read_data("swing.csv")
        found = fit(read_scene("pendulum.toml"), data, {"wy": "bob.angular_velocity.y"}, ["body[0].friction"])
        print(found.estimate("body[0].friction"))

    mapping: quantities (core/fitting/quantities.py) by the columns of the data that measure them; free: unknowns,
    core/fitting/unknowns.py; bounds: [SI] by name; loss: one of LOSSES, as of scipy.optimize.least_squares; hold_out:
    part of the rows, the last ones, that is only predicted; stated: numbers of the data that are not as usual, such as
    {"data.time_offset": 0.2}; told: called before each run with its number of rows, may raise to end the fit

    Raises InputError for names that are not there, and where the data leave combinations of the unknowns open.
    """
    prepared = prepare(scene, data, mapping, free, bounds, hold_out, meshes, stated, told)
    if prepared.determination.problems:
        raise InputError(data.source, list(prepared.determination.problems))
    return solve(prepared, loss)


def prepare(
    scene: Scene,
    data: MeasuredData,
    mapping: Mapping[str, str],
    free: Sequence[str],
    bounds: Mapping[str, tuple[float, float]] | None = None,
    hold_out: float = 0.0,
    meshes: Meshes | None = None,
    stated: Mapping[str, float] | None = None,
    told: Callable[[int], None] = lambda _rows: None,
) -> PreparedFit:
    """What the data can tell of the unknowns, with the arguments of `fit`. Raises InputError."""
    if not 0.0 <= hold_out < 1.0:
        rule = Message("the part held out is {part:g}", part=hold_out)
        raise InputError("polhode", [Problem("--hold-out", rule, Message("give a part from 0 to below 1"))])
    unknowns = unknowns_of(scene, free, bounds or {}, data, tuple(mapping), stated)
    task = fit_task(unknowns, data, mapping, meshes or Meshes(), told)
    part = task.first(len(data.times) - int(hold_out * len(data.times)))
    start = np.array([unknown.start for unknown in unknowns.each]) / unknowns.scales
    count = int(part.is_there.sum())
    if count <= len(start):
        rule = Message("has {count} values for {unknowns} unknowns", count=count, unknowns=len(start))
        raise InputError(data.source, [Problem("", rule, Message("give more data, or fewer unknowns"))])
    return PreparedFit(task, part, start, determination(unknowns, part.sensitivities(start)))


def solve(prepared: PreparedFit, loss: str = "linear") -> FitResult:
    """Fit what was prepared. Raises InputError for an unknown loss."""
    if loss not in LOSSES:
        rule = Message("the loss is '{loss}'", loss=loss)
        remedy = Message("choose one of {known}", known=", ".join(LOSSES))
        raise InputError("polhode", [Problem("--loss", rule, remedy)])
    part, x = prepared.part, prepared.start
    for share in WINDOWS:
        rows = int(share * len(part.times))
        if rows >= FEWEST * len(x):
            x = _solved(part.first(rows), x, "linear", PULL).x
    done = _solved(part, x, loss)
    if len(part.columns) > 1 or loss != "linear":
        for _ in range(2):
            part = replace(part, sigma=_spread(part, done.x))
            done = _solved(part, done.x, loss)
    return result_of(replace(prepared.task, sigma=part.sigma), part, done, prepared.determination, loss)


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
