"""Contact of vertices, spheres, points and rims of cylinders with the nearest point of another solid's core."""

from __future__ import annotations

from math import inf, pi, sqrt
from typing import NamedTuple

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.libm.trigonometric import sincos
from polhode.jit.vec import Triple, add, components, cross, dot, row, scale, subtract
from polhode.physics.contact.colliders import Colliders, velocity_of
from polhode.physics.contact.friction.arrays import FrictionContacts
from polhode.physics.contact.friction.dry_rows import ZERO, ContactGeometry, Roundness, across, sphere_of
from polhode.physics.contact.solids.arrays import CYLINDER, Solids, SolidWork
from polhode.physics.contact.solids.frames import Frame, frame_of, to_outer, turned
from polhode.physics.contact.solids.nearest import Nearest, nearest_on, turning_by
from polhode.physics.contact.solids.press import Law, press_contact

FEET = 4  # contact points of a rim: three are the fewest that support it
LEVEL = 1e-24  # squared sine of the tilt below which a rim lies flat
TRIES = 40  # largest number of steps to the nearest point of a rim


class Ball(NamedTuple):
    """A sphere that touches: one of a body, a point, a rounded vertex, or the rounding at a point of a rim."""

    center: Triple
    """[m] in the laboratory frame."""
    local: Triple
    """[m] the same in the frame of the other solid."""
    moving: Triple
    """[m/s] velocity of the centre, which wanders along a rim, laboratory frame."""
    radius: float
    """[m]"""
    round_by: Roundness
    """B of the surface that it is part of."""


@kernel
def turning_of(colliders: Colliders, frame: Frame, near: Nearest, b: int, relative: Triple) -> Triple:
    """Rate [1/s] of the normal of a solid of body b at the nearest point to a point that moves: `relative` [m/s] to
    the body.
    """
    normal = turned(frame, near.normal)
    rotation = cross(row(colliders.body_work.angular_velocity, b), normal)
    if near.curvature == 0.0 and near.along == 0.0:
        return rotation
    return add(rotation, turned(frame, turning_by(near, components(relative, frame.x, frame.y, frame.z))))


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
    ball: Ball,
    law: Law,
) -> float:
    """Contact of solid j with a sphere of body a, or point p; returns the elastic energy [J], 0 if they are apart.

    Two bodies touch in the middle of their overlap.

    frame: of the solid, as seen from the laboratory.
    """
    touch = ball.radius + solids.radius[j]
    near = nearest_on(solids, j, ball.local, touch)
    depth = touch - near.distance
    if depth <= 0.0:
        return 0.0
    normal, b, at, moving = turned(frame, near.normal), solids.body[j], ball.center, ball.moving
    relative = subtract(moving, velocity_of(colliders, b, NOTHING, at))
    turning = turning_of(colliders, frame, near, b, relative)
    if a != NOTHING:
        arm, parting = ball.radius - 0.5 * depth, dot(relative, normal)
        at = subtract(at, scale(arm, normal))
        moving = subtract(moving, add(scale(arm, turning), scale(0.5 * parting, normal)))
    geometry = ContactGeometry(at, normal, turning, moving)
    return press_contact(colliders, friction, power, (a, p, b), law, geometry, ball.round_by, depth, 1.0)


