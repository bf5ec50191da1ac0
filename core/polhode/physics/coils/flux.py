"""Fluxes through coils, and the forces that go with them: by reciprocity the same numbers.

The flux of dipoles m through coil k is Phi_k = sum m.B_k, B_k the field of the coil for 1 A. A current I pulls a dipole
with I grad (m.B_k), turns it with I m x B_k, and acts on the coil's body with the opposite, so that momentum and
angular momentum are kept. The world's field acts on a coil as on the dipoles A n of the points of its discs.

The mutual inductance of two coils is M = sum A.dl over the elements of wire of the second one in the vector potential A
of the rings of the first, again for 1 A; force and torque on an element are its derivatives, grad (A.dl) and dl x A.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, address_of, any_lane, first_lanes, load_three, three_to
from polhode.jit.vec import Triple, add, combine, components, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.coils.arrays import Coils, CoilWork
from polhode.physics.coils.placement import position_of
from polhode.physics.coils.windings.field import field_and_force, is_polygon
from polhode.physics.coils.windings.loop import of_loop
from polhode.physics.coils.windings.segments import ends, potential_of_segment
from polhode.physics.magnets.arrays import Dipoles, DipoleWork, WorldField
from polhode.physics.magnets.field_by_formula import field_by_formula, on_dipole
from polhode.physics.magnets.magnetic import world_field, world_field_rate

ZERO = (0.0, 0.0, 0.0)


@kernel
def add_wrench(wrenches: np.ndarray, k: int, b: int, force: Triple, torque: Triple) -> None:
    """Add a force and a torque to `wrenches`[k, b] of (n, b, 6)."""
    for i in range(3):
        wrenches[k, b, i] += force[i]
        wrenches[k, b, 3 + i] += torque[i]


@kernel
def write_felt(coils: Coils, k: int, count: int, permeability: float, work: CoilWork) -> None:
    """Write the field of 1 A in coil k at the first `count` dipoles, and its force on them, into `felt`."""
    rows, felt, lanes, at = work.dipoles, work.felt, first_lanes(WIDTH), row(work.position, k)
    for i in range(0, count, WIDTH):
        r, moments = subtract(load_three(rows, 0, i, lanes), at), load_three(rows, 3, i, lanes)
        if not any_lane(dot(moments, moments) > 0.0):  # iron of dipoles before it has its moments
            three_to(address_of(felt, 0, i), 8 * felt.shape[1], moments)
            three_to(address_of(felt, 3, i), 8 * felt.shape[1], moments)
            continue
        fields, pulls = field_and_force(coils, work, k, r, moments, permeability)
        three_to(address_of(felt, 0, i), 8 * felt.shape[1], fields)
        three_to(address_of(felt, 3, i), 8 * felt.shape[1], pulls)


@kernel
def couple_magnets(
    coils: Coils, dipoles: Dipoles, permeability: float, body_work: BodyWork, dipole_work: DipoleWork, work: CoilWork
) -> None:
    """Write fluxes of the magnets of other bodies through all coils, and forces per ampere on all bodies and coils."""
    count, rows, felt = len(dipole_work.moment), work.dipoles, work.felt
    for i in range(count):
        for axis in range(3):
            rows[axis, i], rows[3 + axis, i] = dipole_work.position[i, axis], dipole_work.moment[i, axis]
    for k in range(len(coils.body)):
        carrier, reference = coils.body[k], position_of(coils, k, body_work)
        for b in range(work.on_body.shape[1]):
            for i in range(6):
                work.on_body[k, b, i] = 0.0
        write_felt(coils, k, count, permeability, work)
        flux, reaction, turning = 0.0, ZERO, ZERO
        for b in range(len(dipoles.first) - 1):
            if b == carrier or dipoles.first[b] == dipoles.first[b + 1]:
                continue
            force, torque, is_felt = ZERO, ZERO, False
            for i in range(dipoles.first[b], dipoles.first[b + 1]):
                moment = row(dipole_work.moment, i)
                if dot(moment, moment) == 0.0:
                    continue
                is_felt = True
                field, pull = (felt[0, i], felt[1, i], felt[2, i]), (felt[3, i], felt[4, i], felt[5, i])
                flux += dot(moment, field)
                force = add(force, pull)
                torque = add(torque, add(cross(moment, field), cross(row(dipole_work.arm, i), pull)))
            if not is_felt:
                continue
            add_wrench(work.on_body, k, b, force, torque)
            arm = subtract(row(body_work.position, b), reference)
            reaction = subtract(reaction, force)
            turning = subtract(turning, add(torque, cross(arm, force)))
        work.flux[k], work.flux_rate[k] = flux, 0.0
        for i in range(3):
            work.on_coil[k, i] = reaction[i]
        if carrier != NOTHING:
            add_wrench(work.on_body, k, carrier, reaction, turning)


@kernel
def couple_world(coils: Coils, field: WorldField, time: float, body_work: BodyWork, work: CoilWork) -> None:
    """Add the flux of the world's field through all coils, its change with time, and its forces per ampere."""
    everywhere, rate, by_formula = world_field(field, time), world_field_rate(field, time), field.value.address != 0
    for k in range(len(coils.body)):
        carrier, reference, axes = coils.body[k], position_of(coils, k, body_work), work.axes[k]
        e1, e2, axis = row(axes, 0), row(axes, 1), row(axes, 2)
        force, torque = ZERO, ZERO
        for p in range(coils.first_point[k], coils.first_point[k + 1]):
            area = combine((coils.point[p, 3], coils.point[p, 4], coils.point[p, 5]), e1, e2, axis)
            local = coils.point[p, 0], coils.point[p, 1], coils.point[p, 2]
            at = add(row(work.position, k), combine(local, e1, e2, axis))
            work.flux[k] += dot(area, everywhere)
            work.flux_rate[k] += dot(area, rate)
            torque = add(torque, cross(area, everywhere))
            if by_formula:
                pull, turn, gained = on_dipole(field, at, area, time)
                work.flux[k] += dot(area, field_by_formula(field, at, time))
                work.flux_rate[k] += gained
                force, torque = add(force, pull), add(torque, add(turn, cross(subtract(at, reference), pull)))
        for i in range(3):
            work.on_coil[k, i] += force[i]
        if carrier != NOTHING:
            add_wrench(work.on_body, k, carrier, force, torque)


