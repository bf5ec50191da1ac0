"""Texts with names in them that people have given: Qt takes what looks like HTML for it."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


class PlainLabel(QLabel):
    """A label that shows a text as it is written."""

    def __init__(self, text: str = ""):
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)


def wrapped(text: str) -> str:
    """A text as a tip that breaks its lines, which plain ones do not."""
    return f"<p>{escape(text)}</p>".replace("\n", "<br>") if text else ""
