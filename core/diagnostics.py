"""Energies and momenta of a state."""

from __future__ import annotations

import numpy as np

from core.forces.magnetic import magnetic_energy
from core.kernel import kernel
from core.model import ANGULAR_MOMENTUM, DRIVEN, LEDGER_SIZE, MOMENTUM, Inputs, Model, Work, read
from core.placement import place
from core.snapshot import Energy, Ledger
from core.vec import add, dot, row


@kernel
def energies(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> tuple[float, float, float]:
    """Kinetic, gravitational and magnetic energy [J]: omega.L/2 + v.P/2, -M g.R, the dipoles'. Places the bodies."""
    place(model, time, state, work)
    gravity = (inputs.gravity[0], inputs.gravity[1], inputs.gravity[2])
    kinetic, potential = 0.0, 0.0
    for b in range(len(model.bodies.mass)):
        if model.bodies.support[b] != DRIVEN:  # what a script moves is no energy of the scene
            kinetic += 0.5 * dot(row(work.angular_velocity, b), read(state, b, ANGULAR_MOMENTUM))
            kinetic += 0.5 * dot(row(work.velocity, b), read(state, b, MOMENTUM))
        center = add(row(work.position, b), row(work.arm, b))
        potential -= model.bodies.mass[b] * dot(gravity, center)
    return kinetic, potential, magnetic_energy(model, inputs, time, work)


def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> Energy:
    """Energies [J] of the state."""
    kinetic, gravity, magnetic = energies(model, inputs, time, state, work)
    return Energy(kinetic=kinetic, gravity=gravity, magnetic=magnetic, elastic=0.0)


def ledger(model: Model, state: np.ndarray) -> Ledger:
    """What energy [J] came in from outside since the start."""
    return Ledger(*map(float, state[model.ledger : model.ledger + LEDGER_SIZE]))


def momenta(model: Model, work: Work, spin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Momentum (3,) [kg m/s] of all bodies together, and angular momentum (3,) [kg m^2/s] about the origin.

    Bodies are placed; `spin` (n, 3) [kg m^2/s] is I omega of each about its reference point, laboratory frame.
    """
    mass = model.bodies.mass[:, None]
    momentum = mass * (work.velocity + np.cross(work.angular_velocity, work.arm))
    angular = spin + np.cross(work.position, momentum) + mass * np.cross(work.arm, work.velocity)
    return momentum.sum(axis=0), angular.sum(axis=0)
