"""Labels and tool tips for texts that users have written, which must not be interpreted as HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


class PlainLabel(QLabel):
    """A label that shows plain text, also if it looks like HTML."""

    def __init__(self, text: str = ""):
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)


def wrapped(text: str) -> str:
    """A plain text as a tool tip with line wrapping, which Qt does only for HTML; "" for an empty text."""
    return f"<p>{escape(text)}</p>".replace("\n", "<br>") if text else ""
