"""Joints of MJCF by which a body moves against its parent, with their coordinates and rates at the start.

Positions and axes are in the frame of the body. A coordinate keeps the value and the sign that it has in the scene: the
axis of a joint points the other way where the body is its first one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from polhode.exporters.mjcf.numbers import quaternion
from polhode.formulas.parser import FormulaError, parse
from polhode.physics.bodies.shapes import unit
from polhode.physics.joints.description import (
    AxisJoint,
    BallJoint,
    CylindricalJoint,
    HingeJoint,
    Limits,
    Motor,
    SliderJoint,
    UniversalJoint,
    WeldJoint,
)
from polhode.physics.joints.ends import Ends
from polhode.scene.scene import Body

ENDS = ("name", "kind", "first", "second", "anchor", "anchor_first", "anchor_second")
FORCES = ("friction", "dry_friction", "armature", "limits", "spring", "motor")
WRITTEN: dict[type, tuple[str, ...]] = {
    WeldJoint: ENDS,
    BallJoint: (*ENDS, "friction"),
    HingeJoint: (*ENDS, "axis", "angle", *FORCES),
    SliderJoint: (*ENDS, "axis", *FORCES),
    CylindricalJoint: (*ENDS, "axis", "angle", "limits"),
    UniversalJoint: (*ENDS, "axis", "second_axis", "friction"),
}
FAR = 1e10  # an end of a range that has none


@dataclass(frozen=True, eq=False)
class Moving:
    """A body at the start, against its parent; the laboratory frame."""

    turn: np.ndarray  # (3, 3) axes of the body as columns
    position: np.ndarray  # (3,) [m] of its origin
    spin: np.ndarray  # (3,) [rad/s] angular velocity relative to the parent
    velocity: Callable[[np.ndarray], np.ndarray]  # (3,) [m/s] of its point at a place (3,) relative to the parent's


@dataclass(frozen=True)
class MjcfJoint:
    """An element <joint> or <freejoint>, and the state of its coordinates at the start."""

    tag: str
    attributes: dict[str, Any]
    coordinates: tuple[float, ...]  # as in qpos
    rates: tuple[float, ...]  # as in qvel
    motor: float | None = None  # [N m or N]


def free(name: str, moving: Moving, spin: np.ndarray, velocity: np.ndarray) -> list[MjcfJoint]:
    """The joint of a free body, of which spin (3,) [rad/s] and velocity (3,) [m/s] of the origin are absolute."""
    turn = quaternion(moving.turn)
    pose = (*moving.position, *((1.0, 0.0, 0.0, 0.0) if turn is None else turn))
    return [MjcfJoint("freejoint", {"name": name}, pose, (*velocity, *(moving.turn.T @ spin)))]


def supported(body: Body, moving: Moving) -> list[MjcfJoint]:
    """The joints of a body on a pivot or an axle; none of a fixed or driven one."""
    if body.support == "pivot":
        return [_ball(f"{body.name}.pivot", np.zeros(3), body.friction, moving)]
    if body.support == "axle":
        axis = unit(body.axis or (0.0, 0.0, 1.0))
        attributes = {"damping": body.friction or None, "frictionloss": body.dry_friction or None}
        return [
            _one(f"{body.name}.axle", "hinge", np.zeros(3), axis, 0.0, float(axis @ moving.spin), moving, attributes)
        ]
    return []


def hanging(joint: Any, ends: Ends, side: int, moving: Moving) -> list[MjcfJoint]:
    """The joints of a body that is the end `side` (0, 1) of a joint of the scene; none of a weld."""
    return _KINDS[type(joint)](joint, ends, side, moving)


def _ball(name: str, anchor: np.ndarray, friction: float, moving: Moving) -> MjcfJoint:
    attributes = {"name": name, "type": "ball", "pos": anchor, "damping": friction or None}
    return MjcfJoint("joint", attributes, (1.0, 0.0, 0.0, 0.0), tuple(moving.turn.T @ moving.spin))


def _one(
    name: str, kind: str, anchor: np.ndarray, axis: np.ndarray, start: float, rate: float, moving: Moving,
    attributes: dict[str, Any], motor: float | None = None,
) -> MjcfJoint:  # fmt: skip
    """A hinge or a slide about or along an axis (3,) of the laboratory."""
    stated = {"name": name, "type": kind, "pos": anchor, "axis": moving.turn.T @ axis, "ref": start or None}
    return MjcfJoint("joint", stated | attributes, (start,), (rate,), motor)


def _ahead(joint: AxisJoint, ends: Ends, side: int) -> np.ndarray:
    """(3,) the axis of a joint in the laboratory, so that coordinates of the body keep their signs."""
    return np.asarray((1 if side == 1 else -1) * (ends.turns[0] @ unit(joint.axis)))


def _slid(joint: AxisJoint, ends: Ends) -> float:
    """[m] displacement at the start."""
    first, second = ends.positions
    return float((second - first) @ (ends.turns[0] @ unit(joint.axis)))


def _rate_along(axis: np.ndarray, ends: Ends, side: int, moving: Moving) -> float:
    return float(axis @ moving.velocity(ends.positions[side]))


def limited_range(limits: Limits | None) -> dict[str, Any]:
    """Attributes for limits of a joint or a tendon."""
    if limits is None:
        return {}
    lower, upper = (end if end is not None else far for end, far in ((limits.lower, -FAR), (limits.upper, FAR)))
    return {"limited": "true", "range": (lower, upper)}


def _forces(joint: HingeJoint | SliderJoint) -> dict[str, Any]:
    """Friction, spring and limits."""
    spring = joint.spring
    damping = joint.friction + (spring.damping if spring is not None else 0.0)
    found = {"damping": damping or None, "frictionloss": joint.dry_friction or None, "armature": joint.armature or None}
    if spring is not None and spring.stiffness:
        found |= {"stiffness": spring.stiffness, "springref": spring.rest}
    return found | limited_range(joint.limits)


def constant_of(motor: Motor | None) -> float | None:
    """[N m or N] the torque or force of a motor; None without one, and for one that is no constant."""
    if motor is None or not isinstance(motor.torque, str):
        return None
    try:
        return float(parse(motor.torque, ())({}))
    except FormulaError:  # of t
        return None


def _hinge(joint: HingeJoint, ends: Ends, side: int, moving: Moving) -> list[MjcfJoint]:
    axis = _ahead(joint, ends, side)
    rate, motor = float(axis @ moving.spin), constant_of(joint.motor)
    place = ends.anchors[side]
    return [_one(joint.name, "hinge", place, axis, joint.angle, rate, moving, _forces(joint), motor)]


def _slider(joint: SliderJoint, ends: Ends, side: int, moving: Moving) -> list[MjcfJoint]:
    axis = _ahead(joint, ends, side)
    rate, motor = _rate_along(axis, ends, side, moving), constant_of(joint.motor)
    place, start = ends.anchors[side], _slid(joint, ends)
    return [_one(joint.name, "slide", place, axis, start, rate, moving, _forces(joint), motor)]


def _cylindrical(joint: CylindricalJoint, ends: Ends, side: int, moving: Moving) -> list[MjcfJoint]:
    axis, place = _ahead(joint, ends, side), ends.anchors[side]
    along, about = _rate_along(axis, ends, side, moving), float(axis @ moving.spin)
    slide = _one(
        f"{joint.name}.slide", "slide", place, axis, _slid(joint, ends), along, moving, limited_range(joint.limits)
    )
    return [slide, _one(joint.name, "hinge", place, axis, joint.angle, about, moving, {})]


def _universal(joint: UniversalJoint, ends: Ends, side: int, moving: Moving) -> list[MjcfJoint]:
    """Two hinges: the first one about the axis that the parent has, the second one about that of the body."""
    axes = [ends.turns[0] @ unit(joint.axis), ends.turns[1] @ unit(joint.second_axis)]
    axes = axes if side == 1 else axes[::-1]
    rates = np.linalg.lstsq(np.array(axes).T, moving.spin, rcond=None)[0]
    friction = {"damping": joint.friction or None}
    names = (joint.name, f"{joint.name}.second")
    return [
        _one(name, "hinge", ends.anchors[side], axis, 0.0, float(rate), moving, friction)
        for name, axis, rate in zip(names, axes, rates, strict=True)
    ]


_KINDS: dict[type, Callable[[Any, Ends, int, Moving], list[MjcfJoint]]] = {
    WeldJoint: lambda _joint, _ends, _side, _moving: [],
    BallJoint: lambda joint, ends, side, moving: [_ball(joint.name, ends.anchors[side], joint.friction, moving)],
    HingeJoint: _hinge,
    SliderJoint: _slider,
    CylindricalJoint: _cylindrical,
    UniversalJoint: _universal,
}
