"""Conductors beside coils: mutual inductances of nodes and coils, forces between their currents, and what each induces.

With l the inductances of slow modes, diagonal for one conductor without iron, M of modes (rows) and coils, and i_0 the
currents of modes without those of coils,

    l i_0 = lam - Phi        l y = M        i = i_0 - y I
    Phi_k = Phi_0k + M'i_0        L = L_0 - M'y        U = U_coils + 1/2 i_0.l i_0

so circuits are solved as without metal (coils/circuit.py), and both together. Fast modes follow the motion of coils and
the change of given currents at once; what they induce in coils is left out.

For outputs, the change of the flux linkage of a coil for constant currents of coils is the derivative of the power of
all forces with respect to its current, while the modes follow at constant linkages, less y.i by which these decay.
"""

from __future__ import annotations

from math import pi, sqrt

from polhode.engine.ledger import FIELD
from polhode.engine.model import NOTHING, Step
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, address_of, three_to
from polhode.jit.simd_rows import load_rows
from polhode.jit.vec import Triple, accumulate, add, combine, components, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.coils.arrays import DRIVEN, DYNAMIC, OPEN, Circuits, Coils, CoilWork
from polhode.physics.coils.circuit import clear_forces, have_to_be_known, power_of, power_of_forces
from polhode.physics.coils.placement import position_of
from polhode.physics.coils.windings.field import field_and_force, is_polygon
from polhode.physics.coils.windings.loop import of_loop
from polhode.physics.conductors.arrays import Conductors, ConductorWork
from polhode.physics.conductors.coupled.linked import divide_by_inductance, is_linked, subtract_by_iron
from polhode.physics.conductors.coupled.ring_pairs import COAXIAL, of_loop_on_ring
from polhode.physics.conductors.flux import relative_motion, write_changes
from polhode.physics.conductors.induction import load_bodies, through_mode, write_currents, write_excess
from polhode.physics.conductors.polygons import of_ring_in_polygon

ZERO = (0.0, 0.0, 0.0)
SHIFT, LEAST = 1e-3, 0.1  # change of a current for a derivative, in proportion to it; of one below LEAST [A]


@kernel
def of_coaxial_ring(
    coils: Coils, k: int, radius: float, height: float, axis: Triple, permeability: float
) -> tuple[float, Triple]:
    """M [H] of coil k and a coaxial ring, and the force [N/A^2] on the ring; `axis` of the coil, against that of the
    ring if the radius is negative.
    """
    potential, radial, across = 0.0, 0.0, 2.0 * pi * radius * abs(radius)
    for s in range(coils.first_ring[k], coils.first_ring[k + 1]):
        found = of_loop(coils.ring[s, 0], abs(radius), height - coils.ring[s, 1], permeability)
        potential += coils.ring[s, 2] * found.potential
        radial += coils.ring[s, 2] * found.radial
    return potential * across, scale(-radial * across, axis)


@kernel
def of_ring(
    coils: Coils, k: int, i: int, conductors: Conductors, permeability: float, coil_work: CoilWork, work: ConductorWork
) -> tuple[float, Triple, Triple]:
    """M [H] of coil k and ring i, the force [N/A^2] on the ring, and the torque [N m/A^2] about its middle."""
    axes, radius, across = coil_work.axes[k], conductors.radius[i], row(work.across, i)
    e1, e2, axis = row(axes, 0), row(axes, 1), row(axes, 2)
    if is_polygon(coils, k):
        return of_ring_in_polygon(coils, k, i, conductors, permeability, coil_work, work)
    normal = scale(1.0 / (pi * radius * radius), row(work.area, i))
    middle = components(subtract(row(work.position, i), row(coil_work.position, k)), e1, e2, axis)
    u, w = components(across, e1, e2, axis), components(cross(normal, across), e1, e2, axis)
    if abs(middle[0]) + abs(middle[1]) + abs(u[2]) + abs(w[2]) < COAXIAL * radius:
        signed = radius if dot(normal, axis) > 0.0 else -radius
        mutual, force = of_coaxial_ring(coils, k, signed, middle[2], axis, permeability)
        return mutual, force, ZERO
    total, force, torque = 0.0, ZERO, ZERO
    for s in range(coils.first_ring[k], coils.first_ring[k + 1]):
        from_loop = middle[0], middle[1], middle[2] - coils.ring[s, 1]
        mutual, pull, turn = of_loop_on_ring(coils.ring[s, 0], from_loop, u, w, conductors.circle, permeability)
        turns = coils.ring[s, 2]
        total, force, torque = total + turns * mutual, add(force, scale(turns, pull)), add(torque, scale(turns, turn))
    return total, combine(force, e1, e2, axis), combine(torque, e1, e2, axis)


