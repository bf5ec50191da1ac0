"""The outcome of a fit: values with intervals, correlations, residuals, and warnings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import OptimizeResult
from scipy.stats import t as students_t

from polhode.fitting.checks.residual_tests import ResidualTest, residual_test
from polhode.fitting.checks.step_shift import step_shift
from polhode.fitting.determination import Determination
from polhode.fitting.task import FitTask
from polhode.fitting.unknowns import Unknown
from polhode.scene.checks.arguments import checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError, did_you_mean
from polhode.scene.scene import Scene

LARGE_SHIFT = 0.5  # of the standard deviation of a value, by a time step of half the length
UNEXPLAINED = 0.5  # part of the variance of a column


@dataclass(frozen=True)
class Estimate:
    """Estimate of an unknown [SI]."""

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
    held_out: tuple[float, ...]  # rms of the residuals of each column in later rows; () without any
    model: np.ndarray  # (n, m) predicted readings at all rows
    loss: str
    has_converged: bool
    step_shift: np.ndarray  # (p,) [SI] change of the values with half the time step; nan if it can't be run

    @property
    def notes(self) -> tuple[Message, ...]:
        """Warnings about the result: () for none."""
        notes = []
        if not self.has_converged:
            notes.append(Message("The search was ended before the sum of squares was least: the values are not final."))
        for k in range(len(self.residuals)):
            notes += self._of_column(k)
        return (*notes, *self._of_step())

    def __repr__(self) -> str:
        state = "converged" if self.has_converged else "not converged"
        lines = [f"FitResult of {self.fitted} rows, {state}, {len(self.notes)} notes"]
        for each in self.estimates:
            lines.append(f"  {each.unknown.name} = {each.value:.6g} +- {each.error:.2g} {each.unknown.unit}".rstrip())
        return "\n".join(lines)

    @checked
    def estimate(self, name: str) -> Estimate:
        """The estimate of an unknown by name. Raises InputError for another one."""
        found = {estimate.unknown.name: estimate for estimate in self.estimates}
        if name not in found:
            remedy = did_you_mean(name, found, Message("name one of {names}", names=", ".join(found)))
            raise InputError.of("estimate", Message("'{name}' is no unknown of the fit", name=name), remedy, "name")
        return found[name]

    def _of_column(self, k: int) -> list[Message]:
        """A warning if the run explains too little of the column `k`, or its residuals have structure."""
        left, test = self._unexplained(k), self.residuals[k]
        if left > UNEXPLAINED:
            return [
                Message(
                    "The run explains only {part:.0f} % of the variance of '{column}': check its unit, the quantity "
                    "and the start.",
                    part=100 * max(0.0, 1.0 - left),
                    column=self.task.columns[k],
                )
            ]
        if test.has_structure:
            return [
                Message(
                    "The residuals of {quantity} have structure: the scene lacks something, or the intervals are too "
                    "narrow.",
                    quantity=test.quantity,
                )
            ]
        return []

    def _unexplained(self, k: int) -> float:
        """Unexplained part of the variance of the column `k`; for robust losses by medians."""
        rows = slice(self.fitted)
        values, difference = self.task.values[rows, k], (self.model - self.task.values)[rows, k]
        if self.loss == "linear":
            return float(np.nanmean(difference**2) / max(np.nanvar(values), 1e-300))
        middle = np.nanmedian(np.abs(values - np.nanmedian(values)))
        return float((np.nanmedian(np.abs(difference)) / max(middle, 1e-300)) ** 2)

    def _of_step(self) -> list[Message]:
        """A warning if half the time step changes a value by more than LARGE_SHIFT of its error."""
        errors = np.array([max(each.error, 1e-300) for each in self.estimates])
        parts = np.abs(self.step_shift) / errors
        if not np.any(parts > LARGE_SHIFT):
            return []
        most = int(np.nanargmax(parts))
        return [
            Message(
                "A time step of half of {step:g} s would move {name} by {part:.2g} of its standard deviations: take a "
                "shorter time step.",
                step=self.scene.solver.time_step,
                name=self.estimates[most].unknown.name,
                part=float(parts[most]),
            )
        ]


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
    difference = task.values - model
    tests = [
        residual_test(name, unit, difference[:rows, k][part.is_there[:, k]])
        for k, (name, unit) in enumerate(zip(task.observed.names, task.observed.units, strict=True))
    ]
    later = difference[rows:]
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
