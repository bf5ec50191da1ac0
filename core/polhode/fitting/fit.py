"""Fits of scenes to data: least squares over numbers of the scene, with intervals and checks.

Growing windows of the data, each fitted from the result of the previous one, lead to the right period of a long swing;
a weak pull to the previous values holds unknowns that a short window does not determine. The last fit has all rows and
no pull. If it leaves a tenth of the variance of a column unexplained, the windows start again with the fewest possible
rows and grow slowly; if that fails too, as for chaotic motions, multiple shooting (multiple_shooting.py) precedes the
last fit. With several columns residuals are divided by the standard deviation of their column. An attempt whose
residuals are plain noise is accepted: no other one can be better.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.optimize import OptimizeResult
from threadpoolctl import threadpool_limits

from polhode.data.input_checks import check_until
from polhode.data.measured import MeasuredData
from polhode.fitting.chained import chained_sensitivities, has_segments, is_sensitive, segments_for
from polhode.fitting.checks.angle_origin import doubtful_angles
from polhode.fitting.checks.data_checks import check_data
from polhode.fitting.checks.residual_tests import residual_test
from polhode.fitting.determination import Determination, determination
from polhode.fitting.multiple_shooting import multiple_shooting
from polhode.fitting.result import FitResult, result_of
from polhode.fitting.search import solved
from polhode.fitting.segmented import check_segments, fit_in_segments
from polhode.fitting.segments import Segments
from polhode.fitting.several import MeasuredRun, SeveralTask, check_own, check_runs, mapped_in_all, several
from polhode.fitting.task import FitTask, fit_task
from polhode.fitting.unknowns import unknowns_of
from polhode.fitting.unstated import with_stated
from polhode.mesh.mesh import Meshes
from polhode.scene.checks.arguments import Bounds, Finite, PositiveCount, checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene

LOSSES = ("linear", "soft_l1", "huber", "cauchy")
WINDOWS = (1 / 32, 1 / 16, 1 / 8, 1 / 4)  # parts of the rows, before all of them
GROWTH = 1.6  # of the rows from window to window, where that was not enough
EXPLAINED = 0.1  # part of the variance that an accepted fit may leave unexplained
LOST = 0.5  # part of the variance unexplained that ends the growth of windows, and does not count as noise
NORMAL = 1.4826  # standard deviation of normal noise in medians of its absolute values
FEWEST = 4  # rows of a window for each unknown
PULL = 1e-3  # of the root of the number of values: residual of an unknown that changes by its scale
CLEAR = 1e-4  # of the largest singular value: smaller ones may be errors of one-sided differences
SMALLEST = 1e-12  # of the spread of a column: residuals below count as that large


@dataclass(frozen=True, eq=False)
class PreparedFit:
    """The task of a fit, with the identifiability of its unknowns."""

    task: FitTask  # of all rows
    part: FitTask  # of the fitted rows
    start: np.ndarray  # (p,) the unknowns divided by their scales
    determination: Determination
    warnings: tuple[Problem, ...]  # about the data
    segments: int = 1

    def with_progress(self, progress: Callable[[int], None]) -> PreparedFit:
        """A copy with another function that is called before each run with its number of rows."""
        is_whole = self.part is self.task
        task = replace(self.task, progress=progress)
        return replace(self, task=task, part=task if is_whole else replace(self.part, progress=progress))


@checked
def fit(
    scene: Scene,
    data: MeasuredData,
    mapping: Mapping[str, str],
    free: Sequence[str],
    bounds: Mapping[str, Bounds] | None = None,
    loss: Literal["linear", "soft_l1", "huber", "cauchy"] = "linear",
    hold_out: Finite = 0.0,
    meshes: Meshes | None = None,
    stated: Mapping[str, Finite] | None = None,
    progress: Callable[[int], None] = lambda _rows: None,
    segments: PositiveCount = 1,
    runs: Sequence[MeasuredRun] = (),
    own: Sequence[str] = (),
) -> FitResult:
    """Estimate numbers of a scene from data.

        data = read_data("swing.csv")
        found = fit(read_scene("pendulum.toml"), data, {"wy": "bob.angular_velocity.y"}, ["body[0].friction"])
        print(found.estimate("body[0].friction"))

    mapping: quantities (core/polhode/fitting/quantities/) by the columns of the data that measure them; free:
    unknowns, core/polhode/fitting/unknowns.py and unstated.py; bounds: [SI] by name, also infinite ones; loss: one
    of LOSSES, as of scipy.optimize.least_squares; hold_out: part of the rows, the last ones, that is only
    predicted; stated: offsets and scales of the data other than 0 and 1, such as {"data.time_offset": 0.2};
    progress: called before each run with its number of rows, may raise to end the fit; segments: parts of the data with
    starts of their own (segmented.py), for data that no single run follows; runs: scenes and data of further runs, with
    shared unknowns (several.py), except starts and `own`

    Warns (RuntimeWarning) of readings of an angle that count from elsewhere than the run. Raises InputError for unknown
    names, and if the data leave combinations of the unknowns open.
    """
    prepared = prepare(scene, data, mapping, free, bounds, hold_out, meshes, stated, progress, segments, runs, own)
    for each in prepared.warnings:
        warnings.warn(str(each.message), RuntimeWarning, stacklevel=3)
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
    progress: Callable[[int], None] = lambda _rows: None,
    segments: int = 1,
    runs: Sequence[MeasuredRun] = (),
    own: Sequence[str] = (),
) -> PreparedFit:
    """The task and the identifiability of a fit, with the arguments of `fit`. Raises InputError."""
    check_segments(segments, hold_out, len(data.times), len(runs) + 1)
    if not 0.0 <= hold_out < 1.0:
        rule = Message("the part held out is {part:g}", part=hold_out)
        raise InputError.of("polhode", rule, Message("give a part from 0 to below 1"), "hold_out")
    meshes = meshes or Meshes()
    given = ((scene, data), *runs)
    mapped_in_all(given, mapping)
    check_runs(given, mapping)
    check_own(own, free)
    parts = []
    for own_scene, own_data in given:
        free_in = with_stated(own_scene, free, meshes)
        unknowns = unknowns_of(free_in, free, bounds or {}, own_data, tuple(mapping), stated)
        parts.append(fit_task(unknowns, own_data, mapping, meshes, progress))
    task = parts[0] if len(parts) == 1 else several(parts, own, progress)
    start = np.array([unknown.start for unknown in task.unknowns.each]) / task.unknowns.scales
    part = task.first(len(task.times) - int(hold_out * len(task.times)))
    count = int(part.is_there.sum())
    if count <= len(start):
        rule = Message("has {count} values for {unknowns} unknowns", count=count, unknowns=len(start))
        raise InputError.of(data.source, rule, Message("give more data, or fewer unknowns"))
    pairs = zip(task.pieces(start), part.pieces(start), strict=True)
    if hold_out > 0.0 and any(len(kept.times) == len(whole.times) for (whole, _), (kept, _) in pairs):
        rule = Message("the part held out, {part:g}, is less than a row of each run", part=hold_out)
        raise InputError.of("polhode", rule, Message("give a larger part, or 0"), "hold_out")
    doubts = []
    for (_, own_data), (run, x) in zip(given, task.pieces(start), strict=True):
        check_until(run.unknowns.scene, run.models.first.data_end, float(run.times_of_run(x)[-1]), free)
        check_data(run, own_data, x)
        doubts += doubtful_angles(run, x)
    return PreparedFit(task, part, start, _determination(part, start), tuple(doubts), segments)


def _determination(part: FitTask, start: np.ndarray) -> Determination:
    """The determination at the start (p,), by central differences where one-sided ones leave a doubt."""
    residuals, slopes = part.evaluated(start)
    found = determination(part.unknowns, part.sensitivities(start, residuals) if slopes is None else slopes)
    if found.singular_values[-1] > CLEAR * found.singular_values[0]:
        return found
    return determination(part.unknowns, part.sensitivities(start))


def solve(prepared: PreparedFit, loss: str = "linear") -> FitResult:
    """Run a prepared fit. Raises InputError for an unknown loss."""
    if loss not in LOSSES:
        rule = Message("the loss is '{loss}'", loss=loss)
        remedy = Message("choose one of {known}", known=", ".join(LOSSES))
        raise InputError.of("polhode", rule, remedy, "loss")
    if prepared.segments > 1 and loss != "linear":
        rule = Message("the loss of a fit in segments is '{loss}'", loss=loss)
        raise InputError.of("polhode", rule, Message("take linear, or one segment"), "loss")
    with threadpool_limits(1, "blas"):  # its threads wait in loops, and occupy the cores
        if prepared.segments > 1:
            done, part, runs = fit_in_segments(prepared.part, prepared.start, prepared.segments)
            return result_of(replace(prepared.task, sigma=part.sigma), part, done, prepared.determination, loss, runs)
        best = _best(prepared, loss)
    return result_of(replace(prepared.task, sigma=best.task.sigma), best.task, best.found, prepared.determination, loss)


@dataclass(frozen=True, eq=False)
class _Attempt:
    """A fit of all rows."""

    found: OptimizeResult
    task: FitTask  # with the final weights
    unexplained: float  # part of the variance

    @property
    def is_enough(self) -> bool:
        """Whether another attempt can hardly be better."""
        return self.unexplained < EXPLAINED or (self.unexplained < LOST and _is_noise(self.task, self.found.x))


def _best(prepared: PreparedFit, loss: str) -> _Attempt:
    """The first attempt that explains the data, or the best one: growing windows, then segments."""
    part, x = prepared.part, prepared.start
    if loss != "linear":
        part = replace(part, sigma=_robust_spread(part.values))
    attempts = []
    for windows, by_size in ((_halves(part), False), (_doubled(part), True)):
        attempts.append(_attempt(part, x, windows, loss, by_size))
        if attempts[-1].is_enough:
            return _polished(attempts[-1], loss)
    if isinstance(part, SeveralTask) or not has_segments(part, x):
        return min(attempts, key=_unexplained_of)
    for start in (min(attempts, key=_unexplained_of).found.x, x):
        attempts.append(_in_segments(part, start, loss))
        if attempts[-1].is_enough:
            break
    return min(attempts, key=_unexplained_of)


def _polished(attempt: _Attempt, loss: str) -> _Attempt:
    """The fit continued in segments, if neighbouring runs part too quickly for differences of whole runs."""
    part, x = attempt.task, attempt.found.x
    if isinstance(part, SeveralTask) or not is_sensitive(attempt.found.jac) or not has_segments(part, x):
        return attempt
    other = _in_segments(part, x, loss)
    return attempt if attempt.unexplained < 0.99 * other.unexplained else other


def _in_segments(part: FitTask, x: np.ndarray, loss: str) -> _Attempt:
    """A fit by multiple shooting from `x` (p,), and then of one run with sensitivities by the chain rule."""
    shot = multiple_shooting(Segments(part, x, segments_for(part)), x)
    return _attempt(replace(part, chained=chained_sensitivities), _newest_finite(part, [x, shot]), (), loss)


def _attempt(part: FitTask, x: np.ndarray, windows: Sequence[int], loss: str, by_size: bool = False) -> _Attempt:
    """A fit through windows of the data."""
    found, task = _grown(part, x, windows, loss, by_size)
    return _Attempt(found, task, _unexplained(task, found.x, loss))


def _unexplained_of(attempt: _Attempt) -> float:
    return attempt.unexplained


def _halves(part: FitTask) -> list[int]:
    """Rows of the windows of the first attempt."""
    least = FEWEST * len(part.unknowns.each)
    return [rows for rows in (int(share * len(part.times)) for share in WINDOWS) if rows >= least]


def _doubled(part: FitTask) -> list[int]:
    """Rows of the windows of the second attempt, from the fewest possible."""
    windows, rows = [], float(FEWEST * len(part.unknowns.each))
    while rows < len(part.times):
        windows.append(int(rows))
        rows *= GROWTH
    return windows


def _grown(
    part: FitTask, x: np.ndarray, windows: Sequence[int], loss: str, by_size: bool
) -> tuple[OptimizeResult, FitTask]:
    """Fit windows of the data, and then all rows; the fit, and the task with the final weights."""
    is_weighted, tried = len(part.columns) > 1, [x]
    for rows in windows:
        window = part.first(rows)
        x = solved(window, _newest_finite(window, tried), loss, PULL).x
        tried.append(x)
        unexplained = _unexplained(window, x, loss)
        if unexplained > LOST:
            break
        if is_weighted and unexplained < EXPLAINED:
            part = replace(part, sigma=_spread(window, x))
    done = solved(part, _newest_finite(part, tried), loss, by_size=by_size)
    for _ in range(2 if loss != "linear" else int(is_weighted)):
        part = replace(part, sigma=_spread(part, done.x))
        done = solved(part, done.x, loss, by_size=by_size)
    return done, part


def _newest_finite(task: FitTask, tried: Sequence[np.ndarray]) -> np.ndarray:
    """The newest of the unknowns (p,) whose run does not diverge; that of the first one never does."""
    return next((x for x in reversed(tried[1:]) if np.isfinite(task.evaluated(x)[0]).all()), tried[0])


def _unexplained(task: FitTask, x: np.ndarray, loss: str) -> float:
    """Largest part of the variance of a column that the run does not explain, by medians for robust losses, or inf."""
    difference = _differences(task, x)
    if not np.isfinite(difference[task.is_there]).all():
        return np.inf
    has_any = task.is_there.any(axis=0)  # a column may begin after the end of a window
    difference, values = difference[:, has_any], task.values[:, has_any]
    if loss == "linear":
        parts = np.nanmean(difference**2, axis=0) / np.maximum(np.nanvar(values, axis=0), 1e-300)
    else:
        parts = (NORMAL * np.nanmedian(np.abs(difference), axis=0) / _robust_spread(values)) ** 2
    return float(np.max(parts, initial=0.0))


def _is_noise(task: FitTask, x: np.ndarray) -> bool:
    """Whether the residuals of no column have structure."""
    difference = _differences(task, x)
    return not any(
        residual_test("", "", difference[task.is_there[:, k], k]).has_structure for k in range(difference.shape[1])
    )


def _differences(task: FitTask, x: np.ndarray) -> np.ndarray:
    """(n, m) computed minus measured values; nan for gaps."""
    return np.where(task.is_there, task.model(x) - task.values, np.nan)


def _robust_spread(values: np.ndarray) -> np.ndarray:
    """(m,) standard deviation of each column of values (n, m) by the median, or by squares if that is zero."""
    by_median = NORMAL * np.nanmedian(np.abs(values - np.nanmedian(values, axis=0)), axis=0)
    return np.maximum(np.where(by_median > 0.0, by_median, np.nanstd(values, axis=0)), 1e-300)


def _spread(task: FitTask, x: np.ndarray) -> np.ndarray:
    """(m,) standard deviation of the residuals of each column by their median; that of the task for empty columns."""
    spread, difference = task.sigma.copy(), _differences(task, x)
    for k in np.flatnonzero(task.is_there.any(axis=0)):
        smallest = SMALLEST * np.nanstd(task.values[:, k]) + 1e-300
        spread[k] = max(NORMAL * np.nanmedian(np.abs(difference[:, k])), smallest)
    return spread
