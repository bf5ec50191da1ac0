"""Fluxes of magnets and of the world through the nodes of conductors, and the forces that go with them.

By reciprocity these are the same numbers, as of coils: the flux of dipoles m is sum m.B, B the field of the node for
1 A, which pulls each of them with grad (m.B), turns it with m x B, and acts on the conductor with the opposite. The
world's field acts on a source as on dipoles whose moments are its area.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.simd import where
from polhode.jit.vec import Triple, add, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.coils.windings.loop import of_loop
from polhode.physics.conductors.arrays import Conductors, ConductorWork
from polhode.physics.magnets.arrays import Dipoles, DipoleWork, WorldField
from polhode.physics.magnets.field_by_formula import field_by_formula, on_dipole
from polhode.physics.magnets.magnetic import world_field, world_field_rate
from polhode.physics.magnets.pair import pair

ZERO = (0.0, 0.0, 0.0)


@kernel
def of_ring(radius: float, area: Triple, r: Triple, moment: Triple, permeability: float) -> tuple[Triple, Triple]:
    """B [T/A] of a ring about `area` [m^2] at r [m] from its middle, and force [N/A] on a dipole `moment` [A m^2].

    r, moment: scalars or lanes
    """
    axis = scale(1.0 / (pi * radius * radius), area)
    z, along = dot(r, axis), dot(moment, axis)
    outward = subtract(r, scale(z, axis))
    square = dot(outward, outward)
    found = of_loop(radius, sqrt(square), z, permeability)
    q = where(square > 0.0, -(found.axial_rate + 2.0 * found.radial) / square, 0.0)
    radially = dot(moment, outward)
    field = add(scale(found.radial, outward), scale(found.axial, axis))
    pull = add(scale(found.radial, subtract(moment, scale(along, axis))), scale(q * radially, outward))
    more = add(scale(found.radial_rate * along, outward), scale(found.radial_rate * radially, axis))
    return field, add(add(pull, more), scale(found.axial_rate * along, axis))


@kernel
def of_source(radius: float, area: Triple, r: Triple, moment: Triple, permeability: float) -> tuple[Triple, Triple]:
    """B [T/A] of a source with `area` [m^2] at r [m] from it, and force [N/A] on a dipole `moment` [A m^2]; of a ring
    if its radius [m] is not 0. r and `moment` are scalars or lanes.
    """
    if radius > 0.0:
        return of_ring(radius, area, r, moment, permeability)
    _, field, opposite = pair(r, area, moment, permeability)
    return field, scale(-1.0, opposite)


@kernel
def on_magnet(
    radius: float, at: Triple, area: Triple, b: int, permeability: float, dipoles: Dipoles, dipole_work: DipoleWork
) -> tuple[float, Triple, Triple]:
    """Flux [Wb] of the dipoles of body b through a source at `at` [m], force [N/A] and torque [N m/A] on that body."""
    flux, force, torque = 0.0, ZERO, ZERO
    for k in range(dipoles.first[b], dipoles.first[b + 1]):
        moment, r = row(dipole_work.moment, k), subtract(row(dipole_work.position, k), at)
        field, pull = of_source(radius, area, r, moment, permeability)
        flux += dot(moment, field)
        force = add(force, pull)
        torque = add(torque, add(cross(moment, field), cross(row(dipole_work.arm, k), pull)))
    return flux, force, torque


@kernel
def clear_nodes(work: ConductorWork) -> None:
    """Set fluxes and forces of all nodes to 0."""
    for n in range(len(work.flux)):
        work.flux[n] = work.flux_rate[n] = 0.0
        for i in range(6):
            work.on_own[n, i] = 0.0
        for b in range(work.on_magnet.shape[1]):
            for i in range(6):
                work.on_magnet[n, b, i] = 0.0


@kernel
def couple_magnets(
    conductors: Conductors, dipoles: Dipoles, permeability: float, dipole_work: DipoleWork, work: ConductorWork
) -> None:
    """Add the fluxes of magnets of other bodies through all nodes, and the forces on them."""
    for c in range(len(conductors.body)):
        for i in range(conductors.first_source[c], conductors.first_source[c + 1]):
            at, area = row(work.position, i), row(work.area, i)
            for b in range(len(conductors.magnet)):
                if conductors.magnet[b] == conductors.body[c]:
                    continue
                flux, force, torque = on_magnet(
                    conductors.radius[i], at, area, conductors.magnet[b], permeability, dipoles, dipole_work
                )
                for k in range(3):
                    n, share = conductors.node[i, k], conductors.share[i, k]
                    if n != NOTHING:
                        work.flux[n] += share * flux
                        for axis in range(3):
                            work.on_magnet[n, b, axis] += share * force[axis]
                            work.on_magnet[n, b, 3 + axis] += share * torque[axis]


@kernel
def in_formula(
    conductors: Conductors, i: int, field: WorldField, time: float, arm: Triple, work: ConductorWork
) -> tuple[float, float, Triple, Triple]:
    """Flux [Wb] of the field by formulas through source i, its change with time [V], force [N/A] and torque [N m/A]
    about the point at -`arm` [m] from the source.
    """
    area, across = row(work.area, i), row(work.across, i)
    radius = conductors.radius[i]
    other = scale(1.0 / (pi * radius * radius), cross(area, across)) if radius > 0.0 else ZERO
    flux, rate, force, torque = 0.0, 0.0, ZERO, ZERO
    for p in range(len(conductors.disc)):
        part = conductors.disc[p, 2]
        inside = add(scale(conductors.disc[p, 0], across), scale(conductors.disc[p, 1], other))
        share = scale(part, area)
        at = add(row(work.position, i), inside)
        pull, turn, gained = on_dipole(field, at, share, time)
        flux += dot(share, field_by_formula(field, at, time))
        rate += gained
        force, torque = add(force, pull), add(torque, add(turn, cross(add(arm, inside), pull)))
    return flux, rate, force, torque


@kernel
def couple_world(
    conductors: Conductors, field: WorldField, time: float, body_work: BodyWork, work: ConductorWork
) -> None:
    """Add the flux of the world's field through all nodes, its change with time, and its forces on the conductors."""
    everywhere, everywhere_rate = world_field(field, time), world_field_rate(field, time)
    for c in range(len(conductors.body)):
        reference = row(body_work.position, conductors.body[c])
        for i in range(conductors.first_source[c], conductors.first_source[c + 1]):
            area = row(work.area, i)
            flux, rate = dot(area, everywhere), dot(area, everywhere_rate)
            force, torque = ZERO, cross(area, everywhere)
            if field.value.address != 0:
                arm = subtract(row(work.position, i), reference)
                more, faster, force, turn = in_formula(conductors, i, field, time, arm, work)
                flux, rate, torque = flux + more, rate + faster, add(torque, turn)
            for k in range(3):
                n, share = conductors.node[i, k], conductors.share[i, k]
                if n != NOTHING:
                    work.flux[n] += share * flux
                    work.flux_rate[n] += share * rate
                    for axis in range(3):
                        work.on_own[n, axis] += share * force[axis]
                        work.on_own[n, 3 + axis] += share * torque[axis]


