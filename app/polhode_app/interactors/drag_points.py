"""Dragging of points in the view, such as those of an edited spline."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent

from polhode_app.viewport.widget import ViewWidget

CLICK_TOLERANCE = 12.0  # [pixel] tolerance of a click


class PointDragger:
    """Drags points with the left mouse button, parallel to the picture plane.

    The owner sets `points` and the callbacks: `chosen` at the press, `dragged` at every motion, `dropped` at the
    release.
    """

    def __init__(self, view: ViewWidget):
        """Handle the mouse events of a view before its camera does."""
        self._view = view
        self.points = np.zeros((0, 3))  # (n, 3) [m] laboratory frame
        self.chosen: Callable[[int], None] = lambda _row: None
        self.dragged: Callable[[int, np.ndarray], None] = lambda _row, _position: None  # index and position (3,) [m]
        self.dropped: Callable[[], None] = lambda: None
        self._dragged_row: int | None = None
        self._plane_point = np.zeros(3)
        self._offset = np.zeros(3)
        view.grasps.insert(0, self.mouse)

    @property
    def dragging(self) -> bool:
        """Whether a point is being dragged."""
        return self._dragged_row is not None

    def mouse(self, event: QMouseEvent) -> bool:
        """Handle a mouse event; True if it was consumed.

        A dragged point moves in the plane through its initial position that is parallel to the picture.
        """
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and self._dragged_row is None:
            return self._press(event)
        if self._dragged_row is None:
            return False
        if kind == QEvent.Type.MouseMove:
            self.dragged(
                self._dragged_row, self._view.ray_at(event.position()).on_plane(self._plane_point) + self._offset
            )
        elif kind == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton:
            self._dragged_row = None
            self._view.show_hand(False)
            self.dropped()
        return True

    def _press(self, event: QMouseEvent) -> bool:
        """Start a drag if a point is under the pointer."""
        if event.button() != Qt.MouseButton.LeftButton or event.modifiers():
            return False
        row = self.point_at(event.position())
        if row is None:
            return False
        self._dragged_row, self._plane_point = row, self.points[row]
        self._offset = self._plane_point - self._view.ray_at(event.position()).on_plane(self._plane_point)
        self._view.show_hand(True)
        self.chosen(row)
        return True

    def point_at(self, pixel: QPointF) -> int | None:
        """Index of the point at a position of the view, the nearest to the camera; None if there is none."""
        if len(self.points) == 0:
            return None
        ray = self._view.ray_at(pixel)
        away = self.points - ray.origin
        depth = away @ ray.direction
        miss = np.linalg.norm(away - depth[:, None] * ray.direction, axis=1)
        met = (miss < CLICK_TOLERANCE * (ray.pixel + ray.spread * depth)) & (depth > 0)
        return int(np.where(met, depth, np.inf).argmin()) if met.any() else None
