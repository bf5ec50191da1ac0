"""Residuals of a run compared with measured data: their text, and angles that count from elsewhere. No Qt."""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.fitting.quantities.angles import hanging_start
from polhode_app.data.measured.measured_layer import RunComparison
from polhode_app.i18n.language import tr

EXPLAINED = 0.5  # of the root mean square: residuals smaller by this factor are explained
SEEN = 0.02  # [rad] smallest shift of an angle that is worth a warning


def residual_text(residuals: np.ndarray, unit: str) -> str:
    """Root mean square and maximum of residuals (n,) of a column."""
    if not len(residuals):
        return tr("No value within the run")
    return tr("Residual: rms {rms}, maximum {most}, {count} values").format(
        rms=f"{rms(residuals):.4g} {unit}".rstrip(),
        most=f"{np.abs(residuals).max():.4g} {unit}".rstrip(),
        count=len(residuals),
    )


def rms(values: np.ndarray) -> float:
    """Root mean square of values (n,)."""
    return float(np.sqrt(np.mean(values**2)))


def shifted_angle(made: RunComparison, column: str, compiled: CompiledScene) -> str | float | None:
    """Remedy for an angle that counts from elsewhere, if it explains most of the residuals, else None.

    The name of the deflection from the vertical, for an angle on an axle that counts from the start, or the shift [rad]
    that is to be added to the readings.
    """
    residuals = made.residuals(column)
    if not len(residuals):
        return None
    before, shift = rms(residuals), float(np.mean(residuals))
    hanging = hanging_start(made.layer.mapping[column], compiled)
    if hanging is not None and abs(hanging[1]) > SEEN and rms(residuals + hanging[1]) < EXPLAINED * before:
        return hanging[0]
    return shift if abs(shift) > SEEN and rms(residuals - shift) < EXPLAINED * before else None
