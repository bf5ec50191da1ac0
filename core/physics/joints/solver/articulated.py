"""Accelerations and forces of bodies in trees of joints, in a time that is linear in their number.

The articulated-body algorithm, in the axes of the laboratory. With spatial vectors (linear, angular) at the reference
points, a body m with the joint to its parent p obeys

    a_m = X a_p + c + S q          f = I a_m + p          S^T f = 0

where X moves with the parent rigidly, S are the motions that the joint leaves free, c is what its equations demand, and
I and p are inertia and bias force of the body with everything that hangs on it. Each column s of S is eliminated by

    U = I s        D = s.U        I <- I - U U^T/D        p <- p - U (s.p)/D

and what is left is added to the parent's. The same equations give displacements for residuals of positions, and changes
of velocities. (Featherstone, Rigid Body Dynamics Algorithms, section 7.3)
"""

from __future__ import annotations

import numpy as np

from core.engine.model import NOTHING
from core.jit.kernel import kernel
from core.jit.vec import Triple, add, cross, dot, row, scale, subtract, transform
from core.physics.bodies.arrays import Bodies, BodyWork, read_basis
from core.physics.joints.arrays import (
    BALL,
    CYLINDRICAL,
    SECOND,
    SLIDER,
    UNIVERSAL,
    Joints,
    JointWork,
    Trees,
    TreeWork,
)
from core.physics.joints.equations import X, Y, Z, arms, axis_of, basis_of, direction, motion_of

ZERO = (0.0, 0.0, 0.0)
Spatial = tuple[Triple, Triple]  # linear and angular part


@kernel
def spatial(array: np.ndarray, m: int) -> Spatial:
    """Row m of an (n, 6) array."""
    return (array[m, 0], array[m, 1], array[m, 2]), (array[m, 3], array[m, 4], array[m, 5])


@kernel
def put_spatial(array: np.ndarray, m: int, a: Spatial) -> None:
    """Write a into row m of an (n, 6) array."""
    array[m, 0], array[m, 1], array[m, 2] = a[0]
    array[m, 3], array[m, 4], array[m, 5] = a[1]


@kernel
def product(a: Spatial, b: Spatial) -> float:
    """Scalar product of a motion and a force."""
    return dot(a[0], b[0]) + dot(a[1], b[1])


@kernel
def add_scaled(a: Spatial, s: float, b: Spatial) -> Spatial:
    """a + s b."""
    return add(a[0], scale(s, b[0])), add(a[1], scale(s, b[1]))


@kernel
def times(i: np.ndarray, a: Spatial) -> Spatial:
    """I a, with the inertia i (21,): the upper halves of the symmetric blocks A and C, and between them B, row by row.

    I = ((A, B), (B^T, C)).
    """
    (x, y, z), (u, v, w) = a
    force = (
        i[0] * x + i[1] * y + i[2] * z + i[6] * u + i[7] * v + i[8] * w,
        i[1] * x + i[3] * y + i[4] * z + i[9] * u + i[10] * v + i[11] * w,
        i[2] * x + i[4] * y + i[5] * z + i[12] * u + i[13] * v + i[14] * w,
    )
    torque = (
        i[6] * x + i[9] * y + i[12] * z + i[15] * u + i[16] * v + i[17] * w,
        i[7] * x + i[10] * y + i[13] * z + i[16] * u + i[18] * v + i[19] * w,
        i[8] * x + i[11] * y + i[14] * z + i[17] * u + i[19] * v + i[20] * w,
    )
    return force, torque


@kernel
def subtract_square(i: np.ndarray, s: float, a: Spatial) -> None:
    """I <- I - s a a^T, with the inertia i (21,)."""
    (x, y, z), (u, v, w) = a
    i[0] -= s * x * x
    i[1] -= s * x * y
    i[2] -= s * x * z
    i[3] -= s * y * y
    i[4] -= s * y * z
    i[5] -= s * z * z
    i[6] -= s * x * u
    i[7] -= s * x * v
    i[8] -= s * x * w
    i[9] -= s * y * u
    i[10] -= s * y * v
    i[11] -= s * y * w
    i[12] -= s * z * u
    i[13] -= s * z * v
    i[14] -= s * z * w
    i[15] -= s * u * u
    i[16] -= s * u * v
    i[17] -= s * u * w
    i[18] -= s * v * v
    i[19] -= s * v * w
    i[20] -= s * w * w


