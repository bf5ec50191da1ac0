"""Place phase of dipoles."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import add, combine, put, row
from polhode.physics.bodies.arrays import Bodies, BodyWork, read_basis
from polhode.physics.magnets.arrays import Dipoles, DipoleWork


@kernel
def place_dipoles(
    bodies: Bodies, dipoles: Dipoles, state: np.ndarray, body_work: BodyWork, dipole_work: DipoleWork
) -> None:
    """PLACE: write arms R r' [m], positions x + R r' [m] and moments R p [A m^2] of all dipoles, laboratory frame.

    Bodies must have been placed; R = [u1 u2 u3] is read from the state.
    """
    for b in range(len(bodies.mass)):
        if dipoles.first[b] == dipoles.first[b + 1]:
            continue
        u1, u2, u3 = read_basis(state, b)
        position = row(body_work.position, b)
        for i in range(dipoles.first[b], dipoles.first[b + 1]):
            arm = combine(row(dipoles.position, i), u1, u2, u3)
            put(dipole_work.arm, i, arm)
            put(dipole_work.position, i, add(position, arm))
            put(dipole_work.moment, i, combine(row(dipoles.moment, i), u1, u2, u3))
