"""Equations of dry friction: what the slip at a contact becomes under forces, row by row.

The contact point c(t) wanders over both surfaces. The velocity of a body there is s = v + omega x r with r = c - x, so

    ds/dt = a + alpha x r + omega x (dc/dt - v)        alpha = I^-1 (T - omega x L)

and the sliding velocity of two bodies is the part of the difference of both s across the normal n, whose rate is the
part of ds/dt - ds'/dt across n, less (s - s').n dn/dt. Each row is its component along a unit vector across n.

Rolling is the velocity u of the contact point over the surface that rolls. With the relative rotation w, u = B (w x n),
where B has the radii of curvature as eigenvalues (`Roundness`): r of a sphere, so that |u| is its speed; those of an
ellipsoid; the radius of a rim over the sine of its tilt, along the rim alone; 0 of a corner. A resistance g along the
surface has the torque n x (B g), whose power is g.u.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, cross, dot, put, row, scale, subtract
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, read
from polhode.physics.contact.colliders import Colliders, angular_acceleration, inverse_mass, velocity_of
from polhode.physics.contact.friction.arrays import FrictionContacts, FrictionRows

ZERO = (0.0, 0.0, 0.0)
NO_SLIP = 1e-3  # of what a friction of the normal force does to the slip within t_stop: less is an error of the method
FLAT = 1e-12  # determinant over squared trace of a mobility that acts in one direction only
# states of a pair: below its limit, at it, with a force that is known, and the first one of an island
HOLDS, YIELDS, SLIDES, STARTS = range(4)


class ContactGeometry(NamedTuple):
    """Where two surfaces touch, and how that moves; laboratory frame."""

    at: Triple
    """[m] contact point c."""
    normal: Triple
    """Unit vector n towards the first end."""
    turning: Triple
    """[1/s] dn/dt."""
    moving: Triple
    """[m/s] dc/dt."""


class Roundness(NamedTuple):
    """B = rho (1 - n n) + b b + b' b' [m] of the surface that rolls, laboratory frame."""

    radius: float
    """[m] rho."""
    first: Triple
    """[m^0.5] b, across the normal."""
    second: Triple
    """[m^0.5] b', across the normal."""


@kernel
def across(a: Triple, normal: Triple) -> Triple:
    """Component of a perpendicular to the unit vector `normal`, in the unit of a."""
    return subtract(a, scale(dot(a, normal), normal))


@kernel
def sphere_of(radius: float) -> Roundness:
    """B of a sphere with a radius [m]."""
    return Roundness(radius, ZERO, ZERO)


@kernel
def tangents(normal: Triple) -> tuple[Triple, Triple]:
    """Two unit vectors that make a right-handed system with the unit vector `normal`."""
    x, y, z = abs(normal[0]), abs(normal[1]), abs(normal[2])
    least = (1.0, 0.0, 0.0) if x <= y and x <= z else ((0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0))
    first = across(least, normal)
    first = scale(1.0 / dot(first, first) ** 0.5, first)
    return first, cross(normal, first)


@kernel
def rolling_arm(friction: FrictionContacts, k: int, along: Triple) -> Triple:
    """n x (B t) [m], torque over resistance along the unit vector t = `along` across the normal of contact k."""
    first, second = row(friction.bends, 2 * k), row(friction.bends, 2 * k + 1)
    bent = add(scale(dot(first, along), first), scale(dot(second, along), second))
    return cross(row(friction.normal, k), add(bent, scale(friction.radius[k], along)))


@kernel
def carried_on(colliders: Colliders, b: int, moving: Triple) -> Triple:
    """omega x (dc/dt - v) [m/s^2] of body b, dc/dt = `moving` [m/s] being that of the contact point; 0 of NOTHING."""
    if b == NOTHING:
        return ZERO
    omega, velocity = row(colliders.body_work.angular_velocity, b), row(colliders.body_work.velocity, b)
    return cross(omega, subtract(moving, velocity))


