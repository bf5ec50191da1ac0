"""Forces in joints: Lagrange multipliers of the equations, so that they stay satisfied under all other forces.

With the Jacobian J of all equations and the response W of the bodies, the multipliers solve

    (J W J^T + R) lambda = -(J a + b - ds/dt)

with the accelerations a without joints, and R diagonal: the inverse inertia of a rotor, 0 for all other equations. The
bodies get the forces and torques J^T lambda. They are added after all other forces, so no law knows of a joint. Trees
have neither rows nor multipliers (trees/forces.py). (Baraff, Linear-time dynamics using Lagrange multipliers, SIGGRAPH
1996; Featherstone, Rigid Body Dynamics Algorithms, chapter 8)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import MOTOR
from polhode.engine.model import NOTHING
from polhode.jit.kernel import inlined, kernel
from polhode.jit.vec import Triple, accumulate, scale
from polhode.physics.bodies.arrays import Bodies, BodyWork, read_basis
from polhode.physics.joints.arrays import ENFORCED, Joints, JointWork, slots
from polhode.physics.joints.block_ldl import factorise, solve
from polhode.physics.joints.constraints.accelerations import impulse_response, slender_part
from polhode.physics.joints.constraints.equations import write_equations
from polhode.physics.joints.trees.spatial import put_spatial, spatial


@kernel
def write_all_equations(joints: Joints, time: float, state: np.ndarray, body_work: BodyWork, work: JointWork) -> None:
    """Write the equations of all joints at `time` [s]; bodies are placed."""
    for j in range(len(joints.kind)):
        if joints.row[j + 1] > joints.row[j]:
            write_equations(joints, j, time, state, body_work, work)


@kernel
def factorise_responses(bodies: Bodies, joints: Joints, state: np.ndarray, work: JointWork) -> None:
    """Write J W and the factors of J W J^T into `work`, for the equations that it holds."""
    for j in range(len(joints.kind)):
        count = joints.row[j + 1] - joints.row[j]
        for s in range(slots(joints)):
            if joints.member[j, s] != NOTHING:
                for r in range(joints.jacobian[j, s], joints.jacobian[j, s] + count):
                    force, torque = spatial(work.jacobian, r)
                    moved = impulse_response(bodies, joints, joints.member[j, s], force, torque, state)
                    put_spatial(work.mobile, r, moved)
    for k in range(len(work.matrix)):
        work.matrix[k] = 0.0
    factor = joints.factor
    for t in range(len(factor.pairs)):
        add_term(joints, factor.pairs[t], work)
    for p in range(len(factor.order)):
        j = factor.order[p]
        if joints.rotor[j] != NOTHING:
            size = joints.row[j + 1] - joints.row[j]
            work.matrix[factor.diagonal[p] + (size + 1) * joints.rotor[j]] += 1.0 / joints.armature[j]
    factorise(factor, joints.row, work.matrix, work.original, work.inverse, work.column)


@kernel
def add_term(joints: Joints, term: np.ndarray, work: JointWork) -> None:
    """Add J_i W J_k^T of one body to a block; `term` (5,): a row of `Factor.pairs`."""
    i, k, block = term[0], term[2], term[4]
    first, other = joints.jacobian[i, term[1]], joints.jacobian[k, term[3]]
    rows, columns = joints.row[i + 1] - joints.row[i], joints.row[k + 1] - joints.row[k]
    for r in range(rows):
        a = work.jacobian[first + r]
        for c in range(columns):
            b = work.mobile[other + c]
            work.matrix[block + columns * r + c] += (
                a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]
            )


@inlined
def add_reactions(
    bodies: Bodies,
    joints: Joints,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    work: JointWork,
    power: np.ndarray,
) -> None:
    """SOLVE: add the forces [N] and torques [N m] of all joints with equations to those of their bodies.

    The power of motors that enforce a speed goes to power[MOTOR]; that of all other equations is 0 but for bodies that
    are driven, which the engine counts.
    """
    write_all_equations(joints, time, state, body_work, work)
    write_demands(joints, work.bias, 1.0, work)
    if len(joints.slender) == 0:  # else they have been factored for the rates about slender axes
        factorise_responses(bodies, joints, state, work)
    solve(joints.factor, joints.row, work.matrix, work.inverse, work.multiplier)
    if len(joints.slender) > 0:
        repeat_without_inertia(bodies, joints, state, work)
    for j in range(len(joints.kind)):
        for s in range(slots(joints)):
            if joints.body[j, s] != NOTHING:
                push(joints, j, s, body_work, work)
        if joints.motor[j] == ENFORCED:
            last = joints.row[j + 1] - 1
            power[MOTOR] += work.multiplier[last] * work.speed[last]


@kernel
def repeat_without_inertia(bodies: Bodies, joints: Joints, state: np.ndarray, work: JointWork) -> None:
    """Correct the multipliers, which leave the torque of the vanishing moment about axes without inertia."""
    for k in range(len(work.multiplier)):
        work.kept[k] = work.multiplier[k]
    add_over_joints(joints, work.mobile, work)
    for m in joints.slender:
        b, motion = joints.linked[m], work.acceleration[m]
        if bodies.restricted[b]:
            turn: Triple = (motion[3], motion[4], motion[5])
            left = slender_part(joints.slender_axis, m, turn, read_basis(state, b))
            for i in range(3):
                motion[3 + i] += left[i]
    write_demands(joints, work.bias, 1.0, work)
    for j in joints.rotors:
        if joints.rotor[j] != NOTHING:
            r = joints.row[j] + joints.rotor[j]
            work.multiplier[r] -= work.kept[r] / joints.armature[j]
    solve(joints.factor, joints.row, work.matrix, work.inverse, work.multiplier)
    for k in range(len(work.multiplier)):
        work.multiplier[k] += work.kept[k]


@kernel
def write_demands(joints: Joints, known: np.ndarray, sign: float, work: JointWork) -> None:
    """Write the right-hand sides -(J a + sign known) of the multipliers, with the motions a in `work.acceleration`.

    known: (r,) bias of accelerations, or speeds that motors enforce
    """
    for j in range(len(joints.kind)):
        for k in range(joints.row[j], joints.row[j + 1]):
            work.multiplier[k] = -sign * known[k]
        for s in range(slots(joints)):
            if joints.listed[j, s] != NOTHING:
                for k in range(joints.row[j + 1] - joints.row[j]):
                    work.multiplier[joints.row[j] + k] -= rate_of_row(joints, j, s, k, work)


@kernel
def write_speed_demands(joints: Joints, work: JointWork) -> None:
    """Write the right-hand sides -(J u - s) of changes of velocity, with the velocities u in `work.acceleration`.

    A rotor resists a change of its rate, whatever that is.
    """
    write_demands(joints, work.speed, -1.0, work)
    for j in joints.rotors:
        if joints.rotor[j] != NOTHING:
            work.multiplier[joints.row[j] + joints.rotor[j]] = 0.0


@kernel
def rate_of_row(joints: Joints, j: int, s: int, k: int, work: JointWork) -> float:
    """Part of J a in equation k of joint j that the motion in `work.acceleration` of the body in slot s has."""
    total, jacobian, motion = 0.0, work.jacobian[joints.jacobian[j, s] + k], work.acceleration[joints.listed[j, s]]
    for i in range(6):
        total += jacobian[i] * motion[i]
    return total


@kernel
def write_velocities(joints: Joints, body_work: BodyWork, work: JointWork) -> None:
    """Write velocity and angular velocity of the bodies in `linked` into `work.acceleration`, in place of a."""
    for m in range(len(joints.linked)):
        b = joints.linked[m]
        for i in range(3):
            work.acceleration[m, i] = body_work.velocity[b, i]
            work.acceleration[m, 3 + i] = body_work.angular_velocity[b, i]


@kernel
def sum_over_joints(joints: Joints, rows: np.ndarray, work: JointWork) -> None:
    """Write the sums of multipliers times `rows` (s, 6) of each body into `work.acceleration`."""
    for m in range(len(joints.linked)):
        for i in range(6):
            work.acceleration[m, i] = 0.0
    add_over_joints(joints, rows, work)


@kernel
def add_over_joints(joints: Joints, rows: np.ndarray, work: JointWork) -> None:
    """Add the sums of multipliers times `rows` (s, 6) of each body to `work.acceleration`."""
    for j in range(len(joints.kind)):
        for s in range(slots(joints)):
            m = joints.member[j, s]
            if m != NOTHING:
                for k in range(joints.row[j + 1] - joints.row[j]):
                    of_row, size = rows[joints.jacobian[j, s] + k], work.multiplier[joints.row[j] + k]
                    for i in range(6):
                        work.acceleration[m, i] += size * of_row[i]


@kernel
def push(joints: Joints, j: int, s: int, body_work: BodyWork, work: JointWork) -> None:
    """Add the force and the torque of joint j to the body in slot s."""
    for k in range(joints.row[j + 1] - joints.row[j]):
        (force, torque), size = spatial(work.jacobian, joints.jacobian[j, s] + k), work.multiplier[joints.row[j] + k]
        accumulate(body_work.force, joints.body[j, s], scale(size, force))
        accumulate(body_work.torque, joints.body[j, s], scale(size, torque))
