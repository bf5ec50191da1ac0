"""Forces at one contact of a solid with a sphere, a point or another solid: the law of sphere_contact.py.

    N = max(0, w k depth - d v.n)        U = w k depth^2/2

with the weight w of crossing.py, 1 elsewhere. Constants of both are combined as those of two spheres are: harmonic
means, and the arithmetic mean of damping ratios, with the mobility of both at the contact.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import CONTACT
from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import dot, scale, subtract
from polhode.physics.contact.arrays import Contacts
from polhode.physics.contact.colliders import Colliders, add_force_to, mobility, velocity_of
from polhode.physics.contact.friction.arrays import FrictionContacts
from polhode.physics.contact.friction.dry_friction import add_friction_contact
from polhode.physics.contact.friction.dry_rows import ContactGeometry, Roundness
from polhode.physics.contact.solids.arrays import (
    DAMPING,
    KINETIC,
    RATIO,
    ROLLING,
    SPINNING,
    STATIC,
    STIFFNESS,
    TURNING,
    VISCOUS,
)
from polhode.physics.contact.sphere_contact import contact_force, harmonic_mean, impact_damping

Law = tuple[float, float, float, float, float, float, float, float, float]


@kernel
def combined(a: np.ndarray, b: np.ndarray) -> Law:
    """Constants of the contact of two solids with the numbers a and b, (9,) in the order of `MATERIAL`."""
    return (
        harmonic_mean(a[STIFFNESS], b[STIFFNESS]),
        harmonic_mean(a[DAMPING], b[DAMPING]),
        harmonic_mean(a[VISCOUS], b[VISCOUS]),
        harmonic_mean(a[TURNING], b[TURNING]),
        0.5 * (a[RATIO] + b[RATIO]),
        harmonic_mean(a[STATIC], b[STATIC]),
        harmonic_mean(a[KINETIC], b[KINETIC]),
        harmonic_mean(a[ROLLING], b[ROLLING]),
        harmonic_mean(a[SPINNING], b[SPINNING]),
    )


@kernel
def law_of_sphere(contacts: Contacts, i: int, b: np.ndarray) -> Law:
    """Constants of the contact of sphere i with a solid with the numbers b, (9,) in the order of `MATERIAL`."""
    dry = contacts.dry[i]
    return (
        harmonic_mean(contacts.stiffness[i], b[STIFFNESS]),
        harmonic_mean(contacts.damping[i], b[DAMPING]),
        harmonic_mean(contacts.friction[i], b[VISCOUS]),
        harmonic_mean(contacts.rolling[i], b[TURNING]),
        0.5 * (dry[0] + b[RATIO]),
        harmonic_mean(dry[1], b[STATIC]),
        harmonic_mean(dry[2], b[KINETIC]),
        harmonic_mean(dry[3], b[ROLLING]),
        harmonic_mean(dry[4], b[SPINNING]),
    )


@kernel
def is_dry(law: Law) -> bool:
    """Whether it has dry friction, rolling resistance or spinning friction."""
    return law[STATIC] > 0.0 or law[ROLLING] > 0.0 or law[SPINNING] > 0.0


@kernel
def press_contact(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    ends: tuple[int, int, int],
    law: Law,
    geometry: ContactGeometry,
    round_by: Roundness,
    depth: float,
    weight: float,
) -> float:
    """Apply the forces at one contact; returns its elastic energy [J]. power[CONTACT] gets {F - w k depth n}.v.

    ends: body and point of the first end, NOTHING for none; body of the solid.
    geometry: where they touch; round_by: B there.
    depth: overlap [m] > 0; weight: w.
    """
    a, p, b = ends
    at, normal = geometry.at, geometry.normal
    velocity = subtract(velocity_of(colliders, a, p, at), velocity_of(colliders, b, NOTHING, at))
    stiffness, damping = weight * law[STIFFNESS], weight * law[DAMPING]
    if law[RATIO] > 0.0:
        yielding = mobility(colliders, a, p, at, normal) + mobility(colliders, b, NOTHING, at, normal)
        damping += impact_damping(law[RATIO], stiffness, yielding)
    force = contact_force(depth, normal, velocity, stiffness, damping, weight * law[VISCOUS], False)
    add_force_to(colliders, a, p, at, force)
    add_force_to(colliders, b, NOTHING, at, scale(-1.0, force))
    power[CONTACT] += dot(subtract(force, scale(stiffness * depth, normal)), velocity)
    pressure = dot(force, normal)
    if pressure > 0.0 and is_dry(law):
        numbers = (pressure, law[STATIC], law[KINETIC], law[ROLLING], law[SPINNING])
        add_friction_contact(friction, (a, p, b, NOTHING), geometry, round_by, numbers)
    return 0.5 * stiffness * depth * depth
