"""Descent to a minimum of the potential: damped motion from rest, by FIRE.

Each step needs one evaluation of the forces and none of the stiffness, whose cost grows with the square of the number
of coordinates. Accelerations of the engine satisfy the joints, so no tangent space is needed. (Bitzek, Koskinen,
Gähler, Moseler and Gumbsch, Phys. Rev. Lett. 97, 170201, 2006; semi-implicit Euler steps and the half step back uphill
as in Guénolé et al., Comput. Mater. Sci. 175, 109584, 2020)
"""

from __future__ import annotations

import numpy as np

from polhode.equilibria.system import System

STEPS = 4000  # at most
LONGEST = 0.1  # dimensionless move of one step: [rad], or in sizes of the scene
FASTER, SLOWER = 1.1, 0.5  # factors of the time step
DELAY = 20  # steps downhill before the time step grows
MIXING, LESS = 0.25, 0.99  # part of the velocity that is turned along the force, and its factor at each step
RANGE = 50.0  # largest time step over the first one
CALM = 1e-6  # of the typical force, at which Newton's method takes over
CHECKS = 16  # steps between two calls of `check_cancelled`


def relaxed(system: System, state: np.ndarray, typical: float) -> np.ndarray | None:
    """(k,) a state near a minimum of the potential, from `state` (k,), or None off the joints; `typical` force."""
    freedoms = system.freedoms
    force = freedoms.accelerations(state[None])[0]
    fastest = float(np.abs(force / system.unit).max(initial=0.0))
    if not np.isfinite(fastest):
        return None
    if fastest == 0.0:
        return state
    first = dt = float(np.sqrt(2 * LONGEST / 10 / fastest))  # the first step is a tenth of the longest
    velocity, mixing, downhill = np.zeros(len(force)), MIXING, 0
    for number in range(STEPS):
        if number % CHECKS == 0:
            system.check_cancelled()
        if np.linalg.norm(force) <= CALM * typical:
            break
        if velocity @ force > 0:
            downhill += 1
            if downhill > DELAY:
                dt, mixing = min(dt * FASTER, RANGE * first), mixing * LESS
        elif number:
            state = system.moved(state, -0.5 * dt * velocity)
            velocity, mixing, downhill = np.zeros(len(force)), MIXING, 0
            dt = max(dt * SLOWER, first / RANGE)
        velocity = velocity + dt * force
        along = force * (np.linalg.norm(velocity) / max(float(np.linalg.norm(force)), 1e-300))
        velocity = (1 - mixing) * velocity + mixing * along
        longest = dt * float(np.abs(velocity / system.unit).max(initial=0.0))
        velocity = velocity * min(1.0, LONGEST / max(longest, 1e-300))
        state = system.moved(state, dt * velocity)
        force = freedoms.accelerations(state[None])[0] if np.isfinite(state).all() else np.full(len(force), np.nan)
        if not np.isfinite(force).all():
            return None
    return state
