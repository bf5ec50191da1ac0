"""Conductors beside coils: mutual inductances of nodes and coils, forces between their currents, and what each induces.

With M_ks of coil k and slow mode s, i_0s the current of the mode without those of coils,

    tau_s i_0s = lam_s - Phi_s        i_s = i_0s - sum M_ks I_k/tau_s
    Phi_k = Phi_0k + sum M_ks i_0s        L_kj = L_0kj - sum M_ks M_js/tau_s        U = U_coils + sum tau_s i_0s^2/2

so circuits are solved as without metal (coils/circuit.py). Fast modes follow the motion of coils and the
change of given currents at once; what they induce in coils is left out.
"""

from __future__ import annotations

from math import pi

import numpy as np

from polhode.engine.ledger import FIELD
from polhode.engine.model import NOTHING, Step
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, address_of, three_to
from polhode.jit.simd_rows import load_rows
from polhode.jit.vec import Triple, accumulate, add, combine, components, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.coils.arrays import DRIVEN, OPEN, Circuits, Coils, CoilWork
from polhode.physics.coils.circuit import power_of
from polhode.physics.coils.placement import position_of
from polhode.physics.coils.windings.field import field_and_force, is_polygon
from polhode.physics.coils.windings.loop import of_loop
from polhode.physics.conductors.arrays import Conductors, ConductorWork
from polhode.physics.conductors.coupled.ring_pairs import COAXIAL, of_loop_on_ring
from polhode.physics.conductors.flux import relative_motion
from polhode.physics.conductors.induction import through_mode, write_currents
from polhode.physics.conductors.polygons import of_ring_in_polygon

ZERO = (0.0, 0.0, 0.0)


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
def add_modes(conductors: Conductors, k: int, current: np.ndarray, coil_work: CoilWork, work: ConductorWork) -> None:
    """Add the contributions of slow modes, `current` (k,) [A], to the flux of coil k, and to its inductances with the
    coils whose row of `through` is written.
    """
    for c in range(len(conductors.body)):
        start = conductors.first_mode[c]
        for m in range(start, start + conductors.slow[c]):
            coil_work.flux[k] += work.through[k, m] * current[m]
            for j in range(len(work.through)):
                part = work.through[k, m] * work.through[j, m] / conductors.time_constant[m]
                coil_work.inductance[k, j] -= part
                if j != k:
                    coil_work.inductance[j, k] -= part


@kernel
def couple_to_modes(s: Step, k: int) -> None:
    """Mutual inductances of coil k with nodes and slow modes, and their changes; all is placed."""
    conductors, coils, work, bodies = s.model.conductors, s.model.coils, s.work.conductors, s.work.bodies
    couple_coil(coils, k, conductors, s.model.permeability, bodies, s.work.coils, work)
    write_mutual_rates(coils, k, conductors, bodies, work)
    for c in range(len(conductors.body)):
        start = conductors.first_mode[c]
        for m in range(start, start + conductors.slow[c]):
            work.through[k, m] = through_mode(conductors, c, m, work.mutual[k])


@kernel
def write_free(conductors: Conductors, linkages: np.ndarray, work: ConductorWork) -> None:
    """Write the currents of slow modes without those of coils; `linkages` (d,) [Wb] from the state."""
    at = 0
    for c in range(len(conductors.body)):
        start = conductors.first_mode[c]
        for m in range(start, start + conductors.slow[c]):
            flux = through_mode(conductors, c, m, work.flux)
            work.free[m] = (linkages[at] - flux) / conductors.time_constant[m]
            at += 1


@kernel
def add_coils(coils: Coils, circuits: Circuits, coil_work: CoilWork, work: ConductorWork) -> None:
    """Add the fluxes of coils through all nodes, and their changes: with and without those of given currents."""
    for n in range(len(work.flux)):
        work.moving[n] = work.change[n]
    for k in range(len(coils.body)):
        kind = circuits.kind[coils.circuit[k]]
        if kind == OPEN:
            continue
        current, rate = coil_work.current[k], coil_work.current_rate[k] if kind == DRIVEN else 0.0
        for n in range(len(work.flux)):
            work.flux[n] += work.mutual[k, n] * current
            moved = work.mutual_rate[k, n] * current
            work.moving[n] += moved
            work.change[n] += moved + work.mutual[k, n] * rate


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
    """Power [W] that fast modes take from given currents, whose linkages have those of slow modes only."""
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
                flux -= work.through[k, m] * work.current[m]
        power += flux * rate
    return power


@kernel
def induced_voltage(conductors: Conductors, k: int, work: ConductorWork) -> float:
    """Change [V] of the flux of slow modes through coil k for constant currents of coils."""
    voltage = 0.0
    for c in range(len(conductors.body)):
        start = conductors.first_mode[c]
        for m in range(start, start + conductors.slow[c]):
            current = work.current[m]
            voltage += current * through_mode(conductors, c, m, work.mutual_rate[k])
            rate = (-current - through_mode(conductors, c, m, work.moving)) / conductors.time_constant[m]
            voltage += work.through[k, m] * rate
    return voltage


@kernel
def write_mode_currents(s: Step) -> None:
    """The currents of all modes, once those of coils are known."""
    conductors = s.model.conductors
    add_coils(s.model.coils, s.model.circuits, s.work.coils, s.work.conductors)
    write_currents(conductors, s.state[conductors.at :], s.work.conductors)


@kernel
def forces_beside_coils(s: Step) -> None:
    """LAW: forces and torques of conductors and coils on each other, with the currents of all modes."""
    conductors, work = s.model.conductors, s.work.conductors
    write_mode_currents(s)
    load_coils(s.model.coils, conductors, s.work.bodies, s.work.coils, work)
    s.work.power[FIELD] -= power_of_sources(s.model.coils, conductors, s.work.coils, work)
