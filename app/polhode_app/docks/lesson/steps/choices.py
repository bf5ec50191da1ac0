"""Choices one below another, whose texts may have several lines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from polhode_app.docks.maps.key_button import ARROWS, KEYS, claimed, pressed
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import PlainLabel


class ChoiceButton(QRadioButton):
    """A radio button without a text of its own, between which arrow keys move."""

    claimed_keys = frozenset({*ARROWS, *KEYS})
    finished = Signal()
    """Return was pressed on the chosen one."""

    def __init__(self, name: str):
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def event(self, event: QEvent) -> bool:
        """Claim its keys before shortcuts do."""
        return claimed(event, self.claimed_keys) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose, or confirm by Return."""
        if self.isChecked() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finished.emit()
        elif not pressed(self, event):
            super().keyPressEvent(event)


class _ChoiceLabel(PlainLabel):
    """The text of a choice; a click chooses it."""

    def __init__(self, text: str, button: ChoiceButton):
        super().__init__(text)
        self._button = button
        self.setWordWrap(True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._button.click()


class Choices(QWidget):
    """Radio buttons; `chosen` carries the number of one that the user has chosen."""

    chosen = Signal(int)
    finished = Signal()

    def __init__(self, texts: Sequence[str]):
        super().__init__()
        self.buttons = [ChoiceButton(text) for text in texts]
        self._group = QButtonGroup(self)
        rows = []
        for number, (button, text) in enumerate(zip(self.buttons, texts, strict=True)):
            self._group.addButton(button, number)
            button.finished.connect(self.finished)
            rows.append(row_of((button, 0, Qt.AlignmentFlag.AlignTop), (_ChoiceLabel(text, button), 1), margins=0))
        column_of(*rows, on=self, margins=0, spacing=6)
        self._group.idToggled.connect(lambda number, on: self.chosen.emit(number) if on else None)

    @property
    def number(self) -> int | None:
        """The chosen one; None without."""
        return found if (found := self._group.checkedId()) >= 0 else None

    def show_number(self, number: int) -> None:
        """Choose one without a signal."""
        before = self._group.blockSignals(True)
        self.buttons[number].setChecked(True)
        self._group.blockSignals(before)

    def first_control(self) -> QWidget:
        """The chosen button, or the first one."""
        return self.buttons[self.number or 0]
