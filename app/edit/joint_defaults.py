"""Defaults of the optional fields of a joint, which stays where it is when they are switched on. No Qt, no compiler."""

from __future__ import annotations

from math import pi
from typing import Any

from app.edit.part_defaults import tidy
from core.physics.bodies.shapes import unit
from core.physics.joints.description import TURNS, CylindricalJoint, Joint
from core.physics.joints.ends import FIRST, SECOND, Ends, ends_of
from core.scene.scene import Scene

DIGITS = 9  # of positions that are computed
SWING = pi / 2  # [rad] from the angle at the start to the limits of a hinge


def usual_of_joint(scene: Scene, joint: Joint, key: str, size: float) -> Any:
    """Default of an optional field of a joint of `size` [m]; None for a field that has nothing to do with its place."""
    if key == "second":
        return next((body.name for body in scene.bodies if body.name != joint.first), "")
    if key not in ("limits", "anchor", "anchor_first", "anchor_second", "length"):
        return None
    ends = ends_of(scene, joint, {body.name: number for number, body in enumerate(scene.bodies)})
    match key:
        case "limits":
            return _limits(joint, ends, size)
        case "anchor":
            return _rounded(ends.places[FIRST])
        case "length":
            return _rounded([float(((ends.places[SECOND] - ends.places[FIRST]) ** 2).sum() ** 0.5)])[0]
    return _rounded(ends.anchors[SECOND if key == "anchor_second" else FIRST])


def _limits(joint: Joint, ends: Ends, size: float) -> dict[str, float]:
    """Limits on either side of where the joint is at the start, as a table."""
    now, far = getattr(joint, "angle", 0.0), SWING
    if joint.coordinate != TURNS or isinstance(joint, CylindricalJoint):
        axis = ends.turns[FIRST] @ unit(joint.axis)  # type: ignore[attr-defined]
        now, far = float((ends.places[SECOND] - ends.places[FIRST]) @ axis), size
    return {"lower": tidy(now - far), "upper": tidy(now + far)}


def _rounded(numbers: Any) -> tuple[float, ...]:
    """Numbers without the noise of rounding."""
    return tuple(round(float(number), DIGITS) + 0.0 for number in numbers)
