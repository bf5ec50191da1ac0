"""Slow modes of conductors beside iron that saturates: charges, their currents and those of circuits in one solution.

With psi_s of 1 A in a slow mode, l the inductances of modes without iron, M of modes and coils, y = l^-1 M, and A the
response of the currents of circuits to fluxes Phi_k + M'i_0 at the inductances L - M'y (conductors/coils.py), the
currents depend linearly on the charges,

    I = I_0 + A dPhi      i = l^-1 (lam - Phi_0) - y I + mu0 l^-1 psi_s.q      dPhi_k = -mu0 (psi_k - y_s psi_s).q

which is one matrix K of all currents in the equations of iron/saturation/several_shapes_coils.py. Then all 1/chi are
known, and the iron is linear: charges of magnets, of 1 A in each coil, and of 1 A in each mode follow one by one.

Fast modes have the change of the flux of the iron without currents in slow ones, which is a solution of its own.
"""

from __future__ import annotations

from polhode.engine.model import Step
from polhode.engine.program import MAGNETISE, SATURATE, call_phase
from polhode.jit.cholesky import factorise, substitute
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, load, store
from polhode.physics.coils.arrays import OPEN
from polhode.physics.conductors.coils import (
    add_modes,
    couple_open,
    follow,
    has_fast_modes,
    write_free,
    write_through,
)
from polhode.physics.conductors.coupled.arrays import place_elements
from polhode.physics.conductors.coupled.iron import add_charges, write_by_iron, write_potentials_of_modes
from polhode.physics.conductors.coupled.iron_rates import place_moving
from polhode.physics.conductors.coupled.linked import add_matrix, reset_mutual, write_factor
from polhode.physics.conductors.induction import through_mode, write_excess
from polhode.physics.iron.mutual import place_panels
from polhode.physics.iron.potentials import subtract_product
from polhode.physics.iron.resistive_coils import write_linkages
from polhode.physics.iron.saturation.several_shapes import solve_linear, solve_saturated
from polhode.physics.iron.saturation.several_shapes_coils import copy_potentials, write_response
from polhode.physics.iron.solve import write_potential


@kernel
def write_modes_alone(s: Step) -> None:
    """Write the Cholesky factor of l, the currents i_0 of modes without those of coils and without iron, and y."""
    conductors, work, eddy = s.model.conductors, s.work.conductors, s.work.eddy
    for i in range(len(eddy.mutual)):
        for j in range(i + 1):
            eddy.factor[i, j] = eddy.mutual[i, j]
    factorise(eddy.factor)
    write_excess(conductors, s.state[conductors.at :], work, work.free)
    for i in range(len(eddy.slow)):
        eddy.alone[i] = work.current[eddy.slow[i]] if eddy.is_given[1] else work.free[eddy.slow[i]]
    if not eddy.is_given[1]:
        substitute(eddy.factor, eddy.alone)
    for k in range(len(eddy.answer)):
        is_open = s.model.circuits.kind[s.model.coils.circuit[k]] == OPEN
        for i in range(len(eddy.slow)):
            of_nodes = work.mutual[k]
            through = 0.0 if is_open else through_mode(conductors, eddy.owner[i], eddy.slow[i], of_nodes)
            eddy.coupling[k, i] = eddy.answer[k, i] = 0.0 if eddy.is_given[1] else through
        substitute(eddy.factor, eddy.answer[k])


@kernel
def write_circuits_alone(s: Step) -> None:
    """Write I_0 of coils, and K of these, with the modes that follow them but without iron."""
    coil_work, work, eddy, count = s.work.coils, s.work.iron, s.work.eddy, len(s.work.coils.current)
    for k in range(count):
        coil_work.flux[k] = work.flux[k]
        for i in range(len(eddy.slow)):
            coil_work.flux[k] += eddy.coupling[k, i] * eddy.alone[i]
        for j in range(count):
            coil_work.inductance[k, j] = work.inductance[k, j]
            for i in range(len(eddy.slow)):
                coil_work.inductance[k, j] -= eddy.coupling[k, i] * eddy.answer[j, i]
    write_response(s)


@kernel
def write_all_currents(s: Step) -> None:
    """Write I_0 and K of coils and of modes."""
    coils, work, eddy, permeability = s.work.coils, s.work.iron, s.work.eddy, s.model.permeability
    count, modes, gain, y = len(coils.current), len(eddy.slow), work.gain, eddy.answer
    gain[:] = 0.0
    if eddy.is_given[0]:
        for k in range(count):
            work.base_current[k] = coils.current[k]
    else:
        write_circuits_alone(s)
    for i in range(modes):
        work.base_current[count + i] = eddy.alone[i]
        for k in range(count):
            work.base_current[count + i] -= y[k, i] * work.base_current[k]
    if eddy.is_given[1]:
        return
    for i in range(modes):
        for j in range(modes):
            eddy.right[j] = 1.0 if j == i else 0.0
        substitute(eddy.factor, eddy.right)
        for k in range(count):
            for j in range(count):
                gain[k, count + i] -= gain[k, j] * y[j, i]
            gain[count + i, k] = gain[k, count + i]
        for j in range(modes):
            gain[count + i, count + j] = permeability * eddy.right[j]
    for i in range(modes):
        for j in range(modes):
            for k in range(count):
                gain[count + i, count + j] -= y[k, i] * gain[k, count + j]