@kernel
def write_coil_field(coils: Coils, k: int, permeability: float, coil_work: CoilWork, work: ConductorWork) -> None:
    """Write the field of coil k for 1 A at all sources, and its force on their areas as dipoles, into `felt`."""
    at, count = row(coil_work.position, k), len(work.position)
    for i in range(0, count, WIDTH):
        left = min(WIDTH, count - i)
        area = load_rows(work.area, i, left)
        r = subtract(load_rows(work.position, i, left), at)
        fields, pulls = field_and_force(coils, coil_work, k, r, area, permeability)
        three_to(address_of(work.felt, 0, i), 8 * work.felt.shape[1], fields)
        three_to(address_of(work.felt, 3, i), 8 * work.felt.shape[1], pulls)


@kernel
def couple_coil(
    coils: Coils,
    k: int,
    conductors: Conductors,
    permeability: float,
    body_work: BodyWork,
    coil_work: CoilWork,
    work: ConductorWork,
) -> None:
    """Write the mutual inductances of coil k with all nodes, and forces and torques on their bodies."""
    for n in range(len(work.flux)):
        work.mutual[k, n] = 0.0
        for axis in range(6):
            work.on_node[k, n, axis] = 0.0
    if conductors.dipoles > 0:
        write_coil_field(coils, k, permeability, coil_work, work)
    for c in range(len(conductors.body)):
        reference = row(body_work.position, conductors.body[c])
        for i in range(conductors.first_source[c], conductors.first_source[c + 1]):
            arm = subtract(row(work.position, i), reference)
            if conductors.radius[i] > 0.0:
                mutual, force, torque = of_ring(coils, k, i, conductors, permeability, coil_work, work)
            else:
                area, field = row(work.area, i), (work.felt[0, i], work.felt[1, i], work.felt[2, i])
                force = work.felt[3, i], work.felt[4, i], work.felt[5, i]
                mutual, torque = dot(area, field), cross(area, field)
            torque = add(torque, cross(arm, force))
            for part in range(3):
                n, share = conductors.node[i, part], conductors.share[i, part]
                if n != NOTHING:
                    work.mutual[k, n] += share * mutual
                    for axis in range(3):
                        work.on_node[k, n, axis] += share * force[axis]
                        work.on_node[k, n, 3 + axis] += share * torque[axis]


@kernel
def write_mutual_rates(coils: Coils, k: int, conductors: Conductors, body_work: BodyWork, work: ConductorWork) -> None:
    """Write the changes of the mutual inductances of coil k with all nodes by motion."""
    carrier = coils.body[k]
    for c in range(len(conductors.body)):
        b = conductors.body[c]
        for n in range(conductors.first_node[c], conductors.first_node[c + 1]):
            rate, of = 0.0, work.on_node[k, n]
            if carrier == NOTHING:
                rate = power_of(of, body_work, b)
            elif carrier != b:
                arm = subtract(row(body_work.position, b), row(body_work.position, carrier))
                rate = relative_motion(of, body_work, b, carrier, arm)
            work.mutual_rate[k, n] = rate


@kernel
def add_modes(s: Step, k: int) -> None:
    """Add the contributions of slow modes to the flux of coil k, and to its inductances with coils whose `answer` is
    written, as that of coil k becomes.
    """
    conductors, coil_work, work = s.model.conductors, s.work.coils, s.work.conductors
    for m in range(len(work.free)):
        work.answer[k, m] = work.through[k, m]
    divide_by_inductance(s, work.answer[k])
    for c in range(len(conductors.body)):
        start = conductors.first_mode[c]
        for m in range(start, start + conductors.slow[c]):
            coil_work.flux[k] += work.through[k, m] * work.free[m]
            for j in range(len(work.through)):
                part = work.through[k, m] * work.answer[j, m]
                coil_work.inductance[k, j] -= part
                if j != k:
                    coil_work.inductance[j, k] -= part
    if coil_work.inductance[k, k] <= 0.0 and s.model.circuits.kind[s.model.coils.circuit[k]] == DYNAMIC:
        write_failed(conductors, k, coil_work, work)


