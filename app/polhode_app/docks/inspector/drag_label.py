"""Letter of a component of a vector, which changes its number when it is dragged."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel

LEAST = 12  # [pixel] width


class DragLabel(QLabel):
    """Letter of a component that changes its number when it is dragged horizontally.

    `dragged` carries the distance since the press [pixel], a tenth of it while Shift is held.
    """

    pressed = Signal()
    dragged = Signal(float)  # [pixel]
    released = Signal()

    def __init__(self, text: str):
        super().__init__(text)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._press_position: QPointF | None = None

    def minimumSizeHint(self) -> QSize:
        """Wide enough to be caught, and for large letters."""
        return super().minimumSizeHint().expandedTo(QSize(LEAST, 0))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._press_position = event.position()
            self.pressed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._press_position is not None:
            fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.dragged.emit((event.position().x() - self._press_position.x()) * (0.1 if fine else 1.0))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._press_position = None
        self.released.emit()
