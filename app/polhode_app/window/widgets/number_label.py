"""A label of fixed size for a value that changes often."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from polhode_app.window.widgets.plain_label import wrapped

MARGIN = 6  # [pixel] added to the width of the text


class NumberLabel(QLabel):
    """A label as wide as the widest expected text, so that the layout does not change with the value."""

    def describe(self, tip: str, *widest: str) -> None:
        """Set the tool tip, and the size for the widest expected texts."""
        self.setToolTip(wrapped(tip))
        metrics = self.fontMetrics()
        # Letters that the font lacks, such as Japanese ones, come from another font, which may be higher.
        height = max(metrics.height(), *(metrics.size(0, text).height() for text in widest))
        self.setFixedSize(max(map(metrics.horizontalAdvance, widest)) + MARGIN, height + 4)

    def setText(self, text: str) -> None:
        """Set the text; the label grows for a text wider than expected."""
        needed = self.fontMetrics().horizontalAdvance(text) + MARGIN
        if needed > self.width():
            self.setFixedWidth(needed)
        super().setText(text)
