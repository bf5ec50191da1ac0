"""Several shapes of iron that saturate beside coils: the charges, and the currents of circuits, in one solution.

With psi_k the potential of 1 A in coil k, the flux of the charges through it is -mu0 psi_k.q, on which the currents of
circuits depend linearly,

    I_k = I_0k + sum_j K_kj psi_j.q

so that the equations of several_shapes.py have sum I_0k psi_k more in psi, and sum psi_k K_kj psi_j more in G. Then
all 1/chi are known, and the iron is linear: the charges of magnets and of 1 A in each coil follow one by one.
"""

from __future__ import annotations

from polhode.engine.model import Step
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, load, store
from polhode.physics.coils.circuit import add_up, pass_on, write_currents
from polhode.physics.iron.arrays import IronWork
from polhode.physics.iron.resistive_coils import set_inductance, write_linkages
from polhode.physics.iron.saturation.several_shapes import solve_linear, solve_saturated


@kernel
def currents_of(s: Step) -> None:
    """Write the currents of coils for their fluxes and inductances."""
    coils, circuits, work = s.model.coils, s.model.circuits, s.work.circuits
    add_up(coils, circuits, s.state, s.work.coils, work)
    write_currents(circuits, s.state[circuits.at :], work)
    pass_on(coils, s.work.coils, work)


@kernel
def write_response(s: Step) -> None:
    """Write I_0 into the currents of coils, and K [1/m] of these, for the fluxes and inductances of coils."""
    work, coil_work, count = s.work.iron, s.work.coils, len(s.work.coils.current)
    currents_of(s)
    for k in range(count):
        work.base_current[k], work.base_flux[k] = coil_work.current[k], coil_work.flux[k]
    for j in range(count):
        change = work.inductance[j, j]  # a flux of about 1 A
        coil_work.flux[j] = work.base_flux[j] + change
        currents_of(s)
        coil_work.flux[j] = work.base_flux[j]
        for k in range(count):
            work.gain[k, j] = -s.model.permeability * (coil_work.current[k] - work.base_current[k]) / change
    for k in range(count):
        coil_work.current[k] = work.base_current[k]


@kernel
def write_gain(s: Step) -> None:
    """Write I_0 into the currents of coils, and K [1/m], which is 0 where the currents are given."""
    work, coil_work = s.work.iron, s.work.coils
    work.gain[:] = 0.0
    if s.work.circuits.is_given[0]:
        return
    for k in range(len(coil_work.current)):
        coil_work.flux[k] = work.flux[k]
        for j in range(k + 1):
            set_inductance(s.model.coils, s.model.circuits, k, j, 0.0, coil_work, work)
    write_response(s)


@kernel
def copy_potentials(work: IronWork) -> None:
    """Write psi of 1 A in each coil to those of all currents."""
    for k in range(len(work.of_coil)):
        for i in range(0, work.of_coil.shape[1], WIDTH):
            store(work.of_current, k, i, None, load(work.of_coil, k, i))


@kernel
def respond_of_shapes(s: Step) -> None:
    """MAGNETISE: as `respond` of coils.py for several shapes of which some saturate, with x and M of all of them."""
    iron, work, end = s.model.iron, s.work.iron, len(s.model.iron.edge)
    total = work.amplitude[0:1]
    write_gain(s)
    copy_potentials(work)
    for i in range(0, end, WIDTH):
        potential = load(work.potential, 0, i)
        for k in range(len(work.of_coil)):
            potential = potential + s.work.coils.current[k] * load(work.of_coil, k, i)
        store(total, 0, i, None, potential)
    work.follows[0] = not s.work.circuits.is_given[0]
    solve_saturated(iron, total, work.of_magnets, work)
    work.follows[0] = False
    work.curvature[:] = 0.0
    solve_linear(iron, work.potential, work.of_magnets, work)
    for k in range(len(work.of_coil)):
        solve_linear(iron, work.of_coil[k : k + 1], work.charge_of_coil[k : k + 1], work)
    write_linkages(s)
