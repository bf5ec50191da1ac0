"""Start of jointed bodies: positions are assembled, velocities made to agree."""

from __future__ import annotations

import numpy as np

from core.engine.model import NOTHING, Model
from core.engine.part import Draft
from core.physics.bodies.arrays import make_body_work
from core.physics.bodies.compile_motions import make_motion_work
from core.physics.joints.arrays import Joints, JointWork
from core.physics.joints.compile import make_joint_work
from core.physics.joints.projection import WELL, project_all
from core.physics.sensor.sensor_motion import track_at_start
from core.scene.message import Message
from core.scene.problem import InputError, Problem


def start_joints(draft: Draft, model: Model, state: np.ndarray) -> None:
    """Write the angles at the start; close the gaps that rounding in a file leaves between anchors.

    Velocities are changed as by impulses in the joints, so that they agree with these. Raises InputError where a loop
    can't be closed.
    """
    joints = model.joints
    if len(joints.kind) == 0:
        return
    starts = {int(joints.angle[j]): getattr(joint, "angle", 0.0) for j, joint in enumerate(draft.scene.joint)}
    for number in set(starts) - {NOTHING}:
        state[joints.at + number] = starts[number]
    body_work, motion_work = make_body_work(len(model.bodies.mass)), make_motion_work(model)
    work, track = make_joint_work(joints, len(state)), track_at_start(draft.scene.sensor)
    motions = model.body_motions
    left = project_all(model.bodies, joints, motions, track, 0.0, state, body_work, motion_work, work)
    if not left <= WELL:
        raise InputError(draft.scene.title or "scene", [_impossible(joints, work)])


def _impossible(joints: Joints, work: JointWork) -> Problem:
    """The problem of the joint that is violated most."""
    left = np.zeros(len(joints.kind))
    np.maximum.at(left, np.repeat(np.arange(len(left)), np.diff(joints.row)), np.abs(work.residual))
    number = int(np.argmax(left))
    rule = Message("can't be assembled: {residual:.4g} m or rad are left between its bodies", residual=left[number])
    return Problem(f"joint[{number}]", rule, Message("change its anchors or axes, or remove a joint of the loop"))
