"""Curves against time, one plot above the other for each unit, with one time axis."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from app.i18n.field_names import quantity
from app.panels.widgets.canvas import Canvas, ShortNumberAxis, style_axes
from app.plot_data.plot_store import PlotStore

PREFIXED = ("m", "m/s", "J")  # units that are read as well with a milli or a kilo before them
WIDTH = 2.0  # [pixel] of a curve
LEGEND = '<span style="color: {color}">&#9632;</span> {name}'
AXIS = 72  # [pixel] so that the plots stand in line


class TimePlot(Canvas):
    """Draws quantities over time. `zoomed` says that a hand has changed what is seen of the time."""

    zoomed = Signal()
    sought = Signal(float)  # the time [s] that a hand wants to see
    asked = Signal(QPoint)  # for the menu, at this place on the screen

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._plots: dict[str, pg.PlotItem] = {}  # by unit
        self._lines: dict[str, tuple[str, pg.PlotDataItem]] = {}  # by column, with its unit
        self._marks: pg.PlotDataItem | None = None
        self._cursors: list[pg.InfiniteLine] = []  # one in each plot, at the moment that is shown
        self.marked = ""  # the column whose maxima are drawn
        self.setMinimumHeight(120)
        self.ci.layout.setContentsMargins(2, 0, 10, 2)
        self.ci.layout.setVerticalSpacing(0)
        self.scene().sigMouseClicked.connect(self._clicked)

    def show_columns(self, units: Mapping[str, str], colors: Mapping[str, str]) -> None:
        """Make a plot for each unit and a line for each column, in these colours."""
        seen = self.span
        self.clear()
        self._plots, self._lines, self._marks, self._cursors = {}, {}, None, []
        for unit in dict.fromkeys(units.values()):
            self._plots[unit] = self._plot(unit)
            legend = (
                LEGEND.format(color=colors[name], name=escape(quantity(name))) for name in units if units[name] == unit
            )
            self._plots[unit].setTitle("&nbsp; &nbsp;".join(legend), size="9pt", justify="left")
        for name, unit in units.items():
            pen = pg.mkPen(colors[name], width=WIDTH)
            self._lines[name] = unit, self._plots[unit].plot(name=name, pen=pen, connect="finite")
        for plot in [*self._plots.values()][:-1]:
            plot.getAxis("bottom").setStyle(showValues=False)
        if self._plots:
            last = [*self._plots.values()][-1]
            last.setLabel("bottom", self.tr("time"), units="s", siPrefixEnableRanges=((0.0, 0.1),))
        if seen is not None and self._plots:
            self.look_at(*seen)
        if self.marked not in units:
            self.marked = ""

    def _plot(self, unit: str) -> pg.PlotItem:
        plot = self.addPlot(row=len(self._plots), col=0, enableMenu=False, axisItems={"left": ShortNumberAxis("left")})
        style_axes(plot)
        axis = plot.getAxis("left")
        axis.setWidth(AXIS)
        axis.enableAutoSIPrefix(unit in PREFIXED)
        axis.setLabel(units=unit)  # with its prefix; what it is stands above
        box = plot.getViewBox()
        box.setMouseMode(box.RectMode)
        box.setAutoVisible(y=True)
        box.enableAutoRange(axis=box.YAxis)
        box.disableAutoRange(axis=box.XAxis)
        box.sigRangeChangedManually.connect(lambda mask: self.zoomed.emit() if mask[0] else None)
        self._cursors.append(self._cursor(plot))
        if self._plots:
            plot.setXLink(next(iter(self._plots.values())))
        return plot

    def _cursor(self, plot: pg.PlotItem) -> pg.InfiniteLine:
        colors = self.palette()
        pen = pg.mkPen(colors.color(QPalette.ColorRole.WindowText), width=1.0)
        hover = pg.mkPen(colors.color(QPalette.ColorRole.Highlight), width=3.0)
        line = pg.InfiniteLine(angle=90, movable=True, pen=pen, hoverPen=hover)
        line.setVisible(False)
        line.setCursor(Qt.CursorShape.SizeHorCursor)
        line.sigDragged.connect(lambda: self.sought.emit(float(line.value())))
        plot.addItem(line, ignoreBounds=True)
        return line

    def point_at(self, time: float | None) -> None:
        """Draw a line at the moment that is shown [s], or none."""
        for line in self._cursors:
            if time is not None and line.value() != time and not line.moving:
                line.setValue(time)
            if line.isVisible() != (time is not None):
                line.setVisible(time is not None)

    @property
    def span(self) -> tuple[float, float] | None:
        """First and last time [s] that is seen."""
        for plot in self._plots.values():
            begin, end = plot.viewRange()[0]
            return begin, end
        return None

    def look_at(self, begin: float, end: float) -> None:
        """See these times [s]."""
        next(iter(self._plots.values())).setXRange(begin, end, padding=0)

    def fit_heights(self) -> None:
        """See the whole height of what there is."""
        for plot in self._plots.values():
            plot.enableAutoRange(axis="y")

    def draw(self, plotted: PlotStore) -> None:
        """Draw what is seen of all these quantities."""
        if self.span is None:
            return
        for history in (plotted.steps, plotted.moments):
            begin, end = np.searchsorted(history.times, self.span)
            seen = slice(max(0, begin - 1), end + 1)
            for name in history.columns:
                times, values = history.series(name, seen)
                self._lines[name][1].setData(*thinned(times, values, 2 * self.width()))
        self._draw_maxima(plotted)

    def _draw_maxima(self, plotted: PlotStore) -> None:
        if self._marks is not None and not self.marked:
            self._marks.setData([], [])
        if not self.marked or self.span is None:
            return
        unit, line = self._lines[self.marked]
        if self._marks is None or self._marks.getViewBox() is not self._plots[unit].getViewBox():
            if self._marks is not None:
                self._marks.setData([], [])
            self._marks = pg.PlotDataItem(pen=None, symbol="t", symbolSize=11)
            self._plots[unit].addItem(self._marks)
        tops = plotted.maxima(self.marked, *self.span)
        self._marks.setSymbolBrush(line.opts["pen"].color())
        self._marks.setSymbolPen(pg.mkPen(self.palette().color(QPalette.ColorRole.Text)))
        self._marks.setData(tops[:, 0], tops[:, 1])

    def period(self, plotted: PlotStore) -> str:
        """Mean distance of the maxima that are seen and marked, its standard deviation and how many there are."""
        if not self.marked or self.span is None:
            return ""
        distances = np.diff(plotted.maxima(self.marked, *self.span)[:, 0])
        if len(distances) == 0:
            return self.tr("T: needs two maxima")
        spread = f" ± {distances.std(ddof=1):.2g} s" if len(distances) > 1 else ""
        text = self.tr("T = {mean} s{spread}, periods: {count}")
        return text.format(mean=f"{distances.mean():.6g}", spread=spread, count=len(distances))

    def drawn(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Times [s] and values that are on the screen now."""
        times, values = self._lines[name][1].getData()
        return (np.empty(0), np.empty(0)) if times is None else (times, values)

    def set_theme(self, palette: QPalette) -> None:
        """The colours of the window; lines keep theirs. To be followed by `show_columns`."""
        pg.setConfigOption("foreground", palette.color(QPalette.ColorRole.WindowText))
        self.setBackground(palette.color(QPalette.ColorRole.Base))

    def _clicked(self, event: object) -> None:
        if event.button() == Qt.MouseButton.RightButton:  # type: ignore[attr-defined]
            self.asked.emit(event.screenPos().toPoint())  # type: ignore[attr-defined]
            return
        for plot in self._plots.values():
            box, place = plot.getViewBox(), event.scenePos()  # type: ignore[attr-defined]
            if box.sceneBoundingRect().contains(place):
                self.sought.emit(float(box.mapSceneToView(place).x()))


def thinned(times: np.ndarray, values: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """At most about so many points (n,) of a curve, two for each pixel: the lowest and the highest of every group."""
    size = 2 * -(-len(times) // most)
    if size <= 2:
        return times, values
    whole = len(times) - len(times) % size
    groups = values[:whole].reshape(-1, size)
    ends = np.sort([groups.argmin(axis=1), groups.argmax(axis=1)], axis=0)
    found = (ends + size * np.arange(len(groups))).T.ravel()
    kept = np.concatenate([found, np.arange(whole, len(times))])
    return times[kept], values[kept]
