"""The Runge-Kutta method as a published program of a bouncing ball prints it: its last stage adds k3/2 to the velocity.

    k4 = f(t + dt, x + dt k3_x, p + dt k3_p/2)      instead of p + dt k3_p, p being all momenta

Four evaluations per step, no memory. Of order 1 instead of 4. The halved momenta of the last stage enter its forces, as
in the program, and its velocities as well. For teaching, beside `rk4`.
"""

from __future__ import annotations

import numpy as np

from core.engine.model import Clock, Inputs, Model, Work
from core.engine.rates import accept_step, rates, time_at
from core.integrators.runge_kutta_4 import NEXT_STAGE, TIMES, WEIGHTS
from core.jit.kernel import kernel

NAME = "rk4_as_printed"
ORDER = 1
HISTORY = 0
HALF_TOO_FEW = 2  # the stage after this one adds half of the right increment to momenta


def growth(z: complex) -> float:
    """Largest factor per step of a mode exp(lambda t), z = lambda dt: of x'' = -|lambda|^2 x + 2 Re(lambda) x'.

    Momenta and positions differ in the last stage, so an oscillation is followed by its matrix of (x, x').
    """
    rate = np.array([[0, 1], [-(abs(z) ** 2), 2 * z.real]]) if z.imag else np.diag([0, z.real])
    step, stage = np.eye(2), np.eye(2)
    for k in range(4):
        slope = rate @ stage
        step = step + WEIGHTS[k] * slope
        stage = np.eye(2) + NEXT_STAGE[k] * np.diag([1, 0.5 if k == HALF_TOO_FEW else 1]) @ slope
    return float(np.abs(np.linalg.eigvals(step)).max())


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` in place by `steps` steps; returns their number, fewer if the next state is not finite.

    Scratch: work.increment sums the rates, work.stage is the current stage.
    """
    for step in range(steps):
        time, dt = time_at(clock, step), clock.step
        for i in range(len(state)):
            work.stage[i] = state[i]
            work.increment[i] = 0.0
        for k in range(4):
            rates(model, inputs, time + TIMES[k] * dt, work.stage, work, work.rate)
            for i in range(len(state)):
                part = 0.5 if k == HALF_TOO_FEW and model.is_momentum[i] else 1.0
                work.increment[i] += dt * WEIGHTS[k] * work.rate[i]
                work.stage[i] = state[i] + part * dt * NEXT_STAGE[k] * work.rate[i]
        for i in range(len(state)):
            work.stage[i] = state[i] + work.increment[i]
        if not accept_step(model, inputs, time + dt, work, state):
            return step
    return steps
