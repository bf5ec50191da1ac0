"""Motion of bodies in trees of joints, in a time that is linear in their number.

The articulated-body algorithm, in the axes of the laboratory. With spatial vectors about the reference points, which
are the anchors of the joints, a node t with the joint to its parent p obeys

    a_t = X a_p + c + S q          f = I a_t + p          S^T f = 0

where X moves with the parent rigidly, S are the motions that the joint leaves free, c is what it demands, and I and p
are inertia and bias force of the body with everything that hangs on it. Each column s of S is eliminated by

    U = I s        D = s.U + a        I <- I - U U^T/D        p <- p - U (s.p)/D

with the inertia a of the joint's rotor, and what is left is added to the parent's. The same equations give
accelerations, displacements that close the joints, and changes of velocity by impulses in them. (Featherstone, Rigid
Body Dynamics Algorithms, section 7.3)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import add, cross, dot, row, scale
from polhode.physics.joints.arrays import HINGE
from polhode.physics.joints.trees.arrays import JointTreeWork, Trees
from polhode.physics.joints.trees.spatial import (
    add_moved,
    add_scaled,
    add_spatial,
    at_offset,
    less_square,
    product,
    put_spatial,
    read_inertia,
    spatial,
    times,
    times_turn,
)

ZERO = (0.0, 0.0, 0.0)


@kernel
def eliminate(trees: Trees, is_new: bool, tree: JointTreeWork) -> None:
    """From the leaves to the roots: write the forces `tree.drive` along the free motions of all joints.

    is_new: factor the inertias, of which `tree.inertia` has those of single bodies; else those of the last call serve.
    `tree.bias` has the bias forces of single bodies; afterwards that of each with all that hangs on it.
    """
    for t in range(len(trees.body) - 1, -1, -1):
        i, p = read_inertia(tree.inertia, t), trees.parent[t]
        bias = add_scaled(spatial(tree.bias, t), 1.0, times(i, spatial(tree.extra, t)))
        if trees.kind[t] == HINGE:
            n = row(tree.axis, t)
            if is_new:
                pushed = times_turn(i, n)
                inverse = 1.0 / (dot(n, pushed[1]) + trees.armature[t])
                put_spatial(tree.pushed[t], 0, pushed)
                tree.inverse[t, 0] = inverse
                i = less_square(i, inverse, pushed)
            else:
                pushed, inverse = spatial(tree.pushed[t], 0), tree.inverse[t, 0]
            drive = -dot(n, bias[1])
            tree.drive[t, 0] = drive
            bias = add_scaled(bias, drive * inverse, pushed)
        else:
            for k in range(trees.freedom[t]):
                motion = spatial(tree.motion[t], k)
                if is_new:
                    made = times(i, motion)
                    put_spatial(tree.pushed[t], k, made)
                    tree.inverse[t, k] = 1.0 / (product(motion, made) + trees.armature[t])
                    i = less_square(i, tree.inverse[t, k], made)
                tree.drive[t, k] = -product(motion, bias)
                bias = add_scaled(bias, tree.drive[t, k] * tree.inverse[t, k], spatial(tree.pushed[t], k))
        if p != NOTHING:
            offset = row(tree.offset, t)
            if is_new:
                add_moved(i, offset, tree.inertia[p])
            add_spatial(tree.bias, p, (bias[0], add(bias[1], cross(offset, bias[0]))))


@kernel
def substitute(trees: Trees, base: np.ndarray, tree: JointTreeWork) -> None:
    """From the roots to the leaves: write the motions of all nodes into `tree.found`, after `eliminate`.

    base: (m, 6) motions of the bodies of `Joints.linked`, on which roots may hang
    """
    for t in range(len(trees.body)):
        p, above = trees.parent[t], (ZERO, ZERO)
        if p != NOTHING:
            above = at_offset(spatial(tree.found, p), row(tree.offset, t))
        elif trees.held_by[t] != NOTHING:
            above = at_offset(spatial(base, trees.held_by[t]), row(tree.offset, t))
        found = add_scaled(above, 1.0, spatial(tree.extra, t))
        if trees.kind[t] == HINGE:
            rate = tree.inverse[t, 0] * (tree.drive[t, 0] - product(spatial(tree.pushed[t], 0), above))
            found = found[0], add(found[1], scale(rate, row(tree.axis, t)))
        else:
            for k in range(trees.freedom[t] - 1, -1, -1):
                rate = tree.inverse[t, k] * (tree.drive[t, k] - product(spatial(tree.pushed[t], k), above))
                motion = spatial(tree.motion[t], k)
                above = add_scaled(above, rate, motion)
                found = add_scaled(found, rate, motion)
        put_spatial(tree.found, t, found)
