"""Multiple shooting: the starts of segments of a run as further unknowns.

    minimise sum |r_j(s_j, x)|^2 + w^2 sum |d_j|^2,   d_j = (end of segment j from s_j) - s_(j+1)

x are the unknowns of the fit and s_j the start state of segment j. These states first follow the data for any x: then
the defects d_j measure the error of x, over times too short for a wrong period or chaos to matter. The weight w grows
until the segments are one run. Steps are those of Levenberg and Marquardt; the states, whose normal matrix is banded,
are eliminated before x. Each step removes from the starts what constraints such as joints forbid.

H. G. Bock, in Modelling of Chemical Reaction Systems, Springer 1981, p. 102; H. U. Voss, J. Timmer, J. Kurths, Int. J.
Bifurcation and Chaos 14, 1905, 2004.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, solveh_banded

from polhode.fitting.following import followed
from polhode.fitting.segments import LARGEST, Segments, Slopes, Trajectory

FIRST_WEIGHT = 0.1  # of defects, in roots of the number of residuals of a segment
WEIGHTS = (0.3, 1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6)  # the later ones: chaos makes small defects large
CYCLES = 4  # in which the starts follow the data, each with a better x
ITERATIONS = 10  # at each weight
ENOUGH = 1e-2  # least gain, in parts of the sum of squares
FIRST_DAMPING = 1e-2
DAMPINGS = (1e-9, 1e8)  # smallest and largest, as parts of the diagonal


@dataclass(eq=False)
class Shot:
    """Unknowns (p,) with the runs of the segments."""

    x: np.ndarray  # (p,)
    runs: Trajectory
    damping: float = FIRST_DAMPING


def _cost(runs: Trajectory, weight: float) -> float:
    """Sum of the squares of residuals and weighted defects; inf if a run diverges."""
    if not runs.is_finite:
        return np.inf
    return float(runs.residuals @ runs.residuals + weight**2 * np.sum(runs.defects**2))


def multiple_shooting(segments: Segments, x: np.ndarray) -> np.ndarray:
    """Unknowns (p,) whose segments are nearly one run, from `x` (p,)."""
    unit = np.sqrt(segments.task.is_there.sum() / segments.count)
    best, cost = Shot(x, segments.whole(x)), np.inf
    for _ in range(CYCLES):
        shot = Shot(best.x, followed(segments, best.x))
        minimise(segments, shot, FIRST_WEIGHT * unit)
        before, now = cost, _cost(shot.runs, FIRST_WEIGHT * unit)
        if now < before:
            best, cost = shot, now
        if not now < (1 - ENOUGH) * before:
            break
    for weight in WEIGHTS:
        minimise(segments, best, weight * unit)
    return best.x


def minimise(
    segments: Segments, shot: Shot, weight: float, iterations: int = ITERATIONS, enough: float = ENOUGH
) -> None:
    """Levenberg-Marquardt steps of `shot`, in place, at one weight of the defects.

    enough: least gain of a step, in parts of the sum of squares
    """
    lower, upper = segments.task.unknowns.allowed
    for _ in range(iterations):
        before = _cost(shot.runs, weight)
        if not np.isfinite(before):
            return
        slopes = segments.slopes(shot.x, shot.runs)
        while True:
            steps = _steps(segments, shot, slopes, weight)
            if steps is not None:
                x = np.clip(shot.x + steps[0], lower, upper)
                runs = segments.runs(x, segments.displaced(shot.runs.starts, steps[1]))
                if _cost(runs, weight) < before:
                    break
            shot.damping *= 4
            if shot.damping > DAMPINGS[1]:
                shot.damping = FIRST_DAMPING
                return
        shot.x, shot.runs, shot.damping = x, runs, max(shot.damping / 5, DAMPINGS[0])
        if before - _cost(shot.runs, weight) < enough * before:
            return


def _steps(segments: Segments, shot: Shot, slopes: Slopes, weight: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Changes (p,) of the unknowns and (s, c) of the starts; None if the equations can't be solved.

    Normal equations of the starts, banded, with as many right sides as unknowns, then those of the unknowns.
    """
    fixed, unknowns = _held(segments, shot, slopes), len(shot.x)
    slopes.residuals_by_unknowns[:, fixed], slopes.ends_by_unknowns[..., fixed] = 0.0, 0.0
    band, mixed, of_starts = _of_starts(segments, shot, slopes, weight)
    of_ends = np.einsum("sdc,scp->sdp", shot.runs.directions[1:], slopes.ends_by_unknowns[:-1]).reshape(-1, unknowns)
    jacobian = np.vstack([slopes.residuals_by_unknowns, weight * of_ends])
    matrix = jacobian.T @ jacobian
    gradient = jacobian.T @ np.concatenate([shot.runs.residuals, weight * shot.runs.defects.ravel()])
    band[-1] *= 1.0 + shot.damping
    band[-1] += 1e-9 * band[-1].max(initial=1e-300)
    matrix += np.diag(shot.damping * np.diag(matrix) + fixed)
    try:
        solved = solveh_banded(band, np.column_stack([mixed.T, of_starts]))
        of_x = matrix - mixed @ solved[:, :unknowns]
        x = _within(segments, shot.x, of_x, mixed @ solved[:, unknowns] - gradient)
    except (LinAlgError, ValueError):
        return None
    along = -(solved[:, unknowns] + solved[:, :unknowns] @ x).reshape(segments.count - 1, -1)
    starts = np.einsum("sd,sdc->sc", np.vstack([np.zeros_like(along[:1]), along]), shot.runs.directions)
    starts[1:] += shot.runs.rest
    part = min(1.0, LARGEST / max(np.abs(starts).max(initial=0.0), 1e-300))
    return part * x, part * starts


