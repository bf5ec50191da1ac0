"""Translation of the anchor and rotation of the axis of a joint by the handles of the view. No Qt, no compiler."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.physics.joints.description import AnyJoint, AxisJoint, DistanceJoint, OfJoints, UniversalJoint
from polhode.scene.fields import FieldPath, at, with_values
from polhode.scene.quantity import Vector
from polhode.scene.scene import Scene
from polhode_app.edit.field_numbers import FINE, by_hand
from polhode_app.edit.fields import clean

BOTH = 6  # decades below the size of the scene to which two anchors at one place are rounded, so that they stay there


@dataclass(frozen=True, eq=False)
class DraggedJoint:
    """A joint at the start of a drag; edits are relative to this state."""

    scene: Scene
    path: FieldPath
    middle: np.ndarray  # (3,) [m] anchor now, laboratory frame
    frame: np.ndarray  # (3, 3) rows u1, u2, u3 of the first body now, laboratory frame
    size: float  # [m] radius of the scene

    @property
    def _joint(self) -> AnyJoint:
        joint: AnyJoint = at(self.scene, self.path)
        return joint

    @property
    def handle_kinds(self) -> tuple[str, ...]:
        """Kinds of handles: "move" of the anchor, of a rod that on its first body; "turn" of the axis."""
        if isinstance(self._joint, OfJoints):
            return ()
        return ("move", "turn") if isinstance(self._joint, AxisJoint | UniversalJoint) else ("move",)

    def moved(self, shift: np.ndarray) -> Scene:
        """The scene with the anchor translated by `shift` (3,) [m], laboratory frame, with the first body as it is.

        Raises InputError.
        """
        joint, local = self._joint, self.frame @ shift
        first, second = self._starts()
        changes: dict[str, object] = {}
        if isinstance(joint, DistanceJoint) or (joint.anchor is None and joint.anchor_second is None):
            changes["anchor_first"] = self._sum(joint.anchor_first, local)
        elif joint.anchor is not None:
            changes["anchor"] = self._sum(joint.anchor, first @ local)
        else:
            fine = FINE if joint.anchor_first is None else BOTH
            changes["anchor_second"] = self._sum(joint.anchor_second, second.T @ first @ local, fine)
            if joint.anchor_first is not None:
                changes["anchor_first"] = self._sum(joint.anchor_first, local, fine)
        return with_values(self.scene, self.path, changes)

    def turned(self, turn: np.ndarray) -> Scene:
        """The scene with the axis rotated by `turn` (3, 3), laboratory frame, with the first body as it is now.

        Of a universal joint both axes. Raises InputError.
        """
        joint, local = self._joint, self.frame @ turn @ self.frame.T
        first, second = self._starts()
        assert isinstance(joint, AxisJoint | UniversalJoint)
        changes: dict[str, object] = {"axis": clean(local @ np.array(joint.axis))}
        if isinstance(joint, UniversalJoint):
            to_second = second.T @ first
            changes["second_axis"] = clean(to_second @ local @ to_second.T @ np.array(joint.second_axis))
        return with_values(self.scene, self.path, changes)

    def _starts(self) -> tuple[np.ndarray, np.ndarray]:
        """(3, 3) columns: bases of both bodies at the start; that of the laboratory without a second one."""
        bodies = {body.name: body for body in self.scene.bodies}
        second = getattr(self._joint, "second", None)
        return bodies[self._joint.first].orientation.matrix(), (
            np.eye(3) if second is None else bodies[second].orientation.matrix()
        )

    def _sum(self, position: Vector | None, shift: np.ndarray, fine: int = FINE) -> Vector:
        """A position (3,) [m], the origin for None, moved by `shift` [m], to `fine` decades below the scene's size."""
        return by_hand(np.array(position or (0.0, 0.0, 0.0)) + shift, self.size, fine)
