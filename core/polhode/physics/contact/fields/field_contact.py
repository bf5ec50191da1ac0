"""Contact of shapes as they look: with each other, and with spheres and points.

Two shapes press by the patch of their overlap (patch.py), a sphere at the point of the shape that is nearest to it, by
the law of sphere_contact.py with the distance f of its centre:

    U = k d^2/2        d = R - f(x) > 0

A sphere that is large beside the shape may touch it at many places, and would need a field that reaches far: the sample
points of the shape press on it, as on another shape.

Beyond half the thickness of a wall things are pushed out on its other side.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, components, cross, dot, row, scale, subtract
from polhode.physics.contact.arrays import Contacts, ContactWork
from polhode.physics.contact.colliders import Colliders, velocity_of
from polhode.physics.contact.fields.arrays import Fields, FieldWork
from polhode.physics.contact.fields.depth import DEEP, note_depth
from polhode.physics.contact.fields.patch import (
    distance_from,
    find_overlaps,
    find_overlaps_of_sphere,
    may_touch,
    softness,
)
from polhode.physics.contact.fields.press import press_points, rub_points
from polhode.physics.contact.friction.arrays import FrictionContacts
from polhode.physics.contact.friction.dry_rows import ContactGeometry, sphere_of
from polhode.physics.contact.neighbours.arrays import Neighbours, NeighbourWork
from polhode.physics.contact.neighbours.pairs import neighbour, neighbour_range
from polhode.physics.contact.separate import are_separate
from polhode.physics.contact.solids.arrays import STIFFNESS, TURNING, Solids
from polhode.physics.contact.solids.frames import Frame, frame_of, seen_from, to_local, to_outer, turned
from polhode.physics.contact.solids.press import Law, combined, is_dry, law_of_sphere, press_contact
from polhode.physics.contact.sphere_contact import resist_turning

STEP = 1e-3  # of a cell, over which the change of a normal is measured


@kernel
def press_patch(
    colliders: Colliders,
    work: FieldWork,
    friction: FrictionContacts,
    power: np.ndarray,
    ends: tuple[int, int, int],
    law: Law,
    counts: tuple[int, int],
    sizes: tuple[float, float, float, float],
) -> float:
    """Apply the forces of the points that overlap, and return the elastic energy [J].

    ends, counts: as of `press_points`
    sizes: W [m^2]; e^4 [m^4]; distance within which feet are one, and radius that rolls [m]
    """
    if counts[1] == 0:
        return 0.0
    patch, soft, near, radius = sizes
    root = sqrt(work.sums[0] + soft)
    press_points(colliders, work, power, ends, law, counts, law[STIFFNESS] / (patch * root))
    if is_dry(law):
        rub_points(colliders, work, friction, ends, law, counts, near, radius)
    if ends[0] != NOTHING and law[TURNING] > 0.0:
        resist_turning(colliders, power, ends[0], ends[2], law[TURNING])
    return 0.5 * law[STIFFNESS] * (root - sqrt(soft))


@kernel
def press_pair(
    colliders: Colliders,
    fields: Fields,
    solids: Solids,
    work: FieldWork,
    friction: FrictionContacts,
    power: np.ndarray,
    i: int,
    j: int,
) -> float:
    """Contact of shapes i and j; returns the elastic energy [J]."""
    one, other = frame_of(work, i), frame_of(work, j)
    patch, near = min(fields.patch[i], fields.patch[j]), min(fields.rounding[i], fields.rounding[j])
    work.sums[0], work.sums[1] = 0.0, 0.0
    first = find_overlaps(fields, solids, work, (i, j), seen_from(one, other), other, patch, 0)
    count = find_overlaps(fields, solids, work, (j, i), seen_from(other, one), one, patch, first)
    law, sizes = combined(fields.material[i], fields.material[j]), (patch, softness(near), near, near)
    ends = fields.body[i], NOTHING, fields.body[j]
    note_depth(work, j, fields.body[i], work.sums[1], 0.0)
    return press_patch(colliders, work, friction, power, ends, law, (first, count), sizes)


@kernel
def press_large_sphere(
    colliders: Colliders,
    contacts: Contacts,
    fields: Fields,
    work: FieldWork,
    friction: FrictionContacts,
    power: np.ndarray,
    i: int,
    j: int,
    center: Triple,
) -> float:
    """Contact of sphere i, with a `center` [m] in the laboratory frame, and shape j, which is small beside it: by the
    sample points of the shape that overlap the sphere; returns the elastic energy [J].
    """
    patch, near, radius = fields.patch[j], fields.rounding[j], contacts.radius[i]
    work.sums[0], work.sums[1] = 0.0, 0.0
    count = find_overlaps_of_sphere(fields, work, j, center, radius, patch)
    law, sizes = law_of_sphere(contacts, i, fields.material[j]), (patch, softness(near), near, radius)
    ends = contacts.body[i], contacts.point[i], fields.body[j]
    note_depth(work, j, contacts.owner[i], work.sums[1], DEEP * fields.largest[j])
    return press_patch(colliders, work, friction, power, ends, law, (0, count), sizes)


@kernel
def add_fields(
    colliders: Colliders,
    fields: Fields,
    solids: Solids,
    field_work: FieldWork,
    neighbours: Neighbours,
    neighbour_work: NeighbourWork,
    friction: FrictionContacts,
    power: np.ndarray,
) -> float:
    """LAW: all shapes that are neighbours, as far as one of them has a grid; returns the elastic energy [J].

    colliders: forces and torques of bodies are added to.
    friction: contacts with dry friction are appended.
    """
    energy, first = 0.0, neighbours.fields
    for i in range(len(fields.body)):
        begin, end = neighbour_range(neighbour_work, first, first + i, first + i)
        for m in range(begin, end):
            j = neighbour(neighbour_work, m) - first
            if may_touch(fields, field_work, i, j):
                energy += press_pair(colliders, fields, solids, field_work, friction, power, i, j)
    return energy


@kernel
def turning_on(fields: Fields, solids: Solids, j: int, local: Triple, normal: Triple, relative: Triple) -> Triple:
    """Rate [1/s] of the unit normal at a place that moves over shape j: `relative` [m/s], all in its frame."""
    speed = sqrt(dot(relative, relative))
    if speed == 0.0:
        return (0.0, 0.0, 0.0)
    step = STEP * fields.cell[j]
    known, _, slope = distance_from(fields, solids, j, add(local, scale(step / speed, relative)), inf)
    steepness = sqrt(dot(slope, slope))
    if not known or steepness == 0.0:
        return (0.0, 0.0, 0.0)
    return scale(speed / step, subtract(scale(1.0 / steepness, slope), normal))


@kernel
def press_sphere(
    colliders: Colliders,
    contacts: Contacts,
    fields: Fields,
    solids: Solids,
    work: FieldWork,
    friction: FrictionContacts,
    power: np.ndarray,
    pair: tuple[int, int],
    frame: Frame,
    center: Triple,
) -> float:
    """Contact of sphere i, with a `center` [m] in the laboratory frame, and shape j; returns the elastic energy [J].

    pair: i and j; frame: of the shape, as seen from the laboratory
    """
    i, j = pair
    a, p, b, radius = contacts.body[i], contacts.point[i], fields.body[j], contacts.radius[i]
    local = to_local(frame, center)
    known, distance, slope = distance_from(fields, solids, j, local, radius)
    if not known or distance >= radius or dot(slope, slope) == 0.0:
        return 0.0
    steepness, depth = sqrt(dot(slope, slope)), radius - distance
    note_depth(work, j, contacts.owner[i], depth, radius)
    inner = scale(1.0 / steepness, slope)
    normal, velocity = turned(frame, inner), velocity_of(colliders, a, p, center)
    relative = subtract(velocity, velocity_of(colliders, b, NOTHING, center))
    law, turning = law_of_sphere(contacts, i, fields.material[j]), (0.0, 0.0, 0.0)
    if is_dry(law):  # which alone needs it
        bending = turning_on(fields, solids, j, local, inner, components(relative, frame.x, frame.y, frame.z))
        turning = add(cross(row(colliders.body_work.angular_velocity, b), normal), turned(frame, bending))
    at, moving = center, velocity
    if a != NOTHING:
        arm = radius - 0.5 * depth
        at = subtract(center, scale(arm, normal))
        parting = scale(0.5 * dot(relative, normal), normal)
        moving = subtract(velocity, add(scale(arm, turning), parting))
    geometry = ContactGeometry(at, normal, turning, moving)
    gained = press_contact(colliders, friction, power, (a, p, b), law, geometry, sphere_of(radius), depth, steepness)
    if a != NOTHING and law[TURNING] > 0.0:
        resist_turning(colliders, power, a, b, law[TURNING])
    return gained / steepness  # its force is steeper than that of a sphere on a solid by this


@kernel
def add_spheres_on_fields(
    colliders: Colliders,
    contacts: Contacts,
    contact_work: ContactWork,
    fields: Fields,
    solids: Solids,
    field_work: FieldWork,
    neighbours: Neighbours,
    neighbour_work: NeighbourWork,
    friction: FrictionContacts,
    power: np.ndarray,
) -> float:
    """LAW: spheres of bodies and points against the shapes with a grid that are their neighbours; returns the elastic
    energy [J].

    colliders: forces and torques of bodies and forces on points are added to.
    friction: contacts with dry friction are appended.
    """
    energy = 0.0
    for j in range(len(fields.body)):
        if fields.solid[j] != NOTHING:
            continue
        frame, b = frame_of(field_work, j), fields.body[j]
        middle = to_outer(frame, row(fields.center, j))
        begin, end = neighbour_range(neighbour_work, 0, neighbours.solids, neighbours.fields + j)
        for m in range(begin, end):
            i = neighbour(neighbour_work, m)
            center, a = row(contact_work.position, i), contacts.body[i]
            between, touch = subtract(center, middle), fields.reach[j] + contacts.radius[i]
            if dot(between, between) < touch * touch and not (
                a != NOTHING and are_separate(fields.first_separate, fields.separate, a, b)
            ):
                if contacts.radius[i] > fields.largest[j]:
                    energy += press_large_sphere(colliders, contacts, fields, field_work, friction, power, i, j, center)
                else:
                    energy += press_sphere(
                        colliders, contacts, fields, solids, field_work, friction, power, (i, j), frame, center
                    )
    return energy