@kernel
def solve_with_modes(s: Step) -> None:
    """SATURATE: charges of magnets and of 1 A in each coil and slow mode, with all currents but those that are given;
    inductances of modes without iron are written.
    """
    iron, work, eddy, coils = s.model.iron, s.work.iron, s.work.eddy, len(s.work.coils.current)
    total = work.amplitude[0:1]
    write_modes_alone(s)
    write_all_currents(s)
    copy_potentials(work)
    for i in range(len(eddy.slow)):
        for n in range(0, len(iron.edge), WIDTH):
            store(work.of_current, coils + i, n, None, load(eddy.potential_of_mode, i, n))
    for i in range(0, len(iron.edge), WIDTH):
        potential = load(work.potential, 0, i)
        for k in range(len(work.of_current)):
            potential = potential + work.base_current[k] * load(work.of_current, k, i)
        store(total, 0, i, None, potential)
    work.follows[0] = not (eddy.is_given[0] and eddy.is_given[1])
    solve_saturated(iron, total, work.of_magnets, work)
    work.follows[0] = False
    work.curvature[:] = 0.0
    solve_linear(iron, work.potential, work.of_magnets, work)
    for k in range(coils):
        solve_linear(iron, work.of_coil[k : k + 1], work.charge_of_coil[k : k + 1], work)
    for i in range(len(eddy.slow)):
        solve_linear(iron, eddy.potential_of_mode[i : i + 1], eddy.charge_of_mode[i : i + 1], work)
    if coils > 0:
        write_linkages(s)


@kernel
def link_modes(s: Step, with_modes: bool) -> None:
    """Solve for all charges, and add what iron adds to inductances and fluxes of slow modes; the currents of coils are
    given ones, and with `with_modes` those of modes, too, or none.
    """
    eddy, given = s.work.eddy, s.work.circuits.is_given[0]
    eddy.is_given[0], eddy.is_given[1] = given or not with_modes, given and with_modes
    call_phase(SATURATE, s.model, s.inputs, s.time, s.state, s.work, s.out)
    write_by_iron(s)
    add_matrix(eddy.by_iron, eddy.mutual)
    eddy.is_moved[0] = True  # the factor of these inductances has to be written


@kernel
def link_iron(s: Step) -> None:
    """LINK: fluxes of iron through slow modes and inductances of these; changes of its flux through nodes."""
    iron, work, eddy = s.model.iron, s.work.iron, s.work.eddy
    write_potential(
        iron,
        s.model.dipoles,
        s.inputs.field,
        s.model.permeability,
        s.time,
        s.state,
        s.work.bodies,
        s.work.dipoles,
        work,
    )
    place_elements(s.work.conductors, eddy)
    place_panels(iron, s.state, s.work.bodies, work)
    place_moving(iron, s.state, s.work.bodies, work, eddy)
    is_fast = has_fast_modes(s.model.conductors)
    if is_fast:
        call_phase(MAGNETISE, s.model, s.inputs, s.time, s.state, s.work, s.out)
        add_charges(s)
    if eddy.is_moved[0]:
        write_potentials_of_modes(s)
    link_modes(s, True)
    for i in range(len(iron.edge)):
        if not is_fast:
            work.charge[0, i] = work.of_magnets[0, i]
        eddy.shift[0, i] = work.of_magnets[0, i] - work.charge[0, i]


@kernel
def link_beside_coils(s: Step) -> None:
    """LINK: the same beside coils, without the changes, which are known once the currents of these are."""
    place_elements(s.work.conductors, s.work.eddy)
    place_moving(s.model.iron, s.state, s.work.bodies, s.work.iron, s.work.eddy)
    if s.work.eddy.is_moved[0]:
        write_potentials_of_modes(s)
    link_modes(s, True)


@kernel
def write_without_modes(s: Step) -> None:
    """Take from the charges, those of magnets and coils, what they are more than without currents in slow modes, and
    keep that; fast modes follow the rest.
    """
    iron, work, shift, end = s.model.iron, s.work.iron, s.work.eddy.shift, len(s.model.iron.edge)
    total = work.amplitude[0:1]
    for i in range(0, end, WIDTH):
        store(shift, 0, i, None, load(work.charge, 0, i))
        potential = load(work.potential, 0, i)
        for k in range(len(work.of_coil)):
            potential = potential + s.work.coils.current[k] * load(work.of_coil, k, i)
        store(total, 0, i, None, potential)
    solve_saturated(iron, total, work.charge, work)
    subtract_product(end, 1.0, work.charge, shift)


@kernel
def solve_for_given(s: Step) -> None:
    """Charges, fluxes and inductances of coils for their currents as they are, with the modes that follow, for outputs.

    Without slow modes the phase MAGNETISE has them.
    """
    eddy, work = s.work.eddy, s.work.conductors
    if len(eddy.slow) == 0:
        s.work.circuits.is_given[0] = True
        call_phase(MAGNETISE, s.model, s.inputs, s.time, s.state, s.work, s.out)
        s.work.circuits.is_given[0] = False
        return
    reset_mutual(s)
    add_matrix(eddy.by_metal, eddy.mutual)
    link_modes(s, False)
    write_factor(s)
    write_free(s)
    for k in range(len(eddy.answer)):
        for m in range(len(work.free)):
            work.through[k, m] = work.answer[k, m] = 0.0
    for k in range(len(eddy.answer)):
        if s.model.circuits.kind[s.model.coils.circuit[k]] != OPEN:
            write_through(s, k)
            add_modes(s, k)
    couple_open(s)
    follow(s)
