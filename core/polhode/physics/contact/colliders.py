"""Bodies and points in contact: velocity and mobility of a contact point, and forces on it; laboratory frame.

A contact point belongs to body `b` or to point `p`; the other index is NOTHING, and both are NOTHING for a wall or a
surface.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from polhode.engine.model import NOTHING, Inputs, Model, Work
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, cross, dot, row, subtract, transform
from polhode.physics.bodies.arrays import AXLE, PIVOT, Bodies, BodyWork
from polhode.physics.bodies.at_point import add_force_at, velocity_at
from polhode.physics.contact.arrays import ContactWork
from polhode.physics.paths.arrays import Beads
from polhode.physics.paths.placement import is_free
from polhode.physics.points.arrays import Points, PointWork, point_rows

ZERO = (0.0, 0.0, 0.0)


class Colliders(NamedTuple):
    """Arrays of everything that may touch, after PLACE."""

    bodies: Bodies
    points: Points
    beads: Beads
    inputs: Inputs
    """Points that no force moves; a struct costs less than an array where a function is called."""
    state: np.ndarray
    """(k,) flat state, of which points and bases are read."""
    body_work: BodyWork
    """Placed bodies; forces and torques are added to."""
    point_work: PointWork
    """Forces on points, added to."""
    contact_work: ContactWork
    """Inverse masses and inertia of bodies."""


@kernel
def colliders_of(model: Model, inputs: Inputs, state: np.ndarray, work: Work) -> Colliders:
    """The colliders of a scene: parts of its model, inputs and work arrays, and the state (k,)."""
    placed = work.bodies, work.points, work.contacts
    return Colliders(model.bodies, model.points, model.beads, inputs, state, *placed)


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
def can_move(bodies: Bodies, beads: Beads, state: np.ndarray, b: int) -> bool:
    """Whether forces accelerate body b: it is free, or turns at a pivot or on an axle."""
    return bodies.support[b] in (PIVOT, AXLE) or is_free(bodies, beads, state, b)


@kernel
def angular_acceleration(colliders: Colliders, b: int, torque: Triple) -> Triple:
    """I^-1 T [rad/s^2] of body b under a torque T [N m], in the directions that it can turn about."""
    return transform(colliders.contact_work.inverse_inertia, b, torque)


@kernel
def inverse_mass(colliders: Colliders, b: int, p: int) -> float:
    """1/m [1/kg] of body b or point p; 0 of a wall, of a held point, or of a body whose reference point is held."""
    if p != NOTHING:
        return 0.0 if colliders.inputs.held[p] else colliders.points.inverse_mass[p]
    return 0.0 if b == NOTHING else colliders.contact_work.inverse_mass[b]


@kernel
def mobility(colliders: Colliders, b: int, p: int, at: Triple, along: Triple) -> float:
    """1/m + (r x d).I^-1 (r x d) [1/kg]: acceleration per force of the contact point `at` [m] along the unit vector d =
    `along`.

    Zero of a wall, a held point, or a body that cannot move that way; 1/m only if the body has no support.
    """
    moved = inverse_mass(colliders, b, p)
    if p != NOTHING or b == NOTHING:
        return moved
    turn = cross(subtract(at, row(colliders.body_work.position, b)), along)
    return moved + dot(turn, angular_acceleration(colliders, b, turn))


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
