"""The equations that hold the bodies of joints together, with their first and second derivatives.

With the velocities u = (v, omega) of the bodies, an equation c(x, R, t) = 0 has

    dc/dt = J u - s          d2c/dt2 = J du/dt + b

with the bias b of what is quadratic in velocities, and s the speed that a motor enforces. All joints consist of these
(r_a, r_b: arms to the anchors, d: from the first anchor to the second, e, n fixed in the first body, m in the second):

    point        e.d = 0                    with e fixed in the laboratory, or in the first body
    across       n.m = 0
    rod          (d.d - l^2)/(2 l) = 0
    gear         q_2 - ratio q_1 - offset = 0 of angles or displacements q
    tendon       the same of the sum of c_i q_i, where a rotor, a motor, a limit or dry friction holds it
    motor        (omega_b - omega_a).n = s, or d(n.d)/dt = s
    rotor        d2q/dt2 + lambda/a = 0 with the inertia a of a rotor: it resists the rate of the coordinate q
    hold         the coordinate that has limits or dry friction, at a limit or at rest; empty where it moves

(Featherstone, Rigid Body Dynamics Algorithms, chapter 8; Shabana, Dynamics of Multibody Systems, chapter 3)
"""

from __future__ import annotations

from math import floor, pi
from typing import NamedTuple

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.formula_calls import call_1_2
from polhode.jit.kernel import kernel
from polhode.jit.libm.inverse_trigonometric import atan2
from polhode.jit.vec import Triple, add, combine, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.joints.arrays import (
    AT_LOWER,
    AT_UPPER,
    BROKEN,
    CYLINDRICAL,
    DISTANCE,
    ENFORCED,
    FIRST,
    GEAR,
    HINGE,
    SECOND,
    SLIDER,
    STUCK,
    TENDON,
    UNIVERSAL,
    WELD,
    Joints,
    JointWork,
    slots,
    status_of,
)

ZERO = (0.0, 0.0, 0.0)
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
Basis = tuple[Triple, Triple, Triple]


@kernel
def basis_of(state: np.ndarray, b: int) -> Basis:
    """u1, u2, u3 of body b; those of the laboratory for NOTHING."""
    return read_basis(state, b) if b != NOTHING else (X, Y, Z)


@kernel
def motion_of(body_work: BodyWork, b: int) -> tuple[Triple, Triple, Triple]:
    """Position [m], velocity [m/s] and angular velocity [rad/s] of the reference point of body b; 0 for NOTHING."""
    if b == NOTHING:
        return ZERO, ZERO, ZERO
    return row(body_work.position, b), row(body_work.velocity, b), row(body_work.angular_velocity, b)


@kernel
def direction(joints: Joints, j: int, slot: int, k: int, basis: Basis) -> Triple:
    """Row k of the joint's frame in one of its bodies, laboratory components; `basis` is that of the body."""
    u1, u2, u3 = basis
    frame = joints.frame[j, slot]
    return combine((frame[k, 0], frame[k, 1], frame[k, 2]), u1, u2, u3)


@kernel
def axis_of(joints: Joints, j: int, state: np.ndarray) -> Triple:
    """Axis n of joint j, fixed in its first body, laboratory frame."""
    return direction(joints, j, FIRST, 0, basis_of(state, joints.body[j, FIRST]))


@kernel
def arms(joints: Joints, j: int, state: np.ndarray) -> tuple[Triple, Triple]:
    """r_a and r_b [m], from the reference points of the bodies to the anchors, laboratory frame."""
    u1, u2, u3 = basis_of(state, joints.body[j, FIRST])
    w1, w2, w3 = basis_of(state, joints.body[j, SECOND])
    return combine(row(joints.anchor[j], FIRST), u1, u2, u3), combine(row(joints.anchor[j], SECOND), w1, w2, w3)


@kernel
def angle_of(joints: Joints, j: int, state: np.ndarray) -> float:
    """Angle [rad] of the second body about the axis of joint j, counted over full turns by the angle in the state."""
    first = basis_of(state, joints.body[j, FIRST])
    e1, e2 = direction(joints, j, FIRST, 1, first), direction(joints, j, FIRST, 2, first)
    f1 = direction(joints, j, SECOND, 1, basis_of(state, joints.body[j, SECOND]))
    angle = atan2(dot(f1, e2), dot(f1, e1))
    counted = state[joints.at + joints.angle[j]]
    return angle + 2.0 * pi * floor((counted - angle) / (2.0 * pi) + 0.5)


