"""Contact of spheres by penalty forces, which never pull (Endo numbers 10 to 14; Imura section 7.2).

With the overlap depth > 0, the unit normal n from sphere j to i, and v the velocity of i relative to j at the contact,

    F_i = N n - d_t (v - (v.n) n) = -F_j        N = max(0, k depth - d v.n)        U = k depth^2/2

d is the sum of a constant damping and 2 z sqrt(k m) of a damping ratio z, with the effective mass m of both. Constants
of two spheres are combined by their harmonic mean, damping ratios by their arithmetic mean. The ledger's line CONTACT
gets (F_i - k depth n).v, all that does not belong to U. The same law serves walls and surfaces.

Forces on both are opposite and on one line, which conserves momentum and angular momentum. Two bodies touch in the
middle of their overlap. A point does not turn: friction acts at its centre, and two points have no friction. Without
damping an impact conserves energy; with it the coefficient of restitution is that of restitution.py.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.ledger import CONTACT
from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.simd import where
from polhode.jit.vec import Triple, accumulate, dot, row, scale, subtract
from polhode.physics.bodies.pivot_friction import friction_torque
from polhode.physics.contact.arrays import Contacts, ContactWork
from polhode.physics.contact.colliders import Colliders, add_force_to, velocity_of
from polhode.physics.contact.friction.arrays import FrictionContacts
from polhode.physics.contact.friction.dry_friction import add_friction_contact
from polhode.physics.contact.friction.dry_rows import ContactGeometry, across, sphere_of
from polhode.physics.contact.neighbours.arrays import NeighbourWork
from polhode.physics.contact.neighbours.pairs import neighbour, neighbour_range
from polhode.physics.contact.penetration import overlap


@kernel
def contact_force(
    depth: float, normal: Triple, velocity: Triple, stiffness: float, damping: float, friction: float, sticky: bool
) -> Triple:
    """F = N n - d_t (v - (v.n) n) [N], N = k depth - d v.n, laboratory frame; N >= 0 unless `sticky`.

    A sticky contact may pull while it lasts, as in the course (Imura section 7.2).

    depth: penetration [m] > 0.
    normal: unit vector n out of the partner.
    velocity: v [m/s] relative to the partner at the contact point.
    stiffness, damping, friction: k [N/m], d [N s/m], d_t [N s/m].
    """
    departing = dot(velocity, normal)
    pressure = stiffness * depth - damping * departing
    if not sticky:
        pressure = where(pressure > 0.0, pressure, 0.0)
    sliding = subtract(velocity, scale(departing, normal))
    return subtract(scale(pressure, normal), scale(friction, sliding))


@kernel
def impact_damping(ratio: float, stiffness: float, inverse_mass: float) -> float:
    """d = 2 z sqrt(k m) [N s/m], coefficient of a damper with damping ratio z.

    stiffness: k [N/m]; inverse_mass: 1/m [1/kg]; d = 0 if that is 0.
    """
    damping = 2.0 * ratio * sqrt(stiffness / inverse_mass)
    return where(inverse_mass > 0.0, where(ratio > 0.0, damping, 0.0), 0.0)


@kernel
def contact_energy(depth: float, stiffness: float) -> float:
    """U = k depth^2/2 [J] of a contact with `depth` [m] and `stiffness` [N/m]."""
    return 0.5 * stiffness * depth * depth


@kernel
def harmonic_mean(a: float, b: float) -> float:
    """Harmonic mean: two equal values give that value, otherwise the softer one dominates."""
    return where(a + b > 0.0, 2.0 * a * b / (a + b), 0.0)


@kernel
def resist_turning(colliders: Colliders, power: np.ndarray, a: int, b: int, resistance: float) -> None:
    """Viscous resistance [N m s] to the relative rotation of bodies a and b; power[CONTACT] gets its power."""
    body_work = colliders.body_work
    relative = subtract(row(body_work.angular_velocity, a), row(body_work.angular_velocity, b))
    torque = friction_torque(resistance, relative)
    accumulate(body_work.torque, a, torque)
    accumulate(body_work.torque, b, scale(-1.0, torque))
    power[CONTACT] += dot(torque, relative)


@kernel
def press(
    colliders: Colliders,
    contacts: Contacts,
    contact_work: ContactWork,
    friction: FrictionContacts,
    power: np.ndarray,
    i: int,
    j: int,
) -> float:
    """Add the contact forces of spheres i and j; returns the elastic energy [J] of their overlap, 0 if they are apart.

    Includes viscous friction, resistance to relative rotation of two bodies, and the powers of what is lost. With dry
    friction the contact is appended to `friction`. The contact point is the middle of the overlap of two bodies'
    spheres; the centre of a point, if one of them is a point; the forces are then on the line through it.
    power[CONTACT] gets {F - k depth n}.v of the normal damping and the friction, and the power of rotation.
    """
    depth, normal = overlap(contacts, contact_work, i, j)
    if depth <= 0.0:
        return 0.0
    of_points = int(contacts.body[i] == NOTHING) + int(contacts.body[j] == NOTHING)
    nearer = contacts.radius[i] - 0.5 * depth
    if of_points > 0:
        nearer = 0.0 if contacts.body[i] == NOTHING else contacts.radius[i] + contacts.radius[j] - depth
    at = subtract(row(contact_work.position, i), scale(nearer, normal))
    a, p, b, q = contacts.body[i], contacts.point[i], contacts.body[j], contacts.point[j]
    velocity = subtract(velocity_of(colliders, a, p, at), velocity_of(colliders, b, q, at))
    stiffness = harmonic_mean(contacts.stiffness[i], contacts.stiffness[j])
    damping = harmonic_mean(contacts.damping[i], contacts.damping[j])
    ratio, yielding = 0.5 * (contacts.dry[i, 0] + contacts.dry[j, 0]), contacts.mobility[i, 0] + contacts.mobility[j, 0]
    damping += impact_damping(ratio, stiffness, yielding)
    viscous = harmonic_mean(contacts.friction[i], contacts.friction[j]) if of_points < 2 else 0.0
    force = contact_force(depth, normal, velocity, stiffness, damping, viscous, False)
    add_force_to(colliders, a, p, at, force)
    add_force_to(colliders, b, q, at, scale(-1.0, force))
    power[CONTACT] += dot(subtract(force, scale(stiffness * depth, normal)), velocity)
    if of_points == 0:
        resist_turning(colliders, power, a, b, harmonic_mean(contacts.rolling[i], contacts.rolling[j]))
    if of_points < 2 and (contacts.dry[i, 1] > 0.0 or contacts.dry[i, 3] > 0.0 or contacts.dry[i, 4] > 0.0):
        pressure = max(0.0, stiffness * depth - damping * dot(velocity, normal))
        note_pair(colliders, contacts, contact_work, friction, i, j, at, normal, pressure)
    return contact_energy(depth, stiffness)


@kernel
def note_pair(
    colliders: Colliders,
    contacts: Contacts,
    contact_work: ContactWork,
    friction: FrictionContacts,
    i: int,
    j: int,
    at: Triple,
    normal: Triple,
    pressure: float,
) -> None:
    """Append the contact of spheres i and j to the frictional contacts, unless it has no pressure or no friction.

    The normal turns as the centres move: dn/dt = (v - (v.n) n)/distance, v the relative velocity of the centres.

    at: contact point [m]; normal: from j to i; pressure: normal force [N]; laboratory frame.
    """
    here, there = row(contact_work.position, i), row(contact_work.position, j)
    static = harmonic_mean(contacts.dry[i, 1], contacts.dry[j, 1])
    kinetic = harmonic_mean(contacts.dry[i, 2], contacts.dry[j, 2])
    rolling = harmonic_mean(contacts.dry[i, 3], contacts.dry[j, 3])
    spinning = harmonic_mean(contacts.dry[i, 4], contacts.dry[j, 4])
    if pressure == 0.0 or (static == 0.0 and rolling == 0.0 and spinning == 0.0):
        return
    a, p, b, q = contacts.body[i], contacts.point[i], contacts.body[j], contacts.point[j]
    first, second = velocity_of(colliders, a, p, here), velocity_of(colliders, b, q, there)
    passing = subtract(first, second)
    turning = scale(1.0 / dot(subtract(here, there), normal), across(passing, normal))
    moving = first if p != NOTHING else second
    if p == NOTHING and q == NOTHING:  # the middle of the overlap
        moving = subtract(first, scale(dot(subtract(here, at), normal), turning))
        moving = subtract(moving, scale(0.5 * dot(passing, normal), normal))
    geometry, round_by = (
        ContactGeometry(at, normal, turning, moving),
        sphere_of(min(contacts.radius[i], contacts.radius[j])),
    )
    add_friction_contact(friction, (a, p, b, q), geometry, round_by, (pressure, static, kinetic, rolling, spinning))


@kernel
def add_contacts(
    colliders: Colliders,
    contacts: Contacts,
    contact_work: ContactWork,
    neighbour_work: NeighbourWork,
    friction: FrictionContacts,
    power: np.ndarray,
) -> float:
    """LAW: contacts of all spheres that are neighbours; returns the elastic energy [J].

    colliders: forces and torques of bodies and forces on points are added to.
    friction: contacts with dry friction are appended.
    """
    energy, radius = 0.0, contacts.radius
    for j in range(len(radius)):
        here = row(contact_work.position, j)
        begin, end = neighbour_range(neighbour_work, 0, j, j)
        for m in range(begin, end):
            i = neighbour(neighbour_work, m)
            between, touch = subtract(row(contact_work.position, i), here), radius[i] + radius[j]
            if dot(between, between) < touch * touch:  # of most neighbours not: a call takes as long
                energy += press(colliders, contacts, contact_work, friction, power, i, j)
    return energy
