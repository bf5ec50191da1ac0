"""Start of jointed bodies: positions are assembled, velocities made to agree."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING, Model, Work
from polhode.engine.part import Draft
from polhode.physics.joints.arrays import Joints, JointWork
from polhode.physics.joints.constraints.projection import WELL
from polhode.scene.message import Message
from polhode.scene.problem import Problem


def start_angles(draft: Draft, model: Model, state: np.ndarray) -> None:
    """Write the angles at the start, from which they are counted."""
    joints = model.joints
    for j, joint in enumerate(draft.scene.joint):
        if joints.angle[j] != NOTHING:
            state[joints.at + joints.angle[j]] = getattr(joint, "angle", 0.0)


def assembled(draft: Draft, model: Model, work: Work) -> None:
    """Add the problem of the joint that is violated most, if the projection of positions left residuals.

    Gaps that rounding in a file leaves between anchors are closed, and velocities changed as by impulses in the joints.
    """
    if not work.joints.left[0] <= WELL:
        draft.problems.append(_impossible(model.joints, work.joints))


def _impossible(joints: Joints, work: JointWork) -> Problem:
    """The problem of the joint that is violated most."""
    left = np.zeros(len(joints.kind))
    np.maximum.at(left, np.repeat(np.arange(len(left)), np.diff(joints.row)), np.abs(work.residual))
    in_trees = joints.trees.joint != NOTHING
    left[joints.trees.joint[in_trees]] = np.abs(work.tree.extra[in_trees]).max(axis=1, initial=0.0)
    number = int(np.argmax(np.nan_to_num(left, nan=np.inf)))
    rule = Message("can't be assembled: {residual:.4g} m or rad are left between its bodies", residual=left[number])
    return Problem(f"joint[{number}]", rule, Message("change its anchors or axes, or remove a joint of the loop"))
