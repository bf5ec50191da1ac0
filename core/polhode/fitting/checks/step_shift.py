"""Dependence of the values of a fit on the time step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polhode.fitting.forward import computed
from polhode.fitting.task import FitTask


def step_shift(part: FitTask, x: np.ndarray, jacobian: np.ndarray) -> np.ndarray:
    """(p,) change of the unknowns `x` (p,) with half the time step; nan if that run diverges.

    Least squares: the sensitivities (r, p) times the result compensate the change of the residuals.
    """
    compiled = part.models.compiled(x * part.unknowns.scales)
    if compiled is None:
        return np.full(len(x), np.nan)
    step = compiled.scene.solver.time_step / 2
    solver = compiled.scene.solver.model_copy(update={"time_step": step})
    finer = replace(compiled, scene=compiled.scene.model_copy(update={"solver": solver}))
    part.progress(len(part.times))
    quantities = part.observed.of_columns(computed(finer, part.times_of_run(x), part.observed.chosen), finer)
    change = part.residuals_of(part.readings(x, quantities, part.values)) - part.residuals(x)
    if not np.isfinite(change).all():
        return np.full(len(x), np.nan)
    return -np.linalg.lstsq(jacobian, change, rcond=None)[0]
