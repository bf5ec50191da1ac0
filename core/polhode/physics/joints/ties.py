"""Which bodies the joints of a scene tie, and which joints are solved as trees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.engine.model import NOTHING
from polhode.physics.bodies.arrays import FREE, SUPPORTS
from polhode.physics.joints.arrays import ENFORCED, FORCED, KINDS, NO_MOTOR, SLOTS
from polhode.physics.joints.description import AnyJoint, GearJoint
from polhode.physics.joints.trees.order import Node, nodes_of_trees
from polhode.scene.scene import Scene


def tied_bodies(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """(n, SLOTS) int64 bodies of each joint, NOTHING for the laboratory; (n, 2) int64 hinges of gears, else NOTHING."""
    rows = {body.name: b for b, body in enumerate(scene.bodies)}
    numbers = {joint.name: j for j, joint in enumerate(scene.joint)}
    tied = np.full((len(scene.joint), SLOTS), NOTHING, dtype=np.int64)
    hinge = np.full((len(scene.joint), 2), NOTHING, dtype=np.int64)
    for j, joint in enumerate(scene.joint):
        if isinstance(joint, GearJoint):
            hinge[j] = numbers[joint.first], numbers[joint.second]
        else:
            tied[j, :2] = rows[joint.first], NOTHING if joint.second is None else rows[joint.second]
    for j in np.flatnonzero(hinge[:, 0] != NOTHING).tolist():
        tied[j] = np.concatenate([tied[hinge[j, 0], :2], tied[hinge[j, 1], :2]])
    return tied, hinge


def kinds_of(joints: Sequence[AnyJoint]) -> np.ndarray:
    """(n,) int64 of KINDS."""
    return np.array([KINDS[joint.kind] for joint in joints], dtype=np.int64)


def motors_of(joints: Sequence[AnyJoint]) -> np.ndarray:
    """(n,) int64 NO_MOTOR, FORCED or ENFORCED."""
    motors = [getattr(joint, "motor", None) for joint in joints]
    found = [NO_MOTOR if motor is None else ENFORCED if motor.enforces_speed else FORCED for motor in motors]
    return np.array(found, dtype=np.int64)


def nodes_of(joints: Sequence[AnyJoint], tied: np.ndarray, support: np.ndarray, restricted: np.ndarray) -> list[Node]:
    """The nodes of trees. tied: (n, SLOTS); support: (b,) int64 and restricted: (b,) bool, of all bodies"""
    has_status = np.array([joint.has_status for joint in joints], dtype=bool)
    is_simple = ~has_status & (motors_of(joints) != ENFORCED)
    return nodes_of_trees(kinds_of(joints), tied, is_simple, support, restricted)


def has_trees_and_others(scene: Scene) -> tuple[bool, bool]:
    """Whether a scene has joints that are solved as trees, and others; before it is compiled.

    Bodies are taken to have inertia about all axes.
    """
    support = [SUPPORTS.get(getattr(body, "support", "free"), FREE) for body in scene.bodies]
    names = {body.name for body in scene.bodies} | {joint.name for joint in scene.joint}
    if not all(name in names for joint in scene.joint for name in (joint.first, joint.second) if name is not None):
        return False, False  # a problem of the scene
    nodes = nodes_of(scene.joint, tied_bodies(scene)[0], np.array(support), np.zeros(len(support), dtype=bool))
    solved = {node.joint for node in nodes} - {NOTHING}
    return bool(solved), len(solved) < len(scene.joint)
