"""Forces along the free coordinate of a joint: springs, dampers, friction, and motors with a stated torque or force.

Of the angle or the displacement q of a hinge or a slider, on the second body, and the opposite on the first:

    f = -k (q - q0) - (d + c) dq/dt - F sign(dq/dt) + m(t)

with the dry friction F; what it holds at rest is an equation (equations.py), and its sign is a status of the joint.
A tendon of hinges and sliders has the same force along its length q = sum of c_i q_i, as c_i f along each of them. A
broken joint has no forces, nor has a tendon of one.

Ball and universal joints have friction alone, -c (omega_b - omega_a). The energy k (q - q0)^2/2 is elastic; the powers
of damper, friction and motor go to the ledger's lines DAMPING, JOINT_FRICTION and MOTOR.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import DAMPING, JOINT_FRICTION, MOTOR
from polhode.engine.model import NOTHING
from polhode.jit.kernel import inlined, kernel
from polhode.jit.vec import Triple, accumulate, add, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.bodies.at_point import add_force_at
from polhode.physics.joints.arrays import (
    BALL,
    BROKEN,
    CYLINDRICAL,
    FIRST,
    FORCED,
    HINGE,
    SECOND,
    SLIDER,
    SLIDES_BACKWARD,
    SLIDES_FORWARD,
    TENDON,
    UNIVERSAL,
    Joints,
    JointWork,
    status_of,
)
from polhode.physics.joints.constraints.equations import (
    angle_of,
    arms,
    axis_of,
    is_empty,
    motion_of,
    motor_value,
    relative_motion,
)
from polhode.physics.joints.trees.forces import force_of_joint
from polhode.physics.joints.trees.spatial import spatial


@kernel
def anchors(joints: Joints, j: int, state: np.ndarray, body_work: BodyWork) -> tuple[Triple, Triple]:
    """Positions [m] of the anchors of joint j on its two bodies, laboratory frame; bodies are placed."""
    r_a, r_b = arms(joints, j, state)
    x_a, _, _ = motion_of(body_work, joints.body[j, FIRST])
    x_b, _, _ = motion_of(body_work, joints.body[j, SECOND])
    return add(x_a, r_a), add(x_b, r_b)


@kernel
def relative_turn(joints: Joints, j: int, body_work: BodyWork) -> Triple:
    """omega_b - omega_a [rad/s] of joint j."""
    _, _, omega_a = motion_of(body_work, joints.body[j, FIRST])
    _, _, omega_b = motion_of(body_work, joints.body[j, SECOND])
    return subtract(omega_b, omega_a)


@kernel
def angular_rate(joints: Joints, j: int, state: np.ndarray, body_work: BodyWork) -> float:
    """Rate [rad/s] of the angle of joint j."""
    return dot(relative_turn(joints, j, body_work), axis_of(joints, j, state))


@kernel
def coordinate(joints: Joints, j: int, state: np.ndarray, body_work: BodyWork) -> tuple[float, float]:
    """Angle [rad] or displacement [m] of a hinge or slider j, or length [m] of a tendon, and its rate; bodies are
    placed.
    """
    if joints.kind[j] != TENDON:
        return axis_coordinate(joints, j, state, body_work)
    length, rate = 0.0, 0.0
    for t in range(joints.first_term[j], joints.first_term[j + 1]):
        q, turning = axis_coordinate(joints, joints.tied[t], state, body_work)
        length, rate = length + joints.coefficient[t] * q, rate + joints.coefficient[t] * turning
    return length, rate


@kernel
def axis_coordinate(joints: Joints, j: int, state: np.ndarray, body_work: BodyWork) -> tuple[float, float]:
    """Angle [rad] or displacement [m] of a hinge or slider j, and its rate; bodies are placed."""
    if joints.kind[j] != SLIDER:
        return angle_of(joints, j, state), angular_rate(joints, j, state, body_work)
    return displacement(joints, j, state, body_work)


@kernel
def displacement(joints: Joints, j: int, state: np.ndarray, body_work: BodyWork) -> tuple[float, float]:
    """Displacement [m] of joint j along its axis, and its rate; bodies are placed."""
    n = axis_of(joints, j, state)
    motion = relative_motion(joints, j, state, body_work)
    return dot(n, motion.offset), dot(n, motion.rate) + dot(cross(motion.first_turn, n), motion.offset)


@inlined
def add_axis_forces(
    joints: Joints, time: float, state: np.ndarray, body_work: BodyWork, work: JointWork, power: np.ndarray
) -> None:
    """LAW: add the forces [N] and torques [N m] along the free coordinates of all joints, and their powers."""
    for j in joints.acting:
        kind = joints.kind[j]
        work.applied[j] = 0.0
        if is_empty(joints, j, state):
            continue
        if kind in (HINGE, SLIDER, TENDON):
            push_along(joints, j, time, state, body_work, work, power)
        elif kind in (BALL, UNIVERSAL) and joints.friction[j] > 0.0:
            turn = relative_turn(joints, j, body_work)
            torque = scale(-joints.friction[j], turn)
            power[JOINT_FRICTION] += dot(torque, turn)
            add_torque_pair(joints, j, torque, body_work)


@kernel
def sliding_friction(joints: Joints, j: int, state: np.ndarray) -> float:
    """Dry friction [N m] or [N] of hinge, slider or tendon j, positive while its coordinate increases."""
    status = status_of(joints, j, state)
    if status == SLIDES_FORWARD:
        return float(joints.dry_friction[j])
    return float(-joints.dry_friction[j]) if status == SLIDES_BACKWARD else 0.0


@kernel
def push_along(
    joints: Joints,
    j: int,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    work: JointWork,
    power: np.ndarray,
) -> None:
    """Add the force or torque along the axis of hinge or slider j, or along a tendon."""
    q, rate = coordinate(joints, j, state, body_work)
    elastic, damping = -joints.spring[j, 0] * (q - joints.spring[j, 2]), -joints.spring[j, 1] * rate
    friction, drive = -joints.friction[j] * rate - sliding_friction(joints, j, state), 0.0
    if joints.motor[j] == FORCED:
        drive, _ = motor_value(joints, j, time)
    power[DAMPING] += damping * rate
    power[JOINT_FRICTION] += friction * rate
    power[MOTOR] += drive * rate
    work.applied[j] = elastic + damping + friction + drive
    if joints.kind[j] != TENDON:
        add_along(joints, j, work.applied[j], state, body_work)
        return
    for t in range(joints.first_term[j], joints.first_term[j + 1]):
        add_along(joints, joints.tied[t], joints.coefficient[t] * work.applied[j], state, body_work)


@kernel
def add_along(joints: Joints, j: int, size: float, state: np.ndarray, body_work: BodyWork) -> None:
    """Add a force [N] or torque [N m] along the axis of hinge or slider j, and the opposite to its first body."""
    along = scale(size, axis_of(joints, j, state))
    if joints.kind[j] == HINGE:
        add_torque_pair(joints, j, along, body_work)
        return
    _, at = anchors(joints, j, state, body_work)
    for slot, sign in ((FIRST, -1.0), (SECOND, 1.0)):
        if joints.body[j, slot] != NOTHING:
            add_force_at(body_work, joints.body[j, slot], at, scale(sign, along))


@kernel
def add_torque_pair(joints: Joints, j: int, torque: Triple, body_work: BodyWork) -> None:
    """Add a torque [N m] to the second body of joint j, and the opposite to the first."""
    if joints.body[j, FIRST] != NOTHING:
        accumulate(body_work.torque, joints.body[j, FIRST], scale(-1.0, torque))
    if joints.body[j, SECOND] != NOTHING:
        accumulate(body_work.torque, joints.body[j, SECOND], torque)


@kernel
def joint_energy(joints: Joints, state: np.ndarray, body_work: BodyWork) -> float:
    """Elastic energy [J] of the springs of all joints; bodies are placed."""
    energy = 0.0
    for j in range(len(joints.kind)):
        if joints.spring[j, 0] > 0.0 and not is_empty(joints, j, state):
            q, _ = coordinate(joints, j, state, body_work)
            energy += 0.5 * joints.spring[j, 0] * (q - joints.spring[j, 2]) ** 2
    return energy


@kernel
def rotor_energy(joints: Joints, state: np.ndarray, body_work: BodyWork) -> float:
    """Kinetic energy [J] of the rotors of all joints; bodies are placed."""
    energy = 0.0
    for j in joints.rotors:
        if not is_empty(joints, j, state):
            _, rate = coordinate(joints, j, state, body_work)
            energy += 0.5 * joints.armature[j] * rate**2
    return energy


@kernel
def reaction(joints: Joints, j: int, state: np.ndarray, body_work: BodyWork, work: JointWork) -> tuple[Triple, Triple]:
    """Force [N] and torque [N m] about the anchor by which joint j acts on its second body, laboratory frame.

    Springs, friction and motors of the joint included. For columns, after SOLVE; `work` has the multipliers. The torque
    of a gear is that on the second body of its second hinge, of a tendon on that of its first joint.
    """
    if joints.kind[j] == TENDON:
        return reaction_of_tendon(joints, j, state, work)
    node = joints.trees.node[j]
    if node != NOTHING:
        force, torque = reaction_in_tree(joints, j, node, state, body_work, work)
        return add_applied(joints, j, force, torque, state, body_work, work)
    slot = SECOND if joints.body[j, 2] == NOTHING and joints.body[j, 3] == NOTHING else 3
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(joints.row[j + 1] - joints.row[j]):
        size, (push, turn) = work.multiplier[joints.row[j] + k], spatial(work.jacobian, joints.jacobian[j, slot] + k)
        force, torque = add(force, scale(size, push)), add(torque, scale(size, turn))
    if slot != SECOND:
        return force, torque
    _, r_b = arms(joints, j, state)
    return add_applied(joints, j, force, subtract(torque, cross(r_b, force)), state, body_work, work)


@kernel
def reaction_of_tendon(joints: Joints, j: int, state: np.ndarray, work: JointWork) -> tuple[Triple, Triple]:
    """Force [N] and torque [N m] along the axis of the first hinge or slider of tendon j, on its second body."""
    tension, first = work.applied[j], joints.first_term[j]
    for k in range(joints.row[j], joints.row[j + 1]):
        tension += work.multiplier[k]
    tied, none = joints.tied[first], (0.0, 0.0, 0.0)
    along = scale(joints.coefficient[first] * tension, axis_of(joints, tied, state))
    return (along, none) if joints.kind[tied] == SLIDER else (none, along)


@kernel
def reaction_in_tree(
    joints: Joints, j: int, node: int, state: np.ndarray, body_work: BodyWork, work: JointWork
) -> tuple[Triple, Triple]:
    """Force [N] and torque [N m] about the anchor by which joint j of a tree acts on its second body."""
    force, torque = force_of_joint(work.tree, node)
    if joints.trees.is_second[node]:
        return force, torque
    if joints.kind[j] in (SLIDER, CYLINDRICAL):  # the anchors are apart
        there, _, _ = motion_of(body_work, joints.body[j, SECOND])
        _, r_b = arms(joints, j, state)
        torque = add(torque, cross(subtract(row(work.tree.position, node), add(there, r_b)), force))
    return scale(-1.0, force), scale(-1.0, torque)


@kernel
def add_applied(
    joints: Joints, j: int, force: Triple, torque: Triple, state: np.ndarray, body_work: BodyWork, work: JointWork
) -> tuple[Triple, Triple]:
    """Force and torque of joint j with springs, friction and motors along its axis, from those of its equations."""
    along = scale(work.applied[j], axis_of(joints, j, state))
    if joints.kind[j] == SLIDER:
        return add(force, along), torque
    if joints.kind[j] == HINGE:
        return force, add(torque, along)
    if joints.kind[j] in (BALL, UNIVERSAL) and status_of(joints, j, state) != BROKEN:
        torque = subtract(torque, scale(joints.friction[j], relative_turn(joints, j, body_work)))
    return force, torque
