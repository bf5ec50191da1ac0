"""Positions, axes and inertias of the nodes of trees, and by how much their joints are violated."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, cross, dot, put, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.joints.arrays import BALL, CYLINDRICAL, HINGE, SLIDER, UNIVERSAL, WELD
from polhode.physics.joints.constraints.equations import Basis, X, Y, Z, basis_of, motion_of
from polhode.physics.joints.trees.arrays import ABOVE, FLIES, OWN, JointTreeWork, Trees
from polhode.physics.joints.trees.spatial import Spatial, put_spatial

ZERO = (0.0, 0.0, 0.0)


@kernel
def without(a: Triple, n: Triple) -> Triple:
    """The part of a across the unit vector n."""
    return subtract(a, scale(dot(a, n), n))


@kernel
def direction(trees: Trees, t: int, side: int, k: int, basis: Basis) -> Triple:
    """Row k of the frame of a joint in the body of node t or in its parent, laboratory frame; `basis` of that body."""
    frame = trees.frame[t, side]
    return combine((frame[k, 0], frame[k, 1], frame[k, 2]), basis[0], basis[1], basis[2])


@kernel
def axis_above(trees: Trees, t: int, state: np.ndarray) -> Triple:
    """Axis of the joint of node t, fixed in its parent, laboratory frame."""
    return direction(trees, t, ABOVE, 0, basis_of(state, trees.above[t]))


@kernel
def write_geometry(trees: Trees, state: np.ndarray, body_work: BodyWork, tree: JointTreeWork) -> None:
    """Write reference points, arms, axes and free motions of all nodes; bodies are placed."""
    for t in range(len(trees.body)):
        b, p = trees.body[t], trees.parent[t]
        u1, u2, u3 = read_basis(state, b)
        arm = combine(row(trees.arm, t), u1, u2, u3)
        position = subtract(row(body_work.position, b), arm)
        put(tree.arm, t, arm)
        put(tree.position, t, position)
        put(tree.axis, t, direction(trees, t, OWN, 0, (u1, u2, u3)))
        if p != NOTHING:
            put(tree.offset, t, subtract(position, row(tree.position, p)))
        elif trees.above[t] != NOTHING:
            put(tree.offset, t, subtract(position, row(body_work.position, trees.above[t])))
        if trees.kind[t] != HINGE:
            write_motions(trees, t, state, tree)


@kernel
def write_motions(trees: Trees, t: int, state: np.ndarray, tree: JointTreeWork) -> None:
    """Write the motions that the joint of node t leaves free, which is no hinge."""
    kind, n, of_node = trees.kind[t], row(tree.axis, t), tree.motion[t]
    if kind in (BALL, FLIES):
        put_spatial(of_node, 0, (ZERO, X))
        put_spatial(of_node, 1, (ZERO, Y))
        put_spatial(of_node, 2, (ZERO, Z))
        put_spatial(of_node, 3, (X, ZERO))
        put_spatial(of_node, 4, (Y, ZERO))
        put_spatial(of_node, 5, (Z, ZERO))
    elif kind == UNIVERSAL:
        put_spatial(of_node, 0, (ZERO, n))
        put_spatial(of_node, 1, (ZERO, axis_above(trees, t, state)))
    else:
        put_spatial(of_node, 0, (n, ZERO))
        put_spatial(of_node, 1, (ZERO, n))


@kernel
def write_inertias(trees: Trees, state: np.ndarray, tree: JointTreeWork) -> None:
    """Write the inertia of each body alone about its reference point, after `write_geometry`.

    The tensor about the centre of mass is i3 + (i1 - i3) n1 n1^T + (i2 - i3) n2 n2^T with the principal axes n1, n2.
    """
    for t in range(len(trees.body)):
        u1, u2, u3 = read_basis(state, trees.body[t])
        least, more, most = row(trees.moments, t)
        a1, a2, a3 = combine(row(trees.axes[t], 0), u1, u2, u3)
        b1, b2, b3 = combine(row(trees.axes[t], 1), u1, u2, u3)
        c1, c2, c3 = more * a1, more * a2, more * a3
        d1, d2, d3 = most * b1, most * b2, most * b3
        xx, xy, xz = least + c1 * a1 + d1 * b1, c1 * a2 + d1 * b2, c1 * a3 + d1 * b3
        yy, yz, zz = least + c2 * a2 + d2 * b2, c2 * a3 + d2 * b3, least + c3 * a3 + d3 * b3
        own, i, m = tree.own[t], tree.inertia[t], trees.mass[t]
        own[0], own[1], own[2], own[3], own[4], own[5] = xx, xy, xz, yy, yz, zz
        x, y, z = row(tree.arm, t)
        mx, my, mz = m * x, m * y, m * z
        i[0], i[1], i[2], i[3], i[4], i[5] = m, 0.0, 0.0, m, 0.0, m
        i[6], i[7], i[8] = 0.0, mz, -my
        i[9], i[10], i[11] = -mz, 0.0, mx
        i[12], i[13], i[14] = my, -mx, 0.0
        i[15], i[16], i[17] = xx + my * y + mz * z, xy - mx * y, xz - mx * z
        i[18], i[19], i[20] = yy + mx * x + mz * z, yz - my * z, zz + mx * x + my * y


@kernel
def write_gaps(trees: Trees, size: float, state: np.ndarray, body_work: BodyWork, tree: JointTreeWork) -> float:
    """Write the displacements that close the joints into `tree.extra`, after `write_geometry`; bias forces become 0.

    Returns the largest component, a turn [rad] or a length in parts of `size` [m]; nan where there is one.
    """
    largest = 0.0
    for t in range(len(trees.body)):
        gap, turn = gap_of(trees, t, state, body_work, tree)
        put_spatial(tree.extra, t, (scale(-1.0, gap), turn))
        put_spatial(tree.bias, t, (ZERO, ZERO))
        for k in range(3):
            part = max(abs(gap[k]) / size, abs(turn[k]))
            if not part <= largest:  # also nan
                largest = part
    return largest


@kernel
def gap_of(trees: Trees, t: int, state: np.ndarray, body_work: BodyWork, tree: JointTreeWork) -> Spatial:
    """Gap [m] of the joint of node t as far as it must be closed, and the turn [rad] that aligns the body."""
    kind = trees.kind[t]
    if kind == FLIES:
        return ZERO, ZERO
    above, n = trees.above[t], row(tree.axis, t)
    basis = basis_of(state, above)
    there, _, _ = motion_of(body_work, above)
    gap = subtract(row(tree.position, t), add(there, combine(row(trees.hold, t), basis[0], basis[1], basis[2])))
    if kind in (SLIDER, CYLINDRICAL):
        gap = without(gap, n)
    turn = ZERO
    if kind in (HINGE, CYLINDRICAL):
        turn = cross(n, direction(trees, t, ABOVE, 0, basis))
    elif kind == UNIVERSAL:
        other = direction(trees, t, ABOVE, 0, basis)
        turn = scale(-dot(n, other), cross(n, other))
    elif kind in (SLIDER, WELD):
        own = read_basis(state, trees.body[t])
        for k in range(3):
            turn = add(
                turn,
                scale(0.5, cross(direction(trees, t, OWN, k, own), direction(trees, t, ABOVE, k, basis))),
            )
    return gap, turn


@kernel
def write_speeds(trees: Trees, state: np.ndarray, body_work: BodyWork, tree: JointTreeWork) -> None:
    """Write the changes of velocity that the joints demand into `tree.extra`, after `write_geometry`; biases become 0.

    The velocity of the anchor against the parent there, and the difference of angular velocities, as far as the
    joint does not leave them free.
    """
    for t in range(len(trees.body)):
        put_spatial(tree.bias, t, (ZERO, ZERO))
        linear, angular = relative_velocity(trees, t, body_work, tree)
        kind, n = trees.kind[t], row(tree.axis, t)
        if kind in (SLIDER, CYLINDRICAL):
            linear = without(linear, n)
        if kind in (HINGE, CYLINDRICAL):
            angular = without(angular, n)
        elif kind == UNIVERSAL:
            across = cross(n, axis_above(trees, t, state))
            angular = scale(dot(angular, across), across)
        elif kind in (BALL, FLIES):
            angular = ZERO
        if kind == FLIES:
            linear = ZERO
        put_spatial(tree.extra, t, (scale(-1.0, linear), scale(-1.0, angular)))


@kernel
def relative_velocity(trees: Trees, t: int, body_work: BodyWork, tree: JointTreeWork) -> Spatial:
    """Velocity [m/s] of the anchor of node t against the parent at the same position, and of the turn [rad/s]."""
    _, velocity, omega = motion_of(body_work, trees.body[t])
    there, other, turn = motion_of(body_work, trees.above[t])
    at_anchor = subtract(velocity, cross(omega, row(tree.arm, t)))
    above = add(other, cross(turn, subtract(row(tree.position, t), there)))
    return subtract(at_anchor, above), subtract(omega, turn)
