"""Equations of joints that other equations contain, such as those of several hinges of a plane linkage."""

from __future__ import annotations

import numpy as np

from core.engine.compile import CompiledScene
from core.physics.bodies.arrays import make_body_work
from core.physics.bodies.compile_motions import make_motion_work
from core.physics.joints.compile import make_joint_work
from core.physics.joints.projection import place_members
from core.physics.joints.reactions import factorise_responses, write_all_equations
from core.physics.sensor.sensor_motion import track_at_start
from core.scene.message import Message


def redundant_equations(built: CompiledScene) -> np.ndarray:
    """(n,) int64 number of equations of each joint that those of other joints contain, at the start.

    Which of several joints that hold the same motion is counted depends on the order of elimination.
    """
    model, state = built.model, built.start.copy()
    joints = model.joints
    body_work, motion_work = make_body_work(len(model.bodies.mass)), make_motion_work(model)
    work, track = make_joint_work(joints, len(state)), track_at_start(built.scene.sensor)
    place_members(model.bodies, joints, model.body_motions, track, 0.0, state, body_work, motion_work)
    write_all_equations(joints, 0.0, state, body_work, work)
    factorise_responses(model.bodies, joints, state, work)
    is_contained = (work.inverse == 0.0) & (work.original > 0.0)
    of_joint = np.repeat(np.arange(len(joints.kind)), np.diff(joints.row))
    return np.bincount(of_joint[is_contained], minlength=len(joints.kind))


def redundancy_note(built: CompiledScene) -> Message | None:
    """What to tell about joints that hold the same motion; None where each holds its own."""
    if not built.scene.joint:
        return None
    found = redundant_equations(built)
    if not found.any():
        return None
    names = ", ".join(f"{built.scene.joint[j].name} ({found[j]})" for j in np.flatnonzero(found))
    return Message(
        "{count} equations of joints are contained in others: {names}; they move as they should, but how they share "
        "these forces is not unique",
        count=int(found.sum()),
        names=names,
    )
