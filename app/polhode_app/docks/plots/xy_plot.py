"""Plot of pairs of numbers: a phase plane, a Poincaré section or a spectrum."""

from __future__ import annotations

from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from polhode_app.docks.plots.legend import ENTRY
from polhode_app.docks.plots.time_plot import AXIS_WIDTH, LINE_WIDTH, PREFIXED
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.canvas import Canvas, ShortNumberAxis, style_axes

MARKER_SIZE = 9  # [pixel] diameter
POINT_SIZE = 4  # [pixel] diameter
LONELY_SIZE = 2.5  # [pixel] diameter of points of a curve
NEAR = 30.0  # [pixel] distance of the pointer from a pair that is named
NONE = np.empty((0, 2))
ALWAYS_PREFIXED, NEVER_PREFIXED = ((0.0, np.inf),), ((0.0, 0.0),)  # ranges of values with an SI prefix


class XYPlot(Canvas):
    """One plot with a line, points and a marker of the current pair.

    `context_menu_requested` carries a position of the screen. A double click fits the plot.
    """

    context_menu_requested = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setMinimumHeight(120)
        self.ci.layout.setContentsMargins(2, 4, 10, 2)
        self.plot = self.addPlot(
            enableMenu=False, axisItems={side: ShortNumberAxis(side) for side in ("left", "bottom")}
        )
        style_axes(self.plot)
        self.plot.getAxis("left").setWidth(AXIS_WIDTH)
        self._line = self.plot.plot(connect="finite")
        self._points = self.plot.plot(pen=None, symbol="o", symbolSize=POINT_SIZE, symbolPen=None)
        self._lonely = self.plot.plot(pen=None, symbol="o", symbolSize=LONELY_SIZE, symbolPen=None)
        self._marker = self.plot.plot(pen=None, symbol="o", symbolSize=MARKER_SIZE)
        self._zoomed = False  # by the user
        self._names = ("", ""), ("", "")  # of both axes, with their units
        self._legend, self._text = "", self.palette().color(QPalette.ColorRole.WindowText)  # rich text, its colour
        box = self.plot.getViewBox()
        box.setMouseMode(pg.ViewBox.RectMode)
        box.sigRangeChangedManually.connect(self._on_range_changed)
        self.scene().sigMouseClicked.connect(self._on_mouse_clicked)

    def set_labels(self, x: tuple[str, str], y: tuple[str, str], color: str) -> None:
        """Set names and units of the axes and the colour of the data, and fit the plot."""
        # The name of the vertical axis is in the title: it does not fit beside a low plot.
        self._names = x, y
        self._legend = ENTRY.format(color=color, name=escape(y[0]))
        self._write_legend()
        for side, name, unit in (("bottom", *x), ("left", "", y[1])):
            axis = self.plot.getAxis(side)
            axis.setLabel(
                escape(name), units=unit, siPrefixEnableRanges=ALWAYS_PREFIXED if unit in PREFIXED else NEVER_PREFIXED
            )
        self._line.setPen(pg.mkPen(color, width=LINE_WIDTH * self.devicePixelRatioF()))
        self._points.setSymbolBrush(color)
        self._lonely.setSymbolBrush(color)
        self._marker.setSymbolBrush(color)
        self.fit()

    def _write_legend(self) -> None:
        """Write the legend in the colour of texts, which pyqtgraph reads when a title is set."""
        self.plot.setTitle(self._legend, size=f"{scaled(9)}pt", justify="left", color=self._text)

    def fit(self) -> None:
        """Show all data; the axes follow new data."""
        self._zoomed = False
        self.plot.enableAutoRange()

    def show_up_to(self, end: float) -> None:
        """Show the horizontal axis from 0 to `end`, unless the user has zoomed."""
        if not self._zoomed and end > 0.0:
            self.plot.setXRange(0.0, end, padding=0.02)

    def set_equal_scales(self, on: bool) -> None:
        """Draw equal differences of both quantities at equal lengths."""
        box = self.plot.getViewBox()
        if on != bool(box.state["aspectLocked"]):
            box.setAspectLocked(on)
            if not self._zoomed:
                self.fit()

    def draw(
        self,
        xs: np.ndarray,
        ys: np.ndarray,
        points: bool,
        now: tuple[float, float] | None = None,
        lonely: np.ndarray = NONE,
    ) -> None:
        """Draw pairs (n,) as a line or as `points`, mark the pair `now`, and draw points (k, 2) that no line joins."""
        shown, hidden = (self._points, self._line) if points else (self._line, self._points)
        shown.setData(xs, ys)
        hidden.setData([], [])
        self._lonely.setData(lonely[:, 0], lonely[:, 1])
        self._marker.setData(*([[value] for value in now] if now is not None else ([], [])))

    def drawn(self) -> tuple[np.ndarray, np.ndarray]:
        """Horizontal and vertical values (n,) as drawn."""
        pairs = self._line if self._points.xData is None or len(self._points.xData) == 0 else self._points
        return (np.empty(0), np.empty(0)) if pairs.xData is None else (pairs.xData, pairs.yData)

    def values_at(self, plot: pg.PlotItem, x: float, y: float) -> str:
        """The pair that is drawn nearest to the pointer, if one is near."""
        xs, ys = self.drawn()
        heights = np.log10(np.where(ys > 0.0, ys, np.nan)) if plot.getAxis("left").logMode else ys
        width, height = plot.getViewBox().viewPixelSize()
        away = np.hypot((xs - x) / width, (heights - y) / height)
        if not len(xs) or not np.nanmin(away, initial=np.inf) <= NEAR:
            return ""
        nearest = int(np.nanargmin(away))
        pairs = zip(self._names, (xs[nearest], ys[nearest]), strict=True)
        return "\n".join(f"{name}: {value:.5g} {unit}".rstrip() for (name, unit), value in pairs)

    def set_log_y(self, on: bool) -> None:
        """Use a logarithmic or a linear vertical axis."""
        self.plot.setLogMode(x=False, y=on)

    def set_theme(self, palette: QPalette) -> None:
        """Apply a palette."""
        text = palette.color(QPalette.ColorRole.WindowText)
        self.setBackground(palette.color(QPalette.ColorRole.Base))
        for side in ("left", "bottom"):
            self.plot.getAxis(side).setPen(text)
            self.plot.getAxis(side).setTextPen(text)
        self._marker.setSymbolPen(pg.mkPen(text, width=1.5))
        self._text = text
        if self._legend:
            self._write_legend()

    def _on_range_changed(self, _axes: object) -> None:
        """Remember that the user has zoomed."""
        self._zoomed = True

    def _on_mouse_clicked(self, event: object) -> None:
        """Request the context menu, or fit the plot after a double click."""
        if event.button() == Qt.MouseButton.RightButton:  # type: ignore[attr-defined]
            self.context_menu_requested.emit(event.screenPos().toPoint())  # type: ignore[attr-defined]
        elif event.double():  # type: ignore[attr-defined]
            self.fit()
