"""Soft iron beside coils: what each adds to the other, in one solve.

The field of coils is given by its fluxes b through panels, as a wire has no single potential: psi = -N b. With b_k for
1 A in coil k, psi_k = -N b_k, and psi_m of magnets and of the world,

    q = q_m + sum I_k q_k        S q_m = -psi_m        S q_k = -psi_k
    Phi_k = Phi_0k - mu0 psi_k.q_m        L_kj = L_0kj - mu0 psi_k.q_j

Iron only adds inductance. The field of coils acts on the moments u A n of panels, u = N q, as on dipoles, and they act
on the coil with the opposite: these forces are the derivatives of -U at constant flux linkages (coils/circuit.py).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import FIELD
from polhode.engine.model import NOTHING, Step
from polhode.engine.program import MAGNETISE, call_phase
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, first_lanes, load, load_three, store
from polhode.jit.simd_rows import total_three
from polhode.jit.vec import Triple, accumulate, add, combine, cross, dot, put, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.coils.arrays import Coils, CoilWork
from polhode.physics.coils.circuit import clear_forces, have_to_be_known, linkage, power_of_forces
from polhode.physics.coils.placement import position_of
from polhode.physics.coils.windings.field import field_and_gradient, turned_by
from polhode.physics.conductors.coupled.arrays import saturates_beside_modes
from polhode.physics.iron.arrays import Iron, IronWork
from polhode.physics.iron.forces import load_iron
from polhode.physics.iron.mutual import place_panels
from polhode.physics.iron.potentials import multiply_all
from polhode.physics.iron.resistive_coils import add_power, join, keep_base, write_linkages
from polhode.physics.iron.saturation.one_shape_coils import respond_saturated
from polhode.physics.iron.solve import is_by_modes, is_saturating, panel, solve_charges, write_potential

SHIFT, LEAST = 1e-3, 0.1  # change of a current for a derivative, in proportion to it; of one below LEAST [A]


@kernel
def place_areas(iron: Iron, state: np.ndarray, work: IronWork) -> None:
    """Write the vector areas of all panels, laboratory frame."""
    for a in range(len(iron.body)):
        u1, u2, u3 = read_basis(state, iron.body[a])
        for i in range(iron.first[a], iron.first[a + 1]):
            work.area[0, i], work.area[1, i], work.area[2, i] = combine(panel(iron.area, i), u1, u2, u3)


@kernel
def write_fields(coils: Coils, iron: Iron, permeability: float, coil_work: CoilWork, work: IronWork) -> None:
    """Write the fields of all coils for 1 A at panels, and their potentials -N b."""
    everything, inverse = first_lanes(WIDTH), -1.0 / permeability
    for k in range(len(coils.body)):
        at = row(coil_work.position, k)
        for i in range(0, len(iron.edge), WIDTH):
            r = subtract(load_three(work.position, 0, i, everything), at)
            field, gradient = field_and_gradient(coils, coil_work, k, r, permeability)
            for axis in range(3):
                store(work.field, 9 * k + axis, i, None, field[axis])
                store(work.field, 9 * k + 3 + axis, i, None, gradient[0][axis])
                store(work.field, 9 * k + 6 + axis, i, None, gradient[1][axis])
            store(work.inner, 0, i, None, inverse * dot(field, load_three(work.area, 0, i, everything)))
        multiply_all(iron, iron.from_flux, work.inner, work.of_coil[k : k + 1])


@kernel
def respond(s: Step) -> None:
    """Write the charges of magnets and of 1 A in each coil, and add to fluxes and inductances of coils."""
    iron, work = s.model.iron, s.work.iron
    solve_charges(iron, work.potential, work.of_magnets, work)
    for k in range(len(work.of_coil)):
        solve_charges(iron, work.of_coil[k : k + 1], work.charge_of_coil[k : k + 1], work)
    write_linkages(s)


@kernel
def respond_saturating(s: Step) -> None:
    """As `respond` for iron that saturates."""
    if is_by_modes(s.work.iron):
        respond_saturated(s)
    else:
        call_phase(MAGNETISE, s.model, s.inputs, s.time, s.state, s.work, s.out)


@kernel
def gather(iron: Iron, current: np.ndarray, work: IronWork) -> None:
    """Write the charges of all panels for the currents (c,) [A] of coils, and their potential u."""
    for i in range(0, len(iron.edge), WIDTH):
        total = load(work.of_magnets, 0, i)
        for k in range(len(current)):
            total = total + current[k] * load(work.charge_of_coil, k, i)
        store(work.charge, 0, i, None, total)
    multiply_all(iron, iron.from_flux, work.charge, work.inner)


@kernel
def couple(s: Step) -> None:
    """COUPLE: add fluxes and inductances by iron to those of coils; charges of magnets and of 1 A in each coil."""
    iron, coils, work, coil_work = s.model.iron, s.model.coils, s.work.iron, s.work.coils
    permeability = s.model.permeability
    place_panels(iron, s.state, s.work.bodies, work)
    place_areas(iron, s.state, work)
    write_potential(
        iron, s.model.dipoles, s.inputs.field, permeability, s.time, s.state, s.work.bodies, s.work.dipoles, work
    )
    write_fields(coils, iron, permeability, coil_work, work)
    keep_base(coil_work, work)
    if not is_saturating(iron):
        respond(s)
    elif s.work.circuits.is_given[0] or not saturates_beside_modes(iron, s.work.eddy):
        respond_saturating(s)
    if s.work.circuits.is_given[0]:
        gather(iron, coil_work.current, work)


@kernel
def on_iron(iron: Iron, k: int, a: int, reference: Triple, work: IronWork) -> tuple[Triple, Triple]:
    """Force [N/A] and torque [N m/A] about `reference` [m] of 1 A in coil k on iron a, laboratory frame."""
    everything, zero = first_lanes(WIDTH), broadcast(0.0)
    force = torque = (zero, zero, zero)
    for i in range(iron.first[a], iron.first[a + 1], WIDTH):
        place = load_three(work.position, 0, i, everything)
        moment = scale(load(work.inner, 0, i), load_three(work.area, 0, i, everything))
        field = load_three(work.field, 9 * k, i, everything)
        gradient = load_three(work.field, 9 * k + 3, i, everything), load_three(work.field, 9 * k + 6, i, everything)
        pull = turned_by(gradient, moment)
        force = add(force, pull)
        torque = add(torque, add(cross(moment, field), cross(subtract(place, reference), pull)))
    return total_three(force), total_three(torque)


@kernel
def load_bodies(coils: Coils, iron: Iron, body_work: BodyWork, coil_work: CoilWork, work: IronWork) -> None:
    """Add the forces of coils on the iron of other bodies, and the opposite ones on the coils."""
    for k in range(len(coils.body)):
        carrier, current, total = coils.body[k], coil_work.current[k], (0.0, 0.0, 0.0)
        for a in range(len(iron.body)):
            own = iron.body[a]
            if own == carrier:
                continue
            reference = row(body_work.position, own)
            force, torque = on_iron(iron, k, a, reference, work)
            force, torque = scale(current, force), scale(current, torque)
            accumulate(body_work.force, own, force)
            accumulate(body_work.torque, own, torque)
            total = subtract(total, force)
            if carrier != NOTHING:
                about = add(torque, cross(subtract(reference, position_of(coils, k, body_work)), force))
                accumulate(body_work.force, carrier, scale(-1.0, force))
                accumulate(body_work.torque, carrier, scale(-1.0, about))
        put(work.reaction, k, total)


@kernel
def attract(s: Step) -> None:
    """LAW: forces and torques of coils and iron on each other, and power of changing currents."""
    magnetise(s)
    add_power(s)


@kernel
def magnetise(s: Step) -> None:
    """Charges of all panels, and forces and torques of coils and iron on each other."""
    iron, work = s.model.iron, s.work.iron
    if s.work.eddy.charge.shape[1] == 0:
        gather(iron, s.work.coils.current, work)
    else:  # the law of conductors and iron has written the charges, with those of currents in metal
        multiply_all(iron, iron.from_flux, work.charge, work.inner)
    load_bodies(s.model.coils, s.model.iron, s.work.bodies, s.work.coils, s.work.iron)


@kernel
def power_of_iron(s: Step) -> float:
    """Power [W] of all forces on and of iron, less that of the world's field, for the currents of coils as they are.

    Overwrites the forces on bodies.
    """
    iron, bodies, work = s.model.iron, s.work.bodies, s.work.iron
    if is_saturating(iron):
        respond_saturating(s)
    clear_forces(bodies)
    before = s.work.power[FIELD]
    magnetise(s)
    load_iron(
        iron,
        s.model.dipoles,
        s.inputs.field,
        s.model.permeability,
        s.time,
        s.state,
        bodies,
        s.work.dipoles,
        work,
        s.work.power,
    )
    return before - s.work.power[FIELD] + power_of_forces(bodies)


@kernel
def add_linkages(s: Step, j: int, factor: float) -> None:
    """Add the flux linkages of all coils, times `factor`, to column j of `differential`."""
    work = s.work.coils
    for k in range(len(work.current)):
        found = linkage(k, work.flux, work.inductance, work.current)
        s.work.iron.differential[k, j] += factor * found


@kernel
def use_differential(s: Step) -> None:
    """Take the derivatives of flux linkages as the inductances of coils, and fluxes with which the linkages are as
    they were.
    """
    work, count = s.work.coils, len(s.work.coils.current)
    for k in range(count):
        work.flux[k] = linkage(k, work.flux, work.inductance, work.current)
        for j in range(count):
            work.inductance[k, j] = s.work.iron.differential[k, j]
            work.flux[k] -= work.inductance[k, j] * work.current[j]


@kernel
def induce(s: Step) -> None:
    """INDUCE: add the forces of iron on coils, and the voltages that moving iron induces in them.

    The voltage for constant currents is the derivative of the power of all forces with respect to the current. Of iron
    that saturates inductances are derivatives, too, those of flux linkages.
    """
    current, coil_work, given = s.work.coils.current, s.work.coils, s.work.circuits.is_given
    saturating = is_saturating(s.model.iron)
    given[0] = True
    if saturating or have_to_be_known(s.model.coils, s.model.circuits):
        for k in range(len(current)):
            own = current[k]
            shift = SHIFT * (abs(own) + LEAST)
            for j in range(len(current)):
                s.work.iron.differential[j, k] = 0.0
            for side in (1.0, -1.0):
                current[k] = own + side * shift
                coil_work.motional[k] += side * power_of_iron(s) / (2.0 * shift)
                add_linkages(s, k, side / (2.0 * shift))
            current[k] = own
    power_of_iron(s)
    if saturating:
        use_differential(s)
    else:
        join(coil_work, s.work.iron)
    given[0] = False
    for k in range(len(current)):
        for i in range(3):
            coil_work.on_coil[k, i] += s.work.iron.reaction[k, i]
