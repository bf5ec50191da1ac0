"""Slow modes of conductors of different bodies: mutual inductances, and the forces that go with them.

    M_kl = sum s_ki s_lj M_ij      F = I_k I_l dM_kl/dx      of elements i and j with the currents s for 1 A in a mode

M_ij is the flux of 1 A in one element through the other: of a dipole in the field of a dipole or of a ring, or of two
rings (coils.py). Currents of fast modes, and those that they induce, are left out.
"""

from __future__ import annotations

from polhode.engine.model import Step
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, first_lanes, load, load_three, reduce_sum, store
from polhode.jit.simd_rows import total_three
from polhode.jit.vec import Triple, accumulate, add, cross, dot, row, scale, subtract
from polhode.physics.coils.circuit import clear_forces, have_to_be_known, power_of_forces
from polhode.physics.conductors.arrays import Conductors, ConductorWork
from polhode.physics.conductors.coils import LEAST, SHIFT, follow
from polhode.physics.conductors.coupled.arrays import EddyWork, place_elements, write_element_currents
from polhode.physics.conductors.coupled.linked import add_matrix
from polhode.physics.conductors.coupled.ring_pairs import of_two_rings
from polhode.physics.conductors.flux import of_source
from polhode.physics.iron.solve import panel

ZERO = (0.0, 0.0, 0.0)


@kernel
def is_of_rings(conductors: Conductors, c: int) -> bool:
    """Whether conductor c is of rings."""
    return conductors.radius[conductors.first_source[c]] > 0.0


@kernel
def is_after(conductors: Conductors, b: int, c: int) -> bool:
    """Whether fluxes of conductor b through elements of c are taken, not the opposite: of rings through sheets."""
    if is_of_rings(conductors, b) == is_of_rings(conductors, c):
        return b < c
    return is_of_rings(conductors, b)


@kernel
def first_mode(conductors: Conductors, c: int) -> int:
    """Index of the first slow mode of conductor c among all slow modes."""
    total = 0
    for b in range(c):
        total += conductors.slow[b]
    return total


@kernel
def write_fluxes(
    b: int, c: int, conductors: Conductors, permeability: float, work: ConductorWork, eddy: EddyWork
) -> None:
    """Write the fluxes of 1 A in each slow mode of conductor b through the elements of conductor c into `through`."""
    everything, begin = first_lanes(WIDTH), first_mode(conductors, b)
    behind, two_rings = begin + conductors.slow[b], is_of_rings(conductors, c)
    for k in range(begin, behind):
        for i in range(eddy.first[c], eddy.first[c + 1]):
            eddy.through[k, i] = 0.0
    for j in range(eddy.first[b], eddy.end[b]):
        radius, at, area = conductors.radius[eddy.source[j]], panel(eddy.position, j), panel(eddy.area, j)
        if two_rings:
            for i in range(eddy.first[c], eddy.end[c]):
                mutual, _, _ = of_two_rings(eddy.source[j], eddy.source[i], conductors, permeability, work)
                for k in range(begin, behind):
                    eddy.through[k, i] += eddy.of_mode[k, j] * mutual
            continue
        for i in range(eddy.first[c], eddy.first[c + 1], WIDTH):
            other = load_three(eddy.area, 0, i, everything)
            r = subtract(load_three(eddy.position, 0, i, everything), at)
            flux = dot(other, of_source(radius, area, r, other, permeability)[0])
            for k in range(begin, behind):
                store(eddy.through, k, i, None, load(eddy.through, k, i) + eddy.of_mode[k, j] * flux)


@kernel
def write_mutual(b: int, c: int, conductors: Conductors, eddy: EddyWork) -> None:
    """Write the mutual inductances of the slow modes of conductors b and c; fluxes of b through c are written."""
    first, second = first_mode(conductors, b), first_mode(conductors, c)
    for k in range(first, first + conductors.slow[b]):
        for m in range(second, second + conductors.slow[c]):
            total = broadcast(0.0)
            for i in range(eddy.first[c], eddy.first[c + 1], WIDTH):
                total = total + load(eddy.through, k, i) * load(eddy.of_mode, m, i)
            eddy.by_metal[k, m] = eddy.by_metal[m, k] = reduce_sum(total)


