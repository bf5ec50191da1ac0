"""The outcome of a fit: values with intervals, correlations, residuals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import OptimizeResult
from scipy.stats import t as students_t

from polhode.fitting.checks.doubts import doubts, step_shift
from polhode.fitting.checks.residual_tests import ResidualTest, residual_test
from polhode.fitting.determination import Determination
from polhode.fitting.task import FitTask
from polhode.fitting.unknowns import Unknown
from polhode.scene.message import Message
from polhode.scene.scene import Scene


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
    model: np.ndarray  # (n, m) predicted readings at all rows
    loss: str
    has_converged: bool
    step_shift: np.ndarray  # (p,) [SI] how far half the time step would move the values; nan where it can't be run

    @property
    def notes(self) -> tuple[Message, ...]:
        """What speaks against the result."""
        return doubts(self)

    def estimate(self, name: str) -> Estimate:
        """That of the unknown of a name. Raises KeyError."""
        found = {estimate.unknown.name: estimate for estimate in self.estimates}
        return found[name]


def result_of(task: FitTask, part: FitTask, done: OptimizeResult, first: Determination, loss: str) -> FitResult:
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
        for k, (name, unit) in enumerate(zip(task.observed.names, task.observed.units, strict=True))
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
        step_shift=step_shift(part, done.x, done.jac) * scales,
    )
