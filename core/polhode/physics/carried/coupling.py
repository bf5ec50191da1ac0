"""Beads on paths that move with a body act back on it: the accelerations of both, from one system per body.

With the letters of core/polhode/physics/carried/placement.py, A = dV/dt, B = dW/dt and I = (f - 1) m r^2 of a rolling
bead, 0 of a sliding one, the path exerts on a bead the force and the torque

    a0 = A + B x s + W x (W x s)      f m du/dt = F.t + T.e/r - c u + R - m a0.t - I B.e/r
    S = m (a0 + du/dt t + u^2 chi + 2 u W x t) - F      N = I (B + du/dt e/r + u/r (W x e + u de/dl)) - T

and the body feels -S at the bead, and -N. S and N are linear in a = (A, B), so that the sum over the beads is w0 - M a,
the wrench about the reference point. The body alone has a = a_free + K w under a further wrench w, with its inverse
inertia K, from which a support removes what it does not allow; of a body whose motion is prescribed K = 0. Hence

    (1 + K M) a = a_free + K w0

six equations, regular since K and M are positive semidefinite; repeated with the Coulomb friction R of friction.py.
Momentum and angular momentum of a body in the state are those of the body alone. Checks: total momentum, angular
momentum and energy; Lagrange's equations of a bead on a hoop that is free to turn, on a rod that is free, and on a
pendulum.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, add, cross, dot, put, row, scale, subtract
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    DRIVEN,
    Bodies,
    BodyMotions,
    BodyWork,
    MotionWork,
    read,
    read_basis,
)
from polhode.physics.bodies.body_motions import driven_acceleration
from polhode.physics.bodies.placement import Basis, response
from polhode.physics.carried.arrays import Carried, CarriedWork
from polhode.physics.carried.friction import ROUNDS, is_settled, no_friction
from polhode.physics.carried.six_equations import solve_six
from polhode.physics.paths.arrays import AT_THE_END, HOLD, SPEED, Beads, BeadWork, bead_rows, is_held, moves_along
from polhode.physics.tracks.arrays import Tracks

ZERO = (0.0, 0.0, 0.0)
Wrench = tuple[Triple, Triple]
"""Force [N] and torque [N m] about the reference point of a body, or its acceleration [m/s^2] and angular acceleration
[rad/s^2]."""


@kernel
def spin_inertia(bodies: Bodies, beads: Beads, i: int) -> float:
    """I = (f - 1) m r^2 [kg m^2] of bead i."""
    return (beads.inertia[i] - 1.0) * bodies.mass[beads.body[i]] * beads.radius[i] * beads.radius[i]


@kernel
def free_acceleration(
    bodies: Bodies,
    motions: BodyMotions,
    track: np.ndarray,
    b: int,
    k: int,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    motion_work: MotionWork,
) -> Wrench:
    """a_free: acceleration of body b at `time` [s] under all forces but those of its beads; k as in Carried.motion."""
    if bodies.support[b] == DRIVEN:
        return driven_acceleration(bodies, motions, track, b, k, time, motion_work)
    gyration = cross(row(body_work.angular_velocity, b), read(state, b, ANGULAR_MOMENTUM))
    torque = subtract(row(body_work.torque, b), gyration)
    linear, angular = response(bodies, b, read_basis(state, b), row(body_work.force, b), torque)
    return (linear if k == NOTHING else row(motion_work.acceleration, k)), angular


@kernel
def inertia_of_bead(
    bodies: Bodies,
    beads: Beads,
    i: int,
    slides: bool,
    acceleration: Wrench,
    bead_work: BeadWork,
    carried_work: CarriedWork,
) -> tuple[Triple, Triple, float]:
    """M a of bead i: force and torque that the acceleration a of its body alone needs, and -du/dt [m/s^2] by it.

    slides: whether the bead is free to move along its path.
    """
    mass, inertia, radius = bodies.mass[beads.body[i]], spin_inertia(bodies, beads, i), beads.radius[i]
    tangent, across, arm = row(bead_work.tangent, i), row(bead_work.across, i), row(carried_work.arm, i)
    at_bead = add(acceleration[0], cross(acceleration[1], arm))
    along = mass * dot(at_bead, tangent) + inertia * dot(acceleration[1], across) / radius
    along = along / (beads.inertia[i] * mass) if slides else 0.0
    force = scale(mass, subtract(at_bead, scale(along, tangent)))
    torque = scale(inertia, subtract(acceleration[1], scale(along / radius, across)))
    return force, add(cross(arm, force), torque), along


@kernel
def force_of_path(
    bodies: Bodies,
    beads: Beads,
    i: int,
    row_of_bead: tuple[float, float],
    acceleration: Wrench,
    body_work: BodyWork,
    bead_work: BeadWork,
    carried_work: CarriedWork,
) -> tuple[Triple, Triple, float]:
    """S [N], N [N m] and du/dt [m/s^2] of bead i if its body has the acceleration a = (A, B).

    row_of_bead: u [m/s] and HOLD.
    """
    b, speed, inertia, radius = beads.body[i], row_of_bead[0], spin_inertia(bodies, beads, i), beads.radius[i]
    tangent, across, arm = row(bead_work.tangent, i), row(bead_work.across, i), row(carried_work.arm, i)
    spin, force, torque = row(body_work.angular_velocity, beads.carrier[i]), row(body_work.force, b), ZERO
    if inertia > 0.0:
        torque = row(body_work.torque, b)
    of_path = add(acceleration[0], add(cross(acceleration[1], arm), cross(spin, cross(spin, arm))))
    change = 0.0
    if moves_along(row_of_bead[1]):
        push = dot(force, tangent) + (dot(torque, across) - inertia * dot(acceleration[1], across)) / radius
        push -= beads.friction[i] * speed + bodies.mass[b] * dot(of_path, tangent) - bead_work.coulomb[i]
        change = push / (beads.inertia[i] * bodies.mass[b])
    bend = add(scale(speed * speed, row(bead_work.curvature, i)), scale(2.0 * speed, cross(spin, tangent)))
    whole = add(of_path, add(scale(change, tangent), bend))
    turning = add(cross(spin, across), scale(speed, row(bead_work.across_change, i)))
    twisting = add(acceleration[1], scale(1.0 / radius, add(scale(change, across), scale(speed, turning))))
    return subtract(scale(bodies.mass[b], whole), force), subtract(scale(inertia, twisting), torque), change


@kernel
def set_up(
    bodies: Bodies,
    beads: Beads,
    carried: Carried,
    j: int,
    struck: int,
    rows: np.ndarray,
    basis: Basis,
    bead_work: BeadWork,
    carried_work: CarriedWork,
) -> None:
    """Write the matrix 1 + K M of body j of `carried` into `carried_work.system`.

    struck: index of the bead that an impact strikes, or NOTHING; rows: (3, c) bead states.
    """
    system = carried_work.system
    for column in range(6):
        unit = unit_acceleration(column)
        force, torque = ZERO, ZERO
        for n in range(carried.first[j], carried.first[j + 1]):
            i = carried.bead[n]
            if is_held(rows[HOLD, i]):
                slides = is_loose(struck, i, rows[HOLD, i])
                push, twist, _ = inertia_of_bead(bodies, beads, i, slides, unit, bead_work, carried_work)
                force, torque = add(force, push), add(torque, twist)
        linear, angular = response(bodies, carried.body[j], basis, force, torque)
        for axis in range(3):
            system[axis, column], system[3 + axis, column] = linear[axis], angular[axis]
        system[column, column] += 1.0


@kernel
def is_loose(struck: int, i: int, hold: float) -> bool:
    """Whether bead i can move along its path; in an impact of bead `struck` also one that static friction holds."""
    if struck == NOTHING:
        return moves_along(hold)
    return i != struck and hold != AT_THE_END


@kernel
def unit_acceleration(column: int) -> Wrench:
    """Acceleration, or angular acceleration, 1 along one axis."""
    axis = column % 3
    along = (1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)
    return (along, ZERO) if column < 3 else (ZERO, along)


@kernel
def solve(right: Wrench, carried_work: CarriedWork) -> Wrench:
    """a of the system in `carried_work.system`, with this right side."""
    for axis in range(3):
        carried_work.system[axis, 6], carried_work.system[3 + axis, 6] = right[0][axis], right[1][axis]
    solve_six(carried_work.system, carried_work.solution)
    a = carried_work.solution
    return (a[0], a[1], a[2]), (a[3], a[4], a[5])


@kernel
def couple(
    bodies: Bodies,
    beads: Beads,
    motions: BodyMotions,
    tracks: Tracks,
    carried: Carried,
    track: np.ndarray,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
    motion_work: MotionWork,
    carried_work: CarriedWork,
) -> None:
    """SOLVE: forces of all paths on bodies, at `time` [s], and their reactions on the bodies, after all other forces.

    Writes `constraint` and `coulomb` of the beads, and du/dt.
    """
    rows = bead_rows(beads, state)
    for j in range(len(carried.body)):
        b, basis = carried.body[j], read_basis(state, carried.body[j])
        free = free_acceleration(bodies, motions, track, b, carried.motion[j], time, state, body_work, motion_work)
        force, torque = solve_body(
            bodies, beads, tracks, carried, j, rows, basis, free, body_work, bead_work, carried_work
        )
        accumulate(body_work.force, b, force)
        accumulate(body_work.torque, b, torque)


@kernel
def solve_body(
    bodies: Bodies,
    beads: Beads,
    tracks: Tracks,
    carried: Carried,
    j: int,
    rows: np.ndarray,
    basis: Basis,
    free: Wrench,
    body_work: BodyWork,
    bead_work: BeadWork,
    carried_work: CarriedWork,
) -> Wrench:
    """The reaction of all beads on body j of `carried`, about its reference point, by a_free = `free` and R.

    rows: (3, c) bead states.
    """
    b, force, torque = carried.body[j], ZERO, ZERO
    no_friction(carried, j, bead_work)
    for k in range(ROUNDS):
        set_up(bodies, beads, carried, j, NOTHING, rows, basis, bead_work, carried_work)
        force, torque = reaction(bodies, beads, carried, j, rows, (ZERO, ZERO), body_work, bead_work, carried_work)
        linear, angular = response(bodies, b, basis, force, torque)
        found = solve((add(free[0], linear), add(free[1], angular)), carried_work)
        force, torque = reaction(bodies, beads, carried, j, rows, found, body_work, bead_work, carried_work)
        if is_settled(beads, tracks, carried, j, rows, k == ROUNDS - 1, body_work, bead_work):
            break
    return force, torque


@kernel
def reaction(
    bodies: Bodies,
    beads: Beads,
    carried: Carried,
    j: int,
    rows: np.ndarray,
    acceleration: Wrench,
    body_work: BodyWork,
    bead_work: BeadWork,
    carried_work: CarriedWork,
) -> Wrench:
    """The sum of -S and -N of all beads on body j of `carried`, about its reference point, if it has this acceleration.

    Writes S and du/dt. rows: (3, c) bead states.
    """
    force, torque = ZERO, ZERO
    for n in range(carried.first[j], carried.first[j + 1]):
        i = carried.bead[n]
        if not is_held(rows[HOLD, i]):
            continue
        motion = rows[SPEED, i], rows[HOLD, i]
        push, twist, change = force_of_path(bodies, beads, i, motion, acceleration, body_work, bead_work, carried_work)
        put(bead_work.constraint, i, push)
        carried_work.change[i] = change
        force = subtract(force, push)
        torque = subtract(torque, add(cross(row(carried_work.arm, i), push), twist))
    return force, torque