@kernel
def accelerate(colliders: Colliders, rows: FrictionRows, b: int, p: int) -> None:
    """Write the acceleration of body b or point p under all forces so far into the rows."""
    node, inverse, turn = node_of(colliders, b, p), inverse_mass(colliders, b, p), ZERO
    if p != NOTHING:
        forces = colliders.point_work.force
        force = forces[0, p], forces[1, p], forces[2, p]
    else:
        body_work = colliders.body_work
        torque, force = row(body_work.torque, b), row(body_work.force, b)
        if not colliders.bodies.round[b]:
            turning = cross(row(body_work.angular_velocity, b), read(colliders.state, b, ANGULAR_MOMENTUM))
            torque = subtract(torque, turning)
        turn = angular_acceleration(colliders, b, torque)
    for axis in range(3):
        rows.motion[node, axis], rows.motion[node, 3 + axis] = inverse * force[axis], turn[axis]


@kernel
def node_of(colliders: Colliders, b: int, p: int) -> int:
    """Node of body b or point p, see FrictionRows; NOTHING of neither."""
    return len(colliders.bodies.mass) + p if p != NOTHING else b


@kernel
def accelerate_ends(colliders: Colliders, friction: FrictionContacts, rows: FrictionRows) -> None:
    """Write the accelerations of all bodies and points that touch into the rows, each once."""
    for turn in range(2):
        for k in range(friction.count[0]):
            for end in range(0, 4, 2):
                b, p = friction.ends[k, end], friction.ends[k, end + 1]
                node = node_of(colliders, b, p)
                if node == NOTHING:
                    continue
                if turn == 0:
                    rows.first[node] = NOTHING
                elif rows.first[node] == NOTHING:
                    rows.first[node] = k
                    accelerate(colliders, rows, b, p)


@kernel
def turn_about(colliders: Colliders, b: int, at: Triple, direction: Triple) -> Triple:
    """r x d [m] of the contact point `at` [m] of body b and a unit vector; zero of NOTHING."""
    return ZERO if b == NOTHING else cross(subtract(at, row(colliders.body_work.position, b)), direction)


@kernel
def write_row(colliders: Colliders, rows: FrictionRows, r: int, a: int, b: int, turn: Triple, other: Triple) -> None:
    """Write what forces of row r do to bodies a and b: their torques over force [m], `turn` and `other`."""
    put(rows.turn, r, turn)
    put(rows.other_turn, r, other)
    put(rows.gain, r, ZERO if a == NOTHING else angular_acceleration(colliders, a, turn))
    put(rows.other_gain, r, ZERO if b == NOTHING else angular_acceleration(colliders, b, other))
    rows.force[r] = 0.0


@kernel
def write_inverse(rows: FrictionRows, q: int) -> None:
    """Write the inverse of the mobility of pair q."""
    m11, m12, m22 = rows.mobility[q, 0], rows.mobility[q, 1], rows.mobility[q, 2]
    determinant, trace = m11 * m22 - m12 * m12, m11 + m22
    inverse = 1.0 / determinant if determinant > FLAT * trace * trace else nan
    rows.inverse[q, 0], rows.inverse[q, 1], rows.inverse[q, 2] = inverse * m22, -inverse * m12, inverse * m11
    rows.inverse[q, 3] = 2.0 / (trace + sqrt((m11 - m22) * (m11 - m22) + 4.0 * m12 * m12))


