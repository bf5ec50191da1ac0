"""Walls by penalty: a wall presses what is behind it back to the side of its normal (Imura section 7.2).

At a contact point of depth = r - (x - q).n > 0 behind the wall, with q and u the position and velocity of the wall,

    F = N n - d_t (w - (w.n) n),  w = v - u        N = k depth - d w.n, at least 0 unless the wall is sticky
    U = k depth^2/2        power of the wall's motion F.u (DRIVE), of damping and friction (F - k depth n).w (CONTACT)

with d from the damping ratio if there is one. The law is evaluated at every stage of a step: contacts chosen once per
step would lose energy. Points touch with their spheres, rigid bodies with the corners of their convex hulls
(core/polhode/physics/contact/compile.py). Checks: coefficient of restitution exp(-pi z/sqrt(1 - z^2)), z = d/(2 sqrt(k
m)), of a sticky wall without gravity, restitution.py of one that cannot pull. A method may ask for the contacts of
points to be chosen once per step all the same (`runge_kutta_4_as_printed`).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import CONTACT, DRIVE
from polhode.engine.model import NOTHING
from polhode.engine.program import STORE, STORED
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, components, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import read_basis
from polhode.physics.bodies.at_point import add_force_at
from polhode.physics.contact.arrays import HullCorners, Walls
from polhode.physics.contact.colliders import Colliders, mobility, stiffness_column, velocity_of
from polhode.physics.contact.friction.arrays import FrictionContacts
from polhode.physics.contact.friction.dry_friction import add_friction_contact
from polhode.physics.contact.friction.dry_rows import ZERO, ContactGeometry, Roundness, sphere_of
from polhode.physics.contact.penetration import wall_pose
from polhode.physics.contact.sphere_contact import contact_energy, contact_force, impact_damping
from polhode.physics.contact.walls.corners import corner_roundness, touching_place, wandering
from polhode.physics.points.arrays import point_rows


@kernel
def wall_force(
    colliders: Colliders,
    walls: Walls,
    wall: int,
    b: int,
    p: int,
    depth: float,
    geometry: ContactGeometry,
    round_by: Roundness,
    moving: Triple,
    friction: FrictionContacts,
    power: np.ndarray,
) -> Triple:
    """Force [N], laboratory frame, on a contact point of body b or point p, `depth` [m] behind a wall.

    Adds its powers to the ledger, and the contact to the frictional ones if friction is dry. The caller applies the
    force.

    geometry: where it touches; round_by: B there; moving: velocity of the wall [m/s]; laboratory frame.
    power[DRIVE] gets F.u of the wall's velocity u, power[CONTACT] {F - k depth n}.w of the relative one.
    """
    normal, relative = geometry.normal, subtract(velocity_of(colliders, b, p, geometry.at), moving)
    stiffness, damping = walls.stiffness[wall, stiffness_column(colliders, b, p)], walls.damping[wall]
    if walls.dry[wall, 0] > 0.0:
        yielding = mobility(colliders, b, p, geometry.at, normal)
        damping = impact_damping(walls.dry[wall, 0], stiffness, yielding)
    force = contact_force(depth, normal, relative, stiffness, damping, walls.friction[wall], walls.sticky[wall])
    pressure = dot(force, normal)
    if pressure > 0.0 and is_dry(walls, wall):
        numbers = walls.dry[wall]
        dry = (pressure, numbers[1], numbers[2], numbers[3], numbers[4])
        add_friction_contact(friction, (b, p, NOTHING, NOTHING), geometry, round_by, dry)
    power[DRIVE] += dot(force, moving)
    power[CONTACT] += dot(subtract(force, scale(stiffness * depth, normal)), relative)
    return force


@kernel
def is_dry(walls: Walls, wall: int) -> bool:
    """Whether a wall has dry friction, rolling resistance or spinning friction."""
    return bool(walls.dry[wall, 1] > 0.0 or walls.dry[wall, 3] > 0.0 or walls.dry[wall, 4] > 0.0)


@kernel
def press_at(
    colliders: Colliders,
    walls: Walls,
    wall: int,
    b: int,
    depth: float,
    geometry: ContactGeometry,
    round_by: Roundness,
    moving: Triple,
    friction: FrictionContacts,
    power: np.ndarray,
) -> float:
    """Apply the contact of a point of body b, `depth` [m] behind a wall; returns the elastic energy [J].

    Adds the force and its torque about the reference point to the body.

    geometry: where it touches; round_by: B there; moving: velocity of the wall [m/s]; laboratory frame.
    """
    force = wall_force(colliders, walls, wall, b, NOTHING, depth, geometry, round_by, moving, friction, power)
    add_force_at(colliders.body_work, b, geometry.at, force)
    return contact_energy(depth, walls.stiffness[wall, b])


@kernel
def press_body(
    colliders: Colliders,
    walls: Walls,
    hulls: HullCorners,
    wall: int,
    b: int,
    height: float,
    moving: Triple,
    friction: FrictionContacts,
    power: np.ndarray,
) -> float:
    """Apply the contacts of body b with a wall; returns the elastic energy [J].

    A uniform sphere touches at its lowest point, whatever its basis; others with the corners of their hulls.

    height: of the reference point above the wall [m]; moving: velocity of the wall [m/s], laboratory frame.
    """
    body_work, normal, energy = colliders.body_work, row(walls.normal, wall), 0.0
    here, going = row(body_work.position, b), row(body_work.velocity, b)
    if colliders.bodies.round[b]:  # independent of its basis
        radius = colliders.bodies.radius[b]
        geometry, round_by = (
            ContactGeometry(subtract(here, scale(radius, normal)), normal, ZERO, going),
            sphere_of(radius),
        )
        return press_at(colliders, walls, wall, b, radius - height, geometry, round_by, moving, friction, power)
    u1, u2, u3 = read_basis(colliders.state, b)
    local, omega = components(normal, u1, u2, u3), row(body_work.angular_velocity, b)
    turning = components(cross(normal, omega), u1, u2, u3)
    for i in range(hulls.first[b], hulls.first[b + 1]):
        if height + dot(row(hulls.position, i), local) >= hulls.spread[i] + hulls.radius[i]:
            continue
        for k in range(hulls.count[i]):
            inner = touching_place(hulls, i, k, local)
            depth = -height - dot(inner, local)
            if depth > 0.0:
                arm, rate, round_by = combine(inner, u1, u2, u3), going, sphere_of(hulls.radius[i])
                if is_dry(walls, wall):
                    inner = wandering(hulls, i, k, local, turning)
                    rate = add(add(going, cross(omega, arm)), combine(inner, u1, u2, u3))
                    found = corner_roundness(hulls, i, k, local)
                    round_by = Roundness(found.radius, combine(found.first, u1, u2, u3), ZERO)
                geometry = ContactGeometry(add(here, arm), normal, ZERO, rate)
                energy += press_at(colliders, walls, wall, b, depth, geometry, round_by, moving, friction, power)
    return energy


@kernel
def is_touching(decisions: np.ndarray, closed: np.ndarray, wall: int, i: int, depth: float) -> bool:
    """Whether point i touches a wall: by its depth [m], or as `closed` (w, p) says if the decisions are STORED."""
    if decisions[0] == STORED:
        return closed[wall, i]
    if decisions[0] == STORE:
        closed[wall, i] = depth > 0.0
    return depth > 0.0


@kernel
def add_walls(
    colliders: Colliders,
    walls: Walls,
    hulls: HullCorners,
    decisions: np.ndarray,
    closed: np.ndarray,
    track: np.ndarray,
    time: float,
    friction: FrictionContacts,
    power: np.ndarray,
) -> float:
    """LAW: all points and bodies against all walls at `time` [s]; returns U [J] of all contacts.

    A body that is farther away than its reach costs one comparison.

    colliders: forces and torques of bodies and forces on points are added to.
    decisions, closed: (1,) and (w, p), see `is_touching`.
    friction: contacts with dry friction are appended.
    """
    rows, energy = point_rows(colliders.points, colliders.state), 0.0
    for wall in range(len(walls.stiffness)):
        normal = row(walls.normal, wall)
        position, moving = wall_pose(walls, track, wall, time)
        for i in range(len(colliders.points.mass)):
            at = (rows[0, i], rows[1, i], rows[2, i])
            height = dot(subtract(at, position), normal)
            depth = colliders.points.radius[i] - height
            if is_touching(decisions, closed, wall, i, depth):
                touched = ContactGeometry(at, normal, ZERO, (rows[3, i], rows[4, i], rows[5, i]))
                force = wall_force(
                    colliders, walls, wall, NOTHING, i, depth, touched, sphere_of(0.0), moving, friction, power
                )
                for axis in range(3):
                    colliders.point_work.force[axis, i] += force[axis]
                energy += contact_energy(depth, walls.stiffness[wall, len(colliders.bodies.mass) + i])
        for b in range(len(colliders.bodies.mass)):
            height = dot(subtract(row(colliders.body_work.position, b), position), normal)
            if height < hulls.reach[b]:
                energy += press_body(colliders, walls, hulls, wall, b, height, moving, friction, power)
    return energy
