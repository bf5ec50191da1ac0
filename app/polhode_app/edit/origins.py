"""Another origin of a body, such as its pivot: the body and all that is fixed to it stay where they are. No Qt."""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode.physics.joints.description import GearJoint
from polhode.physics.paths.path_motions import CarriedPath
from polhode.physics.points.description import BodyPoint
from polhode.scene.fields import with_values
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Body, Scene

DIGITS = 9  # of positions that are computed


def with_origin(scene: Scene, number: int, point: np.ndarray, axis: np.ndarray | None = None) -> Scene:
    """The scene with the origin of body `number` at a point (3,) [m] of its frame, at the start.

    axis: (3,) body frame, along which a body on an axle turns from then on; None keeps its axle. Raises InputError for
    a body with a stated inertia, which is about its origin, and for one that carries a path.
    """
    body = scene.body[number]
    if body.inertia is not None or any(_carries(bead.path_motion, body.name) for bead in scene.bead):
        rule = Message("'{name}' states an inertia about its origin, or carries a path", name=body.name)
        raise InputError(scene.title or "scene", [Problem(f"body[{number}]", rule, Message("remove it first"))])
    turn = body.orientation.matrix()
    changed: dict[str, Any] = {
        "position": _sum(body.position, turn @ point),
        "shape": tuple(each.model_copy(update={"position": _sum(each.position, -point)}) for each in body.shape),
        "dipole": tuple(each.model_copy(update={"position": _sum(each.position, -point)}) for each in body.dipole),
    }
    if axis is not None and body.support == "axle":
        changed["axis"] = tuple(np.round(turn @ axis, DIGITS) + 0.0)
    bodies = (*scene.body[:number], body.model_copy(update=changed), *scene.body[number + 1 :])
    return with_values(scene, (), {"body": bodies, **_fixed_to(scene, body, point)})


def _fixed_to(scene: Scene, body: Body, point: np.ndarray) -> dict[str, object]:
    """Lists of the scene in which ends of springs, anchors of joints and points of forces keep their places."""

    def end(held: object) -> object:
        if held == body.name:
            return BodyPoint(body=body.name, point=_sum((0.0, 0.0, 0.0), -point))
        if isinstance(held, BodyPoint) and held.body == body.name:
            return held.model_copy(update={"point": _sum(held.point, -point)})
        return held

    def joint(each: Any) -> Any:
        if isinstance(each, GearJoint):
            return each
        changes = {}
        if each.first == body.name and (each.anchor_first is not None or _is_at_first(each)):
            changes["anchor_first"] = _sum(each.anchor_first or (0.0, 0.0, 0.0), -point)
        if each.second == body.name and each.anchor_second is not None:
            changes["anchor_second"] = _sum(each.anchor_second, -point)
        return each.model_copy(update=changes)

    springs = (each.model_copy(update={"from_": end(each.from_), "to": end(each.to)}) for each in scene.spring)
    forces = (
        each.model_copy(update={"point": _sum(each.point, -point)}) if each.on == body.name else each
        for each in scene.force
    )
    return {"spring": tuple(springs), "joint": tuple(map(joint, scene.joint)), "force": tuple(forces)}


def _is_at_first(joint: Any) -> bool:
    """Whether a joint without anchors is at the origin of its first body."""
    return joint.anchor is None and joint.anchor_second is None


def _carries(motion: object, name: str) -> bool:
    return isinstance(motion, CarriedPath) and motion.body == name


def _sum(position: Any, shift: np.ndarray) -> tuple[float, float, float]:
    """A position moved by `shift` (3,) [m], without the noise of rounding."""
    x, y, z = np.round(np.array(position) + shift, DIGITS) + 0.0
    return float(x), float(y), float(z)