@kernel
def write_failed(conductors: Conductors, k: int, coil_work: CoilWork, work: ConductorWork) -> None:
    """Write the coupling of coil k with the conductor that takes most of its inductance, more than all of it."""
    most, lost = 0.0, 0.0
    for c in range(len(conductors.body)):
        part = 0.0
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            part += work.through[k, m] * work.answer[k, m]
        lost += part
        if part > most:
            most = part
            work.failed[0], work.failed[1] = k, c
    work.failed[2] = sqrt(lost / (coil_work.inductance[k, k] + lost))


@kernel
def couple_to_nodes(s: Step, k: int) -> None:
    """Mutual inductances of coil k with nodes, and their changes; all is placed."""
    conductors, coils, work, bodies = s.model.conductors, s.model.coils, s.work.conductors, s.work.bodies
    couple_coil(coils, k, conductors, s.model.permeability, bodies, s.work.coils, work)
    write_mutual_rates(coils, k, conductors, bodies, work)


@kernel
def write_through(s: Step, k: int) -> None:
    """Mutual inductances of coil k with slow modes; those with nodes are known."""
    conductors, work, d, linked = s.model.conductors, s.work.conductors, 0, is_linked(s)
    for c in range(len(conductors.body)):
        start = conductors.first_mode[c]
        for m in range(start, start + conductors.slow[c]):
            by_iron = s.work.eddy.by_coils[k, d] if linked else 0.0
            work.through[k, m], d = through_mode(conductors, c, m, work.mutual[k]) + by_iron, d + 1


@kernel
def write_free(s: Step) -> None:
    """Write the currents of slow modes without those of coils; fluxes without these are known."""
    conductors, work = s.model.conductors, s.work.conductors
    write_excess(conductors, s.state[conductors.at :], work, work.free)
    if is_linked(s):
        subtract_by_iron(s, work.free)
    divide_by_inductance(s, work.free)


@kernel
def follow(s: Step) -> None:
    """Write the currents of slow modes for those of coils."""
    conductors, work, current = s.model.conductors, s.work.conductors, s.work.coils.current
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            total = work.free[m]
            for k in range(len(current)):
                total -= work.answer[k, m] * current[k]
            work.current[m] = total


@kernel
def has_fast_modes(conductors: Conductors) -> bool:
    """Whether any conductor has modes that are no states."""
    for c in range(len(conductors.body)):
        if conductors.slow[c] < conductors.first_node[c + 1] - conductors.first_node[c]:
            return True
    return False


@kernel
def couple_open(s: Step) -> None:
    """Couple coils without a current, for outputs."""
    for k in range(len(s.model.coils.body)):
        if s.model.circuits.kind[s.model.coils.circuit[k]] == OPEN:
            couple_to_nodes(s, k)
            write_through(s, k)
            add_modes(s, k)


@kernel
def add_coils(coils: Coils, circuits: Circuits, coil_work: CoilWork, work: ConductorWork) -> None:
    """Add the changes of the fluxes of coils through all nodes."""
    for k in range(len(coils.body)):
        kind = circuits.kind[coils.circuit[k]]
        if kind == OPEN:
            continue
        current, rate = coil_work.current[k], coil_work.current_rate[k] if kind == DRIVEN else 0.0
        for n in range(len(work.flux)):
            work.change[n] += work.mutual_rate[k, n] * current + work.mutual[k, n] * rate


@kernel
def load_coils(
    coils: Coils, conductors: Conductors, body_work: BodyWork, coil_work: CoilWork, work: ConductorWork
) -> None:
    """Add the forces of coils on conductors, and the opposite ones on the coils."""
    for k in range(len(coils.body)):
        carrier, current, total = coils.body[k], coil_work.current[k], ZERO
        for c in range(len(conductors.body)):
            b = conductors.body[c]
            if b == carrier or current == 0.0:
                continue
            force, torque = ZERO, ZERO
            for n in range(conductors.first_node[c], conductors.first_node[c + 1]):
                product, of = current * work.node_current[n], work.on_node[k, n]
                force = add(force, scale(product, (of[0], of[1], of[2])))
                torque = add(torque, scale(product, (of[3], of[4], of[5])))
            accumulate(body_work.force, b, force)
            accumulate(body_work.torque, b, torque)
            total = subtract(total, force)
            if carrier != NOTHING:
                arm = subtract(row(body_work.position, b), position_of(coils, k, body_work))
                accumulate(body_work.force, carrier, scale(-1.0, force))
                accumulate(body_work.torque, carrier, scale(-1.0, add(torque, cross(arm, force))))
        for axis in range(3):
            work.reaction[k, axis] = total[axis]


