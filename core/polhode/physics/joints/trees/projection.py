"""Projection of the bodies of trees onto the equations of their joints, at the end of every step.

Positions: the shortest displacement in the metric of the masses that closes all joints, repeated until what is left is
of rounding size. Velocities: the smallest change in that metric, which is by impulses in the joints. The directions of
both are exact at each round; the masses are taken where the step ended, which no result depends on.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import inlined, kernel
from polhode.jit.vec import add, cross, put, row, scale
from polhode.physics.bodies.angular_velocity import angular_velocity
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    MOMENTUM,
    POSITION,
    Bodies,
    BodyWork,
    read,
    read_basis,
    write,
)
from polhode.physics.bodies.placement import turn_basis
from polhode.physics.joints.constraints.accelerations import slender_part
from polhode.physics.joints.trees.arrays import JointTreeWork, Trees
from polhode.physics.joints.trees.articulated import eliminate, substitute
from polhode.physics.joints.trees.geometry import write_gaps, write_geometry, write_inertias, write_speeds
from polhode.physics.joints.trees.spatial import spatial, times_tensor

ROUNDING = 1e-14
"""Gap, an angle or in parts of the size of the joints, below which positions are taken as they are."""
NEAR = 1e-4
"""Gap, likewise, that is closed by so short a way that the factors of the inertias are not computed again."""
MOST_ROUNDS = 12
SLENDER_ROUNDS = 2  # each one leaves the ratio of a slender moment and what turns with it


@inlined
def project_trees(
    bodies: Bodies,
    trees: Trees,
    size: float,
    still: np.ndarray,
    state: np.ndarray,
    body_work: BodyWork,
    tree: JointTreeWork,
) -> float:
    """Move the nodes in `state` (k,) until all joints are closed, and change their momenta so that they stay so.

    Returns the largest gap left, an angle or in parts of the `size` [m] of the joints. Bodies that do not move are
    placed.
    """
    left = 0.0
    for turn in range(MOST_ROUNDS):
        place_nodes(bodies, trees, state, body_work)
        write_geometry(trees, state, body_work, tree)
        before, left = left, write_gaps(trees, size, state, body_work, tree)
        is_new = turn == 0 or before > NEAR
        if is_new:
            write_inertias(trees, state, tree)
        is_closed = left <= ROUNDING or (turn > 1 and not left < 0.5 * before)
        if is_closed:
            write_speeds(trees, state, body_work, tree)
        eliminate(trees, is_new, tree)
        if is_closed:
            break
        substitute(trees, still, tree)
        move_nodes(trees, state, tree)
    substitute(trees, still, tree)
    change_momenta(trees, state, tree)
    return left


@kernel
def turn_slender_nodes(
    trees: Trees, still: np.ndarray, state: np.ndarray, body_work: BodyWork, tree: JointTreeWork
) -> None:
    """Add the rates [rad/s] about axes with little inertia, as far as joints hold them, to those in `body_work`.

    As constraints/slender_axes.py does by the matrix. All bodies are placed; `tree` keeps the factors of inertias.

    still: (m, 6) zeros; state: (k,)
    """
    write_geometry(trees, state, body_work, tree)
    write_inertias(trees, state, tree)
    for turn in range(SLENDER_ROUNDS):
        write_speeds(trees, state, body_work, tree)
        eliminate(trees, turn == 0, tree)
        substitute(trees, still, tree)
        for t in trees.slender:
            b, (_, change) = trees.body[t], spatial(tree.found, t)
            held = slender_part(trees.slender_axis, t, change, read_basis(state, b))
            put(body_work.angular_velocity, b, add(row(body_work.angular_velocity, b), held))


@kernel
def place_nodes(bodies: Bodies, trees: Trees, state: np.ndarray, body_work: BodyWork) -> None:
    """Write position, velocity and angular velocity of all nodes into `body_work`."""
    for t in range(len(trees.body)):
        b = trees.body[t]
        u1, u2, u3 = read_basis(state, b)
        put(body_work.position, b, read(state, b, POSITION))
        put(body_work.velocity, b, scale(1.0 / trees.mass[t], read(state, b, MOMENTUM)))
        put(body_work.angular_velocity, b, angular_velocity(bodies, b, read(state, b, ANGULAR_MOMENTUM), u1, u2, u3))


@kernel
def move_nodes(trees: Trees, state: np.ndarray, tree: JointTreeWork) -> None:
    """Displace and turn the bodies by `tree.found`."""
    for t in range(len(trees.body)):
        b, arm = trees.body[t], row(tree.arm, t)
        displacement, turn = spatial(tree.found, t)
        write(state, b, POSITION, add(read(state, b, POSITION), add(displacement, cross(turn, arm))))
        turn_basis(state, b, turn)


@kernel
def change_momenta(trees: Trees, state: np.ndarray, tree: JointTreeWork) -> None:
    """Change momentum and angular momentum of the bodies by the changes of velocity in `tree.found`."""
    for t in range(len(trees.body)):
        b, arm = trees.body[t], row(tree.arm, t)
        change, turn = spatial(tree.found, t)
        impulse = scale(trees.mass[t], add(change, cross(turn, arm)))
        write(state, b, MOMENTUM, add(read(state, b, MOMENTUM), impulse))
        write(state, b, ANGULAR_MOMENTUM, add(read(state, b, ANGULAR_MOMENTUM), times_tensor(tree.own[t], turn)))
