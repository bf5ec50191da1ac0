"""Velocity Verlet method, which is explicit Newmark with beta = 0 and gamma = 1/2 (Kobayashi eqs. 3.6 to 3.8).

    p' = p_n + dt/2 F(t_n, x_n, p_n)                         half a kick
    x_(n+1) = x_n + dt v(p')                                 drift, by the midpoint rule where v depends on x
    p_(n+1) = p' + dt/2 F(t_(n+1), x_(n+1), p' + dt/2 F_n)   half a kick

Order 2, explicit, two evaluations of the forces per step, no memory. Symplectic and time-reversible for points under
conservative forces: stable for w dt < 2, where the energy oscillates but does not drift. A basis drifts by its rate in
the middle of the drift, and the second kick takes friction at the momenta that the first one predicts: both keep the
order. (Verlet, Phys. Rev. 159, 98, 1967; Newmark, J. Eng. Mech. Div. ASCE 85, 67, 1959)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import accept_step, drift, kick, rates, time_at
from polhode.integrators.quadratic import largest_root
from polhode.jit.kernel import kernel

NAME = "verlet"
ORDER = 2
HISTORY = 0
OSCILLATION_LIMIT = 2.0
DECAY_LIMIT = 2.0


def growth(z: np.ndarray) -> np.ndarray:
    """Largest factor per step of a mode exp(lambda t), z = lambda dt (...): of x'' = -|lambda|^2 x + 2 Re(lambda) x'.

    An eigenvalue of the step on (x, x' dt), with damping at the predicted velocity; of a real lambda |1 + z + z^2/2|.
    """
    w, c = np.abs(z) ** 2, 2 * np.real(z)
    position = 1 - w / 2, 1 + c / 2  # new x from (x, x' dt): half a kick, then the drift
    force = -w * position[0] - c * w, -w * position[1] + c * (1 + c)  # with the velocity that the first kick predicts
    velocity = -w / 2 + force[0] / 2, 1 + c / 2 + force[1] / 2
    determinant = position[0] * velocity[1] - position[1] * velocity[0]
    return np.where(np.imag(z) == 0, np.abs(1 + z + z**2 / 2), largest_root(position[0] + velocity[1], determinant))


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` in place by `steps` steps; returns their number, fewer if the next state is not finite.

    Scratch: work.increment holds F_n, work.rate F_(n+1), work.stage p' and the new positions, work.second_stage the
    predicted momenta. F_n is evaluated at the start of each step: no rate is kept
    from the last one.
    """
    for step in range(steps):
        time, dt = time_at(clock, step), clock.step
        rates(model, inputs, time, state, work, work.increment)
        kick(model, 0.5 * dt, work.increment, state, work.stage)
        drift(model, inputs, time, dt, work)
        kick(model, 0.5 * dt, work.increment, work.stage, work.second_stage)
        rates(model, inputs, time + dt, work.second_stage, work, work.rate)
        kick(model, 0.5 * dt, work.rate, work.stage, work.stage)
        if not accept_step(model, inputs, time + dt, work, state):
            return step
    return steps