@kernel
def motor_value(joints: Joints, j: int, time: float) -> tuple[float, float]:
    """Torque [N m], force [N] or speed of the motor of joint j at `time` [s], and its derivative."""
    return call_1_2(joints.address[j], joints.numbers, joints.first_number[j], time)


@kernel
def write_row(
    joints: Joints,
    j: int,
    k: int,
    lin: Triple,
    arm_first: Triple,
    arm_second: Triple,
    bias: float,
    residual: float,
    work: JointWork,
) -> int:
    """Write equation k of joint j: its rows (-lin, -arm_first) and (lin, arm_second) of J. Returns k + 1."""
    a, b = joints.jacobian[j, FIRST] + k, joints.jacobian[j, SECOND] + k
    for i in range(3):
        work.jacobian[a, i], work.jacobian[a, 3 + i] = -lin[i], -arm_first[i]
        work.jacobian[b, i], work.jacobian[b, 3 + i] = lin[i], arm_second[i]
    at = joints.row[j] + k
    work.bias[at], work.residual[at], work.speed[at] = bias, residual, 0.0
    return k + 1


class Relative(NamedTuple):
    """Arms and relative motion of the two anchors of a joint, laboratory frame."""

    first_arm: Triple
    """r_a [m]."""
    second_arm: Triple
    """r_b [m]."""
    offset: Triple
    """d [m], from the first anchor to the second."""
    rate: Triple
    """dd/dt [m/s]."""
    bias: Triple
    """d2d/dt2 [m/s^2] without accelerations of the bodies."""
    first_turn: Triple
    """omega_a [rad/s]."""
    second_turn: Triple
    """omega_b [rad/s]."""


@kernel
def relative_motion(joints: Joints, j: int, state: np.ndarray, body_work: BodyWork) -> Relative:
    """Arms and relative motion of the anchors of joint j; bodies are placed."""
    x_a, v_a, omega_a = motion_of(body_work, joints.body[j, FIRST])
    x_b, v_b, omega_b = motion_of(body_work, joints.body[j, SECOND])
    r_a, r_b = arms(joints, j, state)
    rate_a, rate_b = cross(omega_a, r_a), cross(omega_b, r_b)
    return Relative(
        r_a,
        r_b,
        subtract(add(x_b, r_b), add(x_a, r_a)),
        subtract(add(v_b, rate_b), add(v_a, rate_a)),
        subtract(cross(omega_b, rate_b), cross(omega_a, rate_a)),
        omega_a,
        omega_b,
    )


@kernel
def write_equations(
    joints: Joints, j: int, time: float, state: np.ndarray, body_work: BodyWork, work: JointWork
) -> None:
    """Write all equations of joint j at `time` [s]; bodies are placed."""
    if is_empty(joints, j, state):
        for k in range(joints.row[j + 1] - joints.row[j]):
            write_nothing(joints, j, k, work)
        return
    if joints.kind[j] == GEAR:
        write_sum(joints, j, 0, -joints.offset[j], state, body_work, work)
        return
    if joints.kind[j] == TENDON:
        write_tendon(joints, j, time, state, body_work, work)
        return
    motion, basis = relative_motion(joints, j, state, body_work), basis_of(state, joints.body[j, FIRST])
    e1, e2 = direction(joints, j, FIRST, 1, basis), direction(joints, j, FIRST, 2, basis)
    n = direction(joints, j, FIRST, 0, basis)
    k = write_places(joints, j, e1, e2, motion, work)
    k = write_directions(joints, j, k, n, e1, e2, state, motion, work)
    if joints.rotor[j] != NOTHING:
        k = write_rotor(joints, j, k, n, motion, work)
    if joints.motor[j] == ENFORCED:
        write_speed(joints, j, k, n, time, motion, work)
    elif joints.holds[j]:
        write_hold(joints, j, k, n, state, motion, work)


@kernel
def is_empty(joints: Joints, j: int, state: np.ndarray) -> bool:
    """Whether joint j holds nothing: it is broken, a slack string, or a gear or a tendon of a broken hinge."""
    for t in range(joints.first_term[j], joints.first_term[j + 1]):
        if status_of(joints, joints.tied[t], state) == BROKEN:
            return True
    status = status_of(joints, j, state)
    return status == BROKEN or (joints.pull_only[j] and status != AT_UPPER)


