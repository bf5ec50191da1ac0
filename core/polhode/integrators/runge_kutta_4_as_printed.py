"""The Runge-Kutta method as a published program of a bouncing ball prints it, for teaching beside `rk4`.

    k4_x = dt (v + k3_v)      k4_v = dt f(v + k3_v/2, x + k3_x)      instead of f(v + k3_v, x + k3_x)

v being all momenta: half of k3 too little, in the arguments of the forces only. The program also decides once per step
whether the ball touches the floor; contacts of points with walls are decided so here. Four evaluations per step, no
memory. Of order 1 with forces that depend on velocities, of order 4 without them. Free fall is exact. A
decay is multiplied by 1 - z + 5/12 z^2 - z^3/8 + z^4/48 in a step, z = a dt, which is 1 at 4.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.program import DECIDE, STORE, STORED
from polhode.engine.rates import accept_step, motion, rates, time_at
from polhode.integrators import runge_kutta_4
from polhode.integrators.quadratic import largest_root
from polhode.integrators.runge_kutta_4 import NEXT_STAGE, TIMES, WEIGHTS
from polhode.jit.kernel import kernel

NAME = "rk4_as_printed"
ORDER = 1
HISTORY = 0
OSCILLATION_LIMIT = runge_kutta_4.OSCILLATION_LIMIT  # without velocities in the forces it is the same method
DECAY_LIMIT = 4.0


def growth(z: np.ndarray) -> np.ndarray:
    """Largest factor per step of a mode exp(lambda t), z = lambda dt (...): of x'' = -|lambda|^2 x + 2 Re(lambda) x'.

    Rates of positions and of velocities see different last stages, so an oscillation is followed by its matrix of
    (x, x').
    """
    swings = np.imag(z) != 0
    w, c = np.where(swings, np.abs(z) ** 2, 0.0), np.where(swings, 2, 1) * np.real(z)
    columns = []
    for start in ((1.0, 0.0), (0.0, 1.0)):  # of (x, x' dt)
        x, v = start[0] + 0 * c, start[1] + 0 * c
        step, argument = (x, v), (x, v)  # argument of the forces
        stage = v  # of the velocity
        for k in range(4):
            slope = swings * stage, -w * argument[0] + c * argument[1]
            step = step[0] + WEIGHTS[k] * slope[0], step[1] + WEIGHTS[k] * slope[1]
            stage = v + NEXT_STAGE[k] * slope[1]
            argument = x + NEXT_STAGE[k] * slope[0], v + 0.5 * slope[1] if k == 2 else stage
        columns.append(step)
    (a, b), (d, e) = columns
    return largest_root(a + e, a * e - b * d)


@kernel
def add_last_stage(model: Model, inputs: Inputs, time: float, dt: float, state: np.ndarray, work: Work) -> None:
    """Add the fourth rates to `work.increment`: of momenta with half the increment of the momenta, others as they are.

    time: [s] at the end of the step; state: (k,) at its start; work.stage: fourth stage. Overwrites work.rate and
    work.second_stage.
    """
    motion(model, inputs, time, work.stage, work, work.rate)
    for i in range(len(state)):
        if not model.is_momentum[i]:
            work.increment[i] += dt * WEIGHTS[3] * work.rate[i]
        work.second_stage[i] = 0.5 * (state[i] + work.stage[i]) if model.is_momentum[i] else work.stage[i]
    rates(model, inputs, time, work.second_stage, work, work.rate)
    for i in range(len(state)):
        if model.is_momentum[i]:
            work.increment[i] += dt * WEIGHTS[3] * work.rate[i]


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` in place by `steps` steps; returns their number, fewer if the next state is not finite.

    Scratch: work.increment sums the rates, work.stage is the current stage.
    """
    done = 0
    for step in range(steps):
        time, dt = time_at(clock, step), clock.step
        for i in range(len(state)):
            work.stage[i] = state[i]
            work.increment[i] = 0.0
        work.decisions[0] = STORE
        for k in range(3):
            rates(model, inputs, time + TIMES[k] * dt, work.stage, work, work.rate)
            work.decisions[0] = STORED
            for i in range(len(state)):
                work.increment[i] += dt * WEIGHTS[k] * work.rate[i]
                work.stage[i] = state[i] + dt * NEXT_STAGE[k] * work.rate[i]
        add_last_stage(model, inputs, time + dt, dt, state, work)
        for i in range(len(state)):
            work.stage[i] = state[i] + work.increment[i]
        if not accept_step(model, inputs, time + dt, work, state):
            break
        done += 1
    work.decisions[0] = DECIDE
    return done
