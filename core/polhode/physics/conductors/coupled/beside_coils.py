"""Conductors, soft iron and coils together: all currents and charges in one solution.

With the charges q_m of magnets and of the world, q_k of 1 A in a coil and q_s of 1 A in a slow mode,

    q = q_m + sum I_k q_k + sum I_s q_s        S q_s = -psi_s, and so for m and k
    Phi_s = Phi_0s - mu0 psi_s.q_m        M_ks = M_0ks - mu0 psi_s.q_k        L_st = L_0st - mu0 psi_s.q_t

of which iron/coils.py has what belongs to coils alone, and the phase LINK adds these: then modes are coils beside iron.
They are eliminated as without iron (conductors/coils.py), circuits solved, and the modes follow. Fast modes, which have
the change of the flux of q_m + sum I_k q_k in addition, are treated as without coils (iron.py).
"""

from __future__ import annotations

from polhode.engine.ledger import FIELD
from polhode.engine.model import Step
from polhode.jit.kernel import kernel
from polhode.physics.coils.circuit import clear_forces, have_to_be_known, power_of_forces
from polhode.physics.conductors.coils import (
    LEAST,
    SHIFT,
    add_coils,
    add_reactions,
    couple_open,
    decay,
    follow,
    has_fast_modes,
    power_of_metal,
)
from polhode.physics.conductors.coupled import mutual
from polhode.physics.conductors.coupled.arrays import place_elements, saturates_beside_modes
from polhode.physics.conductors.coupled.iron import add_charges, magnetise, write_fluxes_of_magnets, write_inductances
from polhode.physics.conductors.coupled.iron_rates import place_moving
from polhode.physics.conductors.coupled.linked import add_matrix
from polhode.physics.conductors.coupled.saturating import solve_for_given, write_without_modes
from polhode.physics.conductors.flux import write_changes
from polhode.physics.conductors.induction import write_currents
from polhode.physics.iron.coils import add_linkages, gather, use_differential
from polhode.physics.iron.coils import magnetise as attract
from polhode.physics.iron.forces import load_iron
from polhode.physics.iron.potentials import product
from polhode.physics.iron.resistive_coils import join
from polhode.physics.iron.solve import is_saturating


@kernel
def link(s: Step) -> None:
    """LINK: add what iron adds to inductances of slow modes, write what it adds to their fluxes and to their mutual
    inductances with coils; charges of magnets and of 1 A in each coil are known.
    """
    iron, work, eddy = s.model.iron, s.work.iron, s.work.eddy
    place_elements(s.work.conductors, eddy)
    place_moving(iron, s.state, s.work.bodies, work, eddy)
    if len(eddy.of_mode) == 0:
        return
    if eddy.is_moved[0]:
        write_inductances(s)
    add_matrix(eddy.by_iron, eddy.mutual)
    write_fluxes_of_magnets(s)


@kernel
def add_power(s: Step, sign: float) -> None:
    """Add the power [W] that the charges of all panels take from given currents that change, times `sign`."""
    iron, work = s.model.iron, s.work.iron
    for k in range(len(work.of_coil)):
        rate = s.work.coils.current_rate[k]
        if rate != 0.0:
            linkage = -s.model.permeability * product(0, len(iron.edge), work.of_coil[k : k + 1], work.charge)
            s.work.power[FIELD] -= sign * linkage * rate


@kernel
def add_power_of_modes(s: Step) -> None:
    """Take what slow modes have of that power, which is that of flux linkages of coils."""
    conductors, eddy = s.model.conductors, s.work.eddy
    for k in range(len(eddy.by_coils)):
        rate, d = s.work.coils.current_rate[k], 0
        for c in range(len(conductors.body) if rate != 0.0 else 0):
            for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
                s.work.power[FIELD] += eddy.by_coils[k, d] * s.work.conductors.current[m] * rate
                d += 1


