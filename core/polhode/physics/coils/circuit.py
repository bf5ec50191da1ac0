"""Currents of coils, their forces on bodies, their energy, and the rates of flux linkages.

With the flux linkage lam = L I + Phi of each coil, Phi the flux of magnets and of the world's field,

    dlam/dt = V - R I                                        V the voltage of the source
    U = 1/2 I.L I                                            the magnetic energy
    F = -dU/dx at constant lam = sum I dPhi/dx + 1/2 sum I I dM/dx

so neither dPhi/dt nor a velocity occurs in the rates: the motional EMF is in lam (H. H. Woodson and J. R. Melcher,
Electromechanical Dynamics, 1968, chapter 3). The current of a dynamic coil is I = L^-1 (lam - Phi - M I_c), I_c that of
coils with a given current. A resistive coil, whose inductance is left out, has I = (V - dlam/dt)/R instead. With no
resistance and no source lam is constant.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.ledger import FIELD, JOULE, SOURCE
from polhode.engine.model import NOTHING
from polhode.jit.formula_calls import call_1_2
from polhode.jit.kernel import kernel
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.coils.arrays import DRIVEN, DYNAMIC, OPEN, RESISTIVE, Coils, CoilWork


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
def write_rates_by_motion(coils: Coils, body_work: BodyWork, work: CoilWork) -> None:
    """Write `motional` and `inductance_rate`: changes of fluxes and inductances by the motion of bodies."""
    for k in range(len(coils.kind)):
        work.motional[k] = work.flux_rate[k]
        for b in range(work.on_body.shape[1]):
            work.motional[k] += power_of(work.on_body[k, b], body_work, b)
    for p in range(len(coils.pair)):
        k, j = coils.pair[p, 0], coils.pair[p, 1]
        rate = power_of(work.on_pair[p, 0], body_work, coils.body[k])
        rate += power_of(work.on_pair[p, 1], body_work, coils.body[j])
        work.inductance_rate[k, j] = work.inductance_rate[j, k] = rate


@kernel
def solve_dynamic(work: CoilWork) -> None:
    """Solve for the dynamic coils: `right` (d,) becomes L^-1 right, by the Cholesky factor of their inductances."""
    order, right, factor = work.order, work.right, work.factor
    for i in range(len(order)):
        for j in range(i + 1):
            total = work.inductance[order[i], order[j]]
            for n in range(j):
                total -= factor[i, n] * factor[j, n]
            factor[i, j] = sqrt(total) if i == j else total / factor[j, j]
        for n in range(i):
            right[i] -= factor[i, n] * right[n]
        right[i] /= factor[i, i]
    for i in range(len(order) - 1, -1, -1):
        for n in range(i + 1, len(order)):
            right[i] -= factor[n, i] * right[n]
        right[i] /= factor[i, i]


@kernel
def write_sources(coils: Coils, time: float, work: CoilWork) -> None:
    """Write voltages of sources and given currents with their rates at `time` [s]; other currents become 0."""
    for k in range(len(coils.kind)):
        work.current[k] = work.current_rate[k] = work.voltage[k] = 0.0
        if coils.address[k] == 0:
            continue
        value, rate = call_1_2(coils.address[k], coils.numbers, coils.first_number[k], time)
        if coils.kind[k] == DRIVEN:
            work.current[k], work.current_rate[k] = value, rate
        else:
            work.voltage[k] = value


@kernel
def write_currents(coils: Coils, linkages: np.ndarray, work: CoilWork) -> None:
    """Write the currents of resistive and dynamic coils; `linkages` (d,) [Wb] from the state."""
    for k in range(len(coils.kind)):
        if coils.kind[k] == RESISTIVE:
            induced = work.motional[k]
            for j in range(len(coils.kind)):
                if coils.kind[j] == DRIVEN:
                    induced += work.inductance_rate[k, j] * work.current[j]
                    induced += work.inductance[k, j] * work.current_rate[j]
            work.current[k] = (work.voltage[k] - induced) / coils.resistance[k]
    for i in range(len(work.order)):
        k = work.order[i]
        work.right[i] = linkages[i] - work.flux[k]
        for j in range(len(coils.kind)):
            if coils.kind[j] == DRIVEN:
                work.right[i] -= work.inductance[k, j] * work.current[j]
    solve_dynamic(work)
    for i in range(len(work.order)):
        work.current[work.order[i]] = work.right[i]


@kernel
def load_coils(coils: Coils, body_work: BodyWork, work: CoilWork, power: np.ndarray) -> None:
    """LAW: add forces and torques of all currents to the bodies, and the powers of sources, resistances and fields."""
    for k in range(len(coils.kind)):
        current, resistance = work.current[k], coils.resistance[k]
        for i in range(3):
            work.on_coil[k, i] *= current
        for b in range(work.on_body.shape[1]):
            for i in range(3):
                body_work.force[b, i] += current * work.on_body[k, b, i]
                body_work.torque[b, i] += current * work.on_body[k, b, 3 + i]
        power[FIELD] -= current * work.flux_rate[k]
        if coils.kind[k] == DRIVEN:
            power[FIELD] -= linkage(k, work) * work.current_rate[k]
        else:
            power[SOURCE] += work.voltage[k] * current
            power[JOULE] -= resistance * current * current
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
def linkage(k: int, work: CoilWork) -> float:
    """lam = L I + Phi [Wb] of coil k."""
    total = work.flux[k]
    for j in range(len(work.current)):
        total += work.inductance[k, j] * work.current[j]
    return total


@kernel
def magnetic_energy(coils: Coils, work: CoilWork) -> float:
    """U [J] = 1/2 I.L I over dynamic coils, less I_c Phi_c + 1/2 I_c.L I_c of those with a given current.

    The first term is the energy of the field with its sources at rest; the second one, in which the power of a source
    of current is included, makes -dU/dx the force.
    """
    energy = 0.0
    for k in range(len(coils.kind)):
        if coils.kind[k] == DRIVEN:
            energy -= work.current[k] * work.flux[k]
        for j in range(len(coils.kind)):
            if coils.kind[k] == coils.kind[j]:
                product = 0.5 * work.current[k] * work.inductance[k, j] * work.current[j]
                if coils.kind[k] == DYNAMIC:
                    energy += product
                elif coils.kind[k] == DRIVEN:
                    energy -= product
    return energy


@kernel
def write_linkage_rates(coils: Coils, work: CoilWork, rate: np.ndarray) -> None:
    """PROJECT: dlam/dt = V - R I into the section `rate` (d,)."""
    for i in range(len(work.order)):
        k = work.order[i]
        rate[i] = work.voltage[k] - coils.resistance[k] * work.current[k]


@kernel
def write_current_rates(coils: Coils, work: CoilWork) -> None:
    """Write dI/dt of dynamic coils for outputs: L dI/dt = V - R I - dPhi/dt - dL/dt I - M dI_c/dt."""
    for i in range(len(work.order)):
        k = work.order[i]
        work.right[i] = work.voltage[k] - coils.resistance[k] * work.current[k] - work.motional[k]
        for j in range(len(coils.kind)):
            work.right[i] -= work.inductance_rate[k, j] * work.current[j]
            if coils.kind[j] == DRIVEN:
                work.right[i] -= work.inductance[k, j] * work.current_rate[j]
    solve_dynamic(work)
    for i in range(len(work.order)):
        work.current_rate[work.order[i]] = work.right[i]


@kernel
def voltage_at_ends(coils: Coils, k: int, work: CoilWork) -> float:
    """Voltage [V] of coil k: that of its source, R I + dlam/dt of an open coil and of one with a given current."""
    if coils.kind[k] != OPEN and coils.kind[k] != DRIVEN:
        return work.voltage[k]
    total = coils.resistance[k] * work.current[k] + work.motional[k]
    for j in range(len(coils.kind)):
        total += work.inductance_rate[k, j] * work.current[j] + work.inductance[k, j] * work.current_rate[j]
    return total
