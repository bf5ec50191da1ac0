"""Projection of positions and velocities onto the equations of joints, at the end of every step.

Positions: x += W J^T m with J W J^T m = -c, repeated until the residual c is of rounding size: the shortest way in
the metric of the masses. Velocities: p += J^T m with J W J^T m = -(J u - s). Both are changes of the order of a step's
error, so that a method keeps its order. (Hairer, Lubich and Wanner, Geometric Numerical Integration, section IV.4)
"""

from __future__ import annotations

from math import nan, sqrt

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import inlined, kernel
from polhode.jit.vec import add, dot
from polhode.physics.bodies.arrays import (
    DRIVEN,
    FIXED,
    FREE,
    POSITION,
    Bodies,
    BodyMotions,
    BodyWork,
    MotionWork,
    read,
    read_basis,
    write,
)
from polhode.physics.bodies.body_motions import move_supports, turn_driven
from polhode.physics.bodies.placement import add_impulse, enter, place_body, repair, turn_basis
from polhode.physics.joints.arrays import Joints, JointWork
from polhode.physics.joints.axis_forces import reaction
from polhode.physics.joints.block_ldl import solve
from polhode.physics.joints.constraints.equations import angle_of
from polhode.physics.joints.constraints.reactions import (
    factorise_responses,
    sum_over_joints,
    write_all_equations,
    write_speed_demands,
    write_velocities,
)
from polhode.physics.joints.constraints.slender_axes import add_held_rates
from polhode.physics.joints.trees.spatial import spatial

ROUNDING = 1e-14
"""Residual, relative to the size of the joints, below which positions are taken as they are."""
WELL = 1e-9
"""Largest residual, likewise, of a state that is accepted."""
MOST_ROUNDS = 12


@kernel
def place_members(
    bodies: Bodies,
    joints: Joints,
    motions: BodyMotions,
    track: np.ndarray,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    motion_work: MotionWork,
) -> None:
    """Place the bodies that hang on joints at `time` [s]; the bases of those that formulas turn are written."""
    turn_driven(motions, time, state)
    for m in range(len(joints.linked)):
        b = joints.linked[m]
        position, velocity, _, omega = place_body(bodies, track, b, time, state, read_basis(state, b))
        enter(body_work, b, position, velocity, omega)
    move_supports(motions, time, body_work, motion_work)


@kernel
def largest_residual(joints: Joints, work: JointWork) -> float:
    """Largest residual of all equations, relative to the size of the joints where it is a length."""
    largest = 0.0
    for k in range(len(work.residual)):
        size = abs(work.residual[k]) / joints.row_scale[k]
        if not size <= largest:  # also nan
            largest = size
    return largest


@inlined
def project_positions(
    bodies: Bodies,
    joints: Joints,
    motions: BodyMotions,
    track: np.ndarray,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    motion_work: MotionWork,
    work: JointWork,
) -> float:
    """Move the bodies in `state` (k,) until all equations hold at `time` [s]; returns the largest residual left.

    Bodies are placed then, and `work` has the equations and factors of a state that is close.
    """
    left = 0.0
    for turn in range(MOST_ROUNDS):
        place_members(bodies, joints, motions, track, time, state, body_work, motion_work)
        write_all_equations(joints, time, state, body_work, work)
        before, left = left, largest_residual(joints, work)
        is_done = left <= ROUNDING or (turn > 1 and not left < 0.5 * before)
        if turn == 0 or joints.contrasts or not (is_done or left < 1e-3 * before):  # else the last factors serve
            factorise_responses(bodies, joints, state, work)
        if is_done:
            break
        for k in range(len(work.residual)):
            work.multiplier[k] = -work.residual[k]
        solve(joints.factor, joints.row, work.matrix, work.inverse, work.multiplier)
        sum_over_joints(joints, work.mobile, work)
        move_members(bodies, joints, state, work)
    return left


@kernel
def move_members(bodies: Bodies, joints: Joints, state: np.ndarray, work: JointWork) -> None:
    """Displace and turn the bodies by `work.acceleration`."""
    for m in range(len(joints.linked)):
        b, (displacement, turn) = joints.linked[m], spatial(work.acceleration, m)
        if bodies.support[b] in (FIXED, DRIVEN):
            continue
        if bodies.support[b] == FREE:
            write(state, b, POSITION, add(read(state, b, POSITION), displacement))
        turn_basis(state, b, turn)


@inlined
def project_velocities(
    bodies: Bodies,
    joints: Joints,
    state: np.ndarray,
    body_work: BodyWork,
    work: JointWork,
) -> None:
    """Change the momenta in `state` (k,) so that J u = s, after `project_positions`."""
    add_held_rates(bodies, joints, state, True, body_work, work)
    write_velocities(joints, body_work, work)
    write_speed_demands(joints, work)
    solve(joints.factor, joints.row, work.matrix, work.inverse, work.multiplier)
    add_impulses(bodies, joints, state, work)


@kernel
def add_impulses(bodies: Bodies, joints: Joints, state: np.ndarray, work: JointWork) -> None:
    """Add the impulses J^T P to the momenta in `state` (k,), with the multipliers P [N s] or [N m s] of `work`."""
    sum_over_joints(joints, work.jacobian, work)
    for m in range(len(joints.linked)):
        impulse, moment = spatial(work.acceleration, m)
        add_impulse(bodies, joints.linked[m], impulse, moment, state)


@kernel
def accept(joints: Joints, left: float, state: np.ndarray) -> float:
    """Make `state` (k,) nan where a residual of positions is left, relative to the size of the joints; returns it."""
    if not left <= WELL:
        state[joints.at] = nan
    return left


@kernel
def count_angles(joints: Joints, state: np.ndarray) -> None:
    """Count the angles of all joints in `state` (k,) over full turns."""
    for j in range(len(joints.kind)):
        if joints.angle[j] != NOTHING:
            state[joints.at + joints.angle[j]] = angle_of(joints, j, state)


@inlined
def keep_largest(joints: Joints, state: np.ndarray, body_work: BodyWork, work: JointWork) -> None:
    """Keep the largest force and torque of each joint in `state` (k,); they are those of the last evaluation."""
    for j in range(len(joints.kind)):
        at = joints.at + joints.largest + 2 * j
        force, torque = reaction(joints, j, state, body_work, work)
        state[at] = max(state[at], sqrt(dot(force, force)))
        state[at + 1] = max(state[at + 1], sqrt(dot(torque, torque)))


@kernel
def repair_members(joints: Joints, support: np.ndarray, state: np.ndarray) -> None:
    """Make the bases of all jointed bodies in `state` (k,) orthonormal. support: (n,) int64 of all bodies"""
    for b in joints.trees.body:
        repair(state, b)
    for b in joints.linked:
        if support[b] != FIXED:
            repair(state, b)
