"""Semi-implicit (symplectic) Euler method: momenta first, then positions with the new momenta.

    p_(n+1) = p_n + dt F(t_n, x_n, p_n)      x_(n+1) = x_n + dt v(x_n, p_(n+1))

Order 1, explicit, one evaluation of the forces per step and one of the kinematics, no memory. Symplectic for points
under conservative forces: while w dt < 2 their energy oscillates but does not drift. A decay is stable for a dt < 2. A
basis is advanced by the rate at the new angular momentum, and made orthonormal afterwards like that of all methods.
(Hairer, Lubich and Wanner, Geometric Numerical Integration, section I.1.2)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import accept_step, kick, motion, rates, time_at
from polhode.integrators.quadratic import largest_root
from polhode.jit.kernel import kernel

NAME = "semi_implicit_euler"
ORDER = 1
HISTORY = 0
OSCILLATION_LIMIT = 2.0
DECAY_LIMIT = 2.0


def growth(z: np.ndarray) -> np.ndarray:
    """Largest factor per step of a mode exp(lambda t), z = lambda dt (...): of x'' = -|lambda|^2 x + 2 Re(lambda) x'.

    An eigenvalue of drift times kick, ((1, 1), (0, 1)) ((1, 0), (-w, 1 + c)) with w = |z|^2 and c = 2 Re(z), on
    (x, x' dt); of a real lambda |1 + z|.
    """
    w, c = np.abs(z) ** 2, 2 * np.real(z)
    return np.where(np.imag(z) == 0, np.abs(1 + z), largest_root(2 - w + c, 1 + c))


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` in place by `steps` steps; returns their number, fewer if the next state is not finite.

    Scratch: work.rate holds the rates under forces, then those of the kinematics with the new momenta.
    """
    for step in range(steps):
        time, dt = time_at(clock, step), clock.step
        rates(model, inputs, time, state, work, work.rate)
        kick(model, dt, work.rate, state, work.stage)
        motion(model, inputs, time, work.stage, work, work.rate)
        for i in range(len(state)):
            work.stage[i] += dt * work.rate[i]
        if not accept_step(model, inputs, time + dt, work, state):
            return step
    return steps
