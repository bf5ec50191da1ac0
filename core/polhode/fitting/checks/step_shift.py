"""Dependence of the values of a fit on the time step."""

from __future__ import annotations

import numpy as np

from polhode.fitting.task import FitTask


def step_shift(part: FitTask, x: np.ndarray, jacobian: np.ndarray) -> np.ndarray:
    """(p,) change of the unknowns `x` (p,) with half the time step; nan if that run diverges.

    Least squares: the sensitivities (r, p) times the result compensate the change of the residuals.
    """
    change = part.residuals_of(part.model_of(x, finer=True)) - part.residuals(x)
    if not np.isfinite(change).all():
        return np.full(len(x), np.nan)
    return -np.linalg.lstsq(jacobian, change, rcond=None)[0]