@kernel
def power_of_sources(coils: Coils, conductors: Conductors, coil_work: CoilWork, work: ConductorWork) -> float:
    """Power [W] that fast modes take from given currents, whose linkages have slow ones only; without iron."""
    power = 0.0
    for k in range(len(coils.body)):
        rate, flux = coil_work.current_rate[k], 0.0
        if rate == 0.0:
            continue
        for n in range(len(work.node_current)):
            flux += work.mutual[k, n] * work.node_current[n]
        for c in range(len(conductors.body)):
            start = conductors.first_mode[c]
            for m in range(start, start + conductors.slow[c]):
                flux -= through_mode(conductors, c, m, work.mutual[k]) * work.current[m]
        power += flux * rate
    return power


@kernel
def write_mode_currents(s: Step) -> None:
    """The currents of all modes, once those of coils are known; without iron."""
    add_coils(s.model.coils, s.model.circuits, s.work.coils, s.work.conductors)
    follow(s)
    write_currents(s.model.conductors, s.work.conductors)


@kernel
def power_of_metal(s: Step) -> float:
    """Power [W] of the forces of magnets, of the world and of coils on conductors, less that of the world's field, for
    the currents of coils as they are and those of slow modes that follow. Overwrites the forces on bodies.
    """
    conductors, bodies, work, before = s.model.conductors, s.work.bodies, s.work.conductors, s.work.power[FIELD]
    clear_forces(bodies)
    follow(s)
    write_currents(conductors, work)
    load_bodies(conductors, bodies, work, s.work.power)
    load_coils(s.model.coils, conductors, bodies, s.work.coils, work)
    return before - s.work.power[FIELD] + power_of_forces(bodies)


@kernel
def decay(s: Step) -> None:
    """Add the voltages that the decay of slow modes induces in coils; all currents are known."""
    conductors, work = s.model.conductors, s.work.conductors
    for k in range(len(work.answer)):
        for c in range(len(conductors.body)):
            for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
                s.work.coils.motional[k] -= work.answer[k, m] * work.current[m]


@kernel
def add_reactions(s: Step) -> None:
    """Add the forces of coils on conductors, and those of conductors to the ones on coils."""
    work, coil_work = s.work.conductors, s.work.coils
    load_coils(s.model.coils, s.model.conductors, s.work.bodies, coil_work, work)
    for k in range(len(coil_work.current)):
        for i in range(3):
            coil_work.on_coil[k, i] += work.reaction[k, i]


@kernel
def induce(s: Step) -> None:
    """INDUCE: add the forces of conductors on coils, and the voltages that motion and slow modes induce in these."""
    work, coil_work, current = s.work.conductors, s.work.coils, s.work.coils.current
    couple_open(s)
    if have_to_be_known(s.model.coils, s.model.circuits):
        for n in range(len(work.change)):
            work.change[n] = 0.0  # no currents in fast modes, which coils do not feel
        for k in range(len(current)):
            own = current[k]
            shift = SHIFT * (abs(own) + LEAST)
            for side in (1.0, -1.0):
                current[k] = own + side * shift
                coil_work.motional[k] += side * power_of_metal(s) / (2.0 * shift)
            current[k] = own
        write_changes(s.model.conductors, s.work.bodies, work)
    write_mode_currents(s)
    decay(s)
    add_reactions(s)


@kernel
def forces_beside_coils(s: Step) -> None:
    """LAW: forces and torques of conductors and coils on each other, with the currents of all modes."""
    conductors, work = s.model.conductors, s.work.conductors
    if s.work.eddy.charge.shape[1] == 0:  # else the law of conductors and iron has written these
        write_mode_currents(s)
    load_coils(s.model.coils, conductors, s.work.bodies, s.work.coils, work)
    s.work.power[FIELD] -= power_of_sources(s.model.coils, conductors, s.work.coils, work)
