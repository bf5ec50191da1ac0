"""Time derivative of the whole state: all that an integrator knows of the physics."""

from __future__ import annotations

import numpy as np

from core.forces import add_forces
from core.kernel import kernel
from core.model import Inputs, Model, Work
from core.placement import place, project


@kernel
def rates(model: Model, inputs: Inputs, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """Write d(state)/dt into `rate`: place everything, sum the forces, keep what the supports allow."""
    place(model, state, work)
    add_forces(model, inputs, work)
    project(model, state, work, rate)


@kernel
def all_finite(values: np.ndarray) -> bool:
    """Whether no value is infinite or not a number: either would make the sum so."""
    total = 0.0
    for value in values:
        total += value
    return bool(np.isfinite(total))
