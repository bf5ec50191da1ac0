"""Translation and rotation of items by the handles of the view. No Qt, no compiler."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from polhode.physics.bodies.shapes import Orientation
from polhode.scene.fields import FieldPath, at, with_values
from polhode.scene.scene import Scene
from polhode_app.edit.field_numbers import by_hand
from polhode_app.edit.fields import axis_and_angle, clean
from polhode_app.edit.parts import shifted

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
