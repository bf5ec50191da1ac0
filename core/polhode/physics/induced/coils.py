"""Induced dipoles beside coils: the moments and the currents of circuits in one solution.

The moments are those of dipoles in the flux of coils and in the forces of coils: F = I grad (m.B), B the field of 1 A,
and the opposite on the coil (coils/flux.py).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING, Step
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, first_lanes, load_three, store
from polhode.jit.vec import Triple, add, cross, dot, row, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.coils.arrays import RESISTIVE, Coils, CoilWork
from polhode.physics.coils.circuit import add_up, pass_on, write_currents
from polhode.physics.coils.flux import add_wrench
from polhode.physics.coils.placement import position_of
from polhode.physics.coils.windings.field import field_and_gradient, turned_by
from polhode.physics.induced.arrays import InducedWork
from polhode.physics.induced.solve import add_scaled, place_induced, write_field, write_moments


@kernel
def write_fields_of_coils(coils: Coils, permeability: float, coil_work: CoilWork, work: InducedWork) -> None:
    """Write the fields of all coils for 1 A at induced dipoles, and their derivatives."""
    everything = first_lanes(WIDTH)
    for k in range(len(coils.body)):
        at = row(coil_work.position, k)
        for i in range(0, work.position.shape[1], WIDTH):
            r = subtract(load_three(work.position, 0, i, everything), at)
            field, gradient = field_and_gradient(coils, coil_work, k, r, permeability)
            for axis in range(3):
                store(work.of_coil, 3 * k + axis, i, None, field[axis])
                store(work.gradient, 6 * k + axis, i, None, gradient[0][axis])
                store(work.gradient, 6 * k + 3 + axis, i, None, gradient[1][axis])


@kernel
def vector(of: np.ndarray, at: int, i: int) -> Triple:
    """Rows x, y, z of (k, n), from `at` on, at column i."""
    return of[at, i], of[at + 1, i], of[at + 2, i]


@kernel
def on_dipole(k: int, i: int, work: InducedWork) -> tuple[Triple, Triple, Triple]:
    """Moment [A m^2] of induced dipole i, field [T/A] of 1 A in coil k there, and force [N/A] on it."""
    moment, field, at = vector(work.moment, 0, i), vector(work.of_coil, 3 * k, i), 6 * k
    gradient = vector(work.gradient, at, i), vector(work.gradient, at + 3, i)
    return moment, field, turned_by(gradient, moment)


@kernel
def power(bodies: BodyWork, b: int, force: Triple, torque: Triple) -> float:
    """Power [W/A] of a force [N/A] and a torque [N m/A] about the reference point on body b."""
    return dot(force, row(bodies.velocity, b)) + dot(torque, row(bodies.angular_velocity, b))


@kernel
def add_fluxes(s: Step) -> None:
    """Add the fluxes of induced dipoles of other bodies to those of coils, and forces per ampere on bodies and coils;
    and the voltages by their motion without that of their moments.
    """
    induced, coils, coil_work, work = s.model.induced, s.model.coils, s.work.coils, s.work.induced
    for k in range(len(coils.body)):
        carrier, reference = coils.body[k], position_of(coils, k, s.work.bodies)
        work.moving[k] = 0.0
        reaction, turning = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for i in range(len(induced.row)):
            b = induced.body[i]
            moment, field, force = on_dipole(k, i, work)
            coil_work.flux[k] += dot(moment, field)
            if b == carrier:
                continue
            arm = row(s.work.dipoles.arm, induced.row[i])
            torque = add(cross(moment, field), cross(arm, force))
            add_wrench(coil_work.on_body, k, b, force, torque)
            work.moving[k] += power(s.work.bodies, b, force, torque)
            about = add(torque, cross(subtract(row(s.work.bodies.position, b), reference), force))
            reaction, turning = subtract(reaction, force), subtract(turning, about)
        if carrier != NOTHING:
            add_wrench(coil_work.on_body, k, carrier, reaction, turning)
            work.moving[k] += power(s.work.bodies, carrier, reaction, turning)
        coil_work.motional[k] += work.moving[k]
        for axis in range(3):
            coil_work.on_coil[k, axis] += reaction[axis]


@kernel
def add_coils(s: Step) -> None:
    """Add the fields of the currents of coils at all induced dipoles.

    Currents of resistive coils depend on velocities, and would take energy from the iron: they are left out.
    """
    work = s.work.induced
    for k in range(len(s.work.coils.current)):
        if s.model.circuits.kind[s.model.coils.circuit[k]] != RESISTIVE:
            add_scaled(s.work.coils.current[k], work.of_coil[3 * k : 3 * k + 3], work.field)


@kernel
def couple(s: Step) -> None:
    """COUPLE: moments of all induced dipoles with the currents of circuits, and their fluxes through coils."""
    circuits, work, coil_work = s.model.circuits, s.work.induced, s.work.coils
    place_induced(s.model.induced, s.state, s.work.bodies, s.work.dipoles, 0.0, work)
    write_field(s)
    write_fields_of_coils(s.model.coils, s.model.permeability, coil_work, work)
    if not s.work.circuits.is_given[0]:
        add_up(s.model.coils, circuits, s.state, coil_work, s.work.circuits)
        write_currents(circuits, s.state[circuits.at :], s.work.circuits)
        pass_on(s.model.coils, coil_work, s.work.circuits)
    add_coils(s)
    write_moments(s)
    add_fluxes(s)
