"""What speaks against the result of a fit, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from polhode.fitting.forward import computed
from polhode.fitting.task import FitTask
from polhode.scene.message import Message

if TYPE_CHECKING:
    from polhode.fitting.result import Estimate, FitResult

LARGE_SHIFT = 0.5  # of the standard deviation of a value, by a time step of half the length
UNEXPLAINED = 0.5  # part of the variance of a column


def step_shift(part: FitTask, x: np.ndarray, jacobian: np.ndarray) -> np.ndarray:
    """(p,) how far the unknowns `x` (p,) would move with half the time step; nan where that run diverges.

    By the sensitivities (r, p): what the residuals of the shorter step differ, as far as unknowns can make up for it.
    """
    built = part.models.built(x * part.unknowns.scales)
    if built is None:
        return np.full(len(x), np.nan)
    step = built.scene.solver.time_step / 2
    solver = built.scene.solver.model_copy(update={"time_step": step})
    finer = replace(built, scene=built.scene.model_copy(update={"solver": solver}))
    part.told(len(part.times))
    quantities = part.observed.of_columns(computed(finer, part.times_of_run(x), part.observed.chosen), finer)
    apart = part.residuals_of(part.readings(x, quantities)) - part.residuals(x)
    if not np.isfinite(apart).all():
        return np.full(len(x), np.nan)
    return -np.linalg.lstsq(jacobian, apart, rcond=None)[0]


def doubts(found: FitResult) -> tuple[Message, ...]:
    """What to tell beside the values: () for nothing."""
    told = []
    if not found.has_converged:
        told.append(Message("The search was ended before the sum of squares was least: the values are not final."))
    for k, (column, test) in enumerate(zip(found.task.columns, found.residuals, strict=True)):
        left = _unexplained(found, k)
        if left > UNEXPLAINED:
            told.append(
                Message(
                    "The run explains only {part:.0f} % of the variance of '{column}': check its unit, the quantity "
                    "and the start.",
                    part=100 * max(0.0, 1.0 - left),
                    column=column,
                )
            )
        elif test.has_structure:
            told.append(
                Message(
                    "The residuals of {quantity} have structure: the scene lacks something, or the intervals are too "
                    "narrow.",
                    quantity=test.quantity,
                )
            )
    return (*told, *_of_step(found.estimates, found.step_shift, found.scene.solver.time_step))


def _unexplained(found: FitResult, k: int) -> float:
    """Part of the variance of the column `k` that is left; of robust losses by medians."""
    rows = slice(found.fitted)
    values, apart = found.task.values[rows, k], (found.model - found.task.values)[rows, k]
    if found.loss == "linear":
        return float(np.nanmean(apart**2) / max(np.nanvar(values), 1e-300))
    middle = np.nanmedian(np.abs(values - np.nanmedian(values)))
    return float((np.nanmedian(np.abs(apart)) / max(middle, 1e-300)) ** 2)


def _of_step(estimates: Sequence[Estimate], shift: np.ndarray, step: float) -> list[Message]:
    """A message where the time step [s] moves a value by a part of its error that counts."""
    parts = np.array([abs(moved) / max(each.error, 1e-300) for each, moved in zip(estimates, shift, strict=True)])
    if not np.any(parts > LARGE_SHIFT):
        return []
    most = int(np.nanargmax(parts))
    return [
        Message(
            "A time step of half of {step:g} s would move {name} by {part:.2g} of its standard deviations: take a "
            "shorter time step.",
            step=step,
            name=estimates[most].unknown.name,
            part=float(parts[most]),
        )
    ]
