"""Forces of a patch: the elastic force of each overlapping point, damping, viscous and dry friction.

Over all points of the patch the force is K d, with the mean overlap d = sum f_i d_i/sum f_i and K = sum f_i/d. Each
point has the part f_i/sum f of a damper 2 z sqrt(K m) of the whole patch, which never pulls, and of the viscous
friction. Dry friction acts at some of the points, which take over the normal forces of those next to them, so that a
flat face also resists being spun.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from polhode.engine.ledger import CONTACT
from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import add, cross, dot, row, scale, subtract
from polhode.physics.contact.colliders import Colliders, add_force_to, mobility, velocity_of
from polhode.physics.contact.fields.arrays import FieldWork
from polhode.physics.contact.friction.arrays import FrictionContacts
from polhode.physics.contact.friction.dry_friction import add_friction_contact
from polhode.physics.contact.friction.dry_rows import ContactGeometry, sphere_of
from polhode.physics.contact.solids.arrays import DAMPING, KINETIC, RATIO, ROLLING, SPINNING, STATIC, VISCOUS
from polhode.physics.contact.solids.press import Law
from polhode.physics.contact.sphere_contact import impact_damping

FEET = 12  # points of a patch at which dry friction acts, at most
NEVER = -1.0


@kernel
def press_points(
    colliders: Colliders,
    work: FieldWork,
    power: np.ndarray,
    ends: tuple[int, int, int],
    law: Law,
    counts: tuple[int, int],
    scaling: float,
) -> None:
    """Apply the normal forces and viscous friction of all points of a patch; writes `work.pressure`.

    ends: body and point of the first shape, NOTHING for none; body of the second one
    counts: number of points of the first shape, and of both shapes; those of the first are the first
    scaling: [N/m^5] force over `share`
    """
    a, p, b = ends
    whole = moment = 0.0
    for n in range(counts[1]):
        whole += scaling * work.share[n, 0]
        moment += scaling * work.share[n, 0] * work.share[n, 1]
    stiffness = whole * whole / moment
    for n in range(counts[1]):
        at, slope, force = row(work.place, n), row(work.slope, n), scaling * work.share[n, 0]
        if n >= counts[0]:
            slope = scale(-1.0, slope)
        steepness = sqrt(dot(slope, slope))
        normal, part = scale(1.0 / max(steepness, 1e-12), slope), force / whole
        velocity = subtract(velocity_of(colliders, a, p, at), velocity_of(colliders, b, NOTHING, at))
        departing = dot(velocity, normal)
        damping = part * law[DAMPING]
        if law[RATIO] > 0.0:
            yielding = mobility(colliders, a, p, at, normal) + mobility(colliders, b, NOTHING, at, normal)
            damping += part * impact_damping(law[RATIO], stiffness, yielding)
        pressure = max(force * steepness - damping * departing, 0.0)
        sliding = subtract(velocity, scale(departing, normal))
        total = subtract(scale(pressure, normal), scale(part * law[VISCOUS], sliding))
        add_force_to(colliders, a, p, at, total)
        add_force_to(colliders, b, NOTHING, at, scale(-1.0, total))
        power[CONTACT] += dot(subtract(total, scale(force, slope)), velocity)
        work.pressure[n] = pressure


@kernel
def farthest(work: FieldWork, count: int, foot: int, chosen: int, first: int) -> tuple[int, float]:
    """Note which points of a patch are nearer to point `chosen`, its foot number `foot`, than to the feet before.

    Returns the point that is farthest from all feet, and its squared distance [m^2]. Points with other normals are
    far; the points from `first` on are of the other shape and have opposite normals.
    """
    at, slope = row(work.place, chosen), row(work.slope, chosen)
    best, far = chosen, NEVER
    for n in range(count):
        away = subtract(row(work.place, n), at)
        same = (n < first) == (chosen < first)
        aligned = dot(row(work.slope, n), slope) if same else -dot(row(work.slope, n), slope)
        square = dot(away, away) * (3.0 - 2.0 * min(max(aligned, 0.0), 1.0))
        if square < work.gap[n]:
            work.gap[n], work.nearest[n] = square, foot
        if work.gap[n] > far and work.pressure[n] > 0.0:
            best, far = n, work.gap[n]
    return best, far


@kernel
def choose_feet(work: FieldWork, counts: tuple[int, int], near: float) -> int:
    """Choose points of a patch that are far from each other, and note the nearest one of each point; returns how many,
    0 of a patch without pressure.

    counts, near: as of `rub_points`
    """
    highest, chosen = 0.0, 0
    for n in range(counts[1]):
        work.gap[n] = inf
        if work.pressure[n] > highest:
            highest, chosen = work.pressure[n], n
    if highest == 0.0:
        return 0
    feet = 0
    while feet < FEET:
        following, far = farthest(work, counts[1], feet, chosen, counts[0])
        feet += 1
        if far <= near * near:
            break
        chosen = following
    return feet


@kernel
def rub_points(
    colliders: Colliders,
    work: FieldWork,
    friction: FrictionContacts,
    ends: tuple[int, int, int],
    law: Law,
    counts: tuple[int, int],
    near: float,
    radius: float,
) -> None:
    """Append the contacts with dry friction of a patch: feet that are far from each other.

    Each has the normal force of the points that are nearest to it.

    ends, counts: as of `press_points`; near: [m] distance within which feet are one; radius: [m] that rolls
    """
    feet, (a, p, b) = choose_feet(work, counts, near), ends
    numbers = law[STATIC], law[KINETIC], law[ROLLING], law[SPINNING]
    for foot in range(feet):
        pressure, at, normal = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for n in range(counts[1]):
            if work.nearest[n] == foot:
                pressure += work.pressure[n]
                at = add(at, scale(work.pressure[n], row(work.place, n)))
                sign = work.pressure[n] if n < counts[0] else -work.pressure[n]
                normal = add(normal, scale(sign, row(work.slope, n)))
        length = sqrt(dot(normal, normal))
        if pressure > 0.0 and length > 0.0:
            at, normal = scale(1.0 / pressure, at), scale(1.0 / length, normal)
            one, other = velocity_of(colliders, a, p, at), velocity_of(colliders, b, NOTHING, at)
            turning = cross(row(colliders.body_work.angular_velocity, b), normal)
            geometry = ContactGeometry(at, normal, turning, scale(0.5, add(one, other)))
            add_friction_contact(friction, (a, p, b, NOTHING), geometry, sphere_of(radius), (pressure, *numbers))
