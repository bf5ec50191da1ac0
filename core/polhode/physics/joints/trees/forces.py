"""Forces in trees of joints: accelerations of the bodies under all other forces, and the reactions that they need."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import inlined, kernel
from polhode.jit.vec import accumulate, add, cross, dot, put, row, scale, subtract
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BodyWork, read
from polhode.physics.joints.arrays import CYLINDRICAL, HINGE, SLIDER, UNIVERSAL
from polhode.physics.joints.constraints.equations import motion_of
from polhode.physics.joints.trees.arrays import JointTreeWork, Trees
from polhode.physics.joints.trees.articulated import eliminate, substitute
from polhode.physics.joints.trees.geometry import axis_above, relative_velocity, write_geometry, write_inertias
from polhode.physics.joints.trees.spatial import Spatial, add_scaled, put_spatial, spatial, times, times_tensor

ZERO = (0.0, 0.0, 0.0)


@inlined
def hold_trees(trees: Trees, base: np.ndarray, state: np.ndarray, body_work: BodyWork, tree: JointTreeWork) -> None:
    """SOLVE: replace the forces [N] and torques [N m] of all nodes by those with the reactions of their joints.

    Bodies that do not move get the reactions of the roots on them. base: (m, 6) accelerations of those of
    `Joints.linked`; `tree` keeps what `force_of_joint` needs.
    """
    is_new = len(trees.slender) == 0  # else `turn_slender_nodes` has factored the inertias
    if is_new:
        write_geometry(trees, state, body_work, tree)
        write_inertias(trees, state, tree)
    write_biases(trees, state, body_work, tree)
    eliminate(trees, is_new, tree)
    substitute(trees, base, tree)
    write_forces(trees, state, body_work, tree)


@kernel
def write_biases(trees: Trees, state: np.ndarray, body_work: BodyWork, tree: JointTreeWork) -> None:
    """Write bias forces of single bodies, and what the joints demand of accelerations."""
    for t in range(len(trees.body)):
        b, above, arm = trees.body[t], trees.above[t], row(tree.arm, t)
        omega = row(body_work.angular_velocity, b)
        inward = cross(omega, cross(omega, arm))
        put(tree.centripetal, t, inward)
        force = subtract(scale(trees.mass[t], inward), row(body_work.force, b))
        torque = subtract(cross(omega, read(state, b, ANGULAR_MOMENTUM)), row(body_work.torque, b))
        put_spatial(tree.bias, t, (force, add(torque, cross(arm, force))))
        linear, angular = ZERO, ZERO
        if above != NOTHING:
            turn = row(body_work.angular_velocity, above)
            linear = cross(turn, cross(turn, row(tree.offset, t)))
            if trees.kind[t] == HINGE:
                angular = cross(turn, omega)
        if trees.kind[t] in (SLIDER, CYLINDRICAL, UNIVERSAL):
            more = demanded_by_rates(trees, t, state, body_work, tree)
            linear, angular = add(linear, more[0]), add(angular, more[1])
        put_spatial(tree.extra, t, (linear, angular))


@kernel
def demanded_by_rates(trees: Trees, t: int, state: np.ndarray, body_work: BodyWork, tree: JointTreeWork) -> Spatial:
    """Terms quadratic in the rates of a joint that slides, or turns about two axes, in c of node t."""
    speed, relative = relative_velocity(trees, t, body_work, tree)
    _, _, turn = motion_of(body_work, trees.above[t])
    n = row(tree.axis, t)
    if trees.kind[t] == UNIVERSAL:
        other = axis_above(trees, t, state)
        both = dot(n, relative) * dot(other, relative)
        return ZERO, add(cross(turn, relative), scale(both, cross(other, n)))
    linear = cross(turn, scale(2.0 * dot(n, speed), n))
    return linear, cross(turn, relative) if trees.kind[t] == CYLINDRICAL else ZERO


@kernel
def write_forces(trees: Trees, state: np.ndarray, body_work: BodyWork, tree: JointTreeWork) -> None:
    """Write force and torque of all nodes from their accelerations, and the reactions on what does not move."""
    for t in range(len(trees.body)):
        b, arm = trees.body[t], row(tree.arm, t)
        linear, angular = spatial(tree.found, t)
        whole = add(add(linear, cross(angular, arm)), row(tree.centripetal, t))
        put(body_work.force, b, scale(trees.mass[t], whole))
        spin = cross(row(body_work.angular_velocity, b), read(state, b, ANGULAR_MOMENTUM))
        put(body_work.torque, b, add(times_tensor(tree.own[t], angular), spin))
        if trees.parent[t] == NOTHING and trees.above[t] != NOTHING:
            force, torque = force_of_joint(tree, t)
            accumulate(body_work.force, trees.above[t], scale(-1.0, force))
            accumulate(body_work.torque, trees.above[t], scale(-1.0, add(torque, cross(row(tree.offset, t), force))))


@kernel
def force_of_joint(tree: JointTreeWork, t: int) -> Spatial:
    """Force [N] and torque [N m] about the reference point by which the joint of node t acts on it, after `hold_trees`.

    Springs, friction and motors of the joint are not in it: they are other forces.
    """
    return add_scaled(spatial(tree.bias, t), 1.0, times(tree.inertia[t], spatial(tree.found, t)))
