"""Slider of a number: its filled part begins at zero, or at the lower limit of the number."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider

GROOVE = 4.0  # [pixel] height of the groove
HANDLE = 6.0  # [pixel] radius of the handle


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
