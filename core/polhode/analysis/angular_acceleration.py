"""Angular accelerations of bodies, for display; the solver uses the rates of angular momenta."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.rates import place, rates

SPAN = 1e-5  # [s] the difference errs by (rate of rotation * SPAN)^2/6, and by rounding of 1e-11 of it per second


def angular_accelerations(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> np.ndarray:
    """(n, 3) [rad/s^2] of all bodies at `time` [s], laboratory frame, under all forces, those of joints included.

    A central difference along the rates of `state` (k,), because the angular velocities of beads and of driven bodies
    follow from other numbers of the state. Overwrites scratch arrays in `work`.
    """
    rate = np.empty_like(state)
    rates(model, inputs, time, state, work, rate)
    ends = []
    for span in (SPAN, -SPAN):
        place(model, inputs, time + span, state + span * rate, work)
        ends.append(work.bodies.angular_velocity.copy())
    return np.asarray(ends[0] - ends[1]) / (2 * SPAN)
