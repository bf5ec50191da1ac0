"""Residuals of a run compared with measured data as text. No Qt."""

from __future__ import annotations

import numpy as np

from polhode.fitting.checks.angle_origin import rms
from polhode_app.i18n.language import tr


def residual_text(residuals: np.ndarray, unit: str) -> str:
    """Root mean square and maximum of residuals (n,) of a column."""
    if not len(residuals):
        return tr("No value within the run")
    return tr("Residual: rms {rms}, maximum {most}, {count} values").format(
        rms=f"{rms(residuals):.4g} {unit}".rstrip(),
        most=f"{np.abs(residuals).max():.4g} {unit}".rstrip(),
        count=len(residuals),
    )