@kernel
def relative_motion(of: np.ndarray, body_work: BodyWork, b: int, c: int, arm: Triple) -> float:
    """Power [W/A] of a force and a torque `of` (6,) on body b and of the opposite on body c, `arm` [m] before b."""
    turning = row(body_work.angular_velocity, c)
    moving = subtract(subtract(row(body_work.velocity, b), row(body_work.velocity, c)), cross(turning, arm))
    turned = subtract(row(body_work.angular_velocity, b), turning)
    return dot((of[0], of[1], of[2]), moving) + dot((of[3], of[4], of[5]), turned)


@kernel
def write_changes(conductors: Conductors, body_work: BodyWork, work: ConductorWork) -> None:
    """Write the changes of the fluxes through all nodes, by motion and with time."""
    for c in range(len(conductors.body)):
        carrier = conductors.body[c]
        velocity, turning = row(body_work.velocity, carrier), row(body_work.angular_velocity, carrier)
        for n in range(conductors.first_node[c], conductors.first_node[c + 1]):
            own = work.on_own[n]
            change = work.flux_rate[n] + dot((own[0], own[1], own[2]), velocity)
            work.change[n] = change + dot((own[3], own[4], own[5]), turning)
        for k in range(len(conductors.magnet)):
            b = conductors.magnet[k]
            if b != carrier:
                arm = subtract(row(body_work.position, b), row(body_work.position, carrier))
                for n in range(conductors.first_node[c], conductors.first_node[c + 1]):
                    work.change[n] += relative_motion(work.on_magnet[n, k], body_work, b, carrier, arm)
