"""Rows of a table of poses: times, positions, axes, and the rotation since the first row.

With `upright` the axes of the table are x to the right, y along the view and z up, in place of those of the camera (x
to the right, y down, z along the view) or of a tag at rest (x to its right, y up, z out of its printed side). Those of
the tag are then u1 to its right, u2 into the paper and u3 up, so that one that faces the camera has the axes of the
table.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.spatial.transform import Rotation

AXES = "xyz"
POSE_COLUMNS = (
    "time (s)", *(f"{axis} (m)" for axis in AXES), *(f"u{k}.{axis}" for k in (1, 2, 3) for axis in AXES),
    *(f"turn.{axis} (rad)" for axis in AXES), "match",
)  # fmt: skip
"""Headings: position of the middle of the tag, its axes as unit vectors, u1 (right), u2 (up) and u3 (out of the paper)
or upright ones, the rotation vector since the first row, and the correlation of the picture with the pattern."""
BALL_COLUMNS = ("time (s)", *(f"{axis} (m)" for axis in AXES), "radius (px)")
"""Headings: position of the centre, and the radius of the circle."""
Row = tuple[float, ...]
Frame = Literal["camera", "tag"]
UPRIGHT: dict[Frame, np.ndarray] = {
    "camera": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
    "tag": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
}
"""Rows: axes x to the right, y along the view and z up, in the frame of a camera and in that of a tag at rest."""


def axes_of(frame: Frame, upright: bool) -> np.ndarray:
    """(3, 3) rows: the axes of a table in a frame."""
    return UPRIGHT[frame] if upright else np.eye(3)


class PoseRows:
    """Makes the rows of one table, in the order of time."""

    def __init__(self, frame: Frame = "camera", upright: bool = False):
        """frame: that of the poses"""
        self._axes = Rotation.from_matrix(axes_of(frame, upright))
        self._own = Rotation.from_matrix(axes_of("tag", upright)).inv()
        self._first: Rotation | None = None
        self._turn = np.zeros(3)  # rotation vector [rad] of the last row

    def row(self, time: float, turned: Rotation, position: np.ndarray, match: float) -> Row:
        """A row of POSE_COLUMNS; position: (3,) [m]"""
        now = self._axes * turned * self._own
        self._first = now if self._first is None else self._first
        self._turn = continued((now * self._first.inv()).as_rotvec(), self._turn)
        columns = now.as_matrix().T.ravel().tolist()
        return (time, *self._axes.apply(position).tolist(), *columns, *self._turn.tolist(), match)


def continued(turn: np.ndarray, before: np.ndarray) -> np.ndarray:
    """(3,) rotation vector [rad] of the same rotation as `turn` nearest to the one before, by whole turns."""
    angle = float(np.linalg.norm(turn))
    if angle < 1e-9:
        length = float(np.linalg.norm(before))
        if length < np.pi:
            return turn
        axis, angle = before / length, 0.0
    else:
        axis = turn / angle
    whole = round((float(axis @ before) - angle) / (2.0 * np.pi))
    return axis * (angle + 2.0 * np.pi * whole)


def ball_row(row: Row, axes: np.ndarray) -> Row:
    """A row of BALL_COLUMNS in other axes (3, 3)."""
    time, x, y, z, radius = row
    return (time, *(axes @ (x, y, z)).tolist(), radius)
