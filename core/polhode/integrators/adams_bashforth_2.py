"""The two-step method of Adams and Bashforth (Imura eqs. 22 to 24).

    y_(n+1) = y_n + dt (3 f_n - f_(n-1))/2

Order 2, explicit, one evaluation per step; the history is the last rate, and begins with f_(-1) = f_0: with zero there
the whole method would be of order 1. On an undamped oscillation the amplitude still grows, by 1 + (w dt)^4/4 per step;
a decay is stable for a dt < 1. After a jump of the state, a bead at an end of its path, one step of Euler's method
starts it again. (Bashforth and Adams, An attempt to test the theories of capillary action, 1883)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import combine_rates, finish_step, rates, time_at
from polhode.integrators.quadratic import largest_root
from polhode.jit.kernel import kernel

NAME = "adams_bashforth_2"
ORDER = 2
HISTORY = 1  # number of earlier rates
OSCILLATION_LIMIT = 0.0
DECAY_LIMIT = 1.0
SMALL = 4096  # components of a state that are copied in negligible time


def growth(z: np.ndarray) -> np.ndarray:
    """Largest factor per step of a mode exp(lambda t), z = lambda dt (...): root of r^2 - (1 + 3z/2) r + z/2."""
    return largest_root(1 + 1.5 * z, 0.5 * z)


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` in place by `steps` steps; returns their number, fewer if the next state is not finite.

    history[0] holds f_(n-1) on entry and on return. The next state is written over f_(n-1), so that three arrays take
    turns and nothing is copied between steps: large states do not fit into the cache, and every array less is time.
    A small state uses scratch arrays whose addresses do not make loads wait for stores.
    """
    now, rate, last, done = state, work.stage, history[0], 0
    if len(state) <= SMALL:
        now, last = work.second_stage, work.increment
        for i in range(len(state)):
            now[i], last[i] = state[i], history[0, i]
    for step in range(steps):
        time, dt = time_at(clock, step), clock.step
        rates(model, inputs, time, now, work, rate)
        if work.cancel[0] != 0:
            break
        begins = work.beads.history_invalid[0] != 0.0  # a bead reached an end of its path: the last rate does not apply
        work.beads.history_invalid[0] = 0.0
        here, before = (1.0 if begins else 1.5) * dt, (0.0 if begins else -0.5) * dt
        nonfinite = combine_rates(now, here, rate, before, last, work, last)
        if not finish_step(model, inputs, time + dt, work, last, nonfinite):
            work.beads.history_invalid[0] = 1.0  # the last rate is gone
            break
        now, rate, last, done = last, now, rate, step + 1
    if len(state) <= SMALL or done % 3 != 0:
        for i in range(len(state)):
            state[i], history[0, i] = now[i], last[i]
    return done
