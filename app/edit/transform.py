"""Parts moved and turned by a hand: where a part is, and the scene with it elsewhere. No Qt, no physics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.edit.fields import axis_and_angle, clean
from app.edit.parts import shifted
from core.physics.bodies.shapes import Orientation
from core.scene.fields import Place, at, with_values
from core.scene.quantity import Vector
from core.scene.scene import Scene

FINE = 4  # decades below the size of what is seen to which places are rounded that a hand has led
DIRECTIONS = ("normal", "moment", "direction")
"""Fields that turn with a part that has no orientation."""


@dataclass(frozen=True, eq=False)
class DraggedPart:
    """A part as it was when a hand took it."""

    scene: Scene
    place: Place
    middle: np.ndarray  # (3,) [m] where the handles are
    frame: np.ndarray  # (3, 3) rows: the axes in which the part is stated, laboratory frame
    position: np.ndarray | None  # (3,) [m] where it is now, in that frame; None where it states no place of its own
    turn: np.ndarray  # (3, 3) how it is turned now, in that frame
    size: float  # [m] of what is seen

    @property
    def handle_kinds(self) -> tuple[str, ...]:
        """What can be done to it."""
        part = at(self.scene, self.place)
        moves = shifted(part, np.ones(3)) is not part
        turns = hasattr(part, "orientation") or any(getattr(part, key, None) is not None for key in DIRECTIONS)
        return ("move",) * moves + ("turn",) * turns

    def moved(self, way: np.ndarray) -> Scene:
        """The scene with the part moved by a way (3,) [m], laboratory frame. Raises InputError."""
        part, local = at(self.scene, self.place), self.frame @ way
        if self.position is not None:
            return self._with({"position": self._round(self.position + local)})
        made = shifted(part, local)
        keys = [key for key in type(part).model_fields if getattr(made, key) is not getattr(part, key)]
        return self._with({key.rstrip("_"): getattr(made, key) for key in keys})

    def turned(self, turn: np.ndarray) -> Scene:
        """The scene with the part turned by a rotation (3, 3), laboratory frame. Raises InputError."""
        part, local = at(self.scene, self.place), self.frame @ turn @ self.frame.T
        if hasattr(part, "orientation"):
            return self._with({"orientation": as_stated(local @ self.turn, part.orientation)})
        keys = [key for key in DIRECTIONS if getattr(part, key, None) is not None]
        return self._with({key: _vector(local @ np.array(getattr(part, key))) for key in keys})

    def _with(self, changes: dict[str, object]) -> Scene:
        return with_values(self.scene, self.place, changes)

    def _round(self, place: np.ndarray) -> Vector:
        finest = FINE - int(np.floor(np.log10(max(self.size, 1e-9))))
        x, y, z = (round(float(number), finest) + 0.0 for number in place)
        return x, y, z


def as_stated(turn: np.ndarray, like: Orientation) -> Orientation:
    """A rotation (3, 3) in the form of another one: its basis, or an axis and an angle."""
    if like.basis is not None:
        first, second, third = (_vector(column) for column in turn.T)
        return Orientation(basis=(first, second, third))
    axis, angle = axis_and_angle(turn)
    if angle < 1e-9:
        return Orientation()
    return Orientation(axis=_vector(axis), angle=round(angle, 6))


def _vector(values: np.ndarray) -> Vector:
    x, y, z = clean(values)
    return x, y, z
