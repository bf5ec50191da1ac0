"""Picture of the hand over the distance sensor, which the mouse can take over."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

HEIGHT = 170  # [pixel]
BOARD = QSize(90, 16)  # [pixel] of the sensor
HAND = QSize(110, 34)  # [pixel]
MARGIN = 8  # [pixel]
SKIN = "#e8b48a"
BOARD_COLOR = "#1c6fb5"
TICKS = 4  # intervals of the scale


class HandPicture(QWidget):
    """A board with the sensor, and above it a hand at the measured or simulated distance.

    Dragging the hand emits `moved`; the owner lets the simulated target follow.
    """

    moved = Signal(float)
    """Distance [mm] to which the mouse drags the hand."""

    def __init__(self) -> None:
        """Create a picture without a hand."""
        super().__init__()
        self.distance: float | None = None  # [mm]
        self.farthest = 600.0  # [mm] at the upper edge
        self.is_held = False
        self._grip = 0.0  # [pixel] of the mouse below the hand
        self.setMinimumHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def show_distance(self, distance: float | None, farthest: float) -> None:
        """Move the hand to a distance [mm], None for no hand; `farthest` [mm] is at the upper edge."""
        if (distance, farthest) != (self.distance, self.farthest) and not self.is_held:
            self.distance, self.farthest = distance, farthest
            self.update()

    def y_of(self, distance: float) -> float:
        """Height [pixel] of the palm at a distance [mm]."""
        share = min(max(distance / self.farthest, 0.0), 1.0)
        return self._ground - share * (self._ground - MARGIN - HAND.height())

    @property
    def _ground(self) -> float:
        """Height [pixel] of the upper side of the sensor."""
        return self.height() - MARGIN - BOARD.height()

    def _distance_at(self, y: float) -> float:
        """Distance [mm] of a palm at a height [pixel]."""
        share = (self._ground - y) / (self._ground - MARGIN - HAND.height())
        return self.farthest * min(max(share, 0.02), 1.0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the hand; a press beside it moves it there."""
        if event.button() == Qt.MouseButton.LeftButton:
            palm = self.y_of(self.distance) if self.distance is not None else event.position().y()
            self._grip = event.position().y() - palm
            if not -HAND.height() <= self._grip <= 0:
                self._grip = -HAND.height() / 2
            self.is_held = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._drag(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the hand while it is held."""
        if self.is_held:
            self._drag(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Leave the hand where it is."""
        self.is_held = False
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def _drag(self, event: QMouseEvent) -> None:
        """Move the hand to the mouse."""
        self.distance = self._distance_at(event.position().y() - self._grip)
        self.update()
        self.moved.emit(self.distance)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw sensor, scale and hand."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, ground = self.width() / 2, self._ground
        weak = self.palette().color(QPalette.ColorRole.PlaceholderText)
        painter.setPen(weak)
        for tick in range(TICKS + 1):
            distance = self.farthest * tick / TICKS
            y = self.y_of(distance)
            painter.drawLine(QPointF(MARGIN, y), QPointF(MARGIN + 8, y))
            painter.drawText(QPointF(MARGIN + 12, y + 4), f"{distance:.0f} mm" if tick == TICKS else f"{distance:.0f}")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(BOARD_COLOR))
        painter.drawRoundedRect(QRectF(middle - BOARD.width() / 2, ground, BOARD.width(), BOARD.height()), 3, 3)
        painter.setBrush(QColor("#101418"))
        for side in (-1, 1):
            painter.drawEllipse(QPointF(middle + 14 * side, ground + 4), 8, 4)
        if self.distance is not None:
            palm = self.y_of(self.distance)
            painter.setPen(QPen(QColor(BOARD_COLOR), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(middle, ground), QPointF(middle, palm))
            painter.setPen(QPen(QColor("#7a4a26"), 1.2))
            painter.setBrush(QColor(SKIN))
            painter.drawPath(_hand(middle, palm))


def _hand(middle: float, palm: float) -> QPainterPath:
    """Outline of a flat hand seen from the side, fingers to the left, its palm at a height [pixel]."""
    width, height = HAND.width(), HAND.height()
    left, top = middle - width / 2, palm - height
    path = QPainterPath(QPointF(left + width, top + 6))
    path.lineTo(left + 0.62 * width, top + 4)
    path.cubicTo(left + 0.55 * width, top - 2, left + 0.46 * width, top - 4, left + 0.38 * width, top + 2)
    path.cubicTo(left + 0.42 * width, top + 8, left + 0.40 * width, top + 10, left + 0.34 * width, top + 12)
    path.lineTo(left + 8, top + 14)
    path.cubicTo(left - 4, top + 16, left - 4, palm - 2, left + 8, palm)
    path.lineTo(left + 0.66 * width, palm)
    path.lineTo(left + width, palm - 6)
    path.closeSubpath()
    return path
