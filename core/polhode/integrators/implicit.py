"""Implicit Runge-Kutta method of two stages, for scenes too stiff for any explicit step: cloth, hard springs, dampers.

    K1 = f(t + c dt, y + c dt K1)    K2 = f(t + dt, y + (1 - c) dt K1 + c dt K2)    y += (1 - c) dt K1 + c dt K2

with c = 1 - 1/sqrt(2). Order 2, diagonally implicit and L-stable: any step is stable, and modes faster than the step
are damped away at once. That has a price: an oscillation loses 0.0037 (w dt)^4 of its amplitude per step, and nearly
all of it where w dt is large. The end of a step is its second stage, so hard springs are in balance there. Each stage
is solved by Newton's method until its rates are known to 1e-6 (core/polhode/integrators/newton_krylov.py); a step takes
tens to hundreds of evaluations. The history is scratch of the solver; its first row, the last rates, is the first guess
of the next stage. (Alexander, SIAM J. Numer. Anal. 14, 1006, 1977)
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import accept_step, time_at
from polhode.integrators.newton_krylov import BASE, RATE, ROWS, WEIGHT, mark_worst, solve
from polhode.integrators.norm_weights import norm_weights
from polhode.jit.kernel import kernel

NAME = "implicit"
ORDER = 2
HISTORY = ROWS  # scratch of the solver
OSCILLATION_LIMIT = inf
DECAY_LIMIT = inf
C = 1 - 1 / sqrt(2)


def growth(z: np.ndarray) -> np.ndarray:
    """Factor per step of a mode exp(lambda t), z = lambda dt (...): |1 + (1 - 2c) z|/|1 - c z|^2."""
    return np.abs((1 + (1 - 2 * C) * z) / (1 - C * z) ** 2)


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` in place by `steps` steps; returns their number.

    Fewer if the batch is cancelled, or if the next state is not finite or the rates of a stage are not found; the
    components at fault are then nan in work.stage, for the error message. history[RATE] keeps the rates of the last
    stage as the first guess, and work.second_stage those of the start of the step; other rows are scratch.
    """
    dt = clock.step
    rate, base = history[RATE], history[BASE]
    for step in range(steps):
        time = time_at(clock, step)
        size = norm_weights(model, inputs, time, C * dt, state, history[WEIGHT], work)
        for i in range(len(state)):
            base[i] = state[i]
            work.second_stage[i] = rate[i]
        found = solve(model, inputs, time + C * dt, C * dt, size, history, work)
        if found:
            for i in range(len(state)):
                base[i] = state[i] + (1 - C) * dt * rate[i]
            found = solve(model, inputs, time + dt, C * dt, size, history, work)
        for i in range(len(state)):
            work.stage[i] = base[i] + C * dt * rate[i]
        if not found:
            mark_worst(history, work)
        if not (found and accept_step(model, inputs, time + dt, work, state)):
            for i in range(len(state)):
                rate[i] = work.second_stage[i]
            return step
    return steps
