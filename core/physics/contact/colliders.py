"""Bodies and points in contact: velocity, acceleration and mobility of a contact point; laboratory frame.

A contact point belongs to body `b` or to point `p`; the other index is NOTHING, and both are NOTHING for a wall or a
surface.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.engine.model import NOTHING, Inputs, Model, Work
from core.jit.kernel import kernel
from core.jit.vec import Triple, add, cross, dot, row, scale, subtract
from core.physics.bodies.angular_velocity import angular_velocity
from core.physics.bodies.arrays import AXLE, PIVOT, Bodies, BodyWork, read_basis
from core.physics.bodies.at_point import add_force_at, velocity_at
from core.physics.paths.arrays import Beads
from core.physics.paths.placement import is_free
from core.physics.points.arrays import Points, PointWork, point_rows

ZERO = (0.0, 0.0, 0.0)


class Colliders(NamedTuple):
    """Arrays of everything that may touch, after PLACE."""

    bodies: Bodies
    points: Points
    beads: Beads
    held: np.ndarray
    """(p,) bool: points that no force moves."""
    state: np.ndarray
    """(k,) flat state, of which points and bases are read."""
    body_work: BodyWork
    """Placed bodies; forces and torques are added to."""
    point_work: PointWork
    """Forces on points, added to."""


@kernel
def colliders_of(model: Model, inputs: Inputs, state: np.ndarray, work: Work) -> Colliders:
    """The colliders of a scene: parts of its model, inputs and work arrays, and the state (k,)."""
    return Colliders(model.bodies, model.points, model.beads, inputs.held, state, work.bodies, work.points)


@kernel
def stiffness_column(colliders: Colliders, b: int, p: int) -> int:
    """Column of body b or of point p in the tables of stiffness of walls and surfaces."""
    return b if p == NOTHING else len(colliders.bodies.mass) + p


@kernel
def velocity_of(colliders: Colliders, b: int, p: int, at: Triple) -> Triple:
    """Velocity [m/s] of the contact point `at` [m], laboratory frame: v + omega x r of body b, or that of point p.

    Zero of a wall, whose motion the caller subtracts.
    """
    if p != NOTHING:
        rows = point_rows(colliders.points, colliders.state)
        return rows[3, p], rows[4, p], rows[5, p]
    if b == NOTHING:
        return ZERO
    return velocity_at(colliders.body_work, b, at)


@kernel
def angular_acceleration(colliders: Colliders, b: int, torque: Triple) -> Triple:
    """I^-1 T [rad/s^2] of body b under a torque T [N m], in the directions that it can turn about.

    The gyroscopic term omega x I omega is left out, which vanishes for the spheres that roll.
    """
    bodies, state = colliders.bodies, colliders.state
    if bodies.support[b] not in (PIVOT, AXLE) and not is_free(bodies, colliders.beads, state, b):
        return ZERO
    u1, u2, u3 = read_basis(state, b)
    return angular_velocity(bodies, b, torque, u1, u2, u3)


@kernel
def acceleration_of(colliders: Colliders, b: int, p: int, at: Triple, normal: Triple, normal_rate: Triple) -> Triple:
    """Acceleration [m/s^2] of the contact point `at` [m] under all forces so far: alpha x r + F/m.

    r is the arm from the reference point. For a uniform sphere omega x dr/dt is added, since its contact point moves
    over its surface as the normal turns; for other bodies omega x (omega x r) is left out.

    normal: unit vector at the contact; normal_rate: its time derivative [1/s].
    """
    bodies, body_work, force = colliders.bodies, colliders.body_work, colliders.point_work.force
    if p != NOTHING:
        inverse = 0.0 if colliders.held[p] else colliders.points.inverse_mass[p]
        return scale(inverse, (force[0, p], force[1, p], force[2, p]))
    if b == NOTHING:
        return ZERO
    arm = subtract(at, row(body_work.position, b))
    acceleration = cross(angular_acceleration(colliders, b, row(body_work.torque, b)), arm)
    if is_free(bodies, colliders.beads, colliders.state, b):
        acceleration = add(acceleration, scale(1.0 / bodies.mass[b], row(body_work.force, b)))
    if bodies.round[b]:
        moved = scale(dot(arm, normal), normal_rate)
        acceleration = add(acceleration, cross(row(body_work.angular_velocity, b), moved))
    return acceleration


@kernel
def mobility(colliders: Colliders, b: int, p: int, at: Triple, along: Triple) -> float:
    """1/m + (r x d).I^-1 (r x d) [1/kg]: acceleration per force of the contact point `at` [m] along the unit vector d =
    `along`.

    Zero of a wall, a held point, or a body that cannot move that way; 1/m only if the body has no support.
    """
    bodies = colliders.bodies
    if p != NOTHING:
        return 0.0 if colliders.held[p] else colliders.points.inverse_mass[p]
    if b == NOTHING:
        return 0.0
    turn = cross(subtract(at, row(colliders.body_work.position, b)), along)
    free = 1.0 / bodies.mass[b] if is_free(bodies, colliders.beads, colliders.state, b) else 0.0
    return free + dot(turn, angular_acceleration(colliders, b, turn))


@kernel
def add_force_to(colliders: Colliders, b: int, p: int, at: Triple, force: Triple) -> None:
    """Add a force [N] at the contact point `at` [m] to its body, with the torque, or to its point.

    No effect on a wall.
    """
    if p != NOTHING:
        for axis in range(3):
            colliders.point_work.force[axis, p] += force[axis]
    elif b != NOTHING:
        add_force_at(colliders.body_work, b, at, force)
