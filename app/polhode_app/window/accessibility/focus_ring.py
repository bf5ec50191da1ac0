"""Ring around the control that has the keyboard focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QWidget

WIDTH = 2.0  # [pixel] of the line
RADIUS = 4.0  # [pixel] of the corners


class FocusRing(QWidget):
    """A line along the inner edge of a widget, in the accent colour of the theme; the mouse does not notice it."""

    def __init__(self, widget: QWidget, parent: QWidget):
        """Show the ring around `widget`; `parent` is that widget, or its parent if nothing can be painted over it."""
        super().__init__(parent)
        self._widget = widget
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        widget.installEventFilter(self)
        self._place()
        self.show()

    def _place(self) -> None:
        """Cover the widget."""
        beside = self.parentWidget() is not self._widget
        self.setGeometry(self._widget.geometry() if beside else self._widget.rect())
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the widget."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QApplication.palette().highlight().color(), WIDTH))
        half = WIDTH / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), RADIUS, RADIUS)
        painter.end()
