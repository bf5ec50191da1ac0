"""Explicit Euler method (PEM eqs. 4.3, 4.4; Imura eqs. 9, 10).

    y_(n+1) = y_n + dt f(t_n, y_n)

Order 1, explicit, one evaluation per step, no memory; growth factor |1 + z|. On an undamped oscillation it is never
stable: the amplitude grows by sqrt(1 + (w dt)^2) per step, 1.00995 in the course's scene; a decay is stable for a dt <
2. The polhode of a free top does not close (PEM figure 4.2). (Euler, Institutionum calculi integralis, 1768)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import accept_step, rates, time_at
from polhode.jit.kernel import kernel

NAME = "euler"
ORDER = 1
HISTORY = 0
OSCILLATION_LIMIT = 0.0
DECAY_LIMIT = 2.0


def growth(z: np.ndarray) -> np.ndarray:
    """Factor per step of a mode exp(lambda t), z = lambda dt (...): |1 + z|."""
    return np.abs(1 + z)


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` in place by `steps` steps; returns their number, fewer if the next state is not finite.

    Scratch: work.rate holds f(t_n, y_n), work.stage the next state. `history` is not used.
    """
    for step in range(steps):
        time, dt = time_at(clock, step), clock.step
        rates(model, inputs, time, state, work, work.rate)
        for i in range(len(state)):
            work.stage[i] = state[i] + dt * work.rate[i]
        if not accept_step(model, inputs, time + dt, work, state):
            return step
    return steps
