"""The classical Runge-Kutta method (PEM eqs. 4.5 to 4.18), the reference method of the program.

    k1 = f(t, y)      k2 = f(t + dt/2, y + dt k1/2)      k3 = f(t + dt/2, y + dt k2/2)      k4 = f(t + dt, y + dt k3)
    y += dt (k1 + 2 k2 + 2 k3 + k4)/6

Order 4, explicit, four evaluations per step, no memory. Stable for |w dt| < sqrt(8) and a dt < 2.785; the energy of an
oscillation decays by (w dt)^6/72 per step. Forces are evaluated at every stage, contacts included. (Kutta, Z. Math.
Phys. 46, 435, 1901)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.idle import begin_batch, contiguous_rows, end_batch
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import accept_step, rates, time_at
from polhode.jit.kernel import kernel

NAME = "rk4"
ORDER = 4
HISTORY = 0
OSCILLATION_LIMIT = 2.8284271247461903  # sqrt(8)
DECAY_LIMIT = 2.785293563405282
TIMES = (0.0, 1 / 2, 1 / 2, 1.0)
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
NEXT_STAGE = (1 / 2, 1 / 2, 1.0, 0.0)  # how far along rate k the state of stage k + 1 lies; there is no fifth


def growth(z: np.ndarray) -> np.ndarray:
    """Factor per step of a mode exp(lambda t), z = lambda dt (...): |1 + z + z^2/2 + z^3/6 + z^4/24|."""
    return np.abs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4))))


@kernel
def add_around(k: int, dt: float, state: np.ndarray, work: Work) -> None:
    """Add rate k to the increment and write the state of the next stage, or the next state, on both sides of the idle
    rows.

    Reads work.rate, writes work.increment and work.stage.

    k: number of the stage from 0; dt: [s]; state: (k,) at the start of the step.
    """
    for first, stop in ((work.idle[1], len(state)), (0, work.idle[0])):
        now, stage = state[first:stop], work.stage[first:stop]
        rate, increment = work.rate[first:stop], work.increment[first:stop]
        if k == 0:
            for i in range(len(now)):
                increment[i] = dt * WEIGHTS[0] * rate[i]
                stage[i] = now[i] + dt * NEXT_STAGE[0] * rate[i]
        elif k < 3:
            for i in range(len(now)):
                increment[i] += dt * WEIGHTS[k] * rate[i]
                stage[i] = now[i] + dt * NEXT_STAGE[k] * rate[i]
        else:
            for i in range(len(now)):
                stage[i] = now[i] + (increment[i] + dt * WEIGHTS[3] * rate[i])


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` in place by `steps` steps; returns their number, fewer if the next state is not finite.

    Idle rows are not advanced (core/polhode/engine/idle.py). Scratch: work.increment sums the rates, work.stage is the
    current stage. Without idle rows whole arrays are advanced by loops of their own, which the compiler vectorises;
    `add_around` does the same on both sides of idle rows. `history` is not used.
    """
    begin_batch(model, inputs, time_at(clock, 0), state, work)
    for step in range(steps):
        time, dt, whole = time_at(clock, step), clock.step, contiguous_rows(state, work)
        rates(model, inputs, time, state, work, work.rate)
        work.later[0] = 1
        if whole == 0:
            add_around(0, dt, state, work)
        for i in range(whole):
            work.increment[i] = dt * WEIGHTS[0] * work.rate[i]
            work.stage[i] = state[i] + dt * NEXT_STAGE[0] * work.rate[i]
        for k in range(1, 3):
            rates(model, inputs, time + TIMES[k] * dt, work.stage, work, work.rate)
            if whole == 0:
                add_around(k, dt, state, work)
            for i in range(whole):
                work.increment[i] += dt * WEIGHTS[k] * work.rate[i]
                work.stage[i] = state[i] + dt * NEXT_STAGE[k] * work.rate[i]
        rates(model, inputs, time + dt, work.stage, work, work.rate)
        work.later[0] = 0
        if whole == 0:
            add_around(3, dt, state, work)
        for i in range(whole):
            work.stage[i] = state[i] + (work.increment[i] + dt * WEIGHTS[3] * work.rate[i])
        if not accept_step(model, inputs, time + dt, work, state):
            end_batch(model, inputs, time, state, work)
            return step
    end_batch(model, inputs, time_at(clock, steps), state, work)
    return steps
