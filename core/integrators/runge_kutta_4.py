"""The classical Runge-Kutta method of order 4.

Four evaluations per step, no memory between steps. Stable on x'' = -w^2 x up to |w dt| < 2.83 and on x' = -a x up to
a dt < 2.785; energy of an oscillation decays by (w dt)^6/72 per step. (Kutta, Z. Math. Phys. 46, 435, 1901)
"""

from __future__ import annotations

import numpy as np

from core.integrators.rates import all_finite, rates
from core.kernel import kernel
from core.model import Inputs, Model, Work
from core.placement import orthonormalise

NAME = "rk4"
ORDER = 4
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
NEXT_STAGE = (1 / 2, 1 / 2, 1.0, 0.0)  # how far along rate k the state of stage k + 1 lies; there is no fifth


@kernel
def advance(model: Model, inputs: Inputs, state: np.ndarray, work: Work, dt: float, steps: int) -> tuple[int, float]:
    """Take `steps` steps of dt [s] in place; returns the steps taken and the largest drift of a basis before repair.

    Fewer steps are taken only where the next one is not finite: the state is then the last good one, and
    `work.stage` holds the one that was refused.
    """
    rate, stage, increment = work.rate, work.stage, work.increment
    drift = 0.0
    for step in range(steps):
        for i in range(len(state)):
            stage[i] = state[i]
            increment[i] = 0.0
        for k in range(4):
            rates(model, inputs, stage, work, rate)
            for i in range(len(state)):
                increment[i] += dt * WEIGHTS[k] * rate[i]
                stage[i] = state[i] + dt * NEXT_STAGE[k] * rate[i]
        for i in range(len(state)):
            stage[i] = state[i] + increment[i]
        step_drift = orthonormalise(model, stage)
        if not all_finite(stage):
            return step, drift
        for i in range(len(state)):
            state[i] = stage[i]
        drift = max(drift, step_drift)
    return steps, drift
