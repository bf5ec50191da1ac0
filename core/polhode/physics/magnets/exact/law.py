"""Forces, torques and energies of magnets by closed forms.

The charges q of one magnet are in the field H of another one, whose surface is integrated in closed form:

    U = mu0 w sum q psi      F = mu0 w sum q H      T = mu0 w sum r' x q H      the other magnet feels the opposite

w is 1, or 1/2 with the sum over the charges of the other one in the field of this one. F = -dU/dx, to rounding;
momentum and angular momentum are kept, since H depends on the positions in the frame of its magnet alone. Where a
surface is entered, inside.py continues H.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import inlined, kernel
from polhode.jit.simd import WIDTH, broadcast, first_lanes, load, load_three, reduce_sum
from polhode.jit.simd_rows import total_three
from polhode.jit.vec import Triple, accumulate, add, combine, components, cross, put, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.magnets.arrays import DipoleWork
from polhode.physics.magnets.exact.arrays import ExactMagnets, ExactWork
from polhode.physics.magnets.exact.cuboid import of_cuboid
from polhode.physics.magnets.exact.cylinder import field_of_cylinder, potential_of_cylinder
from polhode.physics.magnets.exact.inside import in_cuboid, in_cylinder
from polhode.physics.magnets.exact.solids import AXES, CENTER, CUBOID, KIND, MAGNETISATION, SIZE, three
from polhode.physics.magnets.pair_blocks import add_all_pairs


@kernel
def place_exact(exact: ExactMagnets, state: np.ndarray, body_work: BodyWork, work: ExactWork) -> None:
    """PLACE: positions of charges, and middles and axes of solids, laboratory frame; bodies must have been placed."""
    charge, position = exact.charge, work.position
    for g in range(len(exact.carrier)):
        b = exact.carrier[g]
        u1, u2, u3 = read_basis(state, b)
        at = row(body_work.position, b)
        for i in range(exact.first[g], exact.first[g + 1]):
            x = add(at, combine((charge[0, i], charge[1, i], charge[2, i]), u1, u2, u3))
            position[0, i], position[1, i], position[2, i] = x
    for s in range(len(exact.owner)):
        b = exact.owner[s]
        u1, u2, u3 = read_basis(state, b)
        put(work.center, s, add(row(body_work.position, b), combine(three(exact.solid, s, CENTER), u1, u2, u3)))
        for k in range(3):
            put(work.axes[s], k, combine(three(exact.solid, s, AXES + 3 * k), u1, u2, u3))


@kernel
def by_cuboid(exact: ExactMagnets, work: ExactWork, s: int, g: int, reference: Triple) -> tuple[Triple, Triple]:
    """sum q H and sum (x - reference) x q H [A^2, A^2 m] of a group g in the field of a cuboid s."""
    axes, center = work.axes[s], row(work.center, s)
    e1, e2, e3 = row(axes, 0), row(axes, 1), row(axes, 2)
    half, magnetisation = three(exact.solid, s, SIZE), three(exact.solid, s, MAGNETISATION)
    force = torque = (0.0, 0.0, 0.0)
    for i in range(exact.first[g], exact.first[g + 1]):
        if exact.charge[3, i] == 0.0:
            continue
        x = work.position[0, i], work.position[1, i], work.position[2, i]
        local = components(subtract(x, center), e1, e2, e3)
        field = add(of_cuboid(local, half, magnetisation)[1], in_cuboid(local, half, magnetisation)[1])
        pull = scale(exact.charge[3, i], combine(field, e1, e2, e3))
        force, torque = add(force, pull), add(torque, cross(subtract(x, reference), pull))
    return force, torque


@kernel
def by_cylinder(exact: ExactMagnets, work: ExactWork, s: int, g: int, reference: Triple) -> tuple[Triple, Triple]:
    """The same of a cylinder s, eight charges at a time."""
    axes, center, lanes = work.axes[s], row(work.center, s), first_lanes(WIDTH)
    e1, e2, e3 = row(axes, 0), row(axes, 1), row(axes, 2)
    (a, half, inner), magnetisation = three(exact.solid, s, SIZE), three(exact.solid, s, MAGNETISATION)
    zero = broadcast(0.0)
    force = torque = (zero, zero, zero)
    for i in range(exact.first[g], exact.first[g + 1], WIDTH):
        x = load_three(work.position, 0, i, lanes)
        local = components(subtract(x, center), e1, e2, e3)
        field = add(
            field_of_cylinder(local, a, half, magnetisation), in_cylinder(local, a, half, inner, magnetisation)[1]
        )
        pull = scale(load(exact.charge, 3, i), combine(field, e1, e2, e3))
        force, torque = add(force, pull), add(torque, cross(subtract(x, reference), pull))
    return total_three(force), total_three(torque)


@kernel
def load_exact(exact: ExactMagnets, permeability: float, body_work: BodyWork, work: ExactWork) -> None:
    """Add forces and torques of all pairs of a magnet and the charges of another body to both bodies."""
    for p in range(len(exact.weight)):
        s, g = exact.pair[p, 0], exact.pair[p, 1]
        a, b = exact.owner[s], exact.carrier[g]
        reference = row(body_work.position, b)
        if exact.solid[s, KIND] == CUBOID:
            force, torque = by_cuboid(exact, work, s, g, reference)
        else:
            force, torque = by_cylinder(exact, work, s, g, reference)
        strength = permeability * exact.weight[p]
        force, torque = scale(strength, force), scale(strength, torque)
        about = add(torque, cross(subtract(reference, row(body_work.position, a)), force))
        accumulate(body_work.force, b, force)
        accumulate(body_work.torque, b, torque)
        accumulate(body_work.force, a, scale(-1.0, force))
        accumulate(body_work.torque, a, scale(-1.0, about))


@kernel
def energy_by_cuboid(exact: ExactMagnets, work: ExactWork, s: int, g: int) -> float:
    """sum q psi [A^2 m] of a group g in the field of a cuboid s."""
    axes, center = work.axes[s], row(work.center, s)
    e1, e2, e3 = row(axes, 0), row(axes, 1), row(axes, 2)
    half, magnetisation = three(exact.solid, s, SIZE), three(exact.solid, s, MAGNETISATION)
    total = 0.0
    for i in range(exact.first[g], exact.first[g + 1]):
        x = work.position[0, i], work.position[1, i], work.position[2, i]
        local = components(subtract(x, center), e1, e2, e3)
        found = of_cuboid(local, half, magnetisation)[0] + in_cuboid(local, half, magnetisation)[0]
        total += exact.charge[3, i] * found
    return total


@kernel
def energy_by_cylinder(exact: ExactMagnets, work: ExactWork, s: int, g: int) -> float:
    """The same of a cylinder s, eight charges at a time."""
    axes, center, lanes = work.axes[s], row(work.center, s), first_lanes(WIDTH)
    e1, e2, e3 = row(axes, 0), row(axes, 1), row(axes, 2)
    (a, half, inner), magnetisation = three(exact.solid, s, SIZE), three(exact.solid, s, MAGNETISATION)
    total = broadcast(0.0)
    for i in range(exact.first[g], exact.first[g + 1], WIDTH):
        local = components(subtract(load_three(work.position, 0, i, lanes), center), e1, e2, e3)
        found = potential_of_cylinder(local, a, half, magnetisation)
        found = found + in_cylinder(local, a, half, inner, magnetisation)[0]
        total = total + load(exact.charge, 3, i) * found
    return reduce_sum(total)


@kernel
def exact_energy(exact: ExactMagnets, permeability: float, work: ExactWork) -> float:
    """ENERGY: U [J] of all pairs of a magnet and the charges of another body."""
    energy = 0.0
    for p in range(len(exact.weight)):
        s, g = exact.pair[p, 0], exact.pair[p, 1]
        if exact.solid[s, KIND] == CUBOID:
            found = energy_by_cuboid(exact, work, s, g)
        else:
            found = energy_by_cylinder(exact, work, s, g)
        energy += permeability * exact.weight[p] * found
    return energy


@inlined
def add_pairs_of_others(exact: ExactMagnets, permeability: float, dipole_work: DipoleWork, work: ExactWork) -> None:
    """Add fields and forces of all pairs of the dipoles that no closed form replaces."""
    sums, others = work.sums, exact.others
    for k in range(len(others)):
        put(sums.position, k, row(dipole_work.position, others[k]))
        put(sums.moment, k, row(dipole_work.moment, others[k]))
        put(sums.field, k, (0.0, 0.0, 0.0))
        put(sums.force, k, (0.0, 0.0, 0.0))
    add_all_pairs(0, len(others), permeability, sums.first, sums)
    for k in range(len(others)):
        accumulate(dipole_work.field, others[k], row(sums.field, k))
        accumulate(dipole_work.force, others[k], row(sums.force, k))
