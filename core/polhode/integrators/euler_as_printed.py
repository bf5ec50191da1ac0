"""The explicit Euler method as PEM has it (eqs. 4.3, 4.4): the basis vectors of bodies are not made orthonormal.

Each step lengthens them, |u|^2 by the factor 1 + (|w x u| dt)^2/|u|^2, and turns them out of their right angles, so the
tensor of inertia that they carry changes. The angular momentum of a free body is constant all the same. For teaching,
in comparison with `euler`.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import accept_step_as_it_is, rates, time_at
from polhode.integrators import euler
from polhode.jit.kernel import kernel

NAME = "euler_as_printed"
ORDER = 1
HISTORY = 0
OSCILLATION_LIMIT = euler.OSCILLATION_LIMIT
DECAY_LIMIT = euler.DECAY_LIMIT
growth = euler.growth


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
        if not accept_step_as_it_is(model, inputs, time + dt, work, state):
            return step
    return steps
