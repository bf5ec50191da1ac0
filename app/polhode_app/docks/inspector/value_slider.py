"""Handles of numbers for the mouse: a slider, whose filled part begins at zero or at the lower limit of the number, and
the letter of a component.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import QLabel, QSlider, QStyle, QStyleOptionSlider

GROOVE = 4.0  # [pixel] height of the groove
HANDLE = 6.0  # [pixel] radius of the handle
LEAST = 12  # [pixel] width of a letter


class ValueSlider(QSlider):
    """A horizontal slider; `origin` is the position from which it is filled."""

    def __init__(self, ticks: int):
        """Create a slider from -ticks to ticks, which does not take the focus."""
        super().__init__(Qt.Orientation.Horizontal)
        self.origin = 0
        self.setRange(-ticks, ticks)
        self.setPageStep(ticks // 10)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Space starts and pauses the run

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the form, which scrolls."""
        event.ignore()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw groove, filled part and handle."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        kind, handle = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
        ends = [self.style().subControlRect(kind, option, handle, self).center().x()]
        for value in (self.minimum(), self.maximum(), self.origin):
            option.sliderPosition = option.sliderValue = value
            ends.append(self.style().subControlRect(kind, option, handle, self).center().x())
        at, low, high, origin = ends
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        middle, colors = self.height() / 2, self.palette()
        for begin, end, role in ((low, high, QPalette.ColorRole.Mid), (origin, at, QPalette.ColorRole.Highlight)):
            painter.setBrush(colors.color(role))
            groove = QRectF(min(begin, end), middle - GROOVE / 2, abs(end - begin), GROOVE)
            painter.drawRoundedRect(groove, GROOVE / 2, GROOVE / 2)
        painter.setBrush(colors.color(QPalette.ColorRole.Highlight))
        painter.drawEllipse(QRectF(at - HANDLE, middle - HANDLE, 2 * HANDLE, 2 * HANDLE))
        painter.end()


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
