"""Place phase of contacts: sphere centres and inverse inertia in the laboratory frame."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import add, combine, put, row
from polhode.physics.bodies.arrays import Bodies, BodyWork, read_basis
from polhode.physics.contact.arrays import Contacts, ContactWork
from polhode.physics.contact.colliders import can_move
from polhode.physics.paths.arrays import Beads
from polhode.physics.paths.placement import is_free
from polhode.physics.points.arrays import Points, point_rows


@kernel
def place_inertia(bodies: Bodies, beads: Beads, state: np.ndarray, contact_work: ContactWork) -> None:
    """PLACE: write 1/m and the inverse inertia of all bodies, laboratory frame: sum_i u_i (sum_j (I^-1)_ij u_j)."""
    for b in range(len(bodies.mass)):
        found, free = contact_work.inverse_inertia[b], is_free(bodies, beads, state, b)
        contact_work.inverse_mass[b] = 1.0 / bodies.mass[b] if free else 0.0
        if bodies.round[b] or not can_move(bodies, beads, state, b):
            moment = bodies.inverse_moments[b, 0] if can_move(bodies, beads, state, b) else 0.0
            for axis in range(3):
                put(found, axis, (moment * (axis == 0), moment * (axis == 1), moment * (axis == 2)))
            continue
        u1, u2, u3 = read_basis(state, b)
        own = bodies.inverse_inertia[b]
        one, two = combine(row(own, 0), u1, u2, u3), combine(row(own, 1), u1, u2, u3)
        three = combine(row(own, 2), u1, u2, u3)
        for axis in range(3):
            put(found, axis, combine((u1[axis], u2[axis], u3[axis]), one, two, three))


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
