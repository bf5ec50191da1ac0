"""Buttons, check boxes, sliders and lists of choices that take the keys of the window while they have the focus."""

from __future__ import annotations

from collections.abc import Container, Iterable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QPushButton, QSlider

from polhode_app.window.widgets.wheel import takes_wheel

KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
SLIDER_KEYS = (*ARROWS, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


def claimed(event: QEvent, keys: Container[int]) -> bool:
    """Accept an event that offers one of these keys before shortcuts get it; whether it was one."""
    is_offer = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
    if is_offer and event.key() in keys:
        event.accept()
        return True
    return False


def pressed(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Click a button whose keys are KEYS; whether the event is one of them."""
    if event.key() in KEYS:
        button.click()
        return True
    return False


class KeyButton(QPushButton):
    """A button that Space and Return press while it has the focus; elsewhere Space starts and pauses the run."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def event(self, event: QEvent) -> bool:
        """Claim its keys before shortcuts do."""
        return claimed(event, KEYS) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button."""
        if not pressed(self, event):
            super().keyPressEvent(event)


class KeyCheckBox(QCheckBox):
    """A check box that Space and Return toggle while it has the focus."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def event(self, event: QEvent) -> bool:
        """Claim its keys before shortcuts do."""
        return claimed(event, KEYS) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Toggle the box."""
        if not pressed(self, event):
            super().keyPressEvent(event)


class KeySlider(QSlider):
    """A horizontal slider that arrow keys move while it has the focus; elsewhere they step the run."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)

    def event(self, event: QEvent) -> bool:
        """Claim its keys before shortcuts do."""
        return claimed(event, SLIDER_KEYS) or super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move the slider if it has the focus; otherwise leave the event to what scrolls."""
        if takes_wheel(self, event):
            super().wheelEvent(event)


class ChoiceBox(QComboBox):
    """A list of choices, by data with texts; a value that is not among them is added."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step through the choices if the box has the focus; otherwise leave the event to what scrolls."""
        if takes_wheel(self, event):
            super().wheelEvent(event)

    def offer(self, choices: Iterable[tuple[str, object]]) -> None:
        """Set the choices, (text, data) of each; the present one stays chosen."""
        listed, now = list(choices), self.currentData()
        if listed != [(self.itemText(row), self.itemData(row)) for row in range(self.count())]:
            self.clear()
            for text, data in listed:
                self.addItem(text, data)
            self.setCurrentIndex(self.findData(now))

    def show_choice(self, data: object) -> None:
        """Choose the entry with some data."""
        if self.findData(data) < 0:
            self.addItem(str(data), data)
        self.setCurrentIndex(self.findData(data))
