"""A label whose number changes all the time."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

MARGIN = 6  # [pixel] beside the text


class NumberLabel(QLabel):
    """It is as large as the widest of some texts, and says so: one that may grow has the whole window laid out anew
    and painted with every number."""

    def __init__(self, tip: str, *widest: str):
        super().__init__()
        self.setToolTip(tip)
        metrics = self.fontMetrics()
        self.setFixedSize(max(map(metrics.horizontalAdvance, widest)) + MARGIN, metrics.height() + 4)

    def setText(self, text: str) -> None:
        needed = self.fontMetrics().horizontalAdvance(text) + MARGIN
        if needed > self.width():  # rare: a number beyond all that was thought of
            self.setFixedWidth(needed)
        super().setText(text)
