"""Currents of coils, their forces on bodies, their energy, and the rates of flux linkages.

With the flux linkage lam = L I + Phi of each circuit, Phi the flux of magnets and of the world's field,

    dlam/dt = V - Q/C - R I        dQ/dt = I                 V the voltage of the source, Q/C of a capacitor
    U = 1/2 I.L I + Q^2/(2 C)                                the magnetic energy
    F = -dU/dx at constant lam = sum I dPhi/dx + 1/2 sum I I dM/dx

so neither dPhi/dt nor a velocity occurs in the rates: the motional EMF is in lam (H. H. Woodson and J. R. Melcher,
Electromechanical Dynamics, 1968, chapter 3). The current of a dynamic coil is I = L^-1 (lam - Phi - M I_c), I_c that of
coils with a given current. A resistive coil, whose inductance is left out, has I = (V - dlam/dt)/R instead. With no
resistance and no source lam is constant. lam, V, R and Phi of coils in series are the sums over them, with a minus for
those that are connected the other way round.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import FIELD, JOULE, SOURCE
from polhode.engine.model import NOTHING
from polhode.jit.cholesky import POSITIVE, closest_row, factorise, substitute
from polhode.jit.formula_calls import call_1_2
from polhode.jit.kernel import kernel
from polhode.jit.vec import dot, put, row
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.coils.arrays import DRIVEN, DYNAMIC, OPEN, RESISTIVE, Circuits, CircuitWork, Coils, CoilWork


@kernel
def power_of(wrench: np.ndarray, body_work: BodyWork, b: int) -> float:
    """F.v + T.omega of `wrench` (6,) on body b; 0 of the laboratory."""
    if b == NOTHING:
        return 0.0
    power = 0.0
    for i in range(3):
        power += wrench[i] * body_work.velocity[b, i] + wrench[3 + i] * body_work.angular_velocity[b, i]
    return power


@kernel
def clear_forces(bodies: BodyWork) -> None:
    """Set all forces and torques on bodies to 0."""
    for b in range(len(bodies.force)):
        put(bodies.force, b, (0.0, 0.0, 0.0))
        put(bodies.torque, b, (0.0, 0.0, 0.0))


@kernel
def power_of_forces(bodies: BodyWork) -> float:
    """Power [W] of all forces and torques on bodies."""
    power = 0.0
    for b in range(len(bodies.force)):
        power += dot(row(bodies.force, b), row(bodies.velocity, b))
        power += dot(row(bodies.torque, b), row(bodies.angular_velocity, b))
    return power


@kernel
def have_to_be_known(coils: Coils, circuits: Circuits) -> bool:
    """Whether the voltage at the ends of any coil is another than that of its source."""
    for k in range(len(coils.body)):  # noqa: SIM110
        if coils.in_series[k] or circuits.kind[coils.circuit[k]] != DYNAMIC:
            return True
    return False


@kernel
def write_rates_by_motion(coils: Coils, body_work: BodyWork, work: CoilWork) -> None:
    """Write `motional` and `inductance_rate`: changes of fluxes and inductances by the motion of bodies."""
    for k in range(len(coils.body)):
        work.motional[k] = work.flux_rate[k]
        for b in range(work.on_body.shape[1]):
            work.motional[k] += power_of(work.on_body[k, b], body_work, b)
    for p in range(len(coils.pair)):
        k, j = coils.pair[p, 0], coils.pair[p, 1]
        rate = power_of(work.on_pair[p, 0], body_work, coils.body[k])
        rate += power_of(work.on_pair[p, 1], body_work, coils.body[j])
        work.inductance_rate[k, j] = work.inductance_rate[j, k] = rate


@kernel
def add_up(coils: Coils, circuits: Circuits, state: np.ndarray, coil_work: CoilWork, work: CircuitWork) -> None:
    """Write fluxes and inductances of circuits from those of their coils, and voltages of capacitors.

    A dynamic circuit whose switch is open gets an inductance of 1 H that is coupled with nothing: its current is 0.
    """
    for c in range(len(circuits.kind)):
        work.flux[c] = work.flux_rate[c] = work.motional[c] = work.drop[c] = 0.0
        work.is_open[c] = False
        for j in range(len(circuits.kind)):
            work.inductance[c, j] = work.inductance_rate[c, j] = 0.0
    for k in range(len(coils.body)):
        c, sign = coils.circuit[k], coils.sign[k]
        work.flux[c] += sign * coil_work.flux[k]
        work.flux_rate[c] += sign * coil_work.flux_rate[k]
        work.motional[c] += sign * coil_work.motional[k]
        for j in range(len(coils.body)):
            both = sign * coils.sign[j]
            work.inductance[c, coils.circuit[j]] += both * coil_work.inductance[k, j]
            work.inductance_rate[c, coils.circuit[j]] += both * coil_work.inductance_rate[k, j]
    charges = circuits.at + len(circuits.dynamic)
    for i in range(len(circuits.charged)):
        c = circuits.charged[i]
        work.drop[c] = circuits.elastance[c] * state[charges + i]
    for i in range(len(circuits.switched)):
        c = circuits.switched[i]
        work.is_open[c] = state[charges + len(circuits.charged) + i] != 0.0
        if work.is_open[c]:
            for j in range(len(circuits.kind)):
                work.inductance[c, j] = work.inductance[j, c] = 0.0
                work.inductance_rate[c, j] = work.inductance_rate[j, c] = 0.0
            work.inductance[c, c] = 1.0


@kernel
def solve_dynamic(circuits: Circuits, work: CircuitWork) -> None:
    """Solve for the dynamic circuits: `right` (d,) becomes L^-1 right, by the Cholesky factor of their inductances."""
    order = circuits.dynamic
    for i in range(len(order)):
        for j in range(i + 1):
            work.factor[i, j] = work.inductance[order[i], order[j]]
    row_failed, coupling = factorise(work.factor)
    if row_failed != POSITIVE:
        c = order[row_failed]
        work.failed[0], work.failed[1], work.failed[2] = c, closest_row(work.inductance, c), coupling
    substitute(work.factor, work.right)


@kernel
def write_sources(circuits: Circuits, time: float, work: CircuitWork) -> None:
    """Write voltages of sources and given currents with their rates at `time` [s]; other currents become 0."""
    for c in range(len(circuits.kind)):
        work.current[c] = work.current_rate[c] = work.voltage[c] = 0.0
        if circuits.address[c] == 0:
            continue
        value, rate = call_1_2(circuits.address[c], circuits.numbers, circuits.first_number[c], time)
        if circuits.kind[c] == DRIVEN:
            work.current[c], work.current_rate[c] = value, rate
        else:
            work.voltage[c] = value


@kernel
def write_currents(circuits: Circuits, linkages: np.ndarray, work: CircuitWork) -> None:
    """Write the currents of resistive and dynamic circuits; `linkages` (d,) [Wb] from the state."""
    for c in range(len(circuits.kind)):
        if circuits.kind[c] == RESISTIVE and not work.is_open[c]:
            induced = work.motional[c]
            for j in range(len(circuits.kind)):
                if circuits.kind[j] == DRIVEN:
                    induced += work.inductance_rate[c, j] * work.current[j]
                    induced += work.inductance[c, j] * work.current_rate[j]
            work.current[c] = (work.voltage[c] - work.drop[c] - induced) / circuits.resistance[c]
    for i in range(len(circuits.dynamic)):
        c = circuits.dynamic[i]
        work.right[i] = 0.0
        if not work.is_open[c]:
            work.right[i] = linkages[i] - work.flux[c]
            for j in range(len(circuits.kind)):
                if circuits.kind[j] == DRIVEN or circuits.kind[j] == RESISTIVE:  # the latter by iron alone
                    work.right[i] -= work.inductance[c, j] * work.current[j]
    solve_dynamic(circuits, work)
    for i in range(len(circuits.dynamic)):
        work.current[circuits.dynamic[i]] = work.right[i]


@kernel
def pass_on(coils: Coils, coil_work: CoilWork, work: CircuitWork) -> None:
    """Write the currents of coils, and their rates, from those of their circuits."""
    for k in range(len(coils.body)):
        c = coils.circuit[k]
        coil_work.current[k] = coils.sign[k] * work.current[c]
        coil_work.current_rate[k] = coils.sign[k] * work.current_rate[c]


@kernel
def load_coils(coils: Coils, body_work: BodyWork, work: CoilWork) -> None:
    """LAW: add forces and torques of all currents to the bodies."""
    for k in range(len(coils.body)):
        current = work.current[k]
        for i in range(3):
            work.on_coil[k, i] *= current
        for b in range(work.on_body.shape[1]):
            for i in range(3):
                body_work.force[b, i] += current * work.on_body[k, b, i]
                body_work.torque[b, i] += current * work.on_body[k, b, 3 + i]
    for p in range(len(coils.pair)):
        product = work.current[coils.pair[p, 0]] * work.current[coils.pair[p, 1]]
        for side in range(2):
            k = coils.pair[p, side]
            for i in range(3):
                work.on_coil[k, i] += product * work.on_pair[p, side, i]
            b = coils.body[k]
            if b != NOTHING:
                for i in range(3):
                    body_work.force[b, i] += product * work.on_pair[p, side, i]
                    body_work.torque[b, i] += product * work.on_pair[p, side, 3 + i]


@kernel
def add_powers(circuits: Circuits, work: CircuitWork, power: np.ndarray) -> None:
    """LAW: add the powers [W] of sources, of resistances and of the world's field to the ledger's rates."""
    for c in range(len(circuits.kind)):
        current = work.current[c]
        power[FIELD] -= current * work.flux_rate[c]
        if circuits.kind[c] == DRIVEN:
            power[FIELD] -= linkage(c, work.flux, work.inductance, work.current) * work.current_rate[c]
        else:
            power[SOURCE] += work.voltage[c] * current
            power[JOULE] -= circuits.resistance[c] * current * current


@kernel
def linkage(k: int, flux: np.ndarray, inductance: np.ndarray, current: np.ndarray) -> float:
    """lam = L I + Phi [Wb] of coil or circuit k.

    flux: (n,) [Wb]; inductance: (n, n) [H]; current: (n,) [A]
    """
    total = flux[k]
    for j in range(len(current)):
        total += inductance[k, j] * current[j]
    return total


@kernel
def linkage_of_coils(coils: Coils, c: int, work: CoilWork) -> float:
    """lam [Wb] of circuit c for the currents of all coils, also where its switch is open."""
    total = 0.0
    for k in range(len(coils.body)):
        if coils.circuit[k] == c:
            total += coils.sign[k] * linkage(k, work.flux, work.inductance, work.current)
    return total


@kernel
def magnetic_energy(circuits: Circuits, work: CircuitWork) -> float:
    """U [J] = 1/2 I.L I over dynamic circuits, less I_c Phi_c + 1/2 I_c.L I_c of those with a given current, and
    Q^2/(2 C) of capacitors.

    The first term is the energy of the field with its sources at rest; the second one, in which the power of a source
    of current is included, makes -dU/dx the force.
    """
    energy = 0.0
    for c in range(len(circuits.kind)):
        if circuits.kind[c] == DRIVEN:
            energy -= work.current[c] * work.flux[c]
        for j in range(len(circuits.kind)):
            if circuits.kind[c] == circuits.kind[j]:
                product = 0.5 * work.current[c] * work.inductance[c, j] * work.current[j]
                if circuits.kind[c] == DYNAMIC:
                    energy += product
                elif circuits.kind[c] == DRIVEN:
                    energy -= product
    for c in circuits.charged:
        energy += 0.5 * work.drop[c] * work.drop[c] / circuits.elastance[c]
    return energy


@kernel
def write_rates(circuits: Circuits, work: CircuitWork, rate: np.ndarray) -> None:
    """PROJECT: dlam/dt = V - Q/C - R I, dQ/dt = I, and 0 of switches, into the section `rate` (n,)."""
    charges = len(circuits.dynamic)
    for i in range(charges):
        c = circuits.dynamic[i]
        volts = work.voltage[c] - work.drop[c] - circuits.resistance[c] * work.current[c]
        rate[i] = 0.0 if work.is_open[c] else volts
    for i in range(len(circuits.charged)):
        rate[charges + i] = work.current[circuits.charged[i]]
    for i in range(len(circuits.switched)):
        rate[charges + len(circuits.charged) + i] = 0.0


@kernel
def write_current_rates(circuits: Circuits, work: CircuitWork) -> None:
    """Write dI/dt of dynamic circuits for outputs: L dI/dt = V - Q/C - R I - dPhi/dt - dL/dt I - M dI_c/dt."""
    for i in range(len(circuits.dynamic)):
        c = circuits.dynamic[i]
        work.right[i] = 0.0
        if work.is_open[c]:
            continue
        work.right[i] = work.voltage[c] - work.drop[c] - circuits.resistance[c] * work.current[c] - work.motional[c]
        for j in range(len(circuits.kind)):
            work.right[i] -= work.inductance_rate[c, j] * work.current[j]
            if circuits.kind[j] == DRIVEN:
                work.right[i] -= work.inductance[c, j] * work.current_rate[j]
    solve_dynamic(circuits, work)
    for i in range(len(circuits.dynamic)):
        work.current_rate[circuits.dynamic[i]] = work.right[i]


@kernel
def voltage_at_ends(coils: Coils, circuits: Circuits, k: int, work: CoilWork, circuit_work: CircuitWork) -> float:
    """Voltage [V] of coil k: R I + dlam/dt; that of its source where there is nothing else in its circuit."""
    c = coils.circuit[k]
    if not coils.in_series[k] and circuits.kind[c] != OPEN and circuits.kind[c] != DRIVEN:
        return circuit_work.voltage[c]
    total = coils.resistance[k] * work.current[k] + work.motional[k]
    for j in range(len(coils.body)):
        total += work.inductance_rate[k, j] * work.current[j] + work.inductance[k, j] * work.current_rate[j]
    return total