@kernel
def write_places(joints: Joints, j: int, e1: Triple, e2: Triple, motion: Relative, work: JointWork) -> int:
    """Write the equations of the anchors of joint j; returns their number."""
    if joints.kind[j] == DISTANCE:
        d, length = motion.offset, joints.length[j]
        e, longer = scale(1.0 / length, d), 0.5 * (dot(d, d) / length - length)
        bias = (dot(motion.rate, motion.rate) + dot(d, motion.bias)) / length
        return write_row(joints, j, 0, e, cross(motion.first_arm, e), cross(motion.second_arm, e), bias, longer, work)
    if joints.kind[j] in (SLIDER, CYLINDRICAL):
        return write_along(joints, j, write_along(joints, j, 0, e1, motion, work), e2, motion, work)
    k = 0
    for e in (X, Y, Z):
        first, second = cross(motion.first_arm, e), cross(motion.second_arm, e)
        k = write_row(joints, j, k, e, first, second, dot(e, motion.bias), dot(e, motion.offset), work)
    return k


@kernel
def write_directions(
    joints: Joints,
    j: int,
    k: int,
    n: Triple,
    e1: Triple,
    e2: Triple,
    state: np.ndarray,
    motion: Relative,
    work: JointWork,
) -> int:
    """Write the equations of directions of joint j from number k on; returns the next number."""
    kind, basis = joints.kind[j], basis_of(state, joints.body[j, SECOND])
    m = direction(joints, j, SECOND, 0, basis)
    if kind == UNIVERSAL:
        return write_across(joints, j, k, n, m, motion, work)
    if kind in (HINGE, SLIDER, CYLINDRICAL, WELD):
        k = write_across(joints, j, k, e1, m, motion, work)
        k = write_across(joints, j, k, e2, m, motion, work)
    if kind in (SLIDER, WELD):
        k = write_across(joints, j, k, e1, direction(joints, j, SECOND, 2, basis), motion, work)
    return k


@kernel
def write_speed(joints: Joints, j: int, k: int, n: Triple, time: float, motion: Relative, work: JointWork) -> None:
    """Write the equation of a motor that enforces the speed of joint j, as number k."""
    speed, change = motor_value(joints, j, time)
    if joints.kind[j] == HINGE:
        write_turning(joints, j, k, n, motion, work)
    else:
        write_along(joints, j, k, n, motion, work)
    at = joints.row[j] + k
    work.residual[at], work.speed[at] = 0.0, speed
    work.bias[at] -= change


@kernel
def write_rotor(joints: Joints, j: int, k: int, n: Triple, motion: Relative, work: JointWork) -> int:
    """Write the rate of the coordinate of joint j, which its rotor resists, as equation k. Returns k + 1."""
    if joints.kind[j] == HINGE:
        write_turning(joints, j, k, n, motion, work)
    else:
        write_along(joints, j, k, n, motion, work)
    work.residual[joints.row[j] + k] = 0.0
    return k + 1


@kernel
def write_turning(joints: Joints, j: int, k: int, n: Triple, motion: Relative, work: JointWork) -> int:
    """Write (omega_b - omega_a).n = 0, with n along the axis, as equation k of joint j. Returns k + 1."""
    bias = dot(subtract(motion.second_turn, motion.first_turn), cross(motion.first_turn, n))
    return write_row(joints, j, k, ZERO, n, n, bias, 0.0, work)


@kernel
def write_nothing(joints: Joints, j: int, k: int, work: JointWork) -> int:
    """Write an equation that holds nothing as number k of joint j; its multiplier is 0. Returns k + 1."""
    for s in range(slots(joints)):
        for i in range(6):
            work.jacobian[joints.jacobian[j, s] + k, i] = 0.0
    at = joints.row[j] + k
    work.bias[at], work.residual[at], work.speed[at] = 0.0, 0.0, 0.0
    return k + 1


@kernel
def write_hold(joints: Joints, j: int, k: int, n: Triple, state: np.ndarray, motion: Relative, work: JointWork) -> None:
    """Write the equation that holds joint j at a limit or by dry friction as number k; empty where it moves."""
    status = status_of(joints, j, state)
    if status not in (STUCK, AT_LOWER, AT_UPPER):
        write_nothing(joints, j, k, work)
        return
    at, angle = joints.row[j] + k, 0.0
    if joints.kind[j] in (SLIDER, CYLINDRICAL):
        write_along(joints, j, k, n, motion, work)
    else:
        write_turning(joints, j, k, n, motion, work)
        angle = angle_of(joints, j, state)
    if status == STUCK:
        work.residual[at] = 0.0
    else:
        work.residual[at] += angle - joints.limits[j, 0 if status == AT_LOWER else 1]


