"""Where the dipoles of placed bodies are in space."""

from __future__ import annotations

import numpy as np

from core.engine.model import Model, Work
from core.jit.kernel import kernel
from core.jit.vec import add, combine, put, row
from core.physics.bodies.arrays import read_basis


@kernel
def place_dipoles(model: Model, state: np.ndarray, work: Work) -> None:
    """Arms [m] from the bodies' reference points, positions [m] and moments [A m^2] of all dipoles."""
    for b in range(len(model.bodies.mass)):
        if model.dipoles.first[b] == model.dipoles.first[b + 1]:
            continue
        u1, u2, u3 = read_basis(state, b)
        position = row(work.bodies.position, b)
        for i in range(model.dipoles.first[b], model.dipoles.first[b + 1]):
            arm = combine(row(model.dipoles.position, i), u1, u2, u3)
            put(work.dipoles.arm, i, arm)
            put(work.dipoles.position, i, add(position, arm))
            put(work.dipoles.moment, i, combine(row(model.dipoles.moment, i), u1, u2, u3))