@kernel
def forces(s: Step) -> None:
    """LAW: currents in all modes, all charges, and forces of conductors and iron on each other."""
    conductors = s.model.conductors
    gather(s.model.iron, s.work.coils.current, s.work.iron)
    add_power(s, -1.0)
    if saturates_beside_modes(s.model.iron, s.work.eddy):
        s.work.eddy.shift[:] = 0.0
    if has_fast_modes(conductors):
        if saturates_beside_modes(s.model.iron, s.work.eddy):
            write_without_modes(s)
        add_coils(s.model.coils, s.model.circuits, s.work.coils, s.work.conductors)
        add_charges(s)
    follow(s)
    write_currents(conductors, s.work.conductors)
    magnetise(s)
    add_power(s, 1.0)
    add_power_of_modes(s)


@kernel
def power(s: Step) -> float:
    """Power [W] of all forces on and of iron and metal, less that of the world's field, for the currents of coils as
    they are and those of slow modes that follow. Overwrites the forces on bodies.
    """
    conductors, bodies, iron = s.model.conductors, s.work.bodies, s.model.iron
    total = power_of_metal(s)
    clear_forces(bodies)
    before = s.work.power[FIELD]
    gather(iron, s.work.coils.current, s.work.iron)
    magnetise(s)
    attract(s)
    load_iron(
        iron,
        s.model.dipoles,
        s.inputs.field,
        s.model.permeability,
        s.time,
        s.state,
        bodies,
        s.work.dipoles,
        s.work.iron,
        s.work.power,
    )
    if len(conductors.body) > 1:
        mutual.forces(s)
    return total + before - s.work.power[FIELD] + power_of_forces(bodies)


@kernel
def begin_decay(s: Step) -> None:
    """Clear derivatives of flux linkages and of currents in slow modes with respect to those of coils, and keep these
    currents.
    """
    eddy = s.work.eddy
    s.work.iron.differential[:] = 0.0
    follow(s)
    for i in range(len(eddy.slow)):
        eddy.before[i] = s.work.conductors.current[eddy.slow[i]]
        for k in range(len(eddy.decay)):
            eddy.decay[k, i] = 0.0


@kernel
def add_decay(s: Step, k: int, factor: float) -> None:
    """Add the currents of slow modes, times `factor`, to their derivatives with respect to that of coil k."""
    eddy = s.work.eddy
    for i in range(len(eddy.slow)):
        eddy.decay[k, i] += factor * s.work.conductors.current[eddy.slow[i]]


@kernel
def add_decays(s: Step) -> None:
    """As `decay` where iron saturates: by d lam_k/d lam_s = -dI_s/dI_k at constant I_k and lam_s."""
    eddy = s.work.eddy
    for k in range(len(eddy.decay)):
        for i in range(len(eddy.slow)):
            s.work.coils.motional[k] += eddy.decay[k, i] * eddy.before[i]


@kernel
def induce(s: Step) -> None:
    """INDUCE: add the forces of iron and metal on coils, and the voltages that both induce in these."""
    conductors, work, coil_work, current = s.model.conductors, s.work.conductors, s.work.coils, s.work.coils.current
    couple_open(s)
    saturating = is_saturating(s.model.iron)
    if saturating:
        begin_decay(s)
    if saturating or have_to_be_known(s.model.coils, s.model.circuits):
        for n in range(len(work.change)):
            work.change[n] = 0.0  # no currents in fast modes, which coils do not feel
        for k in range(len(current)):
            own = current[k]
            shift = SHIFT * (abs(own) + LEAST)
            for side in (1.0, -1.0):
                current[k] = own + side * shift
                if saturating:
                    solve_for_given(s)
                coil_work.motional[k] += side * power(s) / (2.0 * shift)
                if saturating:
                    add_linkages(s, k, side / (2.0 * shift))
                    add_decay(s, k, side / (2.0 * shift))
            current[k] = own
        write_changes(conductors, s.work.bodies, work)
    if saturating:
        solve_for_given(s)
    forces(s)
    if saturating:
        add_decays(s)
    else:
        decay(s)
    attract(s)
    add_reactions(s)
    if saturating:
        use_differential(s)
    else:
        join(coil_work, s.work.iron)
    for k in range(len(current)):
        for i in range(3):
            coil_work.on_coil[k, i] += s.work.iron.reaction[k, i]
