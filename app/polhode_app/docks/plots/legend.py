"""The legend above a plot: names of its curves in lines that are as wide as the plot."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import QSizeF, Qt, QTimer

from polhode_app.i18n.field_names import quantity
from polhode_app.window.accessibility.letters import scaled

ENTRY = '<span style="color: {color}">&#9632;</span>&nbsp;{name}'
GAP = "&nbsp; &nbsp;"  # between two entries, with a space at which a line may end
WIDEST = 16777215  # [pixel] as Qt has it for no limit
POINTS = 9  # size of the letters


class Legend(pg.LabelItem):
    """A label for the layout of plots that needs no width of its own: its text is wrapped, and its height follows."""

    def __init__(self, colors: Mapping[str, str]):
        """`colors` are the columns with the colours of their curves."""
        self._height = 0.0  # [pixel] of all lines
        entries = (ENTRY.format(color=color, name=escape(quantity(name))) for name, color in colors.items())
        super().__init__(GAP.join(entries), size=f"{scaled(POINTS)}pt", justify="left")

    def resizeEvent(self, event: object) -> None:
        """Wrap the text at the new width."""
        if self.rect().width() > 0:
            self.item.setTextWidth(self.rect().width())
        super().resizeEvent(event)

    def updateMin(self) -> None:
        """Take the height of all lines, and no width."""
        if self.itemRect().height() != self._height:
            self._height = self.itemRect().height()
            QTimer.singleShot(0, self, self._take_height)  # Qt does not let a layout change while it is applied

    def _take_height(self) -> None:
        """Set the height, and let the layout fill the canvas again, which Qt shrinks to its least size by this."""
        self.setMinimumHeight(self._height)
        self.setMaximumHeight(self._height)
        if (canvas := self.getViewWidget()) is not None:
            canvas.centralWidget.setGeometry(canvas.range)

    def sizeHint(self, hint: object, constraint: object) -> QSizeF:
        """The height of the lines; any width will do."""
        return QSizeF(WIDEST if hint == Qt.SizeHint.MaximumSize else 0, self._height)
