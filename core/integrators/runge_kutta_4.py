"""The classical Runge-Kutta method.

Four evaluations per step, no memory. Energy of an oscillation decays by (w dt)^6/72 per step.
(Kutta, Z. Math. Phys. 46, 435, 1901)
"""

from __future__ import annotations

import numpy as np

from core.engine.model import Clock, Inputs, Model, Work
from core.engine.idle import is_laid_down, lay_down, wake_up
from core.engine.rates import accept, rates, time_at
from core.jit.kernel import kernel, part_of_caller

NAME = "rk4"
ORDER = 4
HISTORY = 0
OSCILLATION_LIMIT = 2.8284271247461903  # sqrt(8)
DECAY_LIMIT = 2.785293563405282
TIMES = (0.0, 1 / 2, 1 / 2, 1.0)
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
NEXT_STAGE = (1 / 2, 1 / 2, 1.0, 0.0)  # how far along rate k the state of stage k + 1 lies; there is no fifth


def growth(z: complex) -> float:
    """Factor per step of a mode exp(lambda t), z = lambda dt."""
    return abs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4))))


@part_of_caller
def add_stage(k: int, dt: float, now: np.ndarray, rate: np.ndarray, increment: np.ndarray, stage: np.ndarray) -> None:
    """Sum up rate k, weighted, and write the state of the next stage; after the last one, the next state."""
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
def add_stage_of(k: int, dt: float, state: np.ndarray, work: Work, first: int, stop: int) -> None:
    """The same of the numbers from first to before stop."""
    here = slice(first, stop)
    add_stage(k, dt, state[here], work.rate[here], work.increment[here], work.stage[here])


@part_of_caller
def move_on(k: int, dt: float, state: np.ndarray, work: Work) -> None:
    """The same of all numbers but those that wait."""
    if is_laid_down(work):
        add_stage_of(k, dt, state, work, work.idle[1], len(state))
        add_stage_of(k, dt, state, work, 0, work.idle[0])
    else:
        add_stage(k, dt, state, work.rate, work.increment, work.stage)


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Take steps in place; returns how many, fewer only where the next one is not finite."""
    lay_down(model, state, work)
    done = 0
    while done < steps:
        time, dt = time_at(clock, done), clock.step
        rates(model, inputs, time, state, work, work.rate)
        move_on(0, dt, state, work)
        for k in range(1, 3):
            rates(model, inputs, time + TIMES[k] * dt, work.stage, work, work.rate)
            move_on(k, dt, state, work)
        rates(model, inputs, time + dt, work.stage, work, work.rate)
        move_on(3, dt, state, work)
        if not accept(model, inputs, time + dt, work, state):
            break
        done += 1
    wake_up(model, inputs, time_at(clock, done), state, work)
    return done
