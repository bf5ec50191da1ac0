"""Equations of joints that other equations contain, such as those of several hinges of a plane linkage."""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Step
from polhode.engine.work import make_tables, run_hooks
from polhode.physics.joints.part import LOOPS
from polhode.scene.message import Message


def redundant_equations(compiled: CompiledScene) -> np.ndarray:
    """(n,) int64 number of equations of each joint that those of other joints contain, at the start.

    Which of several joints that hold the same motion is counted depends on the order of elimination.
    """
    joints, work = compiled.model.joints, make_tables(compiled.model)
    run_hooks(LOOPS.assemble, Step(compiled.model, compiled.inputs, 0.0, compiled.start.copy(), work, work.rate))
    now = work.joints
    is_contained = (now.inverse == 0.0) & (now.original > 0.0)
    of_joint = np.repeat(np.arange(len(joints.kind)), np.diff(joints.row))
    return np.bincount(of_joint[is_contained], minlength=len(joints.kind))


def redundancy_note(compiled: CompiledScene) -> Message | None:
    """Note about joints that hold the same motion; None where each holds its own."""
    if not compiled.scene.joint:
        return None
    found = redundant_equations(compiled)
    if not found.any():
        return None
    names = ", ".join(f"{compiled.scene.joint[j].name} ({found[j]})" for j in np.flatnonzero(found))
    return Message(
        "{count} equations of joints are contained in others: {names}; they move as they should, but how they share "
        "these forces is not unique",
        count=int(found.sum()),
        names=names,
    )
