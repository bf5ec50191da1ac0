"""Warnings, before a fit, of angles in data that do not count from where those of the run do."""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.fitting.quantities.angles import hanging_start
from polhode.fitting.task import FitTask
from polhode.scene.message import Message
from polhode.scene.problem import Problem

EXPLAINED = 0.5  # of the root mean square: residuals smaller by this factor are explained
SEEN = 0.02  # [rad] smallest shift of an angle that is worth a warning


def rms(values: np.ndarray) -> float:
    """Root mean square of values (n,)."""
    return float(np.sqrt(np.mean(values**2)))


def shifted_angle(quantity: str, residuals: np.ndarray, compiled: CompiledScene) -> str | float | None:
    """Remedy for an angle that counts from elsewhere, if it explains most of the residuals, else None.

    The name of the deflection from the vertical, for an angle on an axle that counts from the start, or the shift [rad]
    that is to be added to the readings.

    residuals: (n,) [rad] computed minus measured
    """
    if not len(residuals):
        return None
    before, shift = rms(residuals), float(np.mean(residuals))
    hanging = hanging_start(quantity, compiled)
    if hanging is not None and abs(hanging[1]) > SEEN and rms(residuals + hanging[1]) < EXPLAINED * before:
        return hanging[0]
    return shift if abs(shift) > SEEN and rms(residuals - shift) < EXPLAINED * before else None


def doubt_about(quantity: str, found: str | float) -> Message:
    """Why a result of `shifted_angle` of a quantity, by its name or title, is doubtful."""
    if isinstance(found, str):
        return Message(
            "{quantity} counts from the start of the run, but these readings seem to be from the vertical",
            quantity=quantity,
        )
    return Message(
        "the readings differ from {quantity} by about {shift:.3g} rad at all times: check where they count from",
        quantity=quantity,
        shift=-found,
    )


def doubtful_angles(task: FitTask, x: np.ndarray) -> list[Problem]:
    """Warnings of the angles of a task whose readings count from elsewhere than in the run at `x` (p,).

    A column whose offset is unknown may count from anywhere.
    """
    values = x * task.unknowns.scales
    (scales, offsets), run = task.unknowns.sensors(task.columns, values), task.model(x)
    compiled = task.models.compiled(values)
    found: list[Problem] = []
    for k, (column, quantity) in enumerate(zip(task.columns, task.observed.names, strict=True)):
        if task.observed.units[k] != "rad" or f"data.{column}.offset" in task.unknowns.names or compiled is None:
            continue
        residuals = scales[k] * (run[:, k] - task.values[:, k])
        doubt = shifted_angle(quantity, residuals[np.isfinite(residuals)], compiled)
        if doubt is None:
            continue
        remedy = Message('take "{column}={quantity}"', column=column, quantity=doubt)
        if not isinstance(doubt, str):
            offset = float(offsets[k]) + doubt
            remedy = Message('state "data.{column}.offset={offset:.6g}", or make it free', column=column, offset=offset)
        found.append(Problem("mapping", doubt_about(quantity, doubt), remedy))
    return found
