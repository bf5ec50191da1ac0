"""Where joints are fixed in their bodies at the start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.physics.bodies.shapes import unit
from polhode.physics.joints.description import (
    AxisJoint,
    CylindricalJoint,
    DistanceJoint,
    HingeJoint,
    Joint,
    SliderJoint,
    TendonJoint,
    UniversalJoint,
)
from polhode.scene.scene import Scene

FIRST, SECOND = range(2)


@dataclass(frozen=True, eq=False)
class Ends:
    """The two ends of a joint at the start."""

    bodies: tuple[int, int | None]  # None: the laboratory
    anchors: np.ndarray  # (2, 3) [m] in the frame of each body, from its origin; in the laboratory without a body
    turns: np.ndarray  # (2, 3, 3) columns: basis of each body
    origins: np.ndarray  # (2, 3) [m] origins of the bodies

    @property
    def positions(self) -> np.ndarray:
        """(2, 3) [m] the anchors in the laboratory."""
        return self.origins + np.einsum("sij,sj->si", self.turns, self.anchors)


def ends_of(scene: Scene, joint: Joint, rows: dict[str, int]) -> Ends:
    """Where a joint is fixed in its bodies. rows: index of each body by its name."""
    bodies = rows[joint.first], None if joint.second is None else rows[joint.second]
    each = [None if b is None else scene.bodies[b] for b in bodies]
    turns = np.array([np.eye(3) if body is None else body.orientation.matrix() for body in each])
    origins = np.array([np.zeros(3) if body is None else body.position for body in each])
    if joint.anchor is not None:
        anchors = np.einsum("sji,sj->si", turns, np.array(joint.anchor) - origins)
        return Ends(bodies, anchors, turns, origins)
    first, second = joint.anchor_first, joint.anchor_second
    if first is None and (second is None or isinstance(joint, DistanceJoint)):
        first = (0.0, 0.0, 0.0)
    if second is None and isinstance(joint, DistanceJoint):
        second = (0.0, 0.0, 0.0)
    if second is None:  # where the other anchor is at the start
        second = turns[SECOND].T @ (origins[FIRST] + turns[FIRST] @ np.array(first) - origins[SECOND])
    if first is None:
        first = turns[FIRST].T @ (origins[SECOND] + turns[SECOND] @ np.array(second) - origins[FIRST])
    return Ends(bodies, np.array([first, second]), turns, origins)


def displacement_at_start(joint: AxisJoint, ends: Ends) -> float:
    """[m] of a joint along its axis."""
    axis = ends.turns[FIRST] @ unit(joint.axis)
    return float((ends.positions[SECOND] - ends.positions[FIRST]) @ axis)


def length_at_start(scene: Scene, tendon: TendonJoint) -> float:
    """[m] of a tendon over hinges and sliders of the scene. Raises KeyError for other names of joints and bodies."""
    rows = {body.name: b for b, body in enumerate(scene.bodies)}
    joints, length = {joint.name: joint for joint in scene.joint}, 0.0
    for name, coefficient in zip(tendon.joints, tendon.coefficients, strict=True):
        joint = joints[name]
        if isinstance(joint, SliderJoint):
            length += coefficient * displacement_at_start(joint, ends_of(scene, joint, rows))
        elif isinstance(joint, HingeJoint):
            length += coefficient * joint.angle
    return length


def frames_of(joint: Joint, ends: Ends) -> np.ndarray:
    """(2, 3, 3) rows n, e1, e2 of a joint in the frame of each body: the same directions in the laboratory at the
    start, but for the angle of a hinge, and the second axis of a universal joint.
    """
    axis = joint.axis if isinstance(joint, AxisJoint | UniversalJoint) else (1.0, 0.0, 0.0)
    first = _frame_about(ends.turns[FIRST] @ unit(axis))
    second = first
    if isinstance(joint, UniversalJoint):
        second = _frame_about(ends.turns[SECOND] @ unit(joint.second_axis))
    if isinstance(joint, HingeJoint | CylindricalJoint):
        n, e1, e2 = first
        c, s = np.cos(joint.angle), np.sin(joint.angle)
        second = np.array([n, c * e1 + s * e2, c * e2 - s * e1])
    return np.array([first @ ends.turns[FIRST], second @ ends.turns[SECOND]])


def _frame_about(n: np.ndarray) -> np.ndarray:
    """(3, 3) rows n, e1, e2: orthonormal and right-handed, with e1 across the coordinate axis that n is least along."""
    e1 = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
    e1 /= np.linalg.norm(e1)
    return np.array([n, e1, np.cross(n, e1)])