@kernel
def add_moved(i: np.ndarray, way: Triple, to: np.ndarray) -> None:
    """Add X^T I X of the inertia i (21,) to `to` (21,), from whose reference point that of I is `way` [m] away.

    With [r] of a cross product: B' = B - A [r], C' = C - B^T [r] + [r] B'.
    """
    x, y, z = way
    rows = (i[0], i[1], i[2]), (i[1], i[3], i[4]), (i[2], i[4], i[5])
    for k in range(6):
        to[k] += i[k]
    b1 = moved_row((i[6], i[7], i[8]), rows[0], way)
    b2 = moved_row((i[9], i[10], i[11]), rows[1], way)
    b3 = moved_row((i[12], i[13], i[14]), rows[2], way)
    for k in range(3):
        to[6 + k] += b1[k]
        to[9 + k] += b2[k]
        to[12 + k] += b3[k]
    # rows of B^T are columns of B; row k of [r] B' is that of the cross product with the columns of B'
    c1 = moved_row((i[15], i[16], i[17]), (i[6], i[9], i[12]), way)
    c2 = moved_row((i[16], i[18], i[19]), (i[7], i[10], i[13]), way)
    c3 = moved_row((i[17], i[19], i[20]), (i[8], i[11], i[14]), way)
    to[15] += c1[0] + y * b3[0] - z * b2[0]
    to[16] += c1[1] + y * b3[1] - z * b2[1]
    to[17] += c1[2] + y * b3[2] - z * b2[2]
    to[18] += c2[1] + z * b1[1] - x * b3[1]
    to[19] += c2[2] + z * b1[2] - x * b3[2]
    to[20] += c3[2] + x * b2[2] - y * b1[2]


@kernel
def moved_row(b: Triple, a: Triple, way: Triple) -> Triple:
    """b - a [r], one row: a [r] = a x r."""
    return subtract(b, cross(a, way))


@kernel
def factorise_trees(
    bodies: Bodies, joints: Joints, trees: Trees, state: np.ndarray, body_work: BodyWork, tree: TreeWork
) -> None:
    """Write the free motions of all joints and the articulated inertias, of bodies that are placed, into `tree`."""
    for m in trees.order:
        b = joints.linked[m]
        write_own_inertia(trees.tensor, m, read_basis(state, b), tree)
        for k in range(21):
            tree.inertia[m, k] = 0.0
        for k in range(3):
            tree.inertia[m, (0, 3, 5)[k]] = bodies.mass[b]
        for k in range(6):
            tree.inertia[m, 15 + k] = tree.own[m, k]
        tree.mass[m] = bodies.mass[b]
        write_motions(joints, trees, m, state, body_work, tree)
    for n in range(len(trees.order) - 1, -1, -1):
        m = trees.order[n]
        inertia = tree.inertia[m]
        for k in range(21):
            tree.whole[m, k] = inertia[k]
        for k in range(trees.freedom[m]):
            motion = spatial(tree.motion[m], k)
            pushed = times(inertia, motion)
            tree.inverse[m, k] = 1.0 / product(motion, pushed)
            put_spatial(tree.pushed[m], k, pushed)
            subtract_square(inertia, tree.inverse[m, k], pushed)
        p = trees.parent[m]
        if p != NOTHING and trees.moves[p]:
            add_moved(inertia, row(tree.way, m), tree.inertia[p])


@kernel
def write_own_inertia(tensors: np.ndarray, m: int, basis: tuple[Triple, Triple, Triple], tree: TreeWork) -> None:
    """Write the upper half of the tensor of body m about its centre of mass, laboratory frame, into `tree.own`.

    tensors: (m, 3, 3) [kg m^2] in the frames of the bodies
    """
    u1, u2, u3 = basis
    columns = ((u1[0], u2[0], u3[0]), (u1[1], u2[1], u3[1]), (u1[2], u2[2], u3[2]))  # x, y, z in the frame of the body
    at = 0
    for i in range(3):
        turned = transform(tensors, m, columns[i])
        for k in range(i, 3):
            tree.own[m, at] = dot(turned, columns[k])
            at += 1


@kernel
def write_motions(joints: Joints, trees: Trees, m: int, state: np.ndarray, body_work: BodyWork, tree: TreeWork) -> None:
    """Write arm and free motions of the joint of body m, and the way from its parent."""
    here = row(body_work.position, joints.linked[m])
    j, p = trees.joint[m], trees.parent[m]
    tree.way[m, 0], tree.way[m, 1], tree.way[m, 2] = ZERO
    if j == NOTHING:
        for k in range(6):
            put_spatial(tree.motion[m], k, ((X, ZERO), (Y, ZERO), (Z, ZERO), (ZERO, X), (ZERO, Y), (ZERO, Z))[k])
        return
    if p != NOTHING:
        tree.way[m, 0], tree.way[m, 1], tree.way[m, 2] = subtract(here, row(body_work.position, joints.linked[p]))
    _, second_arm = arms(joints, j, state)
    there, _, _ = motion_of(body_work, joints.body[j, SECOND])
    arm = subtract(add(there, second_arm), here)
    tree.arm[m, 0], tree.arm[m, 1], tree.arm[m, 2] = arm
    kind, n = joints.kind[j], axis_of(joints, j, state)
    if kind == BALL:
        put_spatial(tree.motion[m], 0, turning(X, arm))
        put_spatial(tree.motion[m], 1, turning(Y, arm))
        put_spatial(tree.motion[m], 2, turning(Z, arm))
    elif kind == SLIDER:
        put_spatial(tree.motion[m], 0, (n, ZERO))
    else:
        put_spatial(tree.motion[m], 0, turning(n, arm))
        if kind == CYLINDRICAL:
            put_spatial(tree.motion[m], 1, (n, ZERO))
        elif kind == UNIVERSAL:
            other = direction(joints, j, SECOND, 0, basis_of(state, joints.body[j, SECOND]))
            put_spatial(tree.motion[m], 1, turning(other, arm))


