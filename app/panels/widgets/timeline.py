"""The time line: where a run or a recording stands in what can be gone back to; drag it, or click."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

HEIGHT = 16  # [pixel]
GROOVE = 4.0  # [pixel] thickness of the line
HANDLE = 6.0  # [pixel] radius of what is dragged


class Timeline(QWidget):
    """A line from the first to the last time. `seek_requested` says which time [s] a person wants to see."""

    seek_requested = Signal(float)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.first, self.last, self.current = 0.0, 0.0, 0.0
        self._dragged_time: float | None = None  # [s] where the handle is being dragged
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def show_times(self, first: float, last: float, now: float) -> None:
        """From where to where one can go, and where the view is [s]."""
        if (first, last, now) != (self.first, self.last, self.current):
            self.first, self.last, self.current = first, max(last, now), now
            self.update()

    def time_at(self, x: float) -> float:
        """[s] at a place [pixel] of the widget."""
        share = (x - HANDLE) / max(self.width() - 2 * HANDLE, 1)
        return self.first + min(max(share, 0.0), 1.0) * (self.last - self.first)

    def x_of(self, time: float) -> float:
        """[pixel] of a time [s]."""
        span = self.last - self.first
        share = (time - self.first) / span if span > 0 else 1.0
        return HANDLE + min(max(share, 0.0), 1.0) * (self.width() - 2 * HANDLE)

    def paintEvent(self, _event: QPaintEvent) -> None:
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

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._seek(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._seek(event)
        elif self.last > self.first:
            text = self.tr("{time} s").format(time=f"{self.time_at(event.position().x()):.3f}")
            QToolTip.showText(event.globalPosition().toPoint(), text, self)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._dragged_time = None
        self.update()

    def _seek(self, event: QMouseEvent) -> None:
        if self.last > self.first:
            self._dragged_time = self.time_at(event.position().x())
            self.seek_requested.emit(self._dragged_time)
            self.update()
