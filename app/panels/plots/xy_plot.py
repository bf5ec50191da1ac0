"""One picture of pairs of numbers: a phase plane, a section through it, or a spectrum."""

from __future__ import annotations

from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from app.panels.plots.time_plot import AXIS, LEGEND, PREFIXED, WIDTH
from app.panels.widgets.canvas import Canvas, ShortNumberAxis, style_axes

MARK = 9  # [pixel] of what stands for now
DOT = 4  # [pixel] of a point
ALWAYS, NEVER = ((0.0, np.inf),), ((0.0, 0.0),)  # numbers that have a milli or a kilo before their unit


class XYPlot(Canvas):
    """`asked` is for the menu, at a place on the screen."""

    asked = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setMinimumHeight(120)
        self.ci.layout.setContentsMargins(2, 4, 10, 2)
        self.plot = self.addPlot(
            enableMenu=False, axisItems={side: ShortNumberAxis(side) for side in ("left", "bottom")}
        )
        style_axes(self.plot)
        self.plot.getAxis("left").setWidth(AXIS)
        self._line = self.plot.plot(connect="finite")
        self._points = self.plot.plot(pen=None, symbol="o", symbolSize=DOT, symbolPen=None)
        self._mark = self.plot.plot(pen=None, symbol="o", symbolSize=MARK)
        self._zoomed = False  # by a hand
        box = self.plot.getViewBox()
        box.setMouseMode(pg.ViewBox.RectMode)
        box.sigRangeChangedManually.connect(self._zoom)
        self.scene().sigMouseClicked.connect(self._clicked)

    def label(self, x: tuple[str, str], y: tuple[str, str], color: str) -> None:
        """Names and units of the axes, and the colour of what is drawn. All that there is is seen again."""
        # The height's name stands above: beside a low plot there is no room for it.
        self.plot.setTitle(LEGEND.format(color=color, name=escape(y[0])), size="9pt", justify="left")
        for side, name, unit in (("bottom", *x), ("left", "", y[1])):
            axis = self.plot.getAxis(side)
            axis.setLabel(escape(name), units=unit, siPrefixEnableRanges=ALWAYS if unit in PREFIXED else NEVER)
        self._line.setPen(pg.mkPen(color, width=WIDTH))
        self._points.setSymbolBrush(color)
        self._mark.setSymbolBrush(color)
        self.fit()

    def fit(self) -> None:
        """See all that there is."""
        self._zoomed = False
        self.plot.enableAutoRange()

    def look_at(self, begin: float, end: float) -> None:
        """See this part of the horizontal axis, unless a hand has chosen another."""
        if not self._zoomed and end > begin:
            self.plot.setXRange(begin, end, padding=0.02)

    def draw(self, xs: np.ndarray, ys: np.ndarray, points: bool, now: tuple[float, float] | None = None) -> None:
        """Draw pairs (n,) as a line or as `points`, and the current one."""
        shown, hidden = (self._points, self._line) if points else (self._line, self._points)
        shown.setData(xs, ys)
        hidden.setData([], [])
        self._mark.setData(*([[value] for value in now] if now is not None else ([], [])))

    def drawn(self) -> tuple[np.ndarray, np.ndarray]:
        """What is on the screen now."""
        pairs = self._line if self._points.xData is None or len(self._points.xData) == 0 else self._points
        return (np.empty(0), np.empty(0)) if pairs.xData is None else (pairs.xData, pairs.yData)

    def logarithmic(self, on: bool) -> None:
        """Whether heights are drawn by their logarithms."""
        self.plot.setLogMode(x=False, y=on)

    def set_theme(self, palette: QPalette) -> None:
        """Take the colours of the window."""
        text = palette.color(QPalette.ColorRole.WindowText)
        self.setBackground(palette.color(QPalette.ColorRole.Base))
        for side in ("left", "bottom"):
            self.plot.getAxis(side).setPen(text)
            self.plot.getAxis(side).setTextPen(text)
        self._mark.setSymbolPen(pg.mkPen(text, width=1.5))

    def _zoom(self, _axes: object) -> None:
        self._zoomed = True

    def _clicked(self, event: object) -> None:
        if event.button() == Qt.MouseButton.RightButton:  # type: ignore[attr-defined]
            self.asked.emit(event.screenPos().toPoint())  # type: ignore[attr-defined]
        elif event.double():  # type: ignore[attr-defined]
            self.fit()