@kernel
def link(s: Step) -> None:
    """LINK: add the mutual inductances of slow modes of different conductors."""
    conductors, eddy = s.model.conductors, s.work.eddy
    place_elements(s.work.conductors, eddy)
    for b in range(len(conductors.body) if eddy.is_moved[0] else 0):
        for c in range(len(conductors.body)):
            if b != c and is_after(conductors, b, c) and conductors.slow[b] * conductors.slow[c] > 0:
                write_fluxes(b, c, conductors, s.model.permeability, s.work.conductors, eddy)
                write_mutual(b, c, conductors, eddy)
    add_matrix(eddy.by_metal, eddy.mutual)


@kernel
def force_on(s: Step, b: int, c: int, reference: Triple) -> tuple[Triple, Triple]:
    """Force [N] and torque [N m] about `reference` [m] of slow modes of conductor b on those of conductor c."""
    conductors, eddy, permeability = s.model.conductors, s.work.eddy, s.model.permeability
    everything, zero = first_lanes(WIDTH), broadcast(0.0)
    force, torque = (zero, zero, zero), (zero, zero, zero)
    for i in range(eddy.first[c], eddy.first[c + 1], WIDTH):
        at, area = load_three(eddy.position, 0, i, everything), load_three(eddy.area, 0, i, everything)
        field = pull = (zero, zero, zero)
        for j in range(eddy.first[b], eddy.end[b]):
            r, amount = subtract(at, panel(eddy.position, j)), eddy.slow_current[0, j]
            radius = conductors.radius[eddy.source[j]]
            part, push = of_source(radius, panel(eddy.area, j), r, area, permeability)
            field, pull = add(field, scale(amount, part)), add(pull, scale(amount, push))
        current = load(eddy.slow_current, 0, i)
        field, pull = scale(current, field), scale(current, pull)
        force = add(force, pull)
        torque = add(torque, add(cross(area, field), cross(subtract(at, reference), pull)))
    return total_three(force), total_three(torque)


@kernel
def force_on_rings(s: Step, b: int, c: int, reference: Triple) -> tuple[Triple, Triple]:
    """The same of two conductors of rings."""
    eddy, work = s.work.eddy, s.work.conductors
    force, torque = ZERO, ZERO
    for i in range(eddy.first[c], eddy.end[c]):
        pull, turn = ZERO, ZERO
        for j in range(eddy.first[b], eddy.end[b]):
            _, push, twist = of_two_rings(
                eddy.source[j], eddy.source[i], s.model.conductors, s.model.permeability, work
            )
            pull = add(pull, scale(eddy.slow_current[0, j], push))
            turn = add(turn, scale(eddy.slow_current[0, j], twist))
        current, arm = eddy.slow_current[0, i], subtract(panel(eddy.position, i), reference)
        force = add(force, scale(current, pull))
        torque = add(torque, scale(current, add(turn, cross(arm, pull))))
    return force, torque


@kernel
def power(s: Step) -> float:
    """Power [W] of these forces, for the currents of coils as they are. Overwrites the forces on bodies."""
    clear_forces(s.work.bodies)
    follow(s)
    forces(s)
    return power_of_forces(s.work.bodies)


@kernel
def induce(s: Step) -> None:
    """INDUCE: add the voltages that the motion of conductors past each other induces in coils."""
    coil_work, current = s.work.coils, s.work.coils.current
    if not have_to_be_known(s.model.coils, s.model.circuits):
        return
    for k in range(len(current)):
        own = current[k]
        shift = SHIFT * (abs(own) + LEAST)
        for side in (1.0, -1.0):
            current[k] = own + side * shift
            coil_work.motional[k] += side * power(s) / (2.0 * shift)
        current[k] = own
    follow(s)


@kernel
def forces(s: Step) -> None:
    """LAW: forces and torques of slow modes of different conductors on each other; all currents are known."""
    conductors, bodies = s.model.conductors, s.work.bodies
    write_element_currents(conductors, s.work.conductors, s.work.eddy)
    for b in range(len(conductors.body)):
        for c in range(len(conductors.body)):
            if b == c or not is_after(conductors, b, c) or conductors.slow[b] * conductors.slow[c] == 0:
                continue
            one, other = conductors.body[b], conductors.body[c]
            reference = row(bodies.position, other)
            if is_of_rings(conductors, c):
                force, torque = force_on_rings(s, b, c, reference)
            else:
                force, torque = force_on(s, b, c, reference)
            accumulate(bodies.force, other, force)
            accumulate(bodies.torque, other, torque)
            about = add(torque, cross(subtract(reference, row(bodies.position, one)), force))
            accumulate(bodies.force, one, scale(-1.0, force))
            accumulate(bodies.torque, one, scale(-1.0, about))
