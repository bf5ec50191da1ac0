"""Which bodies the joints of a scene tie, and which joints are solved as trees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.engine.model import NOTHING
from polhode.physics.bodies.arrays import FREE, SUPPORTS
from polhode.physics.joints.arrays import ENFORCED, FORCED, KINDS, NO_MOTOR, SLOTS
from polhode.physics.joints.description import AnyJoint, GearJoint, OfJoints, TendonJoint
from polhode.physics.joints.trees.order import Node, nodes_of_trees
from polhode.scene.scene import Scene


def terms_of(joints: Sequence[AnyJoint]) -> list[list[tuple[int, float]]]:
    """The hinges and sliders that each gear and each tendon ties, with their coefficients; none of others.

    A gear holds q_2 - ratio q_1, a tendon has the length of the sum.
    """
    numbers = {joint.name: j for j, joint in enumerate(joints)}
    found: list[list[tuple[int, float]]] = []
    for joint in joints:
        terms: list[tuple[str, float]] = []
        if isinstance(joint, GearJoint):
            terms = [(joint.first, -joint.ratio), (joint.second, 1.0)]
        elif isinstance(joint, TendonJoint):
            terms = [*zip(joint.joints, joint.coefficients, strict=True)]
        found.append([(numbers[name], coefficient) for name, coefficient in terms])
    return found


def tied_bodies(scene: Scene) -> np.ndarray:
    """(n, s) int64 bodies of each joint, s >= SLOTS; NOTHING for the laboratory, and of tendons without equations."""
    rows = {body.name: b for b, body in enumerate(scene.bodies)}
    terms = terms_of(scene.joint)
    most = max((2 * len(each) for each in terms), default=SLOTS)
    tied = np.full((len(scene.joint), max(most, SLOTS)), NOTHING, dtype=np.int64)
    for j, joint in enumerate(scene.joint):
        if not isinstance(joint, OfJoints):
            tied[j, :2] = rows[joint.first], NOTHING if joint.second is None else rows[joint.second]
    for j, joint in enumerate(scene.joint):
        if isinstance(joint, GearJoint) or (isinstance(joint, TendonJoint) and joint.has_equations):
            for place, (k, _) in enumerate(terms[j]):
                tied[j, 2 * place : 2 * place + 2] = tied[k, :2]
    return tied


def kinds_of(joints: Sequence[AnyJoint]) -> np.ndarray:
    """(n,) int64 of KINDS."""
    return np.array([KINDS[joint.kind] for joint in joints], dtype=np.int64)


def motors_of(joints: Sequence[AnyJoint]) -> np.ndarray:
    """(n,) int64 NO_MOTOR, FORCED or ENFORCED."""
    motors = [getattr(joint, "motor", None) for joint in joints]
    found = [NO_MOTOR if motor is None else ENFORCED if motor.enforces_speed else FORCED for motor in motors]
    return np.array(found, dtype=np.int64)


def nodes_of(joints: Sequence[AnyJoint], tied: np.ndarray, support: np.ndarray, restricted: np.ndarray) -> list[Node]:
    """The nodes of trees.

    tied: (n, s) of `tied_bodies`; support: (b,) int64 and restricted: (b,) bool, of all bodies
    """
    has_status = np.array([joint.has_status for joint in joints], dtype=bool)
    is_simple = ~has_status & (motors_of(joints) != ENFORCED)
    return nodes_of_trees(kinds_of(joints), tied, is_simple, support, restricted)


def has_trees_and_others(scene: Scene) -> tuple[bool, bool]:
    """Whether a scene has joints that are solved as trees, and others; before it is compiled.

    Bodies are taken to have inertia about all axes.
    """
    support = [SUPPORTS.get(getattr(body, "support", "free"), FREE) for body in scene.bodies]
    bodies, joints = {body.name for body in scene.bodies}, {joint.name for joint in scene.joint}
    for joint in scene.joint:
        names = joint.joints if isinstance(joint, TendonJoint) else (joint.first, joint.second)
        if not {name for name in names if name is not None} <= (joints if isinstance(joint, OfJoints) else bodies):
            return False, False  # a problem of the scene
    nodes = nodes_of(scene.joint, tied_bodies(scene), np.array(support), np.zeros(len(support), dtype=bool))
    solved = {node.joint for node in nodes} - {NOTHING}
    held = [joint for joint in scene.joint if not isinstance(joint, TendonJoint) or joint.has_equations]
    return bool(solved), len(solved) < len(held)
