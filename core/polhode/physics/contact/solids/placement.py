"""Place phase of solids and of shapes as they look: centres and axes in the laboratory frame."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import add, combine, put, row
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.contact.fields.arrays import Fields, FieldWork
from polhode.physics.contact.solids.arrays import Solids, SolidWork


@kernel
def place_solids(
    solids: Solids | Fields, state: np.ndarray, body_work: BodyWork, solid_work: SolidWork | FieldWork
) -> None:
    """PLACE: write the centres [m] and the axes of all solids, laboratory frame; bodies are placed, `state` is (k,)."""
    for i in range(len(solids.body)):
        b = solids.body[i]
        u1, u2, u3 = read_basis(state, b)
        put(solid_work.center, i, add(row(body_work.position, b), combine(row(solids.position, i), u1, u2, u3)))
        for k in range(3):
            put(solid_work.axes[i], k, combine(row(solids.axes[i], k), u1, u2, u3))