@kernel
def couple_pair(coils: Coils, k: int, j: int, permeability: float, work: CoilWork) -> tuple[float, Triple, Triple]:
    """M [H] of the coils k and j, the force [N/A^2] on coil j, and the torque [N m/A^2] about the origin of the
    laboratory.
    """
    if not is_polygon(coils, k):
        return wire_beside_rings(coils, k, j, permeability, work)
    if is_polygon(coils, j):
        return wire_beside_polygon(coils, k, j, permeability, work)
    mutual, force, torque = wire_beside_rings(coils, j, k, permeability, work)
    return mutual, scale(-1.0, force), scale(-1.0, torque)


@kernel
def element_of(coils: Coils, j: int, n: int, k: int, work: CoilWork) -> tuple[Triple, Triple, Triple]:
    """Element of wire n of coil j: its position [m], laboratory frame, and in that of coil k; its vector [m], in that
    of coil k.
    """
    of_k, of_j, element = work.axes[k], work.axes[j], coils.element[n]
    e1, e2, axis = row(of_k, 0), row(of_k, 1), row(of_k, 2)
    f1, f2, other = row(of_j, 0), row(of_j, 1), row(of_j, 2)
    at = add(row(work.position, j), combine((element[0], element[1], element[2]), f1, f2, other))
    along = components(combine((element[3], element[4], element[5]), f1, f2, other), e1, e2, axis)
    return at, components(subtract(at, row(work.position, k)), e1, e2, axis), along


@kernel
def wire_beside_polygon(
    coils: Coils, k: int, j: int, permeability: float, work: CoilWork
) -> tuple[float, Triple, Triple]:
    """`couple_pair` of the elements of wire of coil j in the field of the pieces of coil k."""
    of_k = work.axes[k]
    e1, e2, axis = row(of_k, 0), row(of_k, 1), row(of_k, 2)
    mutual, force, torque = 0.0, ZERO, ZERO
    for n in range(coils.first_element[j], coils.first_element[j + 1]):
        at, x, along = element_of(coils, j, n, k, work)
        for s in range(coils.first_segment[k], coils.first_segment[k + 1]):
            p, q = ends(coils, s)
            found, pull, turn = potential_of_segment(p, q, x, along)
            mutual += found
            pull, turn = combine(pull, e1, e2, axis), combine(turn, e1, e2, axis)
            force, torque = add(force, pull), add(torque, add(turn, cross(at, pull)))
    strength = permeability / (4.0 * pi) * coils.turns[k]
    return strength * mutual, scale(strength, force), scale(strength, torque)


@kernel
def wire_beside_rings(
    coils: Coils, k: int, j: int, permeability: float, work: CoilWork
) -> tuple[float, Triple, Triple]:
    """`couple_pair` of the elements of wire of coil j in the field of the rings of coil k."""
    of_k = work.axes[k]
    e1, e2, axis = row(of_k, 0), row(of_k, 1), row(of_k, 2)
    mutual, force, torque = 0.0, ZERO, ZERO
    for n in range(coils.first_element[j], coils.first_element[j + 1]):
        at, (x, y, z), along = element_of(coils, j, n, k, work)
        square, across = x * x + y * y, x * along[1] - y * along[0]
        potential, pull = 0.0, ZERO
        for s in range(coils.first_ring[k], coils.first_ring[k + 1]):
            turns = coils.ring[s, 2]
            found = of_loop(coils.ring[s, 0], sqrt(square), z - coils.ring[s, 1], permeability)
            steep = (found.axial - 2.0 * found.potential) / square if square > 0.0 else 0.0
            potential += turns * found.potential
            grad = x * steep * across, y * steep * across, -found.radial * across
            pull = add(pull, scale(turns, grad))
        pull = pull[0] + potential * along[1], pull[1] - potential * along[0], pull[2]
        mutual += potential * across
        turn = cross(along, (-potential * y, potential * x, 0.0))
        pull, turn = combine(pull, e1, e2, axis), combine(turn, e1, e2, axis)
        force, torque = add(force, pull), add(torque, add(turn, cross(at, pull)))
    return mutual, force, torque


@kernel
def couple_coils(coils: Coils, permeability: float, body_work: BodyWork, work: CoilWork) -> None:
    """Write the mutual inductances of coils on different bodies, and forces and torques on the bodies of both."""
    for p in range(len(coils.pair)):
        k, j = coils.pair[p, 0], coils.pair[p, 1]
        mutual, force, torque = couple_pair(coils, k, j, permeability, work)
        work.inductance[k, j] = work.inductance[j, k] = mutual
        for side in range(2):
            sign = 2.0 * side - 1.0
            about = cross(position_of(coils, coils.pair[p, side], body_work), force)
            for i in range(3):
                work.on_pair[p, side, i] = sign * force[i]
                work.on_pair[p, side, 3 + i] = sign * (torque[i] - about[i])
