"""The wheel of the mouse over controls: it scrolls what they are in, and changes only the one that has the focus."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSlider, QWidget


def takes_wheel(control: QWidget, event: QWheelEvent) -> bool:
    """Whether a control has the focus, so that the wheel changes it; otherwise the event is left to what scrolls."""
    if not control.hasFocus():
        event.ignore()
    return control.hasFocus()


class ComboBox(QComboBox):
    """A combo box that the wheel changes only while it has the focus, which a click or Tab gives."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step through the choices, or leave the event to what scrolls."""
        if takes_wheel(self, event):
            super().wheelEvent(event)


class Slider(QSlider):
    """A horizontal slider from 0 to `maximum` that the wheel moves only while it has the focus."""

    def __init__(self, maximum: int = 99) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setMaximum(maximum)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move the slider, or leave the event to what scrolls."""
        if takes_wheel(self, event):
            super().wheelEvent(event)
