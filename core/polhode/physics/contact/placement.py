"""Place phase of contacts: sphere centres in the laboratory frame."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import add, combine, put, row
from polhode.physics.bodies.arrays import Bodies, BodyWork, read_basis
from polhode.physics.contact.arrays import Contacts, ContactWork
from polhode.physics.points.arrays import Points, point_rows


@kernel
def place_spheres(
    bodies: Bodies,
    contacts: Contacts,
    points: Points,
    state: np.ndarray,
    body_work: BodyWork,
    contact_work: ContactWork,
) -> None:
    """PLACE: write the centres [m] of all spheres, laboratory frame: x + R r' in bodies, the positions of points."""
    for b in range(len(bodies.mass)):
        if contacts.first[b] == contacts.first[b + 1]:
            continue
        u1, u2, u3 = read_basis(state, b)
        for i in range(contacts.first[b], contacts.first[b + 1]):
            put(
                contact_work.position,
                i,
                add(row(body_work.position, b), combine(row(contacts.position, i), u1, u2, u3)),
            )
    rows = point_rows(points, state)
    for i in range(contacts.first[len(bodies.mass)], len(contacts.radius)):
        p = contacts.point[i]
        put(contact_work.position, i, (rows[0, p], rows[1, p], rows[2, p]))
