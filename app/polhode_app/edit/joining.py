"""Joints and springs between two things, as their tools make them, and defaults of their optional fields."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from polhode.physics.joints.description import (
    TURNS,
    AnyJoint,
    CylindricalJoint,
    GearJoint,
    HingeJoint,
    Joint,
    OfJoints,
    SliderJoint,
    TendonJoint,
)
from polhode.physics.joints.ends import FIRST, SECOND, Ends, displacement_at_start, ends_of, length_at_start
from polhode.physics.points.description import BodyPoint
from polhode.scene.fields import FieldPath, at, with_value
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode_app.edit.field_numbers import at_least, by_hand
from polhode_app.edit.part_defaults import GRAVITY, SOFTEST, round_to, tidy
from polhode_app.edit.parts import added, free_name, names

DIGITS = 9  # of positions that are computed
COARSE = 3  # decades below the size of the scene to which the place of a new joint is rounded
SWING = pi / 2  # [rad] from the angle at the start to the limits of a hinge
EXTENSION = 0.2  # of a new spring by the weight of what hangs on it, relative to its length


def with_hinge(
    scene: Scene, first: int, second: int | None, position: np.ndarray, ahead: np.ndarray, size: float
) -> tuple[Scene, FieldPath]:
    """The scene with a hinge between two bodies at their start, and its path. Raises InputError.

    first, second: indices of the bodies, None for the laboratory; position: (3,) [m], laboratory frame; ahead: (3,)
    direction of view, to which the axis of the hinge is the nearest coordinate axis; size: [m] radius of the scene, to
    a thousandth of which the position is rounded
    """
    body = scene.bodies[first]
    axis = np.zeros(3)
    axis[np.argmax(np.abs(ahead))] = 1.0
    table = {
        "name": free_name(names(scene), "joint"),
        "kind": "hinge",
        "first": body.name,
        "anchor": by_hand(position, size, COARSE),
        "axis": tuple(np.round(body.orientation.matrix().T @ axis, 9) + 0.0),
    }
    if second is not None:
        table["second"] = scene.bodies[second].name
    return added(scene, "joint", table)


def with_zero(scene: Scene, number: int, now: float) -> Scene:
    """The scene with the zero of a joint's angle where the joint is now; limits and spring stay where they are, also
    those of tendons over it.

    now: [rad] angle of joint `number`
    """
    joints = list(scene.joint)
    joint = joints[number]
    counted = joint.model_copy(update={"angle": joint.angle - now})
    joints[number] = _shifted(counted, now) if joint.kind == "hinge" else counted
    for other, tendon in enumerate(joints):
        if isinstance(tendon, TendonJoint) and joint.name in tendon.joints:
            joints[other] = _shifted(tendon, tendon.coefficients[tendon.joints.index(joint.name)] * now)
    return with_value(scene, ("joint",), tuple(joints))


def _shifted(joint: Any, by: float) -> Any:
    """A joint whose coordinate is counted from `by`, with limits and spring where they are."""
    changed: dict[str, object] = {}
    if joint.limits is not None:
        ends = {"lower": joint.limits.lower, "upper": joint.limits.upper}
        shifted = {key: None if end is None else end - by for key, end in ends.items()}
        changed["limits"] = joint.limits.model_copy(update=shifted)
    if joint.spring is not None:
        changed["spring"] = joint.spring.model_copy(update={"rest": joint.spring.rest - by})
    return joint.model_copy(update=changed)


SpringEnd = str | BodyPoint | tuple[float, float, float]


def with_spring(
    scene: Scene, ends: tuple[SpringEnd, SpringEnd], length: float, mass: float, lightest: float
) -> tuple[Scene, FieldPath]:
    """The scene with a spring at its natural length between two ends, and its path. Raises InputError.

    length: [m] distance of the ends now; mass: [kg] what hangs on it stretches it by EXTENSION of its length;
    lightest: [kg] of what it moves, with which it is stable with the time step of the scene
    """
    softest = lightest * (2 * np.pi * SOFTEST / scene.solver.time_step) ** 2
    stiffness = min(mass * GRAVITY / (EXTENSION * length), softest)
    table = {"from": ends[0], "to": ends[1], "stiffness": float(f"{stiffness:.2g}"), "rest_length": round_to(length)}
    return added(scene, "spring", table)


def with_string(scene: Scene, ends: tuple[SpringEnd, SpringEnd], length: float) -> tuple[Scene, FieldPath]:
    """The scene with a string between two ends that is just taut at a length [m], and its path. Raises InputError."""
    tied = [end for end in ends if not isinstance(end, tuple)]
    bodies = {body.name for body in scene.bodies}
    names_of = [end.body if isinstance(end, BodyPoint) else end for end in tied]
    if not tied or not bodies.issuperset(names_of) or (len(tied) == 2 and names_of[0] == names_of[1]):
        rule = Message("a string ties a body to another one, or to a place")
        remedy = Message("draw it from a body to another body, or to a place")
        raise InputError(scene.title or "scene", [Problem("joint", rule, remedy)])
    anchors = [end.point if isinstance(end, BodyPoint) else (0.0, 0.0, 0.0) for end in tied]
    place = next((end for end in ends if isinstance(end, tuple)), None)
    table = {
        "name": free_name(names(scene), "string"),
        "kind": "distance",
        "first": names_of[0],
        "anchor_first": anchors[0],
        "anchor_second": anchors[1] if len(tied) > 1 else place,
        "length": at_least(length),
        "pull_only": True,
    }
    if len(tied) > 1:
        table["second"] = names_of[1]
    return added(scene, "joint", table)


def usual_of_joint(scene: Scene, joint: AnyJoint, key: str, size: float) -> Any:
    """Default of an optional field of a joint of `size` [m], which stays where it is; None for any other field."""
    if isinstance(joint, OfJoints):
        is_wanted = isinstance(joint, TendonJoint) and key == "limits"
        return _about(length_at_start(scene, joint), size) if is_wanted else None
    if key == "second":
        return next((body.name for body in scene.bodies if body.name != joint.first), "")
    if key not in ("limits", "anchor", "anchor_first", "anchor_second", "length"):
        return None
    ends = ends_of(scene, joint, {body.name: number for number, body in enumerate(scene.bodies)})
    match key:
        case "limits":
            return _limits(joint, ends, size)
        case "anchor":
            return _clean(ends.positions[FIRST])
        case "length":
            length = float(np.linalg.norm(ends.positions[SECOND] - ends.positions[FIRST]))
            return at_least(length) if getattr(joint, "pull_only", False) and length > 0.0 else _clean([length])[0]
    return _clean(ends.anchors[SECOND if key == "anchor_second" else FIRST])


def _limits(joint: Joint, ends: Ends, size: float) -> dict[str, float]:
    """Limits on either side of where the joint is at the start, as a table."""
    now, far = getattr(joint, "angle", 0.0), SWING
    if joint.coordinate != TURNS or isinstance(joint, CylindricalJoint):
        now, far = displacement_at_start(joint, ends), size  # type: ignore[arg-type]
    return _about(now, far)


def _about(now: float, far: float) -> dict[str, float]:
    return {"lower": tidy(now - far), "upper": tidy(now + far)}


def _clean(numbers: Any) -> tuple[float, ...]:
    """Numbers without the noise of rounding."""
    return tuple(round(float(number), DIGITS) + 0.0 for number in numbers)


def motor_unit(scene: Scene, path: FieldPath) -> str:
    """Unit of the formula at a path, if it is one of a motor; "" for any other field."""
    if len(path) < 2 or path[-2] != "motor":
        return ""
    if at(scene, path[:2]).coordinate == TURNS:
        return {"torque": "N m", "speed": "rad/s"}[str(path[-1])]
    return {"torque": "N", "speed": "m/s"}[str(path[-1])]


def joint_end_names(scene: Scene, path: FieldPath) -> list[str]:
    """Names that the end `path` of a joint can have: other bodies and spheres, for a gear hinges and sliders."""
    joint = at(scene, path[:-1])
    if isinstance(joint, GearJoint):
        names = [each.name for each in scene.joint if isinstance(each, HingeJoint | SliderJoint)]
    else:
        names = [body.name for body in scene.bodies[: len(scene.bodies) - len(scene.bead)]]
    other = joint.second if path[-1] == "first" else joint.first
    return [name for name in names if name != other]
