"""A line of text in a form: typed and entered, stepped by the arrows, taken back by Escape."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QFontDatabase, QInputMethodEvent, QKeyEvent, QTextCharFormat, QWheelEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QLineEdit, QSizePolicy, QWidget

WRONG = "#e8590c"
NARROW = 36  # [pixel] one of several numbers in a row
TABS = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}
STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}


class CommitLineEdit(QLineEdit):
    """Return enters the text, Escape brings back what was there."""

    stepped = Signal(float)  # by so many steps, tenths with Shift

    def __init__(self, text: str = "", fixed: bool = True):
        super().__init__(text)
        self._committed = text
        if fixed:
            self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setMinimumWidth(NARROW)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # a window that opens gives it to none of them

    def update_text(self, text: str) -> None:
        """Show what is so now, unless somebody is typing something else."""
        typing = self.hasFocus() and self.has_uncommitted_text and self.text() != text
        if not typing:
            self.set_committed_text(text)

    def set_committed_text(self, text: str) -> None:
        """Show what is so now, whatever is being typed."""
        self._committed = text
        if self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)

    @property
    def has_uncommitted_text(self) -> bool:
        """Something was typed that is not entered."""
        return self.text() != self._committed

    def underline(self, column: int | None) -> None:
        """Mark what begins in a column, counted from 1, and what follows; None marks nothing."""
        marks = []
        if column is not None:
            look = QTextCharFormat()
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            look.setUnderlineColor(QColor(WRONG))
            look.setForeground(QColor(WRONG))
            start = min(column - 1, max(len(self.text()) - 1, 0))
            kind = QInputMethodEvent.AttributeType.TextFormat
            marks = [QInputMethodEvent.Attribute(kind, start - self.cursorPosition(), len(self.text()) - start, look)]
        QApplication.sendEvent(self, QInputMethodEvent("", marks))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setText(self._committed)
            self.textEdited.emit(self._committed)
            self.clearFocus()
        elif event.key() in STEPS:
            fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.stepped.emit(STEPS[Qt.Key(event.key())] * (0.1 if fine else 1.0))
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """It steps where somebody is at work; elsewhere the form scrolls."""
        if not self.hasFocus():
            event.ignore()
            return
        fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        turned = event.angleDelta().y() or event.angleDelta().x()
        self.stepped.emit(turned / 120 * (0.1 if fine else 1.0))
        event.accept()

    def _focus_next(self, way: int) -> None:
        """To the next field of the same form, or the one before."""
        whole: QWidget = self
        while not isinstance(whole, QDockWidget) and (above := whole.parentWidget()) is not None:
            whole = above
        fields = [field for field in whole.findChildren(CommitLineEdit) if field.isVisible() and field.isEnabled()]
        other = fields[(fields.index(self) + way) % len(fields)]
        other.setFocus(Qt.FocusReason.TabFocusReason)
        other.selectAll()

    def event(self, event: QEvent) -> bool:
        """All keys are its own while it has the focus, but those with Ctrl that it does not know."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in TABS:
            self._focus_next(TABS[Qt.Key(event.key())])
            return True
        asked = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if asked and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.accept()
            return True
        return super().event(event)
