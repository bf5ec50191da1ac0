"""Fits in segments that need not continue each other: the start of each is estimated too.

One run through all data magnifies small errors: where a measured torque drives a body, each reading of the torque is
wrong by a little, and after some swings the run is somewhere else. In segments such errors act for the length of a
segment only. The first start follows from the unknowns of the fit; the others s_j are further unknowns,

    minimise sum_j |r_j(s_j, x)|^2

and are eliminated for the covariance of x: with Q_j an orthonormal basis of dr_j/ds_j, the Jacobian of a segment is
(1 - Q_j Q_j^T) dr_j/dx.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import OptimizeResult

from polhode.fitting.following import followed
from polhode.fitting.multiple_shooting import Shot, minimise
from polhode.fitting.segments import Segments, Slopes, Trajectory
from polhode.fitting.task import FitTask
from polhode.scene.message import Message
from polhode.scene.problem import InputError

ROUGH, FINE = (10, 1e-2), (50, 1e-6)  # steps, and the least gain of one: of the sum, and of the variance of a value
FEWEST_ROWS = 8  # of a segment
RANK = 1e-10  # of the largest singular value: directions of a start below have no effect
SHORTEST = 12  # rows of the segments that the search begins with
NORMAL = 1.4826  # standard deviation of normal noise in medians of its absolute values


@dataclass(frozen=True, eq=False)
class SegmentedRun:
    """Runs of the segments, each from its own start."""

    segments: Segments
    runs: Trajectory
    lost: int  # degrees of freedom of the starts

    @property
    def count(self) -> int:
        """Number of segments."""
        return self.segments.count


def check_segments(count: int, hold_out: float, rows: int, runs: int = 1) -> None:
    """Raise InputError for segments of fewer than FEWEST_ROWS rows, of several runs, or beside rows held out."""
    most = max(rows // FEWEST_ROWS, 1)
    if not 1 <= count <= most:
        rule = Message("{count} segments of {rows} rows", count=count, rows=rows)
        raise InputError.of("polhode", rule, Message("give a number from 1 to {most}", most=most), "segments")
    if count > 1 and runs > 1:
        rule = Message("{runs} runs are fitted together, each in one segment", runs=runs)
        raise InputError.of("polhode", rule, Message("give one of both"), "segments")
    if count > 1 and hold_out > 0.0:
        rule = Message("rows are held out, but no run continues the segments")
        raise InputError.of("polhode", rule, Message("give one of both"), "hold_out")


def fit_in_segments(part: FitTask, x: np.ndarray, count: int) -> tuple[OptimizeResult, FitTask, SegmentedRun]:
    """The fit from `x` (p,) with its Jacobian (r, p), the task with the final weights, and the runs."""
    shot, rounds = _started(part, x, count), 3 if len(part.columns) > 1 else 1
    for round_ in range(rounds):
        segments = Segments(part, shot.x, count)
        segments.whole(shot.x)  # sizes of the coordinates
        shot = Shot(shot.x, segments.runs(shot.x, shot.runs.starts))
        _least(segments, shot)
        if round_ + 1 < rounds:
            part = replace(part, sigma=_spread(part, shot.runs))
    found, runs = settled(segments, shot)
    return found, part, runs


def refitted(found: SegmentedRun, task: FitTask, x: np.ndarray) -> float:
    """The least sum of squares of `task`, whose unknowns may be fixed, from `x` (p,); nan if the runs diverge."""
    segments = Segments(task, x, found.count)
    shot = Shot(x, segments.runs(x, found.runs.starts))
    if not shot.runs.is_finite:
        return np.nan
    _least(segments, shot)
    return float(shot.runs.residuals @ shot.runs.residuals)


def _started(part: FitTask, x: np.ndarray, count: int) -> Shot:
    """The segments after a search in shorter ones: these follow the data from any values of the unknowns."""
    parts = max(1, len(part.times) // (SHORTEST * count))
    finer = Segments(part, x, count * parts)
    finer.whole(x)  # sizes of the coordinates
    shot = Shot(x, followed(finer, x))
    minimise(finer, shot, 0.0, *ROUGH)
    while parts > 1:
        parts = parts // 2 if parts % 2 == 0 else 1
        before, finer = finer, Segments(part, x, count * parts)
        finer.sizes_as(before)
        shot = Shot(shot.x, finer.runs(shot.x, finer.begun(before, shot.runs.starts)))
        minimise(finer, shot, 0.0, *ROUGH)
    return shot


def _square(shot: Shot) -> float:
    """The sum of squares; inf if a run has diverged."""
    return float(shot.runs.residuals @ shot.runs.residuals) if shot.runs.is_finite else np.inf


def _least(segments: Segments, shot: Shot) -> None:
    """Search the least sum of squares, in place."""
    iterations, part = FINE
    minimise(segments, shot, 0.0, iterations, part / max(len(shot.runs.residuals), 1))


def settled(segments: Segments, shot: Shot) -> tuple[OptimizeResult, SegmentedRun]:
    """The result with the Jacobian (r, p) of the unknowns, the starts being eliminated.

    Raises InputError if a start, or all starts with the unknowns, take up all values.
    """
    slopes = segments.slopes(shot.x, shot.runs)
    jacobian, lost = reduced(segments, slopes, shot.x)
    count, unknowns = len(jacobian), len(shot.x) + lost
    if count <= unknowns:
        rule = Message("there are {count} values for {unknowns} unknowns and starts", count=count, unknowns=unknowns)
        raise InputError.of("polhode", rule, Message("give fewer segments, or more data"), "segments")
    square = float(shot.runs.residuals @ shot.runs.residuals)
    found = OptimizeResult(x=shot.x, cost=0.5 * square, jac=jacobian, fun=shot.runs.residuals, status=2)
    return found, SegmentedRun(segments, shot.runs, lost)


def reduced(segments: Segments, slopes: Slopes, x: np.ndarray) -> tuple[np.ndarray, int]:
    """(r, p) derivatives of the residuals with the starts that follow, and the degrees of freedom of the starts.

    Raises InputError for a segment with no more values than degrees of freedom of its start.
    """
    found, rows, lost = slopes.residuals_by_unknowns.copy(), segments.residual_rows(x), 0
    for s in range(1, segments.count):
        here = slice(rows[s], rows[s + 1])
        basis = of_start(slopes.residuals_by_starts[here])
        if 0 < len(basis) <= basis.shape[1]:
            rule = Message("segment {number} has {count} values, all for its own start", number=s + 1, count=len(basis))
            raise InputError.of("polhode", rule, Message("give fewer segments, or more data"), "segments")
        found[here] -= basis @ (basis.T @ found[here])
        lost += basis.shape[1]
    return found, lost


def of_start(slopes: np.ndarray) -> np.ndarray:
    """(r, q) orthonormal basis of the changes of residuals (r, d) by a start."""
    if not slopes.size:
        return np.zeros((len(slopes), 0))
    basis, values, _ = np.linalg.svd(slopes, full_matrices=False)
    return np.ascontiguousarray(basis[:, values > RANK * values.max(initial=0.0)])


def readings_of(part: FitTask, runs: Trajectory) -> np.ndarray:
    """(n, m) predicted readings of segments; nan for gaps."""
    found = np.full(part.values.shape, np.nan)
    found[part.is_there] = runs.residuals
    return found * part.sigma + part.values


def _spread(part: FitTask, runs: Trajectory) -> np.ndarray:
    """(m,) standard deviation of the residuals of each column by their median."""
    difference = np.abs(readings_of(part, runs) - part.values)
    return np.maximum(NORMAL * np.nanmedian(difference, axis=0), 1e-12 * np.nanstd(part.values, axis=0) + 1e-300)
