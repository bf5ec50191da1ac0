"""Resistive coils beside iron, whose inductances are left out: for the iron their currents are given ones.

I = (V - dPhi_0/dt)/R, Phi_0 of magnets and of the world alone, magnetises the iron. U has the terms of given currents,
-I.Phi - 1/2 I.L I, with what iron adds to Phi and L, and the power of their change, dI/dt = (dV/dt - I/C)/R, is work of
the field. Voltages that moving iron and changing currents induce in these coils are left out.
"""

from __future__ import annotations

from polhode.engine.ledger import FIELD, MAGNETIC
from polhode.engine.model import Step
from polhode.jit.formula_calls import call_1_2
from polhode.jit.kernel import kernel
from polhode.physics.coils.arrays import DRIVEN, RESISTIVE, Circuits, CircuitWork, Coils, CoilWork
from polhode.physics.iron.arrays import IronWork
from polhode.physics.iron.potentials import product


@kernel
def kind_of_coil(coils: Coils, circuits: Circuits, k: int) -> int:
    """Kind of the circuit of coil k."""
    return circuits.kind[coils.circuit[k]]


@kernel
def keep_base(coil_work: CoilWork, work: IronWork) -> None:
    """Write the fluxes and inductances without iron."""
    for k in range(len(coil_work.current)):
        work.flux[k] = coil_work.flux[k]
        for j in range(len(coil_work.current)):
            work.inductance[k, j] = coil_work.inductance[k, j]
            work.apart[k, j] = 0.0


@kernel
def set_inductance(
    coils: Coils, circuits: Circuits, k: int, j: int, added: float, coil_work: CoilWork, work: IronWork
) -> None:
    """Write the inductance of coils k and j with what iron adds; of resistive and driven ones that stays apart, as
    resistive coils are solved for by what driven ones induce directly.
    """
    first, second = kind_of_coil(coils, circuits, k), kind_of_coil(coils, circuits, j)
    if (first == RESISTIVE and second == DRIVEN) or (first == DRIVEN and second == RESISTIVE):
        work.apart[k, j] = work.apart[j, k] = added
    else:
        coil_work.inductance[k, j] = work.inductance[k, j] + added
        coil_work.inductance[j, k] = work.inductance[j, k] + added


@kernel
def write_linkages(s: Step) -> None:
    """Write fluxes and inductances of coils with the charges `of_magnets` and `charge_of_coil`."""
    work, coil_work, permeability = s.work.iron, s.work.coils, s.model.permeability
    end = len(s.model.iron.edge)
    for k in range(len(coil_work.current)):
        own = work.of_coil[k : k + 1]
        coil_work.flux[k] = work.flux[k] - permeability * product(0, end, own, work.of_magnets)
        for j in range(k + 1):
            added = permeability * product(0, end, own, work.charge_of_coil[j : j + 1])
            set_inductance(s.model.coils, s.model.circuits, k, j, -added, coil_work, work)


@kernel
def given_energy(s: Step) -> None:
    """ENERGY: the terms of resistive coils."""
    coils, circuits, work, coil_work = s.model.coils, s.model.circuits, s.work.iron, s.work.coils
    for k in range(len(coils.body)):
        if kind_of_coil(coils, circuits, k) != RESISTIVE:
            continue
        current = coil_work.current[k]
        s.out[MAGNETIC] -= current * (coil_work.flux[k] - work.flux[k])
        for j in range(len(coils.body)):
            product = current * coil_work.current[j]
            s.out[MAGNETIC] -= product * work.apart[k, j]
            if kind_of_coil(coils, circuits, j) == RESISTIVE:
                s.out[MAGNETIC] -= 0.5 * product * (coil_work.inductance[k, j] - work.inductance[k, j])


@kernel
def rate_of_current(circuits: Circuits, c: int, time: float, work: CircuitWork) -> float:
    """dI/dt [A/s] of resistive circuit c by its source and its capacitor."""
    rate = -circuits.elastance[c] * work.current[c]
    if circuits.address[c] != 0:
        rate += call_1_2(circuits.address[c], circuits.numbers, circuits.first_number[c], time)[1]
    return 0.0 if work.is_open[c] else rate / circuits.resistance[c]


@kernel
def add_power(s: Step) -> None:
    """LAW: the power [W] of changes of the currents of resistive coils, and of driven ones beside them."""
    coils, circuits, work, coil_work = s.model.coils, s.model.circuits, s.work.iron, s.work.coils
    for k in range(len(coils.body)):
        kind = kind_of_coil(coils, circuits, k)
        if kind == RESISTIVE:
            linkage = coil_work.flux[k] - work.flux[k]
            for j in range(len(coils.body)):
                added = coil_work.inductance[k, j] - work.inductance[k, j] + work.apart[k, j]
                linkage += added * coil_work.current[j]
            rate = coils.sign[k] * rate_of_current(circuits, coils.circuit[k], s.time, s.work.circuits)
            s.work.power[FIELD] -= linkage * rate
        elif kind == DRIVEN:
            for j in range(len(coils.body)):
                s.work.power[FIELD] -= work.apart[k, j] * coil_work.current[j] * coil_work.current_rate[k]


@kernel
def join(coil_work: CoilWork, work: IronWork) -> None:
    """Add the inductances that were apart, for outputs."""
    for k in range(len(coil_work.current)):
        for j in range(len(coil_work.current)):
            coil_work.inductance[k, j] += work.apart[k, j]
