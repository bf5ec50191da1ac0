"""Rates about axes with little or no inertia, as far as joints hold them.

A rod without thickness has no angular momentum about its axis, so L leaves open how it turns about it; of a thin one, L
is divided by a small moment, and so is the error of L within a step. Where joints hold the axis, they say it. With the
velocities u0 that follow from the momenta, P onto the slender axes, and the response W of the bodies,

    u = u0 + P W J^T m        J W J^T m = -(J u - s)

repeated, since m is found together with the other parts of W J^T m, which momenta have already. Axes that no joint
holds keep the rate of their L, which is 0 without inertia.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, put, row
from polhode.physics.bodies.arrays import Bodies, BodyWork, read_basis
from polhode.physics.joints.arrays import Joints, JointWork
from polhode.physics.joints.block_ldl import solve
from polhode.physics.joints.constraints.accelerations import slender_part
from polhode.physics.joints.constraints.reactions import sum_over_joints, write_speed_demands, write_velocities

ROUNDS = 3  # each one leaves the ratio of the slender moment and what turns with it


@kernel
def add_held_rates(
    bodies: Bodies, joints: Joints, state: np.ndarray, only_null: bool, body_work: BodyWork, work: JointWork
) -> None:
    """Add the rates [rad/s] about slender axes to the angular velocities in `body_work`.

    only_null: about axes without inertia alone, of which momenta know nothing. All bodies are placed; `work` has the
    equations and the factors of their responses.
    """
    if len(joints.slender) == 0:
        return
    for k in range(len(work.multiplier)):
        work.kept[k] = work.multiplier[k]
    for _ in range(ROUNDS):
        write_velocities(joints, body_work, work)
        write_speed_demands(joints, work)
        solve(joints.factor, joints.row, work.matrix, work.inverse, work.multiplier)
        sum_over_joints(joints, work.mobile, work)
        for m in joints.slender:
            b, found = joints.linked[m], work.acceleration[m]
            if bodies.restricted[b] or not only_null:
                turn: Triple = (found[3], found[4], found[5])
                held = slender_part(joints.slender_axis, m, turn, read_basis(state, b))
                put(body_work.angular_velocity, b, add(row(body_work.angular_velocity, b), held))
    for k in range(len(work.multiplier)):
        work.multiplier[k] = work.kept[k]
