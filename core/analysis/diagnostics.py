"""Energies and momenta of a state."""

from __future__ import annotations

import numpy as np

from core.engine.forces import add_forces
from core.engine.model import (
    ANGULAR_MOMENTUM,
    AXLE,
    DRIVEN,
    LEDGER_SIZE,
    MOMENTUM,
    POINT_SIZE,
    Inputs,
    Model,
    Work,
    bead_rows,
    point_rows,
    point_states,
    read,
    read_basis,
    write,
)
from core.jit.kernel import kernel
from core.jit.vec import add, combine, components, cross, dot, row, transform
from core.physics.bodies.placement import place, project
from core.physics.contact.sphere_contact import add_contacts
from core.physics.contact.surface_contact import add_surfaces
from core.physics.contact.tangential_friction import add_rough
from core.physics.contact.wall_contact import add_walls
from core.physics.magnets.magnetic import magnetic_energy
from core.physics.paths.arrays import BEAD_COLUMNS, PLACE, SPEED
from core.physics.paths.path_kernels import shown
from core.physics.points.springs import spring_energy
from core.simulation.snapshot import Energy

BODY_COLUMNS = 21  # numbers of a body in a row of the table
ENERGY_COLUMNS = 5  # the last one is their sum


@kernel
def energies(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work
) -> tuple[float, float, float, float]:
    """Kinetic, gravitational, magnetic and elastic energy [J]. Places everything.

    omega.L/2 + v.P/2 + m v.v/2, -M g.R, that of the dipoles, that of springs, of contacts and of what is behind walls.
    """
    place(model, inputs, time, state, work)
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
    # what touches is found by pressing it: forces in `work` are scratch, and so is what is noted of friction
    work.rubs.count[0] = 0
    elastic = spring_energy(model, state, work) + add_walls(model, inputs, time, state, work)
    elastic += add_contacts(model, state, work) + add_rough(model, state, work)
    elastic += add_surfaces(model, inputs, state, work)
    return kinetic, potential, magnetic_energy(model, inputs, time, work), elastic


@kernel
def observe(
    model: Model, inputs: Inputs, times: np.ndarray, states: np.ndarray, work: Work, numbers: np.ndarray
) -> None:
    """Write into `numbers` (r, c) the columns of analysis.columns for states (r, k) at `times` (r,) [s]. Places everything.

    Of a body: its origin x = x_ref + r and that point's velocity v = v_ref + omega x r; u1, u2, u3; omega; and L, which
    is I omega where an axle or a script holds what is beside it.
    """
    for k in range(len(times)):
        state, out = states[k], numbers[k]
        kinetic, gravity, magnetic, elastic = energies(model, inputs, times[k], state, work)
        out[0] = times[k]
        at = 1
        for b in range(len(model.bodies.mass)):
            u1, u2, u3 = read_basis(state, b)
            to_origin = combine(row(model.bodies.origin, b), u1, u2, u3)
            turning, spin = row(work.angular_velocity, b), read(state, b, ANGULAR_MOMENTUM)
            if model.bodies.support[b] == AXLE or model.bodies.support[b] == DRIVEN:
                spin = combine(transform(model.bodies.inertia, b, components(turning, u1, u2, u3)), u1, u2, u3)
            write(out, 0, at, add(row(work.position, b), to_origin))
            write(out, 0, at + 3, add(row(work.velocity, b), cross(turning, to_origin)))
            write(out, 0, at + 6, u1)
            write(out, 0, at + 9, u2)
            write(out, 0, at + 12, u3)
            write(out, 0, at + 15, turning)
            write(out, 0, at + 18, spin)
            at += BODY_COLUMNS
        rows = point_rows(model, state)
        for i in range(len(model.points.mass)):
            for j in range(POINT_SIZE):
                out[at + j] = rows[j, i]
            at += POINT_SIZE
        if len(model.beads.body) > 0:
            observe_beads(model, inputs, times[k], state, work, out[at:])
            at += BEAD_COLUMNS * len(model.beads.body)
        out[at], out[at + 1], out[at + 2], out[at + 3] = kinetic, gravity, magnetic, elastic
        out[at + 4] = kinetic + gravity + magnetic + elastic
        for j in range(LEDGER_SIZE):
            out[at + ENERGY_COLUMNS + j] = state[model.ledger + j]


@kernel
def observe_beads(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> None:
    """Parameter, speed and constraint force of every bead, everything placed; S asks for all forces."""
    rows = bead_rows(model, state)
    add_forces(model, inputs, time, state, work)
    project(model, inputs, state, work, work.rate)
    for i in range(rows.shape[1]):
        at = BEAD_COLUMNS * i
        out[at], out[at + 1] = shown(model.beads.paths, i, rows[PLACE, i]), rows[SPEED, i]
        write(out, 0, at + 2, row(work.beads.constraint, i))


def observed(model: Model, inputs: Inputs, times: np.ndarray, states: np.ndarray, work: Work) -> np.ndarray:
    """(r, c) what analysis.columns names, for states (r, k) at `times` (r,) [s]."""
    of_things = BODY_COLUMNS * len(model.bodies.mass) + POINT_SIZE * len(model.points.mass)
    of_things += BEAD_COLUMNS * len(model.beads.body)
    numbers = np.empty((len(times), 1 + of_things + ENERGY_COLUMNS + LEDGER_SIZE))
    observe(model, inputs, times, states, work, numbers)
    return numbers


def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> Energy:
    """Energies [J] of the state."""
    kinetic, gravity, magnetic, elastic = energies(model, inputs, time, state, work)
    return Energy(kinetic=kinetic, gravity=gravity, magnetic=magnetic, elastic=elastic)


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
