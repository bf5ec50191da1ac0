"""Points in the view that the mouse drags: those of a spline that is being edited."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent

from app.viewport.widget import ViewWidget

NEAR = 12.0  # [pixel] a point may be missed by so much


class PointDragger:
    """Takes the plain left button where a point is; what is dragged stays in a plane parallel to the picture."""

    def __init__(self, view: ViewWidget):
        self._view = view
        self.points = np.zeros((0, 3))  # (n, 3) [m] where they are in the view
        self.chosen: Callable[[int], None] = lambda _row: None
        self.dragged: Callable[[int, np.ndarray], None] = lambda _row, _place: None  # its number and place (3,) [m]
        self.dropped: Callable[[], None] = lambda: None
        self._row: int | None = None
        self._through = np.zeros(3)
        self._off = np.zeros(3)
        view.grasps.insert(0, self.mouse)

    @property
    def dragging(self) -> bool:
        return self._row is not None

    def mouse(self, event: QMouseEvent) -> bool:
        """Whether the event is for a point."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and self._row is None:
            return self._press(event)
        if self._row is None:
            return False
        if kind == QEvent.Type.MouseMove:
            self.dragged(self._row, self._view.ray_at(event.position()).on_plane(self._through) + self._off)
        elif kind == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton:
            self._row = None
            self._view.show_hand(False)
            self.dropped()
        return True

    def _press(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton or event.modifiers():
            return False
        row = self.at(event.position())
        if row is None:
            return False
        self._row, self._through = row, self.points[row]
        self._off = self._through - self._view.ray_at(event.position()).on_plane(self._through)
        self._view.show_hand(True)
        self.chosen(row)
        return True

    def at(self, place: QPointF) -> int | None:
        """Number of the point that is seen at a place of the view; of several the nearest to the eye."""
        if len(self.points) == 0:
            return None
        ray = self._view.ray_at(place)
        away = self.points - ray.origin
        depth = away @ ray.direction
        miss = np.linalg.norm(away - depth[:, None] * ray.direction, axis=1)
        met = (miss < NEAR * (ray.pixel + ray.spread * depth)) & (depth > 0)
        return int(np.where(met, depth, np.inf).argmin()) if met.any() else None
