"""Timeline: position of the run in its rewind buffer, or of a replay in its recording."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip

TICKS = 1000  # positions in a second
MOST = 2**31 - 1  # last position
HEIGHT = 16  # [pixel]
GROOVE = 4.0  # [pixel] thickness of the line
HANDLE = 6.0  # [pixel] radius of the handle


class Timeline(QAbstractSlider):
    """A slider over simulated time. A click or drag emits the time under the pointer, a key that of the next position.

    Its positions are milliseconds, which screen readers say.
    """

    seek_requested = Signal(float)
    """Simulated time [s] to show."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last, self.current = 0.0, 0.0, 0.0  # [s] ends of the range, and shown time
        self._dragged_time: float | None = None  # [s] time of the handle while it is dragged
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.actionTriggered.connect(lambda _action: self.seek_requested.emit(self.sliderPosition() / TICKS))
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Preferred size; the width is elastic."""
        return QSize(200, HEIGHT)

    def show_times(self, first: float, last: float, now: float) -> None:
        """Set the range of available times, and the time that the view shows [s]."""
        if (first, last, now) != (self.first, self.last, self.current):
            self.first, self.last, self.current = first, max(last, now), now
            low, high = (min(round(TICKS * end), MOST) for end in (self.first, self.last))
            self.setRange(low, high)
            self.setSingleStep(max((high - low) // 100, 1))
            self.setPageStep(max((high - low) // 10, 1))
            self.setValue(min(round(TICKS * now), MOST))
            self.update()

    def time_at(self, x: float) -> float:
        """Time [s] at the abscissa `x` [pixel], limited to the range."""
        share = (x - HANDLE) / max(self.width() - 2 * HANDLE, 1)
        return self.first + min(max(share, 0.0), 1.0) * (self.last - self.first)

    def x_of(self, time: float) -> float:
        """Abscissa [pixel] of a time [s], limited to the widget."""
        span = self.last - self.first
        share = (time - self.first) / span if span > 0 else 1.0
        return HANDLE + min(max(share, 0.0), 1.0) * (self.width() - 2 * HANDLE)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint groove, elapsed part and handle."""
        painter, colors = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        middle, end = self.height() / 2, self.width() - HANDLE
        here = self.x_of(self.current if self._dragged_time is None else self._dragged_time)
        for begin, stop, role in (
            (HANDLE, end, QPalette.ColorRole.Mid),
            (HANDLE, here, QPalette.ColorRole.Highlight),
        ):
            painter.setBrush(colors.color(role))
            painter.drawRoundedRect(QRectF(begin, middle - GROOVE / 2, stop - begin, GROOVE), GROOVE / 2, GROOVE / 2)
        painter.setBrush(colors.color(QPalette.ColorRole.Highlight))
        painter.drawEllipse(QPointF(here, middle), HANDLE, HANDLE)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to others."""
        event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Seek the time under the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._seek(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Seek while dragging; otherwise show the time under the pointer as a tool tip."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._seek(event)
        elif self.last > self.first:
            text = self.tr("{time} s").format(time=f"{self.time_at(event.position().x()):.3f}")
            QToolTip.showText(event.globalPosition().toPoint(), text, self)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """End dragging."""
        self._dragged_time = None
        self.update()

    def _seek(self, event: QMouseEvent) -> None:
        """Move the handle to the pointer, and emit its time."""
        if self.last > self.first:
            self._dragged_time = self.time_at(event.position().x())
            self.seek_requested.emit(self._dragged_time)
            self.update()
