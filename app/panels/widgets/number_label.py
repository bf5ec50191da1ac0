"""A label of fixed size for a value that changes often."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

MARGIN = 6  # [pixel] beside the text


class NumberLabel(QLabel):
    """As large as the widest of some texts: a label that grew with its value would lay out the whole window again."""

    def describe(self, tip: str, *widest: str) -> None:
        """Set the tool tip, and the size by the widest texts that are expected."""
        self.setToolTip(tip)
        metrics = self.fontMetrics()
        self.setFixedSize(max(map(metrics.horizontalAdvance, widest)) + MARGIN, metrics.height() + 4)

    def setText(self, text: str) -> None:
        needed = self.fontMetrics().horizontalAdvance(text) + MARGIN
        if needed > self.width():  # rare: wider than expected
            self.setFixedWidth(needed)
        super().setText(text)
