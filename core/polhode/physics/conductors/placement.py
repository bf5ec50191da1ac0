"""Place phase of conductors."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import add, combine, put, row
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.conductors.arrays import Conductors, ConductorWork


@kernel
def place_conductors(
    conductors: Conductors, state: np.ndarray, body_work: BodyWork, conductor_work: ConductorWork
) -> None:
    """PLACE: write positions, areas and radii of all sources, laboratory frame. Bodies must have been placed."""
    for c in range(len(conductors.body)):
        u1, u2, u3 = read_basis(state, conductors.body[c])
        position = row(body_work.position, conductors.body[c])
        for i in range(conductors.first_source[c], conductors.first_source[c + 1]):
            put(conductor_work.position, i, add(position, combine(row(conductors.position, i), u1, u2, u3)))
            put(conductor_work.area, i, combine(row(conductors.area, i), u1, u2, u3))
            put(conductor_work.across, i, combine(row(conductors.across, i), u1, u2, u3))
