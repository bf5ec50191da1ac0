"""Line edit for forms: Return commits the text, Escape reverts it, arrow keys and wheel change its number."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QPalette, QResizeEvent, QTextCharFormat, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QSizePolicy

UNIT_GAP = 5  # [pixel] between the unit and the edge
NARROW = 36  # [pixel] least width, for several fields in a row
STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}


class CommitLineEdit(QLineEdit):
    """A line edit with a committed text.

    The owner sets the committed text, and reads the entered one on `editingFinished`. While it has the focus, it
    receives all keys except function keys and unknown ones with Ctrl, so that shortcuts do not interfere.
    """

    stepped = Signal(float)
    """Number of steps by keys or wheel; with Shift they are tenths."""

    def __init__(self, text: str = ""):
        """Create a field with a committed text."""
        super().__init__(text)
        self._committed = text
        self._unit = QLabel(self)
        self._unit.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setMinimumWidth(NARROW)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_unit(self, unit: str) -> None:
        """Show a unit inside the field, at its end; a screen reader says it, too."""
        self.setAccessibleDescription(unit)
        self._unit.setText(unit)
        self._unit.adjustSize()
        self.setTextMargins(0, 0, self._unit.width() + UNIT_GAP if unit else 0, 0)
        self._place_unit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the unit at the end."""
        super().resizeEvent(event)
        self._place_unit()

    def _place_unit(self) -> None:
        """Move the unit to the end."""
        self._unit.move(self.width() - self._unit.width() - UNIT_GAP, (self.height() - self._unit.height()) // 2)

    def update_text(self, text: str) -> None:
        """Set the committed text, unless the user is editing the field."""
        is_editing = self.hasFocus() and self.has_uncommitted_text and self.text() != text
        if not is_editing:
            self.set_committed_text(text)

    def set_committed_text(self, text: str) -> None:
        """Set the committed text, and discard typed text."""
        self._committed = text
        if self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)

    @property
    def has_uncommitted_text(self) -> bool:
        """Whether the text differs from the committed one."""
        return self.text() != self._committed

    def underline(self, column: int | None) -> None:
        """Mark the text from a column on, counted from 1, as invalid; None removes the mark."""
        marks = []
        if column is not None:
            text_format = QTextCharFormat()
            text_format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            text_format.setUnderlineColor(self.palette().brightText().color())
            text_format.setForeground(self.palette().brightText())
            start = min(column - 1, max(len(self.text()) - 1, 0))
            kind = QInputMethodEvent.AttributeType.TextFormat
            marks = [
                QInputMethodEvent.Attribute(kind, start - self.cursorPosition(), len(self.text()) - start, text_format)
            ]
        QApplication.sendEvent(self, QInputMethodEvent("", marks))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Revert on Escape, step on arrow and page keys, and leave the field on Return if its text was accepted.

        Letters that follow are keys of the window again.
        """
        if event.key() == Qt.Key.Key_Escape:
            self.setText(self._committed)
            self.textEdited.emit(self._committed)
            self.clearFocus()
        elif event.key() in STEPS:
            fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.stepped.emit(STEPS[Qt.Key(event.key())] * (0.1 if fine else 1.0))
        else:
            super().keyPressEvent(event)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.has_uncommitted_text:
                self.clearFocus()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step if the field has the focus; otherwise the event scrolls the form."""
        if not self.hasFocus():
            event.ignore()
            return
        fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        turned = event.angleDelta().y() or event.angleDelta().x()
        self.stepped.emit(turned / 120 * (0.1 if fine else 1.0))
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Claim shortcuts while the field has the focus."""
        if claims_shortcut(event):
            event.accept()
            return True
        return super().event(event)


def claims_shortcut(event: QEvent) -> bool:
    """Whether a field takes a key from the shortcuts of the window: it does not need function keys and Ctrl."""
    if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
        return False
    function_key = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
    return not function_key and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
