"""Start of jointed bodies: positions are assembled, velocities made to agree."""

from __future__ import annotations

import numpy as np

from core.engine.model import NOTHING, Model
from core.engine.part import Draft
from core.physics.bodies.arrays import make_body_work
from core.physics.bodies.compile_motions import make_motion_work
from core.physics.joints.arrays import Joints, JointWork
from core.physics.joints.compile import make_joint_work
from core.physics.joints.projection import WELL, project_positions, project_velocities
from core.physics.sensor.sensor_motion import track_at_start
from core.scene.message import Message
from core.scene.problem import InputError, Problem


def start_joints(draft: Draft, model: Model, state: np.ndarray) -> None:
    """Write the angles at the start; close the gaps that rounding in a file leaves between anchors.

    Velocities are changed as by impulses in the joints, so that they agree with these. Raises InputError where a loop
    can't be closed.
    """
    joints, factor, trees = model.joints, model.joint_factor, model.joint_trees
    if len(joints.kind) == 0:
        return
    starts = {int(joints.angle[j]): getattr(joint, "angle", 0.0) for j, joint in enumerate(draft.scene.joint)}
    for number in set(starts) - {NOTHING}:
        state[joints.at + number] = starts[number]
    body_work, motion_work = make_body_work(len(model.bodies.mass)), make_motion_work(model)
    work, track = make_joint_work(joints, factor, trees, len(state)), track_at_start(draft.scene.sensor)
    motions = model.body_motions
    left = project_positions(
        model.bodies, joints, factor, trees, motions, track, 0.0, state, body_work, motion_work, work
    )
    if not left <= WELL:
        raise InputError(draft.scene.title or "scene", [_impossible(joints, work)])
    project_velocities(model.bodies, joints, factor, trees, state, body_work, work)


def _impossible(joints: Joints, work: JointWork) -> Problem:
    """The problem of the joint that is violated most."""
    worst = int(np.argmax(np.abs(work.residual)))
    number = int(np.searchsorted(joints.row, worst, "right")) - 1
    rule = Message(
        "can't be assembled: {residual:.4g} m or rad are left between its bodies", residual=abs(work.residual[worst])
    )
    return Problem(f"joint[{number}]", rule, Message("change its anchors or axes, or remove a joint of the loop"))
