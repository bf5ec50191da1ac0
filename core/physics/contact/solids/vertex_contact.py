"""Contact of vertices, spheres, points and rims of cylinders with the nearest point of another solid's core."""

from __future__ import annotations

from math import cos, inf, pi, sin, sqrt

import numpy as np

from core.engine.model import NOTHING
from core.jit.kernel import kernel
from core.jit.vec import Triple, add, components, cross, dot, row, scale, subtract
from core.physics.contact.arrays import FrictionContacts
from core.physics.contact.colliders import Colliders, velocity_of
from core.physics.contact.friction.dry_friction import across
from core.physics.contact.solids.arrays import CYLINDER, Solids, SolidWork
from core.physics.contact.solids.frames import Frame, frame_of, seen_from, to_outer, turned
from core.physics.contact.solids.nearest import Nearest, nearest_on, turning_by
from core.physics.contact.solids.press import Law, press_contact

FEET = 4  # contact points of a rim: three are the fewest that support it
LEVEL = 1e-24  # squared sine of the tilt below which a rim lies flat
TRIES = 40  # largest number of steps to the nearest point of a rim


@kernel
def turning_of(colliders: Colliders, frame: Frame, near: Nearest, a: int, p: int, b: int, at: Triple) -> Triple:
    """Rate [1/s] of the normal of the solid of body b at the nearest point to `at` [m], which moves with body a or
    point p; laboratory frame.
    """
    relative = subtract(velocity_of(colliders, a, p, at), velocity_of(colliders, b, NOTHING, at))
    bending = turning_by(near, components(relative, frame.x, frame.y, frame.z))
    rotation = cross(row(colliders.body_work.angular_velocity, b), turned(frame, near.normal))
    return add(rotation, turned(frame, bending))


@kernel
def is_near(solids: Solids, j: int, local: Triple, radius: float) -> bool:
    """Whether a sphere may touch solid j: it meets the bounding box. `local`: its centre [m] in the solid's frame."""
    touch = radius + solids.radius[j]
    return (
        abs(local[0]) < solids.bound[j, 0] + touch
        and abs(local[1]) < solids.bound[j, 1] + touch
        and abs(local[2]) < solids.bound[j, 2] + touch
    )


@kernel
def press_ball(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    solids: Solids,
    j: int,
    frame: Frame,
    a: int,
    p: int,
    local: Triple,
    radius: float,
    law: Law,
) -> float:
    """Contact of solid j with a sphere of body a, or point p; returns the elastic energy [J], 0 if they are apart.

    frame: of the solid, as seen from the laboratory; local: centre of the sphere [m] in that frame; radius: [m].
    """
    touch = radius + solids.radius[j]
    near = nearest_on(solids, j, local, touch)
    depth = touch - near.distance
    if depth <= 0.0:
        return 0.0
    center, normal, b = to_outer(frame, local), turned(frame, near.normal), solids.body[j]
    turning = turning_of(colliders, frame, near, a, p, b, center)
    at = center if a == NOTHING else subtract(center, scale(radius - 0.5 * depth, normal))
    moving = subtract(velocity_of(colliders, a, p, center), scale(radius, turning))
    return press_contact(colliders, friction, power, (a, p, b), law, at, normal, turning, moving, depth, 1.0)


@kernel
def press_vertices(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    solids: Solids,
    solid_work: SolidWork,
    i: int,
    j: int,
    law: Law,
) -> float:
    """Contacts of the vertices and rims of solid i with solid j; returns the elastic energy [J]."""
    frame, a, radius, energy = frame_of(solid_work, j), solids.body[i], solids.radius[i], 0.0
    seen = seen_from(frame_of(solid_work, i), frame)
    for k in range(solids.first_vertex[i], solids.first_vertex[i + 1]):
        local = to_outer(seen, row(solids.vertex, k))
        if is_near(solids, j, local, radius):
            energy += press_ball(colliders, friction, power, solids, j, frame, a, NOTHING, local, radius, law)
    if solids.kind[i] != CYLINDER:
        return energy
    for end in range(2):
        center = to_outer(seen, (0.0, 0.0, (2 * end - 1) * solids.size[i, 2]))
        if nearest_on(solids, j, center, inf).distance > solids.size[i, 0] + radius + solids.radius[j]:
            continue
        lowest = nearest_on_rim(solids, j, seen, center, solids.size[i, 0])
        aside = cross(seen.z, lowest)
        for k in range(FEET):
            arm = scale((1.0 if k < 2 else -1.0) * solids.size[i, 0], lowest if k % 2 == 0 else aside)
            local = add(center, arm)
            if is_near(solids, j, local, radius):
                energy += press_ball(colliders, friction, power, solids, j, frame, a, NOTHING, local, radius, law)
    return energy


@kernel
def nearest_on_rim(solids: Solids, j: int, seen: Frame, center: Triple, radius: float) -> Triple:
    """Unit vector from the centre of a rim to its point nearest to the core of solid j, found by Newton's method,
    with bisection where that leaves the bracket; any one where the rim lies flat.

    The derivatives of the distance by the angle are r n.t and r (r t.dn - n.e), with the unit vectors e to the point of
    the rim and t along it, the normal n, and its change dn per displacement along t.

    seen: frame of the cylinder; center, radius: of the rim [m]; all as seen from solid j.
    """
    along = across(nearest_on(solids, j, center, inf).normal, seen.z)
    square = dot(along, along)
    if square < LEVEL:
        return seen.x
    middle = scale(-1.0 / sqrt(square), along)
    aside, low, high, angle, found = cross(seen.z, middle), -0.5 * pi, 0.5 * pi, 0.0, middle
    for _ in range(TRIES):
        found = add(scale(cos(angle), middle), scale(sin(angle), aside))
        near, tangent = nearest_on(solids, j, add(center, scale(radius, found)), inf), cross(seen.z, found)
        slope = dot(near.normal, tangent)
        low, high = (low, angle) if slope > 0.0 else (angle, high)
        if slope * slope < LEVEL:
            break
        curved = radius * dot(tangent, turning_by(near, tangent)) - dot(near.normal, found)
        angle = angle - slope / curved if curved > 0.0 else low
        if not low < angle < high:
            angle = 0.5 * (low + high)
    return found
