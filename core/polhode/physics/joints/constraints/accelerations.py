"""Accelerations of bodies without their joints, laboratory frame, and what impulses do to them.

A free body has W = diag(1/M, I^-1) about its centre of mass; one on a pivot or an axle turns only, by the inverse
tensor about its support; what is fixed or driven has W = 0, and its accelerations are prescribed. About an axis without
inertia W is that of a vanishing moment: what joints hold there follows them, as a thinner and thinner body would.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.formula_calls import call_1_9
from polhode.jit.kernel import inlined, kernel
from polhode.jit.vec import Triple, add, combine, components, cross, dot, row, scale, subtract, transform
from polhode.physics.bodies.angular_velocity import angular_velocity
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    DRIVEN,
    FIXED,
    FREE,
    Bodies,
    BodyMotions,
    BodyWork,
    MotionWork,
    read,
    read_basis,
)
from polhode.physics.joints.arrays import Joints, JointWork
from polhode.physics.sensor.sensor_motion import follower_acceleration

ZERO = (0.0, 0.0, 0.0)
Basis = tuple[Triple, Triple, Triple]


@kernel
def impulse_response(
    bodies: Bodies, joints: Joints, m: int, force: Triple, torque: Triple, state: np.ndarray
) -> tuple[Triple, Triple]:
    """W (F, T): change of velocity and of angular velocity of body m of `Joints.linked` per unit of impulse."""
    b = joints.linked[m]
    if bodies.support[b] in (FIXED, DRIVEN):
        return ZERO, ZERO
    u1, u2, u3 = read_basis(state, b)
    turn = angular_velocity(bodies, b, torque, u1, u2, u3)
    if bodies.restricted[b]:
        vanishing = transform(joints.null_response, m, components(torque, u1, u2, u3))
        turn = add(turn, combine(vanishing, u1, u2, u3))
    return scale(1.0 / bodies.mass[b], force) if bodies.support[b] == FREE else ZERO, turn


@kernel
def slender_part(axis: np.ndarray, k: int, a: Triple, basis: Basis) -> Triple:
    """Part of `a` along row k of slender axes (n, 3) in the body frame; all of it for a point. Laboratory frame."""
    n = combine(row(axis, k), basis[0], basis[1], basis[2])
    square = dot(n, n)  # within a step the basis is not quite orthonormal
    return scale(dot(a, n) / square, n) if square > 0.0 else a


@inlined
def add_accelerations(
    bodies: Bodies,
    joints: Joints,
    motions: BodyMotions,
    track: np.ndarray,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    motion_work: MotionWork,
    work: JointWork,
) -> None:
    """Write the accelerations under the sums of all other forces into `work.acceleration`."""
    for m in range(len(joints.linked)):
        b = joints.linked[m]
        omega = row(body_work.angular_velocity, b)
        torque = subtract(row(body_work.torque, b), cross(omega, read(state, b, ANGULAR_MOMENTUM)))
        speeding, turning = impulse_response(bodies, joints, m, row(body_work.force, b), torque, state)
        moved = joints.moved[m]
        if moved != NOTHING:
            speeding = row(motion_work.acceleration, moved)
            if motions.turns[moved]:
                turning = turn_acceleration(motions, moved, time)
        elif bodies.support[b] == DRIVEN:
            speeding = driven_acceleration(bodies, track, b, time)
        for i in range(3):
            work.acceleration[m, i], work.acceleration[m, 3 + i] = speeding[i], turning[i]


@kernel
def turn_acceleration(motions: BodyMotions, moved: int, time: float) -> Triple:
    """Angular acceleration [rad/s^2] of a driven body that turns by an angle at `time` [s]."""
    n = call_1_9(motions.angle[moved], motions.numbers_of_angle, motions.first_of_angle[moved], time)
    return scale(n[6], row(motions.axis, moved))


@kernel
def driven_acceleration(bodies: Bodies, track: np.ndarray, b: int, time: float) -> Triple:
    """Acceleration [m/s^2] of driven body b that goes round an ellipse or follows the sensor at `time` [s]."""
    if bodies.follows[b, 0] != 0.0:
        return scale(follower_acceleration(bodies.follows, b, track, time), row(bodies.motion[b], 1))
    w, angle = bodies.motion[b, 4, 0], bodies.motion[b, 4, 0] * time + bodies.motion[b, 4, 1]
    r1, r2 = row(bodies.motion[b], 2), row(bodies.motion[b], 3)
    return scale(-w * w, add(scale(cos(angle), r1), scale(sin(angle), r2)))