@kernel
def row_along(e: Triple, motion: Relative) -> tuple[Triple, Triple, Triple, float]:
    """Rows of e.d, with e fixed in the first body: on d, on the turns of both bodies, and the bias."""
    d, omega = motion.offset, motion.first_turn
    e_rate = cross(omega, e)
    bias = dot(e, motion.bias) + 2.0 * dot(e_rate, motion.rate) + dot(cross(omega, e_rate), d)
    return e, cross(add(motion.first_arm, d), e), cross(motion.second_arm, e), bias


@kernel
def write_along(joints: Joints, j: int, k: int, e: Triple, motion: Relative, work: JointWork) -> int:
    """Write e.d = 0 with e fixed in the first body, as equation k of joint j. Returns k + 1."""
    lin, first, second, bias = row_along(e, motion)
    return write_row(joints, j, k, lin, first, second, bias, dot(e, motion.offset), work)


@kernel
def write_across(joints: Joints, j: int, k: int, p: Triple, q: Triple, motion: Relative, work: JointWork) -> int:
    """Write p.q = 0 with p fixed in the first body and q in the second, as equation k of joint j. Returns k + 1."""
    p_rate, q_rate = cross(motion.first_turn, p), cross(motion.second_turn, q)
    bias = dot(cross(motion.first_turn, p_rate), q) + 2.0 * dot(p_rate, q_rate)
    bias += dot(p, cross(motion.second_turn, q_rate))
    arm = cross(q, p)
    return write_row(joints, j, k, ZERO, arm, arm, bias, dot(p, q), work)


@kernel
def write_sum(
    joints: Joints, j: int, k: int, residual: float, state: np.ndarray, body_work: BodyWork, work: JointWork
) -> int:
    """Write the sum of c_i q_i of gear or tendon j plus `residual` = 0 as equation k, with rows for the bodies of all
    its joints. Returns k + 1.
    """
    at, bias = joints.row[j] + k, 0.0
    for t in range(joints.first_term[j], joints.first_term[j + 1]):
        tied, factor, slot = joints.tied[t], joints.coefficient[t], 2 * (t - joints.first_term[j])
        n, motion = axis_of(joints, tied, state), relative_motion(joints, tied, state, body_work)
        lin, first, second, own = ZERO, n, n, dot(motion.second_turn, cross(motion.first_turn, n))
        if joints.kind[tied] == SLIDER:
            lin, first, second, own = row_along(n, motion)
            residual += factor * dot(n, motion.offset)
        else:
            residual += factor * angle_of(joints, tied, state)
        a, b = joints.jacobian[j, slot] + k, joints.jacobian[j, slot + 1] + k
        for i in range(3):
            work.jacobian[a, i], work.jacobian[a, 3 + i] = -factor * lin[i], -factor * first[i]
            work.jacobian[b, i], work.jacobian[b, 3 + i] = factor * lin[i], factor * second[i]
        bias += factor * own
    work.bias[at], work.speed[at], work.residual[at] = bias, 0.0, residual
    return k + 1


@kernel
def write_tendon(joints: Joints, j: int, time: float, state: np.ndarray, body_work: BodyWork, work: JointWork) -> None:
    """Write the equations of tendon j: its rotor, and a motor that enforces its speed, or what holds its length."""
    k, status = 0, status_of(joints, j, state)
    if joints.rotor[j] != NOTHING:
        k = write_sum(joints, j, k, 0.0, state, body_work, work)
        work.residual[joints.row[j]] = 0.0
    at = joints.row[j] + k
    if joints.motor[j] == ENFORCED:
        write_sum(joints, j, k, 0.0, state, body_work, work)
        speed, change = motor_value(joints, j, time)
        work.residual[at], work.speed[at] = 0.0, speed
        work.bias[at] -= change
    elif joints.holds[j] and status in (AT_LOWER, AT_UPPER):
        write_sum(joints, j, k, -joints.limits[j, 0 if status == AT_LOWER else 1], state, body_work, work)
    elif joints.holds[j] and status == STUCK:
        write_sum(joints, j, k, 0.0, state, body_work, work)
        work.residual[at] = 0.0
    elif joints.holds[j]:
        write_nothing(joints, j, k, work)
