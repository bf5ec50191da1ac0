"""Bodies that are moved by formulas of t: driven ones, and the points of pivots and axles.

A driven body has the position x0 + r(t) of its reference point, and its basis turned by an angle about an axis, or by a
rotation vector (rotation_vectors.py). The reference point of a pivot or axle moves as x0 + r(t), with the velocity v
and the acceleration a. With L = I w about it, M the mass and s the arm to the centre of mass, the equations of a fixed
pivot hold with one further force

    F = -M a at the centre of mass        T = -s x M a

The kinetic energy is w.L/2 + M v.(w x s) + M v^2/2. The support exerts the force S = M (a + w' x s + w x (w x s)) less
those of all other laws, with w' = I^-1 (T - w x L); its power S.v goes to the ledger's line DRIVE. All derivatives are
exact.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import DRIVE
from polhode.engine.model import NOTHING
from polhode.jit.formula_calls import call_1_9
from polhode.jit.kernel import kernel
from polhode.jit.libm.trigonometric import sincos
from polhode.jit.vec import Triple, accumulate, add, cross, dot, put, rotated, row, scale, subtract
from polhode.physics.bodies.angular_velocity import angular_velocity
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    BASIS,
    DRIVEN,
    Bodies,
    BodyMotions,
    BodyWork,
    MotionWork,
    read,
    read_basis,
    write,
)
from polhode.physics.bodies.rotation_vectors import acceleration_of_turn, turned_by, velocity_of_turn
from polhode.physics.sensor.sensor_motion import follower_acceleration


@kernel
def turn_driven(motions: BodyMotions, time: float, state: np.ndarray) -> None:
    """REDUCE: write basis and angular velocity of driven bodies that turn by formulas at `time` [s] into `state`.

    The angular momentum of a driven body is its angular velocity: its inertia is 1.
    """
    for k in range(len(motions.body)):
        if not motions.turns[k]:
            continue
        b, axis = motions.body[k], row(motions.axis, k)
        angle, y, z, rate, dy, dz, _, _, _ = call_1_9(
            motions.angle[k], motions.numbers_of_angle, motions.first_of_angle[k], time
        )
        if motions.by_vector[k]:
            turn: Triple = (angle, y, z)
            for i in range(3):
                write(state, b, BASIS + 3 * i, turned_by(turn, row(motions.basis[k], i)))
            write(state, b, ANGULAR_MOMENTUM, velocity_of_turn(turn, (rate, dy, dz)))
            continue
        for i in range(3):
            write(state, b, BASIS + 3 * i, rotated(row(motions.basis[k], i), axis, angle))
        write(state, b, ANGULAR_MOMENTUM, scale(rate, axis))


@kernel
def move_supports(motions: BodyMotions, time: float, body_work: BodyWork, motion_work: MotionWork) -> None:
    """PLACE: write position, velocity and acceleration of the reference points at `time` [s]."""
    for k in range(len(motions.body)):
        x, y, z, vx, vy, vz, ax, ay, az = call_1_9(motions.address[k], motions.numbers, motions.first[k], time)
        put(body_work.position, motions.body[k], add(row(motions.position, k), (x, y, z)))
        put(body_work.velocity, motions.body[k], (vx, vy, vz))
        put(motion_work.acceleration, k, (ax, ay, az))
    motion_work.loaded[0] = 0.0


@kernel
def driven_acceleration(
    bodies: Bodies, motions: BodyMotions, track: np.ndarray, b: int, k: int, time: float, motion_work: MotionWork
) -> tuple[Triple, Triple]:
    """Acceleration [m/s^2] of the reference point of driven body b at `time` [s], and its angular one [rad/s^2].

    k: index of the body in `motions`, after PLACE; NOTHING for one that goes round an ellipse or follows the sensor.
    """
    turning = (0.0, 0.0, 0.0)
    if k != NOTHING:
        if motions.turns[k]:
            n = call_1_9(motions.angle[k], motions.numbers_of_angle, motions.first_of_angle[k], time)
            if motions.by_vector[k]:
                turning = acceleration_of_turn((n[0], n[1], n[2]), (n[3], n[4], n[5]), (n[6], n[7], n[8]))
            else:
                turning = scale(n[6], row(motions.axis, k))
        return row(motion_work.acceleration, k), turning
    if bodies.follows[b, 0] != 0.0:
        change = follower_acceleration(bodies.follows, b, track, time)
        return scale(change, row(bodies.motion[b], 1)), turning
    w, angle = bodies.motion[b, 4, 0], bodies.motion[b, 4, 0] * time + bodies.motion[b, 4, 1]
    r1, r2 = row(bodies.motion[b], 2), row(bodies.motion[b], 3)
    sine, cosine = sincos(angle)
    return scale(-w * w, add(scale(cosine, r1), scale(sine, r2))), turning


@kernel
def add_support_inertia(bodies: Bodies, motions: BodyMotions, body_work: BodyWork, motion_work: MotionWork) -> None:
    """LAW: add -M a at the centres of mass of bodies on pivots and axles that are moved."""
    motion_work.loaded[0] = 1.0
    for k in range(len(motions.body)):
        b = motions.body[k]
        if bodies.support[b] != DRIVEN:
            force = scale(-bodies.mass[b], row(motion_work.acceleration, k))
            accumulate(body_work.force, b, force)
            accumulate(body_work.torque, b, cross(row(body_work.com_offset, b), force))


@kernel
def add_support_power(
    bodies: Bodies,
    motions: BodyMotions,
    state: np.ndarray,
    body_work: BodyWork,
    motion_work: MotionWork,
    power: np.ndarray,
) -> None:
    """PROJECT: power[DRIVE] gets S.v [W] of the supports that are moved, once all forces are summed."""
    for k in range(len(motions.body)):
        b = motions.body[k]
        if bodies.support[b] == DRIVEN or motion_work.loaded[0] == 0.0:
            continue
        omega, arm = row(body_work.angular_velocity, b), row(body_work.com_offset, b)
        u1, u2, u3 = read_basis(state, b)
        torque = subtract(row(body_work.torque, b), cross(omega, read(state, b, ANGULAR_MOMENTUM)))
        change = angular_velocity(bodies, b, torque, u1, u2, u3)
        relative = add(cross(change, arm), cross(omega, cross(omega, arm)))
        support = subtract(scale(bodies.mass[b], relative), row(body_work.force, b))
        power[DRIVE] += dot(support, row(body_work.velocity, b))


@kernel
def support_energy(bodies: Bodies, motions: BodyMotions, body_work: BodyWork) -> float:
    """ENERGY: M v.(w x s) + M v^2/2 [J], what the motion of pivots and axles adds to the kinetic energy."""
    energy = 0.0
    for k in range(len(motions.body)):
        b = motions.body[k]
        if bodies.support[b] != DRIVEN:
            velocity: Triple = row(body_work.velocity, b)
            relative = cross(row(body_work.angular_velocity, b), row(body_work.com_offset, b))
            energy += bodies.mass[b] * dot(velocity, add(relative, scale(0.5, velocity)))
    return energy
