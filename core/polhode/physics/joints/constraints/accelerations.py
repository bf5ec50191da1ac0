"""Accelerations of bodies without their joints, laboratory frame, and what impulses do to them.

A free body has W = diag(1/M, I^-1) about its centre of mass; one on a pivot or an axle turns only, by the inverse
tensor about its support; what is fixed or driven has W = 0, and its accelerations are prescribed. About an axis without
inertia W is that of a vanishing moment: what joints hold there follows them, as a thinner and thinner body would.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import inlined, kernel
from polhode.jit.vec import Triple, add, combine, components, cross, dot, row, scale, subtract, transform
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
from polhode.physics.bodies.placement import response
from polhode.physics.joints.arrays import Joints, JointWork

ZERO = (0.0, 0.0, 0.0)
Basis = tuple[Triple, Triple, Triple]


@kernel
def impulse_response(
    bodies: Bodies, joints: Joints, m: int, force: Triple, torque: Triple, state: np.ndarray
) -> tuple[Triple, Triple]:
    """W (F, T): change of velocity and of angular velocity of body m of `Joints.linked` per unit of impulse."""
    b, basis = joints.linked[m], read_basis(state, joints.linked[m])
    linear, turn = response(bodies, b, basis, force, torque)
    if bodies.restricted[b]:
        vanishing = transform(joints.null_response, m, components(torque, basis[0], basis[1], basis[2]))
        turn = add(turn, combine(vanishing, basis[0], basis[1], basis[2]))
    return linear, turn


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
        if bodies.support[b] == DRIVEN:
            speeding, turning = driven_acceleration(bodies, motions, track, b, moved, time, motion_work)
        elif moved != NOTHING:
            speeding = row(motion_work.acceleration, moved)
        for i in range(3):
            work.acceleration[m, i], work.acceleration[m, 3 + i] = speeding[i], turning[i]
