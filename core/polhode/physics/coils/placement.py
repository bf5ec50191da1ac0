"""Place phase of coils."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, put, row
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.coils.arrays import Coils, CoilWork


@kernel
def place_coils(coils: Coils, state: np.ndarray, body_work: BodyWork, coil_work: CoilWork) -> None:
    """PLACE: write positions and axes of all coils, laboratory frame. Bodies must have been placed."""
    for k in range(len(coils.body)):
        b, of_coil = coils.body[k], coils.basis[k]
        if b == NOTHING:
            put(coil_work.position, k, row(coils.position, k))
            for i in range(3):
                put(coil_work.axes[k], i, row(of_coil, i))
            continue
        u1, u2, u3 = read_basis(state, b)
        put(coil_work.position, k, add(row(body_work.position, b), combine(row(coils.position, k), u1, u2, u3)))
        for i in range(3):
            put(coil_work.axes[k], i, combine(row(of_coil, i), u1, u2, u3))


@kernel
def position_of(coils: Coils, k: int, body_work: BodyWork) -> Triple:
    """Reference point [m] of the body of coil k; of the laboratory its origin."""
    return row(body_work.position, coils.body[k]) if coils.body[k] != NOTHING else (0.0, 0.0, 0.0)
