"""Point dipoles in a magnetic field B(x, y, z, t) by formulas.

    F = grad (m.B)      T = m x B      U = -m.B

The gradient is exact. Force and torque are those of a current loop, also where the curl of B is not zero. While B
changes with time the power -m.dB/dt goes to the ledger's line FIELD.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import FIELD
from polhode.jit.formula_calls import call_4_3, call_4_15
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, add, cross, dot, row
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.magnets.arrays import Dipoles, DipoleWork, WorldField


@kernel
def field_by_formula(field: WorldField, at: Triple, time: float) -> Triple:
    """B [T] by the formulas at `at` [m] and `time` [s], laboratory frame."""
    return call_4_3(field.value.address, field.value.numbers, 0, at[0], at[1], at[2], time)


@kernel
def on_dipole(field: WorldField, at: Triple, moment: Triple, time: float) -> tuple[Triple, Triple, float]:
    """F [N], T [N m] about the dipole, and m.dB/dt [W] of a dipole m = `moment` [A m^2] at `at` [m]."""
    n = call_4_15(field.derivatives.address, field.derivatives.numbers, 0, at[0], at[1], at[2], time)
    force = dot(moment, (n[3], n[4], n[5])), dot(moment, (n[6], n[7], n[8])), dot(moment, (n[9], n[10], n[11]))
    return force, cross(moment, (n[0], n[1], n[2])), dot(moment, (n[12], n[13], n[14]))


@kernel
def load_bodies_by_formula(
    dipoles: Dipoles, field: WorldField, time: float, body_work: BodyWork, dipole_work: DipoleWork, power: np.ndarray
) -> None:
    """LAW: add F and T of all dipoles to their bodies; power[FIELD] gets -sum m.dB/dt [W]."""
    for b in range(len(dipoles.first) - 1):
        for i in range(dipoles.first[b], dipoles.first[b + 1]):
            force, torque, gained = on_dipole(field, row(dipole_work.position, i), row(dipole_work.moment, i), time)
            accumulate(body_work.force, b, force)
            accumulate(body_work.torque, b, add(torque, cross(row(dipole_work.arm, i), force)))
            power[FIELD] -= gained


@kernel
def energy_by_formula(field: WorldField, time: float, dipole_work: DipoleWork) -> float:
    """ENERGY: U = -sum m.B [J] of all dipoles in the field by formulas at `time` [s]."""
    energy = 0.0
    for i in range(len(dipole_work.moment)):
        energy -= dot(row(dipole_work.moment, i), field_by_formula(field, row(dipole_work.position, i), time))
    return energy
