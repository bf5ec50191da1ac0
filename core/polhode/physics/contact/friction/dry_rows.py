"""Equations of dry friction: what the slip at a contact becomes under forces, row by row.

The contact point c(t) wanders over both surfaces. The velocity of a body there is s = v + omega x r with r = c - x, so

    ds/dt = a + alpha x r + omega x (dc/dt - v)        alpha = I^-1 (T - omega x L)

and the sliding velocity of two bodies is the part of the difference of both s across the normal n, whose rate is the
part of ds/dt - ds'/dt across n, less (s - s').n dn/dt. Each row is its component along a unit vector across n.

Rolling is the velocity u of the contact point over the surface that rolls. With the relative rotation w, u = B (w x n),
where B has the radii of curvature as eigenvalues (`Roundness`): r of a sphere, so that |u| is its speed; those of an
ellipsoid; the radius of a rim over the sine of its tilt, along the rim alone; 0 of a corner. A resistance g along the
surface has the torque n x (B g), whose power is g.u. Spinning is w.n, with the rate n.dw/dt + w.dn/dt.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, components, cross, dot, put, row, scale, subtract
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, read, read_basis
from polhode.physics.contact.colliders import Colliders, can_move, inverse_mass, velocity_of
from polhode.physics.contact.friction.arrays import (
    BIAS,
    FIRST,
    FORCE,
    INVERSE,
    KINETIC_LIMIT,
    LARGEST,
    LAST,
    MOBILITY,
    OTHER,
    SCALE,
    SLIP,
    STATIC_LIMIT,
    FrictionContacts,
    FrictionRows,
)

ZERO = (0.0, 0.0, 0.0)
NO_SLIP = 1e-3  # of what a friction of the normal force does to the slip within t_stop: less is an error of the method
FLAT = 1e-12  # determinant over squared trace of a mobility that acts in one direction only
# states of a pair: below its limit, at it, with a force that is known, and the first one of an island
HOLDS, YIELDS, SLIDES, STARTS = range(4)
UNSEEN = -2  # in place of the parent of a node that is not known yet


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
    first = scale(1.0 / sqrt(dot(first, first)), first)
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
def node_of(colliders: Colliders, b: int, p: int) -> int:
    """Node of body b or point p, see FrictionRows; NOTHING of neither."""
    return len(colliders.bodies.mass) + p if p != NOTHING else b


@kernel
def write_root(colliders: Colliders, rows: FrictionRows, b: int) -> None:
    """Write R of body b, which can move: its principal axes times the square roots of its inverse moments."""
    moments, root = colliders.bodies.inverse_moments, rows.root[b]
    if colliders.bodies.round[b]:
        size = sqrt(moments[b, 0])
        put(root, 0, (size, 0.0, 0.0))
        put(root, 1, (0.0, size, 0.0))
        put(root, 2, (0.0, 0.0, size))
        return
    u1, u2, u3 = read_basis(colliders.state, b)
    for k in range(3):
        put(root, k, scale(sqrt(moments[b, k]), combine(row(colliders.bodies.axes[b], k), u1, u2, u3)))


@kernel
def rooted(rows: FrictionRows, node: int, turn: Triple) -> Triple:
    """R turn [1/kg^0.5] of a node, what a force does to the last three numbers of its motion. turn: [m]"""
    root = rows.root[node]
    return components(turn, row(root, 0), row(root, 1), row(root, 2))


@kernel
def accelerate(colliders: Colliders, rows: FrictionRows, b: int, p: int) -> None:
    """Write the motion of body b or point p under all forces so far into the rows, with R and whether it moves."""
    node, size, turn = node_of(colliders, b, p), sqrt(inverse_mass(colliders, b, p)), ZERO
    if p != NOTHING:
        forces, moves = colliders.point_work.force, not colliders.inputs.held[p]
        force = forces[0, p], forces[1, p], forces[2, p]
    else:
        body_work, moves = colliders.body_work, can_move(colliders.bodies, colliders.beads, colliders.state, b)
        torque, force = row(body_work.torque, b), row(body_work.force, b)
        if not colliders.bodies.round[b]:
            turning = cross(row(body_work.angular_velocity, b), read(colliders.state, b, ANGULAR_MOMENTUM))
            torque = subtract(torque, turning)
        if moves:
            write_root(colliders, rows, b)
            turn = rooted(rows, b, torque)
        else:
            for k in range(3):
                put(rows.root[b], k, ZERO)
    rows.parent[node], rows.first[node], rows.size[node] = node if moves else NOTHING, NOTHING, size
    for axis in range(3):
        rows.motion[node, axis], rows.motion[node, 3 + axis] = size * force[axis], turn[axis]


@kernel
def accelerate_ends(colliders: Colliders, friction: FrictionContacts, rows: FrictionRows) -> None:
    """Write the motions of all bodies and points that touch into the rows, each once."""
    for turn in range(2):
        for k in range(friction.count[0]):
            for end in range(0, 4, 2):
                b, p = friction.ends[k, end], friction.ends[k, end + 1]
                node = node_of(colliders, b, p)
                if node == NOTHING:
                    continue
                if turn == 0:
                    rows.parent[node] = UNSEEN
                elif rows.parent[node] == UNSEEN:
                    accelerate(colliders, rows, b, p)
    for axis in range(6):
        rows.motion[len(rows.parent), axis] = 0.0


@kernel
def moving_node(colliders: Colliders, rows: FrictionRows, b: int, p: int) -> int:
    """Node of body b or point p; the last one if no force moves it."""
    node = node_of(colliders, b, p)
    return node if node != NOTHING and rows.parent[node] != NOTHING else len(rows.parent)


@kernel
def turn_about(colliders: Colliders, b: int, at: Triple, direction: Triple) -> Triple:
    """r x d [m] of the contact point `at` [m] of body b and a unit vector; zero of NOTHING."""
    return ZERO if b == NOTHING else cross(subtract(at, row(colliders.body_work.position, b)), direction)


@kernel
def write_effect(rows: FrictionRows, q: int, column: int, node: int, along: Triple, turn: Triple) -> None:
    """Write J [1/kg^0.5] of a row for a node at the end of pair q into the numbers of the pair, from `column` on.

    along, turn: force on the node and its torque [m] over the force of the row.
    """
    numbers, size, turned = rows.numbers[q], rows.size[node], rooted(rows, node, turn)
    for axis in range(3):
        numbers[column + axis], numbers[column + 3 + axis] = size * along[axis], turned[axis]


@kernel
def product(numbers: np.ndarray, one: int, other: int) -> float:
    """Component [1/kg] of the mobility of a pair: sum over both ends of the products of rows `one` and `other`, 0 or 1.

    numbers: (COLUMNS,) of the pair.
    """
    total = 0.0
    for k in range(6):
        total += numbers[FIRST + 6 * one + k] * numbers[FIRST + 6 * other + k]
    for k in range(6):
        total += numbers[OTHER + 6 * one + k] * numbers[OTHER + 6 * other + k]
    return total


@kernel
def close_pair(
    friction: FrictionContacts,
    rows: FrictionRows,
    q: int,
    k: int,
    turns: bool,
    limits: tuple[float, float],
    time: float,
) -> bool:
    """Complete pair q of contact k, whose rows have been written; False if no force changes its slip.

    limits: static and kinetic [N]; time: t_stop [s].
    """
    numbers = rows.numbers[q]
    rows.contact[q], rows.turns[q], rows.state[q] = k, turns, HOLDS
    m11, m12, m22 = product(numbers, 0, 0), product(numbers, 0, 1), product(numbers, 1, 1)
    numbers[MOBILITY], numbers[MOBILITY + 1], numbers[MOBILITY + 2] = m11, m12, m22
    determinant, trace = m11 * m22 - m12 * m12, m11 + m22
    inverse = 1.0 / determinant if determinant > FLAT * trace * trace else nan
    numbers[INVERSE], numbers[INVERSE + 1], numbers[INVERSE + 2] = inverse * m22, -inverse * m12, inverse * m11
    numbers[LARGEST] = 2.0 / (trace + sqrt((m11 - m22) * (m11 - m22) + 4.0 * m12 * m12))
    most = min(limits[0], friction.numbers[k, 0])
    numbers[SCALE] = 1.0 / (most * most)
    numbers[STATIC_LIMIT], numbers[KINETIC_LIMIT] = limits
    numbers[FORCE], numbers[FORCE + 1] = 0.0, 0.0
    least = NO_SLIP * 0.5 * trace * most * time
    rows.resists[q] = numbers[SLIP] * numbers[SLIP] + numbers[SLIP + 1] * numbers[SLIP + 1] > least * least
    return trace > 0.0


@kernel
def write_sliding(
    colliders: Colliders,
    friction: FrictionContacts,
    rows: FrictionRows,
    q: int,
    k: int,
    force: Triple,
    stop_time: float,
) -> bool:
    """Write the pair q of sliding at contact k; False if it can't slide, or no force changes that.

    force: [N] to begin with; stop_time: t_stop [s].
    """
    a, p, b, other = friction.ends[k, 0], friction.ends[k, 1], friction.ends[k, 2], friction.ends[k, 3]
    at, normal, moving = row(friction.position, k), row(friction.normal, k), row(friction.moving, k)
    limits = friction.numbers[k, 1] * friction.numbers[k, 0], friction.numbers[k, 2] * friction.numbers[k, 0]
    if not limits[0] > 0.0:
        return False
    velocity = subtract(velocity_of(colliders, a, p, at), velocity_of(colliders, b, other, at))
    carried = subtract(carried_on(colliders, a, moving), carried_on(colliders, b, moving))
    carried = subtract(carried, scale(dot(velocity, normal), row(friction.turning, k)))
    one, second = moving_node(colliders, rows, a, p), moving_node(colliders, rows, b, other)
    directions, numbers = tangents(normal), rows.numbers[q]
    rows.ends[q, 0], rows.ends[q, 1] = one, second
    for i in range(2):
        along = directions[i]
        numbers[LAST + i] = dot(along, force)
        put(rows.direction, 2 * q + i, along)
        write_effect(rows, q, FIRST + 6 * i, one, along, turn_about(colliders, a, at, along))
        opposed = scale(-1.0, along)
        write_effect(rows, q, OTHER + 6 * i, second, opposed, turn_about(colliders, b, at, opposed))
        numbers[SLIP + i] = dot(along, velocity)
        numbers[BIAS + i] = dot(along, carried) + numbers[SLIP + i] / stop_time
    return close_pair(friction, rows, q, k, False, limits, stop_time)


@kernel
def write_turning(
    colliders: Colliders,
    friction: FrictionContacts,
    rows: FrictionRows,
    q: int,
    k: int,
    arms: tuple[Triple, Triple],
    bias: float,
    most: float,
    stop_time: float,
) -> bool:
    """Write the pair q of torques at contact k; False if nothing turns there, or no torque changes that.

    arms: [m] torque of each row over its force; bias: [m/s^2] of the first row, where its arm turns; most: limit [N].
    """
    a, b = friction.ends[k, 0], friction.ends[k, 2]
    if a == NOTHING or friction.ends[k, 3] != NOTHING:
        return False
    turning = relative_turning(colliders, a, b)
    one, second = moving_node(colliders, rows, a, NOTHING), moving_node(colliders, rows, b, NOTHING)
    numbers = rows.numbers[q]
    rows.ends[q, 0], rows.ends[q, 1] = one, second
    for i in range(2):
        arm = arms[i]
        put(rows.direction, 2 * q + i, arm)
        numbers[LAST + i] = 0.0
        write_effect(rows, q, FIRST + 6 * i, one, ZERO, arm)
        write_effect(rows, q, OTHER + 6 * i, second, ZERO, scale(-1.0, arm))
        numbers[SLIP + i] = dot(arm, turning)
        numbers[BIAS + i] = numbers[SLIP + i] / stop_time
    numbers[BIAS] += bias
    return close_pair(friction, rows, q, k, True, (most, most), stop_time)


@kernel
def relative_turning(colliders: Colliders, a: int, b: int) -> Triple:
    """Angular velocity [rad/s] of body a relative to body b, or to the laboratory if b is NOTHING."""
    turning = row(colliders.body_work.angular_velocity, a)
    return turning if b == NOTHING else subtract(turning, row(colliders.body_work.angular_velocity, b))


@kernel
def write_rolling(
    colliders: Colliders, friction: FrictionContacts, rows: FrictionRows, q: int, k: int, stop_time: float
) -> bool:
    """Write the pair q of rolling at contact k; False if nothing rolls there, or no torque changes that.

    The rate of B is left out: it matters only where the torque brings rolling to rest, and then B does not change.
    """
    most = friction.numbers[k, 3] * friction.numbers[k, 0]
    if not most > 0.0:
        return False
    first, second = tangents(row(friction.normal, k))
    arms = rolling_arm(friction, k, first), rolling_arm(friction, k, second)
    return write_turning(colliders, friction, rows, q, k, arms, 0.0, most, stop_time)


@kernel
def write_spinning(
    colliders: Colliders, friction: FrictionContacts, rows: FrictionRows, q: int, k: int, stop_time: float
) -> bool:
    """Write the pair q of spinning about the normal at contact k, whose second row is empty; False if nothing spins
    there, or no torque changes that. Its slip is b w.n, and the limit of its force the normal force.
    """
    arm, most = friction.numbers[k, 4], friction.numbers[k, 0]
    if not arm * most > 0.0 or friction.ends[k, 0] == NOTHING:
        return False
    turning = relative_turning(colliders, friction.ends[k, 0], friction.ends[k, 2])
    bias = arm * dot(turning, row(friction.turning, k))
    arms = scale(arm, row(friction.normal, k)), ZERO
    return write_turning(colliders, friction, rows, q, k, arms, bias, most, stop_time)