@kernel
def turning(n: Triple, arm: Triple) -> Spatial:
    """Motion of a body's reference point and the body while it turns about n through the point at `arm` [m]."""
    return cross(arm, n), n


@kernel
def demanded(joints: Joints, trees: Trees, m: int, values: np.ndarray, work: JointWork) -> Spatial:
    """c: motion of body m against its parent by which the equations of its joint have the right-hand sides `values`.

    values: (r,) of all equations. The directions in the equations of a joint are orthonormal where it is closed.
    """
    j = trees.joint[m]
    linear, angular = ZERO, ZERO
    if j == NOTHING:
        return linear, angular
    places = 2 if joints.kind[j] in (SLIDER, CYLINDRICAL) else 3
    for k in range(joints.row[j + 1] - joints.row[j]):
        lin, arm = spatial(work.jacobian, joints.jacobian[j, SECOND] + k)
        size = trees.side[m] * values[joints.row[j] + k]
        if k < places:
            linear = add(linear, scale(size, lin))
        else:
            angular = add(angular, scale(size, arm))
    return subtract(linear, cross(angular, row(work.tree.arm, m))), angular


@kernel
def solve_trees(joints: Joints, trees: Trees, values: np.ndarray, work: JointWork) -> None:
    """Replace `work.acceleration` (m, 6), that of bodies without joints, by that with them, after `factorise_trees`.

    values: (r,) right-hand sides J a of the equations. Bodies that do not move keep what they have.
    """
    tree = work.tree
    for m in trees.order:
        put_spatial(tree.bias, m, weighted(tree, m, spatial(work.acceleration, m), -1.0))
    for n in range(len(trees.order) - 1, -1, -1):
        m = trees.order[n]
        extra = demanded(joints, trees, m, values, work)
        put_spatial(tree.extra, m, extra)
        bias = add_scaled(spatial(tree.bias, m), 1.0, times(tree.whole[m], extra))
        for k in range(trees.freedom[m]):
            tree.drive[m, k] = -product(spatial(tree.motion[m], k), bias)
            bias = add_scaled(bias, tree.drive[m, k] * tree.inverse[m, k], spatial(tree.pushed[m], k))
        p = trees.parent[m]
        if p != NOTHING and trees.moves[p]:
            force, torque = bias
            moved = force, add(torque, cross(row(tree.way, m), force))
            put_spatial(tree.bias, p, add_scaled(spatial(tree.bias, p), 1.0, moved))
    for m in trees.order:
        p = trees.parent[m]
        found = (ZERO, ZERO)
        if p != NOTHING:
            linear, angular = spatial(work.acceleration, p)
            found = add(linear, cross(angular, row(tree.way, m))), angular
        for k in range(trees.freedom[m] - 1, -1, -1):
            rate = tree.inverse[m, k] * (tree.drive[m, k] - product(spatial(tree.pushed[m], k), found))
            found = add_scaled(found, rate, spatial(tree.motion[m], k))
        put_spatial(work.acceleration, m, add_scaled(found, 1.0, spatial(tree.extra, m)))


@kernel
def weighted(tree: TreeWork, m: int, a: Spatial, sign: float) -> Spatial:
    """sign M a, with mass and tensor of body m alone."""
    i, (x, y, z) = tree.own[m], a[1]
    torque = (i[0] * x + i[1] * y + i[2] * z, i[1] * x + i[3] * y + i[4] * z, i[2] * x + i[4] * y + i[5] * z)
    return scale(sign * tree.mass[m], a[0]), scale(sign, torque)


@kernel
def write_multipliers(joints: Joints, trees: Trees, work: JointWork) -> None:
    """Write the multipliers of all equations, from the forces on the bodies, after `solve_trees`."""
    tree = work.tree
    for m in trees.order:
        j = trees.joint[m]
        if j == NOTHING:
            continue
        found = times(tree.whole[m], spatial(work.acceleration, m))
        force, torque = add_scaled(found, 1.0, spatial(tree.bias, m))
        torque = subtract(torque, cross(row(tree.arm, m), force))  # about the joint
        places = 2 if joints.kind[j] in (SLIDER, CYLINDRICAL) else 3
        for k in range(joints.row[j + 1] - joints.row[j]):
            lin, arm = spatial(work.jacobian, joints.jacobian[j, SECOND] + k)
            work.multiplier[joints.row[j] + k] = trees.side[m] * (dot(lin, force) if k < places else dot(arm, torque))
