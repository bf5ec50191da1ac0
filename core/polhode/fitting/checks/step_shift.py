"""How far the values of a fit depend on the time step of its runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polhode.fitting.forward import computed
from polhode.fitting.task import FitTask


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
    part.progress(len(part.times))
    quantities = part.observed.of_columns(computed(finer, part.times_of_run(x), part.observed.chosen), finer)
    apart = part.residuals_of(part.readings(x, quantities)) - part.residuals(x)
    if not np.isfinite(apart).all():
        return np.full(len(x), np.nan)
    return -np.linalg.lstsq(jacobian, apart, rcond=None)[0]
