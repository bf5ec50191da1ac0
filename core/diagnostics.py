"""Energies and momenta of a state."""

from __future__ import annotations

import numpy as np

from core.forces.contact import add_contacts
from core.forces.magnetic import magnetic_energy
from core.forces.springs import spring_energy
from core.forces.walls import add_walls
from core.kernel import kernel
from core.model import (
    ANGULAR_MOMENTUM,
    DRIVEN,
    LEDGER_SIZE,
    MOMENTUM,
    Inputs,
    Model,
    Work,
    point_rows,
    point_states,
    read,
)
from core.placement import place
from core.snapshot import Energy, Ledger
from core.vec import add, dot, row


@kernel
def energies(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work
) -> tuple[float, float, float, float]:
    """Kinetic, gravitational, magnetic and elastic energy [J]. Places everything.

    omega.L/2 + v.P/2 + m v.v/2, -M g.R, that of the dipoles, that of springs, of contacts and of what is behind walls.
    """
    place(model, time, state, work)
    gravity = (inputs.gravity[0], inputs.gravity[1], inputs.gravity[2])
    kinetic, potential = 0.0, 0.0
    for b in range(len(model.bodies.mass)):
        if model.bodies.support[b] != DRIVEN:  # what a script moves is no energy of the scene
            kinetic += 0.5 * dot(row(work.angular_velocity, b), read(state, b, ANGULAR_MOMENTUM))
            kinetic += 0.5 * dot(row(work.velocity, b), read(state, b, MOMENTUM))
        center = add(row(work.position, b), row(work.arm, b))
        potential -= model.bodies.mass[b] * dot(gravity, center)
    rows = point_rows(model, state)
    for i in range(len(model.points.mass)):
        mass, velocity = model.points.mass[i], (rows[3, i], rows[4, i], rows[5, i])
        if not inputs.held[i]:
            kinetic += 0.5 * mass * dot(velocity, velocity)
        potential -= mass * dot(gravity, (rows[0, i], rows[1, i], rows[2, i]))
    # what touches is found by pressing it: forces in `work` are scratch
    elastic = spring_energy(model, state, work) + add_walls(model, time, state, work)
    elastic += add_contacts(model, state, work)
    return kinetic, potential, magnetic_energy(model, inputs, time, work), elastic


def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> Energy:
    """Energies [J] of the state."""
    kinetic, gravity, magnetic, elastic = energies(model, inputs, time, state, work)
    return Energy(kinetic=kinetic, gravity=gravity, magnetic=magnetic, elastic=elastic)


def ledger(model: Model, state: np.ndarray) -> Ledger:
    """What energy [J] came in from outside since the start."""
    return Ledger(*map(float, state[model.ledger : model.ledger + LEDGER_SIZE]))


def momenta(model: Model, state: np.ndarray, work: Work, spin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Momentum (3,) [kg m/s] of everything together, and angular momentum (3,) [kg m^2/s] about the origin.

    Bodies are placed; `spin` (n, 3) [kg m^2/s] is I omega of each about its reference point, laboratory frame.
    """
    mass = model.bodies.mass[:, None]
    momentum = mass * (work.velocity + np.cross(work.angular_velocity, work.arm))
    angular = spin + np.cross(work.position, momentum) + mass * np.cross(work.arm, work.velocity)
    position, velocity = point_states(model, state)
    of_points = model.points.mass * velocity
    of_turning = np.cross(position, of_points, axis=0)
    return momentum.sum(axis=0) + of_points.sum(axis=1), angular.sum(axis=0) + of_turning.sum(axis=1)