def _within(segments: Segments, x: np.ndarray, matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The solution (p,) of matrix (p, p) times dx = right (p,), with x + dx within the bounds.

    What would leave them goes as far as its bound, and the others are solved for with that.
    """
    lower, upper = (each - x for each in segments.task.unknowns.allowed)
    found, ends = np.zeros(len(x)), np.zeros(len(x), dtype=bool)
    for _ in range(len(x)):
        free = ~ends
        found[free] = np.linalg.solve(
            matrix[np.ix_(free, free)], right[free] - matrix[np.ix_(free, ends)] @ found[ends]
        )
        beyond = free & ((found < lower) | (found > upper))
        if not beyond.any():
            break
        found, ends = np.clip(found, lower, upper), ends | beyond
    return found


def _held(segments: Segments, shot: Shot, slopes: Slopes) -> np.ndarray:
    """(p,) bool: unknowns without a choice, and those at a bound beyond which the sum of squares would fall."""
    lower, upper = segments.task.unknowns.allowed
    slope = slopes.residuals_by_unknowns.T @ shot.runs.residuals
    outward = ((shot.x <= lower) & (slope > 0.0)) | ((shot.x >= upper) & (slope < 0.0))
    return outward | segments.task.unknowns.is_fixed


def _of_starts(
    segments: Segments, shot: Shot, slopes: Slopes, weight: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Normal matrix of the starts s_1 ... in scipy's upper banded form, its part (p, n) with x, and gradient (n,)."""
    size, rows, square = shot.runs.directions.shape[1], segments.residual_rows(shot.x), weight**2
    count, defects = (segments.count - 1) * size, shot.runs.defects
    band, mixed, gradient = np.zeros((2 * size, count)), np.zeros((len(shot.x), count)), np.zeros(count)
    row, column = np.indices((size, size))

    def add(first: int, second: int, block: np.ndarray) -> None:
        above = first + row <= second + column
        at = (2 * size - 1 + first + row - second - column)[above], (second + column)[above]
        band[at] += block[above]

    for s in range(1, segments.count):
        here, part = (s - 1) * size, slice(rows[s], rows[s + 1])
        own, by_x = slopes.residuals_by_starts[part], slopes.residuals_by_unknowns[part]
        add(here, here, own.T @ own + square * np.eye(size))  # it is the end of the defect before it
        directions = shot.runs.directions[s]
        mixed[:, here : here + size] += by_x.T @ own - square * (directions @ slopes.ends_by_unknowns[s - 1]).T
        gradient[here : here + size] += own.T @ shot.runs.residuals[part] - square * defects[s - 1]
        if s < segments.count - 1:
            directions = shot.runs.directions[s + 1]
            across, of_x = directions @ slopes.ends_by_starts[s], directions @ slopes.ends_by_unknowns[s]
            add(here, here, square * across.T @ across)
            add(here, here + size, -square * across.T)
            mixed[:, here : here + size] += square * of_x.T @ across
            gradient[here : here + size] += square * across.T @ defects[s]
    return band, mixed, gradient
