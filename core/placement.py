"""Between the state and space: place everything before the forces, project the forces back after them.

No force law knows that a support exists: a law acts on places in space, and what a support does not let happen is
taken out here.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from core.bead_placement import place_beads, project_beads
from core.crew import MOVE, PARTS, first_of, first_part, has_help, next_part, share_out, wait
from core.kernel import kernel
from core.lanes import WIDTH, first_lanes, load, store
from core.led import led
from core.modal_placement import place_modal, project_modal
from core.model import (
    ANGULAR_MOMENTUM,
    BASIS,
    DRIVE,
    DRIVEN,
    FIXED,
    FREE,
    HAND,
    LEDGER_SIZE,
    MOMENTUM,
    NOTHING,
    ON_PATH,
    POSITION,
    Inputs,
    Model,
    Work,
    point_rows,
    read,
    read_basis,
    write,
)
from core.rough import place_rough, stretch_rough
from core.table import rows_within
from core.turning import angular_velocity
from core.vec import Triple, add, combine, components, cross, dot, put, row, scale, subtract, transform

ZERO = (0.0, 0.0, 0.0)


@kernel
def scripted(motion: np.ndarray, b: int, time: float) -> tuple[Triple, Triple]:
    """Position [m] and velocity [m/s] at `time` of x = c + v t + r1 cos(wt + p) + r2 sin(wt + p)."""
    c, v, r1, r2 = row(motion[b], 0), row(motion[b], 1), row(motion[b], 2), row(motion[b], 3)
    w, phase = motion[b, 4, 0], motion[b, 4, 1]
    cosine, sine = cos(w * time + phase), sin(w * time + phase)
    position = add(add(c, scale(time, v)), add(scale(cosine, r1), scale(sine, r2)))
    return position, add(v, add(scale(-w * sine, r1), scale(w * cosine, r2)))


@kernel
def place(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Where bodies, dipoles and spheres that press are in space at `time` [s], and how fast the bodies move."""
    if len(model.beads.body) > 0:
        place_beads(model, inputs, time, state, work)
    for b in range(len(model.bodies.mass)):
        u1, u2, u3 = read_basis(state, b)
        momentum = read(state, b, ANGULAR_MOMENTUM)
        put(work.angular_velocity, b, angular_velocity(model, b, momentum, u1, u2, u3))
        put(work.arm, b, combine(row(model.bodies.center, b), u1, u2, u3))
        position, velocity = read(state, b, POSITION), ZERO
        if model.bodies.support[b] in (FREE, ON_PATH):  # nothing else needs a mass
            velocity = scale(1.0 / model.bodies.mass[b], read(state, b, MOMENTUM))
        if model.bodies.support[b] == DRIVEN:
            position, velocity = scripted(model.bodies.motion, b, time)
            if model.bodies.follows[b, 0] != 0.0:
                way, speed = led(model.bodies.follows, b, inputs.hand, time)
                along = row(model.bodies.motion[b], 1)
                position, velocity = add(row(model.bodies.motion[b], 0), scale(way, along)), scale(speed, along)
        put(work.position, b, position)
        put(work.velocity, b, velocity)
        for i in range(model.dipoles.first[b], model.dipoles.first[b + 1]):
            arm = combine(row(model.dipoles.position, i), u1, u2, u3)
            put(work.dipole_arm, i, arm)
            put(work.dipole_position, i, add(position, arm))
            put(work.dipole_moment, i, combine(row(model.dipoles.moment, i), u1, u2, u3))
        for i in range(model.contacts.first[b], model.contacts.first[b + 1]):
            put(work.contact_place, i, add(position, combine(row(model.contacts.position, i), u1, u2, u3)))
    if len(model.modal.mass) > 0:
        place_modal(model, state, work)
    rows = point_rows(model, state)
    for i in range(model.contacts.first[len(model.bodies.mass)], len(model.contacts.radius)):
        p = model.contacts.point[i]
        put(work.contact_place, i, (rows[0, p], rows[1, p], rows[2, p]))
    place_anchors(model, state, work)
    place_rough(model, inputs, time, work)


@kernel
def place_anchors(model: Model, state: np.ndarray, work: Work) -> None:
    """Where the springs' ends in placed bodies and in the laboratory are, and how fast they move."""
    for q in range(len(model.anchors.body)):
        b = model.anchors.body[q]
        if b == NOTHING:
            put(work.anchor_position, q, row(model.anchors.position, q))
        else:
            u1, u2, u3 = read_basis(state, b)
            arm = combine(row(model.anchors.position, q), u1, u2, u3)
            put(work.anchor_position, q, add(row(work.position, b), arm))
            put(work.anchor_velocity, q, add(row(work.velocity, b), cross(row(work.angular_velocity, b), arm)))


