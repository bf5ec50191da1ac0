"""Where the spheres that press on each other are in space."""

from __future__ import annotations

import numpy as np

from core.engine.model import Model, Work, point_rows
from core.jit.kernel import kernel
from core.jit.vec import add, combine, put, row
from core.physics.bodies.arrays import read_basis


@kernel
def place_spheres(model: Model, state: np.ndarray, work: Work) -> None:
    """Middles [m] of the spheres of placed bodies and points."""
    contacts, bodies = model.contacts, len(model.bodies.mass)
    for b in range(bodies):
        if contacts.first[b] == contacts.first[b + 1]:
            continue
        u1, u2, u3 = read_basis(state, b)
        for i in range(contacts.first[b], contacts.first[b + 1]):
            put(
                work.contacts.position,
                i,
                add(row(work.bodies.position, b), combine(row(contacts.position, i), u1, u2, u3)),
            )
    rows = point_rows(model.points, state)
    for i in range(contacts.first[bodies], len(contacts.radius)):
        p = contacts.point[i]
        put(work.contacts.position, i, (rows[0, p], rows[1, p], rows[2, p]))
