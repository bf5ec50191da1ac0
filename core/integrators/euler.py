"""Euler's method: along the rate at the start of the step.

One evaluation per step, no memory. On an undamped oscillation it is never stable: the amplitude grows by
sqrt(1 + (w dt)^2) per step. (Euler, Institutionum calculi integralis, 1768)
"""

from __future__ import annotations

import numpy as np

from core.engine.model import Clock, Inputs, Model, Work
from core.engine.rates import accept_step, rates, time_at
from core.jit.kernel import kernel

NAME = "euler"
ORDER = 1
HISTORY = 0
OSCILLATION_LIMIT = 0.0
DECAY_LIMIT = 2.0


def growth(z: complex) -> float:
    """Factor per step of a mode exp(lambda t), z = lambda dt."""
    return abs(1 + z)


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` in place; returns the number of steps, fewer if the next state is not finite."""
    for step in range(steps):
        time, dt = time_at(clock, step), clock.step
        rates(model, inputs, time, state, work, work.rate)
        for i in range(len(state)):
            work.stage[i] = state[i] + dt * work.rate[i]
        if not accept_step(model, inputs, time + dt, work, state):
            return step
    return steps
