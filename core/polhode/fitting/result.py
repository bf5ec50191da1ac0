"""The outcome of a fit: values with intervals, correlations, residuals, and warnings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import OptimizeResult
from scipy.stats import t as students_t

from polhode.fitting.checks.residual_tests import ResidualTest, residual_test
from polhode.fitting.checks.step_shift import step_shift
from polhode.fitting.determination import Determination
from polhode.fitting.inference.covariance import Covariance, covariance_of
from polhode.fitting.inference.held_numbers import held_numbers
from polhode.fitting.segmented import SegmentedRun, readings_of
from polhode.fitting.task import FitTask
from polhode.fitting.unknowns import Unknown
from polhode.scene.checks.arguments import checked
from polhode.scene.fields import written
from polhode.scene.message import Message
from polhode.scene.problem import InputError, did_you_mean
from polhode.scene.scene import Scene

LARGE_SHIFT = 0.5  # of the standard deviation of a value, by a time step of half the length
UNEXPLAINED = 0.5  # part of the variance of a column
AT_LIMIT = 1e-2  # of the standard deviation of a value: as close it is at the limit
TOO_NOISY = 25.0
"""Expected sum of squares by the noise of inputs alone, in that of the residuals; few numbers may make all of it."""


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
    covariance: Covariance  # of the scaled unknowns
    runs: SegmentedRun | None = None  # of a fit in segments

    @property
    def notes(self) -> tuple[Message, ...]:
        """Warnings about the result: () for none."""
        notes = []
        if not self.has_converged:
            notes.append(Message("The search was ended before the sum of squares was least: the values are not final."))
        for k in range(len(self.residuals)):
            notes += self._of_column(k)
        return (*notes, *self._of_limits(), *self._of_step(), *self._of_inputs(), *self._of_held())

    def __repr__(self) -> str:
        state = "converged" if self.has_converged else "not converged"
        lines = [f"FitResult of {self.fitted} rows, {state}, {len(self.notes)} notes"]
        for each in self.estimates:
            lines.append(f"  {each.unknown.name} = {each.value:.6g} +- {each.error:.2g} {each.unknown.unit}".rstrip())
        return "\n".join(lines)

    @property
    def fitted_rows(self) -> np.ndarray:
        """(n,) bool: the rows that were fitted, the first ones of each run."""
        return self.task.is_of(self.task.first(self.fitted))

    @checked
    def estimate(self, name: str) -> Estimate:
        """The estimate of an unknown by name. Raises InputError for another one."""
        found = {estimate.unknown.name: estimate for estimate in self.estimates}
        if name not in found:
            remedy = did_you_mean(name, found, Message("name one of {names}", names=", ".join(found)))
            raise InputError.of("estimate", Message("'{name}' is no unknown of the fit", name=name), remedy, "name")
        return found[name]

    def _of_limits(self) -> list[Message]:
        """Notes on unknowns that end at a limit: of the bounds given, or of the values that the scene allows."""
        found = []
        for each in self.estimates:
            low, high = (max(each.unknown.lower, each.unknown.least), min(each.unknown.upper, each.unknown.most))
            close = AT_LIMIT * max(each.error, 1e-9 * each.unknown.scale)
            if low < high and min(each.value - low, high - each.value) <= close:
                limit = low if each.value - low <= close else high
                found.append(
                    Message(
                        "{name} ended at its limit {limit:g}: the data may ask for a value beyond, and its interval "
                        "counts as if there were none.",
                        name=each.unknown.name,
                        limit=limit,
                    )
                )
        return found

    def _of_inputs(self) -> list[Message]:
        """A warning if the stated noise of the measured inputs is larger than the residuals."""
        if self.covariance.by_inputs <= TOO_NOISY:
            return []
        return [
            Message(
                "The stated deviation of the measured inputs would make residuals {part:.2g} times as large as these: "
                "check it.",
                part=float(np.sqrt(self.covariance.by_inputs)),
            )
        ]

    def _of_held(self) -> list[Message]:
        """A warning if the intervals of a fit in segments do not count the deviations of held numbers."""
        held = held_numbers(self.scene, self.task.unknowns.names) if self.runs is not None else []
        if not held:
            return []
        names = ", ".join(written(path) for path, _ in held)
        return [Message("The intervals of a fit in segments do not count the uncertainty of {names}.", names=names)]

    def _of_column(self, k: int) -> list[Message]:
        """A warning if the run explains too little of the column `k`, or its residuals have structure."""
        left, test = self._unexplained(k), self.residuals[k]
        if left > UNEXPLAINED:
            return [
                Message(
                    "The run explains only {part:.0f} % of the variance of '{column}': check its unit, the quantity "
                    "and the start, or fit in segments.",
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
        rows = self.fitted_rows
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


def result_of(
    task: FitTask,
    part: FitTask,
    done: OptimizeResult,
    first: Determination,
    loss: str,
    runs: SegmentedRun | None = None,
) -> FitResult:
    """The outcome of a fit of `part`, the first rows of `task`; runs: those of a fit in segments."""
    values, scales = done.x * task.unknowns.scales, task.unknowns.scales
    whole, is_fitted = part if len(part.times) == len(task.times) else task, task.is_of(part)
    model = whole.model(done.x) if runs is None else readings_of(part, runs.runs)
    residuals = part.residuals_of(model[is_fitted])
    covariance = covariance_of(part, done.x, done.jac, 2 * done.cost, residuals, runs)
    size = np.sqrt(np.diag(covariance.matrix))
    errors = size * scales
    wide = students_t.ppf(0.975, covariance.freedom) * errors
    estimates = tuple(
        Estimate(each, float(value), float(error), float(value - half), float(value + half))
        for each, value, error, half in zip(task.unknowns.each, values, errors, wide, strict=True)
    )
    difference = task.values - model
    return FitResult(
        scene=task.unknowns.scene_with(values),
        task=task,
        estimates=estimates,
        correlations=covariance.matrix / np.maximum(np.outer(size, size), 1e-300),
        determination=first,
        residuals=_tests(part, difference[is_fitted], covariance.innovations),
        fitted=len(part.times),
        held_out=_held_out(difference[~is_fitted]),
        model=model,
        loss=loss,
        has_converged=bool(done.status > 0),
        step_shift=np.full(len(values), np.nan) if runs else step_shift(part, done.x, done.jac) * scales,
        covariance=covariance,
        runs=runs,
    )


def _tests(part: FitTask, difference: np.ndarray, innovations: np.ndarray | None) -> tuple[ResidualTest, ...]:
    """The tests of the residuals (n, m) of each column, of whose independence by innovations (r,) if there are any."""
    independent = difference.copy()
    if innovations is not None:
        independent[part.is_there] = innovations
    return tuple(
        residual_test(name, unit, difference[is_there, k], independent[is_there, k])
        for k, (name, unit, is_there) in enumerate(
            zip(part.observed.names, part.observed.units, part.is_there.T, strict=True)
        )
    )


def _held_out(later: np.ndarray) -> tuple[float, ...]:
    """Root mean square of the differences (k, m) of later rows, by column; () without any."""
    if not len(later) or np.isnan(later).all(0).any():
        return ()
    return tuple(np.sqrt(np.nanmean(later**2, axis=0)).tolist())