@kernel
def project(model: Model, inputs: Inputs, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """Time derivative of the state under the forces in `work`, as far as supports and hands allow it.

    dx/dt = P/M, dP/dt = F of a free body; du_i/dt = omega x u_i, dL/dt = T. A pivot or axle holds its point, an axle
    turns about n alone (alpha = n.T / (n.I.n): its inverse inertia and its torque know no other direction), and
    nothing accelerates a fixed or a driven body: what drives it does work against the forces on it.
    """
    for b in range(len(model.bodies.mass)):
        support = model.bodies.support[b]
        velocity, force = ZERO, ZERO
        if support in (FREE, ON_PATH):  # as if a bead had left its path
            velocity, force = row(work.velocity, b), row(work.force, b)
        u1, u2, u3 = read_basis(state, b)
        omega, torque = row(work.angular_velocity, b), row(work.torque, b)
        if support == DRIVEN:
            work.power[DRIVE] -= dot(row(work.force, b), row(work.velocity, b)) + dot(torque, omega)
        if support in (FIXED, DRIVEN):
            torque = ZERO
        elif model.bodies.restricted[b]:
            torque = turnable_part(model, b, torque, u1, u2, u3)
        write(rate, b, POSITION, velocity)
        write(rate, b, MOMENTUM, force)
        write(rate, b, BASIS, cross(omega, u1))
        write(rate, b, BASIS + 3, cross(omega, u2))
        write(rate, b, BASIS + 6, cross(omega, u3))
        write(rate, b, ANGULAR_MOMENTUM, torque)
    move_points(model, inputs, state, work, rate)
    if len(model.modal.mass) > 0:
        project_modal(model, state, work, rate)
    if len(model.beads.body) > 0:
        project_beads(model, state, work, rate)
    stretch_rough(model, state, work, rate)
    for k in range(LEDGER_SIZE):
        rate[model.ledger + k] = work.power[k]


@kernel
def move_points(model: Model, inputs: Inputs, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """dx/dt = v, dv/dt = F/m of a point; one that is held keeps its velocity, and who holds it works against F."""
    if has_help(work.crew):
        share_out(work.crew, MOVE, PARTS, state, rate, state, rate)
        part = first_part(work.crew)
        while part >= 0:
            move_some(model, inputs, state, work, rate, part % 3, part // 3, PARTS // 3)
            part = next_part(work.crew)
        wait(work.crew, PARTS)
    else:
        for axis in range(3):
            move_some(model, inputs, state, work, rate, axis, 0, 1)
    rows, rates, held, some = point_rows(model, state), point_rows(model, rate), inputs.held, 0
    for i in range(len(held)):
        some += held[i]
    if some > 0:  # by themselves, for they are few: the other loops take eight points at once
        for i in range(len(held)):
            if held[i]:
                for axis in range(3):
                    rates[axis + 3, i] = 0.0
                    work.power[HAND] -= work.point_force[axis, i] * rows[axis + 3, i]


@kernel
def move_some(
    model: Model, inputs: Inputs, state: np.ndarray, work: Work, rate: np.ndarray, axis: int, piece: int, pieces: int
) -> None:
    """One of the pieces of all points, along one axis, as if none were held."""
    rows, rates, force, points = point_rows(model, state), point_rows(model, rate), work.point_force, len(inputs.held)
    inverse_mass = rows_within(model.points.inverse_mass, 0, 1, points)
    for i in range(first_of(points, piece, pieces), first_of(points, piece + 1, pieces), WIDTH):
        here = first_lanes(first_of(points, piece + 1, pieces) - i)
        store(rates, axis, i, here, load(rows, axis + 3, i, here))
        store(rates, axis + 3, i, here, load(force, axis, i, here) * load(inverse_mass, 0, i, here))


@kernel
def turnable_part(model: Model, b: int, a: Triple, u1: Triple, u2: Triple, u3: Triple) -> Triple:
    """Part of a along the directions that the body can turn about.

    The rest is the support's business; about an axis without inertia it would wind up a gyroscope that nobody sees.
    """
    return combine(transform(model.bodies.turnable, b, components(a, u1, u2, u3)), u1, u2, u3)


@kernel
def orthonormalise(model: Model, state: np.ndarray) -> float:
    """Bring every basis back to the nearest orthonormal one; returns the largest |u_i.u_j - delta_ij| found before."""
    largest, bodies = 0.0, len(model.bodies.mass)
    for b in range(bodies):
        if model.bodies.support[b] == FIXED:
            continue
        largest = max(largest, repair(state, b))
        if model.bodies.restricted[b]:
            u1, u2, u3 = read_basis(state, b)
            momentum = turnable_part(model, b, read(state, b, ANGULAR_MOMENTUM), u1, u2, u3)
            write(state, b, ANGULAR_MOMENTUM, momentum)
    for s in range(len(model.modal.mass)):
        if model.modal.is_free[s]:
            largest = max(largest, repair(state, bodies + s))
    return largest


@kernel
def repair(state: np.ndarray, b: int) -> float:
    """Bring the basis in row b of the state back to the nearest orthonormal one; returns |u_i.u_j - delta_ij| before.

    Newton's iteration for the polar factor, Q <- Q (3 - Q^T Q)/2, favours none of the three vectors. Its error is
    squared each time: one turn is enough for the drift of a sensible step. (Higham, SIAM J. Sci. Stat. Comput. 7, 1986)
    A basis that a step has torn too far from any rotation becomes nan, for the finite check to find.
    """
    u1, u2, u3 = read_basis(state, b)
    drift, first = 0.0, 0.0
    for turn in range(12):
        g11, g22, g33 = dot(u1, u1), dot(u2, u2), dot(u3, u3)
        g12, g13, g23 = dot(u1, u2), dot(u1, u3), dot(u2, u3)
        drift = max(abs(g11 - 1), abs(g22 - 1), abs(g33 - 1), abs(g12), abs(g13), abs(g23))
        if turn == 0:
            first = drift
        v1 = subtract(scale(1.5, u1), scale(0.5, combine((g11, g12, g13), u1, u2, u3)))
        v2 = subtract(scale(1.5, u2), scale(0.5, combine((g12, g22, g23), u1, u2, u3)))
        u3 = subtract(scale(1.5, u3), scale(0.5, combine((g13, g23, g33), u1, u2, u3)))
        u1, u2 = v1, v2
        if drift < 1e-8:
            break
    if not drift < 1e-8:
        u1 = (np.nan, np.nan, np.nan)
    write(state, b, BASIS, u1)
    write(state, b, BASIS + 3, u2)
    write(state, b, BASIS + 6, u3)
    return first
