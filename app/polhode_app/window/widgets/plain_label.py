"""Labels and tool tips for texts that users have written, which must not be interpreted as HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel


class PlainLabel(QLabel):
    """A label that shows plain text, also if it looks like HTML."""

    def __init__(self, text: str = ""):
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)


class NoteLabel(PlainLabel):
    """A text of any length that can be copied. The label is hidden while it has none."""

    def __init__(self, is_error: bool = False):
        super().__init__()
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if is_error:
            self.setForegroundRole(QPalette.ColorRole.BrightText)
        self.hide()

    def show_text(self, text: str) -> None:
        """Show a text; "" hides the label."""
        if text != self.text():
            self.setText(text)
        self.setVisible(bool(text))


def wrapped(text: str) -> str:
    """A plain text as a tool tip with line wrapping, which Qt does only for HTML; "" for an empty text."""
    return f"<p>{escape(text)}</p>".replace("\n", "<br>") if text else ""
