"""Conductors beside soft iron: fluxes, inductances, and forces.

By its panels with the moments u A n the iron acts on the sources of a conductor as dipoles do, and with those its flux
changes as the panels move and u changes. With psi_I = -N b of all currents, and psi_k, I_k of slow modes,

    Phi = Phi_0 - mu0 psi.q        L_kj = tau_k delta_kj - mu0 psi_k.q_j        S q_I = -psi_I        S q_k = -psi_k

and q_I joins the charges that act on magnets and on the world. So F = sum I dPhi/dx + 1/2 sum I_k I_j dL_kj/dx and the
power of all of it is that of the heat, of the world's field, and of the field of slow modes. Products of the currents
of fast modes with those of others are left out, as their inductances are. Iron that saturates does so together with
slow modes (saturating.py).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Step
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, first_lanes, load, load_three, reduce_sum, store
from polhode.jit.simd_rows import total_three
from polhode.jit.vec import Triple, accumulate, add, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.conductors.coupled.arrays import (
    EddyWork,
    add_to_nodes,
    place_elements,
    saturates_beside_modes,
    write_element_currents,
)
from polhode.physics.conductors.coupled.iron_rates import respond, write_charge_rates
from polhode.physics.conductors.coupled.linked import add_matrix
from polhode.physics.conductors.flux import of_source
from polhode.physics.iron.arrays import Iron, IronWork
from polhode.physics.iron.mutual import load_pairs, place_panels
from polhode.physics.iron.part import solve as solve_iron
from polhode.physics.iron.potentials import multiply_all, product, subtract_product
from polhode.physics.iron.solve import panel, solve_charges

ZERO = (0.0, 0.0, 0.0)


@kernel
def write_motion(iron: Iron, carrier: int, body_work: BodyWork, work: IronWork, eddy: EddyWork) -> None:
    """Write moments of panels, their changes and velocities in the frame of the body `carrier` of a conductor."""
    middle, turning = row(body_work.position, carrier), row(body_work.angular_velocity, carrier)
    for a in range(len(iron.body)):
        spin = subtract(row(body_work.angular_velocity, iron.body[a]), turning)
        for i in range(iron.first[a], iron.first[a + 1]):
            area = panel(eddy.panel_area, i)
            moment = scale(eddy.inner[0, i], area)
            rate = add(scale(eddy.inner_rate[0, i], area), cross(spin, moment))
            seen = subtract(panel(eddy.panel_velocity, i), row(body_work.velocity, carrier))
            seen = subtract(seen, cross(turning, subtract(panel(work.position, i), middle)))
            for axis in range(3):
                eddy.moment[axis, i], eddy.moment_rate[axis, i] = moment[axis], rate[axis]
                eddy.slip[axis, i] = seen[axis]


@kernel
def flux_of_iron(
    radius: float, at: Triple, area: Triple, permeability: float, work: IronWork, eddy: EddyWork
) -> tuple[float, float]:
    """Flux [Wb] of all panels through a source at `at` [m], and its change [V]."""
    everything, flux, change = first_lanes(WIDTH), broadcast(0.0), broadcast(0.0)
    for i in range(0, work.position.shape[1], WIDTH):
        moment, r = load_three(eddy.moment, 0, i, everything), subtract(load_three(work.position, 0, i, everything), at)
        field, pull = of_source(radius, area, r, moment, permeability)
        flux = flux + dot(field, moment)
        moved = dot(field, load_three(eddy.moment_rate, 0, i, everything))
        change = change + moved + dot(pull, load_three(eddy.slip, 0, i, everything))
    return reduce_sum(flux), reduce_sum(change)


@kernel
def add_fluxes(s: Step) -> None:
    """Add the fluxes of all iron through nodes, and their changes; the changes of u are known."""
    conductors, iron, work, eddy = s.model.conductors, s.model.iron, s.work.conductors, s.work.eddy
    for c in range(len(conductors.body)):
        write_motion(iron, conductors.body[c], s.work.bodies, s.work.iron, eddy)
        for k in range(eddy.first[c], eddy.end[c]):
            radius, at, area = conductors.radius[eddy.source[k]], panel(eddy.position, k), panel(eddy.area, k)
            flux, change = flux_of_iron(radius, at, area, s.model.permeability, s.work.iron, eddy)
            if saturates_beside_modes(iron, eddy):
                flux = 0.0  # which slow modes have already
            add_to_nodes(k, flux, change, conductors, work, eddy)


@kernel
def add_charges(s: Step) -> None:
    """Add the fluxes of the charges of all iron through nodes, and their changes, at constant currents."""
    iron, work, eddy = s.model.iron, s.work.iron, s.work.eddy
    write_charge_rates(s)
    multiply_all(iron, iron.from_flux, work.charge, eddy.inner)
    multiply_all(iron, iron.from_flux, eddy.charge_rate, eddy.inner_rate)
    add_fluxes(s)


@kernel
def link_iron(s: Step) -> None:
    """LINK: add fluxes of iron through nodes, their changes, and inductances of slow modes."""
    iron, work, eddy = s.model.iron, s.work.iron, s.work.eddy
    solve_iron(s)
    place_elements(s.work.conductors, eddy)
    place_panels(iron, s.state, s.work.bodies, work)
    add_charges(s)
    if len(eddy.of_mode) > 0:
        if eddy.is_moved[0]:
            write_inductances(s)
        add_matrix(eddy.by_iron, eddy.mutual)


@kernel
def write_potentials_of_modes(s: Step) -> None:
    """Write the potentials of 1 A in each slow mode at panels."""
    conductors, iron, eddy = s.model.conductors, s.model.iron, s.work.eddy
    everything, end, modes = first_lanes(WIDTH), len(iron.edge), len(eddy.of_mode)
    for k in range(modes):
        for i in range(end):
            eddy.charge_of_mode[k, i] = 0.0
    zero, inverse = broadcast(0.0), -1.0 / s.model.permeability
    for j in range(len(eddy.source)):
        at, area, radius = panel(eddy.position, j), panel(eddy.area, j), conductors.radius[eddy.source[j]]
        for i in range(0, end, WIDTH):
            r = subtract(load_three(s.work.iron.position, 0, i, everything), at)
            field, _ = of_source(radius, area, r, (zero, zero, zero), s.model.permeability)
            flux = inverse * dot(field, load_three(eddy.panel_area, 0, i, everything))
            for k in range(modes):
                share = eddy.of_mode[k, j]
                if share != 0.0:
                    store(eddy.charge_of_mode, k, i, None, load(eddy.charge_of_mode, k, i) + share * flux)
    for k in range(modes):
        multiply_all(iron, iron.from_flux, eddy.charge_of_mode[k : k + 1], eddy.potential_of_mode[k : k + 1])


@kernel
def write_inductances(s: Step) -> None:
    """Write the inductances of slow modes by iron, with the charges of 1 A in each."""
    eddy, end = s.work.eddy, len(s.model.iron.edge)
    write_potentials_of_modes(s)
    for k in range(len(eddy.of_mode)):
        own, charge = eddy.potential_of_mode[k : k + 1], eddy.charge_of_mode[k : k + 1]
        solve_charges(s.model.iron, own, charge, s.work.iron)
    for k in range(len(eddy.of_mode)):
        for j in range(k + 1):
            one, other = eddy.potential_of_mode[k : k + 1], eddy.charge_of_mode[j : j + 1]
            eddy.by_iron[k, j] = eddy.by_iron[j, k] = -s.model.permeability * product(0, end, one, other)


@kernel
def write_fluxes_of_magnets(s: Step) -> None:
    """Write the fluxes of the iron through slow modes, of the charges of magnets and of 1 A in each coil."""
    eddy, work, end, factor = s.work.eddy, s.work.iron, len(s.model.iron.edge), -s.model.permeability
    for d in range(len(eddy.of_mode)):
        own = eddy.potential_of_mode[d : d + 1]
        eddy.by_magnets[d] = factor * product(0, end, own, work.of_magnets)
        for k in range(len(work.charge_of_coil)):
            eddy.by_coils[k, d] = factor * product(0, end, own, work.charge_of_coil[k : k + 1])


@kernel
def write_by_iron(s: Step) -> None:
    """Write the inductances of slow modes by iron, and its fluxes through them; all charges are known."""
    eddy, end, factor = s.work.eddy, len(s.model.iron.edge), -s.model.permeability
    for k in range(len(eddy.of_mode)):
        for j in range(k + 1):
            one, other = eddy.potential_of_mode[k : k + 1], eddy.charge_of_mode[j : j + 1]
            eddy.by_iron[k, j] = eddy.by_iron[j, k] = factor * product(0, end, one, other)
    write_fluxes_of_magnets(s)


@kernel
def on_iron(s: Step, c: int, a: int, current: np.ndarray, reference: Triple) -> tuple[Triple, Triple]:
    """Force [N] and torque [N m] about `reference` [m] of currents (1, e) of the elements of conductor c on the moments
    of iron a; adds the fluxes through its panels to `threaded`.
    """
    conductors, eddy, permeability = s.model.conductors, s.work.eddy, s.model.permeability
    everything, zero = first_lanes(WIDTH), broadcast(0.0)
    force = torque = (zero, zero, zero)
    for i in range(s.model.iron.first[a], s.model.iron.first[a + 1], WIDTH):
        place, moment = load_three(s.work.iron.position, 0, i, everything), load_three(eddy.moment, 0, i, everything)
        field = pull = (zero, zero, zero)
        for j in range(eddy.first[c], eddy.end[c]):
            radius, amount = conductors.radius[eddy.source[j]], current[0, j]
            r = subtract(place, panel(eddy.position, j))
            part, push = of_source(radius, panel(eddy.area, j), r, moment, permeability)
            field, pull = add(field, scale(amount, part)), add(pull, scale(amount, push))
        flux = dot(field, load_three(eddy.panel_area, 0, i, everything))
        store(eddy.threaded, 0, i, None, load(eddy.threaded, 0, i) + flux / permeability)
        force = add(force, pull)
        torque = add(torque, add(cross(moment, field), cross(subtract(place, reference), pull)))
    return total_three(force), total_three(torque)


@kernel
def load_both(s: Step, current: np.ndarray) -> None:
    """Add the forces of currents (1, e) of elements and of the moments of panels on each other; write `threaded`."""
    conductors, iron, bodies, eddy = s.model.conductors, s.model.iron, s.work.bodies, s.work.eddy
    for i in range(len(iron.edge)):
        eddy.threaded[0, i] = 0.0
    for c in range(len(conductors.body)):
        carrier = conductors.body[c]
        for a in range(len(iron.body)):
            own, reference = iron.body[a], row(bodies.position, iron.body[a])
            force, torque = on_iron(s, c, a, current, reference)
            if own == carrier:
                continue
            accumulate(bodies.force, own, force)
            accumulate(bodies.torque, own, torque)
            about = add(torque, cross(subtract(reference, row(bodies.position, carrier)), force))
            accumulate(bodies.force, carrier, scale(-1.0, force))
            accumulate(bodies.torque, carrier, scale(-1.0, about))


@kernel
def write_moments(charge: np.ndarray, iron: Iron, eddy: EddyWork) -> None:
    """Write the moments u A n of charges (1, n)."""
    multiply_all(iron, iron.from_flux, charge, eddy.inner)
    for i in range(len(iron.edge)):
        for axis in range(3):
            eddy.moment[axis, i] = eddy.inner[0, i] * eddy.panel_area[axis, i]


@kernel
def load_iron_pairs(iron: Iron, factor: float, charge: np.ndarray, body_work: BodyWork, work: IronWork) -> None:
    """Add the forces of charges (1, n) of different bodies of iron on each other, times factor/mu0."""
    if len(iron.body) == 1:
        return
    for i in range(len(iron.edge)):
        work.step[0, i], work.charge[0, i] = work.charge[0, i], charge[0, i]
    load_pairs(iron, factor, body_work, work)
    for i in range(len(iron.edge)):
        work.charge[0, i] = work.step[0, i]


@kernel
def magnetise(s: Step) -> None:
    """Add the charges that currents in conductors induce, and the forces of conductors and iron on each other; all
    currents are known. Those of all charges on magnets, on the world and on each other are the law of iron.
    """
    iron, work, eddy, permeability = s.model.iron, s.work.iron, s.work.eddy, s.model.permeability
    end = len(iron.edge)
    write_element_currents(s.model.conductors, s.work.conductors, eddy)
    write_moments(work.charge, iron, eddy)
    load_both(s, eddy.current)
    multiply_all(iron, iron.from_flux, eddy.threaded, eddy.potential)
    subtract_product(end, 2.0, eddy.potential, eddy.potential)
    with_modes = saturates_beside_modes(iron, eddy)
    for k in range(len(eddy.slow) if with_modes else 0):
        current = s.work.conductors.current[eddy.slow[k]]
        subtract_product(end, current, eddy.potential_of_mode[k : k + 1], eddy.potential)
    respond(s, eddy.potential, eddy.charge)
    if with_modes:
        add_charges_of_modes(s)
    subtract_product(end, -1.0, eddy.charge, work.charge)
    load_iron_pairs(iron, -permeability, eddy.charge, s.work.bodies, work)
    if len(eddy.of_mode) > 0:
        add_slow(s)


@kernel
def add_charges_of_modes(s: Step) -> None:
    """Add the charges that slow modes induce to `charge`."""
    eddy, end = s.work.eddy, len(s.model.iron.edge)
    subtract_product(end, -1.0, eddy.shift, eddy.charge)
    for k in range(len(eddy.slow)):
        current = s.work.conductors.current[eddy.slow[k]]
        subtract_product(end, -current, eddy.charge_of_mode[k : k + 1], eddy.charge)


@kernel
def add_slow(s: Step) -> None:
    """Add the forces of slow modes on the charges that they induce themselves."""
    iron, eddy = s.model.iron, s.work.eddy
    for i in range(len(iron.edge)):
        eddy.charge[0, i] = 0.0
    add_charges_of_modes(s)
    load_iron_pairs(iron, s.model.permeability, eddy.charge, s.work.bodies, s.work.iron)
    write_moments(eddy.charge, iron, eddy)
    load_both(s, eddy.slow_current)
