"""Moments of iron of dipoles for its field in space."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model
from polhode.engine.work import run_hooks
from polhode.physics.induced.part import ALONE, COILS, has_induced
from polhode.physics.iron.outside import step_at


def with_induced(
    moments: np.ndarray,
    model: Model,
    inputs: Inputs,
    origin: np.ndarray,
    basis: np.ndarray,
    time: float,
    currents: np.ndarray,
) -> np.ndarray:
    """Moments (m, 3) [A m^2] of all dipoles with those of iron in place of zeros, laboratory frame.

    origin: (b, 3) [m] of the bodies' origins; basis: (b, 3, 3) rows u1, u2, u3; time: [s]; currents: (k,) [A]
    """
    if not has_induced(model, inputs):
        return moments
    step = step_at(model, inputs, origin, basis, time, currents)
    run_hooks(COILS.couple if COILS.is_in(model, inputs) else ALONE.place, step)
    return np.asarray(step.work.dipoles.moment)