@kernel
def close_pair(
    friction: FrictionContacts, rows: FrictionRows, q: int, k: int, rolls: bool, moved: float, stop_time: float
) -> bool:
    """Complete pair q of contact k, whose rows have been written; False if no force changes its slip.

    moved: sum of 1/m [1/kg] that add to its mobility; stop_time: t_stop [s].
    """
    r = 2 * q
    first, second = row(rows.gain, r), row(rows.gain, r + 1)
    other, last = row(rows.other_gain, r), row(rows.other_gain, r + 1)
    rows.contact[q], rows.rolls[q], rows.state[q] = k, rolls, HOLDS
    rows.mobility[q, 0] = moved + dot(row(rows.turn, r), first) + dot(row(rows.other_turn, r), other)
    rows.mobility[q, 1] = dot(row(rows.turn, r), second) + dot(row(rows.other_turn, r), last)
    rows.mobility[q, 2] = moved + dot(row(rows.turn, r + 1), second) + dot(row(rows.other_turn, r + 1), last)
    trace, most = rows.mobility[q, 0] + rows.mobility[q, 2], min(rows.limit[q, 0], friction.numbers[k, 0])
    rows.scale[q] = 1.0 / (most * most)
    write_inverse(rows, q)
    least = NO_SLIP * 0.5 * trace * most * stop_time
    rows.resists[q] = rows.slip[r] * rows.slip[r] + rows.slip[r + 1] * rows.slip[r + 1] > least * least
    return trace > 0.0


@kernel
def write_sliding(
    colliders: Colliders, friction: FrictionContacts, rows: FrictionRows, q: int, k: int, stop_time: float
) -> bool:
    """Write the pair q of sliding at contact k; False if it can't slide, or no force changes that.

    stop_time: t_stop [s].
    """
    a, p, b, other = friction.ends[k, 0], friction.ends[k, 1], friction.ends[k, 2], friction.ends[k, 3]
    at, normal, moving = row(friction.position, k), row(friction.normal, k), row(friction.moving, k)
    pressure = friction.numbers[k, 0]
    rows.limit[q, 0], rows.limit[q, 1] = friction.numbers[k, 1] * pressure, friction.numbers[k, 2] * pressure
    if not rows.limit[q, 0] > 0.0:
        return False
    velocity = subtract(velocity_of(colliders, a, p, at), velocity_of(colliders, b, other, at))
    carried = subtract(carried_on(colliders, a, moving), carried_on(colliders, b, moving))
    carried = subtract(carried, scale(dot(velocity, normal), row(friction.turning, k)))
    moved = inverse_mass(colliders, a, p), inverse_mass(colliders, b, other)
    rows.yielding[q, 0], rows.yielding[q, 1] = moved
    directions = tangents(normal)
    for i in range(2):
        along, r = directions[i], 2 * q + i
        put(rows.along, r, along)
        turn, opposite = turn_about(colliders, a, at, along), turn_about(colliders, b, at, scale(-1.0, along))
        write_row(colliders, rows, r, a, b, turn, opposite)
        rows.slip[r] = dot(along, velocity)
        rows.bias[r] = dot(along, carried) + rows.slip[r] / stop_time
    return close_pair(friction, rows, q, k, False, moved[0] + moved[1], stop_time)


@kernel
def write_rolling(
    colliders: Colliders, friction: FrictionContacts, rows: FrictionRows, q: int, k: int, stop_time: float
) -> bool:
    """Write the pair q of rolling at contact k; False if nothing rolls there, or no torque changes that.

    The rate of B is left out: it matters only where the torque brings rolling to rest, and then B does not change.
    Spin about the normal is free.
    """
    a, b, normal = friction.ends[k, 0], friction.ends[k, 2], row(friction.normal, k)
    most = friction.numbers[k, 3] * friction.numbers[k, 0]
    if a == NOTHING or friction.ends[k, 3] != NOTHING or not most > 0.0:
        return False
    turning = row(colliders.body_work.angular_velocity, a)
    if b != NOTHING:
        turning = subtract(turning, row(colliders.body_work.angular_velocity, b))
    rows.yielding[q, 0], rows.yielding[q, 1] = 0.0, 0.0
    directions = tangents(normal)
    for i in range(2):
        r, arm = 2 * q + i, rolling_arm(friction, k, directions[i])
        put(rows.along, r, ZERO)
        write_row(colliders, rows, r, a, b, arm, scale(-1.0, arm) if b != NOTHING else ZERO)
        rows.slip[r] = dot(arm, turning)
        rows.bias[r] = rows.slip[r] / stop_time
    rows.limit[q, 0] = rows.limit[q, 1] = most
    return close_pair(friction, rows, q, k, True, 0.0, stop_time)
