"""Translation and rotation of items by the handles of the view, and other origins of bodies. No Qt, no compiler.

With another origin, such as its pivot, a body and all that is fixed to it stay where they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from polhode.physics.bodies.shapes import Orientation
from polhode.physics.joints.description import GearJoint
from polhode.physics.paths.path_motions import CarriedPath
from polhode.physics.points.description import BodyPoint
from polhode.scene.fields import FieldPath, at, with_values
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Body, Scene
from polhode_app.edit.field_numbers import by_hand
from polhode_app.edit.fields import axis_and_angle, clean
from polhode_app.edit.parts import shifted

DIGITS = 9  # of positions that are computed
AXIS, ANGLE = 5, 4  # digits of an axis and an angle [rad] after a rotation by the mouse
DIRECTIONS = ("normal", "moment", "direction")
"""Direction fields that are rotated for items without an orientation."""


@dataclass(frozen=True, eq=False)
class DraggedPart:
    """An item at the start of a drag; edits are relative to this state."""

    scene: Scene
    path: FieldPath
    middle: np.ndarray  # (3,) [m] centre of the handles, laboratory frame
    frame: np.ndarray  # (3, 3) rows: axes of the frame in which the item is stated, laboratory frame
    position: np.ndarray | None  # (3,) [m] current position in that frame; None if the item states none
    turn: np.ndarray  # (3, 3) current rotation in that frame
    size: float  # [m] radius of the scene

    @property
    def handle_kinds(self) -> tuple[str, ...]:
        """Kinds of handles for the item: "move", "turn"."""
        part = at(self.scene, self.path)
        moves = shifted(part, np.ones(3)) is not part
        turns = hasattr(part, "orientation") or any(getattr(part, key, None) is not None for key in DIRECTIONS)
        return ("move",) * moves + ("turn",) * turns

    def moved(self, shift: np.ndarray) -> Scene:
        """The scene with the item translated by `shift` (3,) [m], laboratory frame. Raises InputError."""
        part, local = at(self.scene, self.path), self.frame @ shift
        if self.position is not None:
            return self._with({"position": by_hand(self.position + local, self.size)})
        made = shifted(part, np.array(by_hand(local, self.size)))
        keys = [key for key in type(part).model_fields if getattr(made, key) is not getattr(part, key)]
        return self._with({key.rstrip("_"): getattr(made, key) for key in keys})

    def turned(self, turn: np.ndarray) -> Scene:
        """The scene with the item rotated by `turn` (3, 3), laboratory frame. Raises InputError."""
        part, local = at(self.scene, self.path), self.frame @ turn @ self.frame.T
        if hasattr(part, "orientation"):
            return self._with({"orientation": as_stated(local @ self.turn, part.orientation)})
        keys = [key for key in DIRECTIONS if getattr(part, key, None) is not None]
        return self._with({key: clean(local @ np.array(getattr(part, key))) for key in keys})

    def _with(self, changes: dict[str, object]) -> Scene:
        """The scene with changed fields of the item."""
        return with_values(self.scene, self.path, changes)


def as_stated(turn: np.ndarray, like: Orientation) -> Orientation:
    """A rotation (3, 3) in the form of `like`: a basis, or axis and angle."""
    if like.basis is not None:
        first, second, third = (clean(column) for column in turn.T)
        return Orientation(basis=(first, second, third))
    axis, angle = axis_and_angle(turn)
    if angle < 1e-9:
        return Orientation()
    x, y, z = (round(float(number), AXIS) + 0.0 for number in axis)
    return Orientation(axis=(x, y, z), angle=round(angle, ANGLE))


def turned_to(axis: np.ndarray) -> dict[str, Any]:
    """Orientation in which local z is along a unit vector (3,), as a field; none for z itself."""
    across = np.cross((0.0, 0.0, 1.0), axis)
    sine = float(np.linalg.norm(across))
    if sine < 1e-6:
        return {} if axis[2] > 0 else {"orientation": {"axis": (1.0, 0.0, 0.0), "angle": pi}}
    turn = tuple(round(float(number), 4) + 0.0 for number in across / sine)
    return {"orientation": {"axis": turn, "angle": round(float(np.arctan2(sine, axis[2])), 4)}}


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