@kernel
def press_vertices(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    solids: Solids,
    solid_work: SolidWork,
    i: int,
    j: int,
    seen: Frame,
    law: Law,
) -> float:
    """Contacts of the vertices and rims of solid i with solid j; returns the elastic energy [J].

    seen: frame of solid i, as seen from solid j.
    """
    frame, a, radius, energy = frame_of(solid_work, j), solids.body[i], solids.radius[i], 0.0
    own = frame_of(solid_work, i)
    for k in range(solids.first_vertex[i], solids.first_vertex[i + 1]):
        local = to_outer(seen, row(solids.vertex, k))
        if is_near(solids, j, local, radius):
            center = to_outer(own, row(solids.vertex, k))
            ball = Ball(center, local, velocity_of(colliders, a, NOTHING, center), radius, sphere_of(radius))
            energy += press_ball(colliders, friction, power, solids, j, frame, a, NOTHING, ball, law)
    if solids.kind[i] == CYLINDER:
        for end in range(2):
            middle = to_outer(seen, (0.0, 0.0, (2 * end - 1) * solids.size[i, 2]))
            if nearest_on(solids, j, middle, inf).distance <= solids.size[i, 0] + radius + solids.radius[j]:
                energy += press_rim(colliders, friction, power, solids, i, j, frame, seen, middle, law)
    return energy


@kernel
def press_rim(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    solids: Solids,
    i: int,
    j: int,
    frame: Frame,
    seen: Frame,
    middle: Triple,
    law: Law,
) -> float:
    """Contacts of a rim of cylinder i with solid j; returns the elastic energy [J].

    All points of the rim that touch wander along it as the nearest one does, which alone rolls.

    frame: of solid j, as seen from the laboratory; seen: of the cylinder, and middle: of the rim [m], as seen from j.
    """
    a, radius, wide, energy = solids.body[i], solids.radius[i], solids.size[i, 0], 0.0
    lowest = nearest_on_rim(solids, j, seen, middle, wide)
    aside = cross(seen.z, lowest)
    rate, curvature = rim_wandering(colliders, solids, i, j, frame, seen, middle, lowest)
    for k in range(FEET):
        outward = scale(1.0 if k < 2 else -1.0, lowest if k % 2 == 0 else aside)
        local, along = add(middle, scale(wide, outward)), turned(frame, cross(seen.z, outward))
        if not is_near(solids, j, local, radius):
            continue
        center, round_by = to_outer(frame, local), sphere_of(radius)
        if k == 0 and curvature > 0.0:
            round_by = Roundness(radius, scale(sqrt(wide / curvature), along), ZERO)
        moving = add(velocity_of(colliders, a, NOTHING, center), scale(wide * rate, along))
        ball = Ball(center, local, moving, radius, round_by)
        energy += press_ball(colliders, friction, power, solids, j, frame, a, NOTHING, ball, law)
    return energy


@kernel
def rim_wandering(
    colliders: Colliders, solids: Solids, i: int, j: int, frame: Frame, seen: Frame, middle: Triple, lowest: Triple
) -> tuple[float, float]:
    """Angular velocity [rad/s] about its axis of the nearest point of a rim over cylinder i, and second derivative of
    the distance by that angle over the radius; zeros where the rim lies flat.

    With the normal n of solid j and the unit vectors e to that point and t along the rim, n.t = 0 stays so:

        w (r t.dn - n.e) = -(n'.t + n.(omega x t))

    with n' the rate of the normal at the point as it moves with the cylinder, dn its change per displacement along t.

    Arguments as of `press_rim`; lowest: e as seen from solid j.
    """
    a, b, radius = solids.body[i], solids.body[j], solids.size[i, 0]
    local = add(middle, scale(radius, lowest))
    near, tangent = nearest_on(solids, j, local, inf), cross(seen.z, lowest)
    curved = radius * dot(tangent, turning_by(near, tangent)) - dot(near.normal, lowest)
    if curved * curved < LEVEL:
        return 0.0, 0.0
    at, along, normal = to_outer(frame, local), turned(frame, tangent), turned(frame, near.normal)
    relative = subtract(velocity_of(colliders, a, NOTHING, at), velocity_of(colliders, b, NOTHING, at))
    turning = turning_of(colliders, frame, near, b, relative)
    carried = cross(row(colliders.body_work.angular_velocity, a), along)
    return -(dot(turning, along) + dot(normal, carried)) / curved, curved


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
        sine, cosine = sincos(angle)
        found = add(scale(cosine, middle), scale(sine, aside))
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
