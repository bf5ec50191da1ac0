"""Curves over time: one plot for each unit, and for each item if they are side by side, with a common time axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from polhode_app.data.plots.plot_store import PlotStore
from polhode_app.docks.plots.bands import Band, Bands, uncertainty_bands
from polhode_app.docks.plots.legend import Legend
from polhode_app.docks.plots.panels import Panel, placed
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.uncertain_numbers import rounded
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.canvas import Canvas, ShortNumberAxis, style_axes

if TYPE_CHECKING:
    from polhode.uncertainty.result import Uncertainties

PREFIXED = ("m", "m/s", "J")  # units that are shown with SI prefixes
LINE_WIDTH = 2.0  # [pixel] of a curve; pens of plots count device pixels
POINT_SIZE = 6  # [pixel] of measured values
FINEST = 1e-6  # least uncertainty of a period that is shown, in periods: more digits would be hard to read
AXIS_WIDTH = 72  # [pixel] the same for all plots, so that they are aligned
ROUNDING = 1e-12  # smallest range of components of directions: theirs of 1e-18 are no motion


class TimePlot(Canvas):
    """Draws columns of a PlotStore over time.

    `zoomed` is emitted when the user changes the visible span, `seek_requested` with a time [s] that was clicked or to
    which a cursor was dragged, and `context_menu_requested` with a position of the screen.
    """

    zoomed = Signal()
    seek_requested = Signal(float)  # time [s]
    context_menu_requested = Signal(QPoint)  # position of the screen

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._prepared: list[pg.PlotItem] = []
        self.plots: dict[Panel, pg.PlotItem] = {}
        self.legends: dict[Panel, Legend] = {}
        self.lines: dict[str, tuple[Panel, pg.PlotDataItem]] = {}  # by column
        self._maxima_markers: pg.PlotDataItem | None = None
        self.cursors: list[pg.InfiniteLine] = []  # one in each plot
        self.marked = ""  # the column whose maxima are drawn
        self.measured: Mapping[str, tuple[np.ndarray, np.ndarray]] = {}  # times [s] and values (n,) by column
        self.marks: dict[str, pg.PlotDataItem] = {}  # of measured values, by column
        self._bands, self._predicted = Bands(), Bands()
        self.setMinimumHeight(120)
        self.ci.layout.setContentsMargins(2, 0, 10, 2)
        self.ci.layout.setVerticalSpacing(0)
        self.scene().sigMouseClicked.connect(self._on_mouse_clicked)

    def prepare(self) -> None:
        """Make a plot beforehand, in an event of its own."""
        self._prepared.append(self._new_plot())

    def _new_plot(self) -> pg.PlotItem:
        plot = pg.PlotItem(enableMenu=False, axisItems={"left": ShortNumberAxis("left")})
        style_axes(plot)
        return plot

    def show_columns(
        self, units: Mapping[str, str], colors: Mapping[str, str], items: Mapping[str, str] | None = None
    ) -> None:
        """Create a plot for each unit and a line for each column. The visible span is kept.

        items: name of the item of each column, whose plots are side by side; None has all items in one plot
        """
        visible, owners = self.span, items or {}
        panels = {name: Panel(unit, owners.get(name, "")) for name, unit in units.items()}
        places = placed(panels.values())
        self.clear()
        self.plots, self.legends, self.lines, self._maxima_markers, self.cursors, self.marks = {}, {}, {}, None, [], {}
        for panel in dict.fromkeys(panels.values()):
            row, column = places[panel]
            self.legends[panel] = Legend({name: colors[name] for name in units if panels[name] == panel})
            self.addItem(self.legends[panel], row=2 * row, col=column)
            self.plots[panel] = self._create_plot(panel.unit, 2 * row + 1, column)
        for name, panel in panels.items():
            pen = pg.mkPen(colors[name], width=LINE_WIDTH * self.devicePixelRatioF())
            self.lines[name] = panel, self.plots[panel].plot(name=name, pen=pen, connect="finite")
        for panel, (row, column) in places.items():
            if row < max(other for other, beside in places.values() if beside == column):
                self.plots[panel].getAxis("bottom").setStyle(showValues=False)
            else:
                time = self.tr("time")
                self.plots[panel].setLabel("bottom", time, units="s", siPrefixEnableRanges=((0.0, 0.1),))
        if visible is not None and self.plots:
            self.set_span(*visible)
        if self.marked not in units:
            self.marked = ""
        for bands in (self._bands, self._predicted):
            bands.forget()
            self._draw(bands)

    def show_bands(self, found: Uncertainties | None) -> None:
        """Draw the uncertainties of the columns; None removes them."""
        self._bands.bands = uncertainty_bands(found)
        self._draw(self._bands)

    def show_predictions(self, bands: Mapping[str, Band]) -> None:
        """Draw bands of predicted readings, by column; none removes them."""
        self._predicted.bands = bands
        self._draw(self._predicted)

    def _draw(self, bands: Bands) -> None:
        bands.draw({name: (self.plots[panel], line) for name, (panel, line) in self.lines.items()})

    @property
    def banded(self) -> tuple[str, ...]:
        """Names of the columns with a band."""
        return tuple(self._bands.drawn)

    def _create_plot(self, unit: str, row: int, column: int) -> pg.PlotItem:
        """Add a plot for a unit at a place of the grid and link its time axis to the first."""
        plot = self._prepared.pop() if self._prepared else self._new_plot()
        self.addItem(plot, row=row, col=column)
        axis = plot.getAxis("left")
        axis.setWidth(scaled(AXIS_WIDTH))
        axis.enableAutoSIPrefix(unit in PREFIXED)
        axis.setLabel(units=unit)  # with SI prefix; the quantities stand in the title
        box = plot.getViewBox()
        box.setMouseMode(box.RectMode)
        box.setAutoVisible(y=True)
        box.setLimits(minYRange=None if unit else ROUNDING)
        box.enableAutoRange(axis=box.YAxis)
        box.disableAutoRange(axis=box.XAxis)
        box.sigRangeChangedManually.connect(lambda mask: self.zoomed.emit() if mask[0] else None)
        self.cursors.append(self._create_cursor(plot))
        if self.plots:
            plot.setXLink(next(iter(self.plots.values())))
        return plot

    def _create_cursor(self, plot: pg.PlotItem) -> pg.InfiniteLine:
        """Add a vertical line that marks the displayed time and can be dragged."""
        colors = self.palette()
        pen = pg.mkPen(colors.color(QPalette.ColorRole.WindowText), width=1.0)
        hover = pg.mkPen(colors.color(QPalette.ColorRole.Highlight), width=3.0)
        line = pg.InfiniteLine(angle=90, movable=True, pen=pen, hoverPen=hover)
        line.setVisible(False)
        line.setCursor(Qt.CursorShape.SizeHorCursor)
        line.sigDragged.connect(lambda: self.seek_requested.emit(float(line.value())))
        plot.addItem(line, ignoreBounds=True)
        return line

    def set_cursor_time(self, time: float | None) -> None:
        """Move the cursors to a time [s] and show them; None hides them."""
        for line in self.cursors:
            if time is not None and line.value() != time and not line.moving:
                line.setValue(time)
            if line.isVisible() != (time is not None):
                line.setVisible(time is not None)

    @property
    def span(self) -> tuple[float, float] | None:
        """Visible range of time (begin, end) [s]; None without plots."""
        for plot in self.plots.values():
            begin, end = plot.viewRange()[0]
            return begin, end
        return None

    def set_span(self, begin: float, end: float) -> None:
        """Show the times from `begin` to `end` [s]."""
        next(iter(self.plots.values())).setXRange(begin, end, padding=0)

    def follow(self, length: float, last: float, now: float | None) -> None:
        """Show the `length` [s] before `last` [s]; a displayed time `now` [s] that lies before them is centred."""
        end = max(last, length)
        if now is not None and now < end - length:
            end = now + length / 2
        self.set_span(end - length, end)

    def fit_heights(self) -> None:
        """Fit the value axes to the visible curves."""
        for plot in self.plots.values():
            plot.enableAutoRange(axis="y")

    def draw(self, plotted: PlotStore) -> None:
        """Draw the visible part of all columns, reduced to two points per pixel."""
        if self.span is None:
            return
        for history in (plotted.steps, plotted.frames):
            begin, end = np.searchsorted(history.times, self.span)
            visible = slice(max(0, begin - 1), end + 1)
            for name in history.columns:
                times, values = history.series(name, visible)
                self.lines[name][1].setData(*thinned(times, values, 2 * self.width()))
        self._draw_measured()
        self._draw_maxima(plotted)

    def with_measured(self, begin: float, end: float) -> tuple[float, float]:
        """A span [s] of the run, extended to the measured values of the plotted columns."""
        spans = [times[[0, -1]] for name, (times, _) in self.measured.items() if name in self.lines and len(times)]
        return min([begin, *(float(each[0]) for each in spans)]), max([end, *(float(each[1]) for each in spans)])

    def _draw_measured(self) -> None:
        """Draw the measured values of the plotted columns as points, in their colours."""
        for name in [name for name in self.marks if name not in self.measured]:
            self.marks.pop(name).setData([], [])
        for name in self.measured.keys() & self.lines.keys():
            panel, line = self.lines[name]
            if name not in self.marks:
                self.marks[name] = pg.PlotDataItem(pen=None, symbol="o", symbolSize=POINT_SIZE)
                self.marks[name].setSymbolBrush(None)
                self.marks[name].setSymbolPen(pg.mkPen(line.opts["pen"].color(), width=1.0))
                self.marks[name].setZValue(-1)  # the curve stays visible among them
                self.plots[panel].addItem(self.marks[name])
            times, values = self.measured[name]
            begin, end = np.searchsorted(times, self.span or (0.0, 0.0))
            shown = slice(max(0, begin - 1), end + 1)
            self.marks[name].setData(*thinned(times[shown], values[shown], 2 * self.width()))

    def _draw_maxima(self, plotted: PlotStore) -> None:
        """Draw the maxima of the marked column."""
        if self._maxima_markers is not None and not self.marked:
            self._maxima_markers.setData([], [])
        if not self.marked or self.span is None:
            return
        panel, line = self.lines[self.marked]
        if self._maxima_markers is None or self._maxima_markers.getViewBox() is not self.plots[panel].getViewBox():
            if self._maxima_markers is not None:
                self._maxima_markers.setData([], [])
            self._maxima_markers = pg.PlotDataItem(pen=None, symbol="t", symbolSize=11)
            self.plots[panel].addItem(self._maxima_markers)
        maxima = plotted.maxima(self.marked, *self.span)
        self._maxima_markers.setSymbolBrush(line.opts["pen"].color())
        self._maxima_markers.setSymbolPen(pg.mkPen(self.palette().color(QPalette.ColorRole.Text)))
        self._maxima_markers.setData(maxima[:, 0], maxima[:, 1])

    def period(self, plotted: PlotStore) -> str:
        """Text with mean distance of the visible maxima, its standard deviation [s] and their number."""
        if not self.marked or self.span is None:
            return ""
        distances = np.diff(plotted.maxima(self.marked, *self.span)[:, 0])
        if len(distances) == 0:
            return self.tr("T: needs two maxima")
        mean, spread = f"{distances.mean():.6g}", ""
        if len(distances) > 1:
            mean, spread = rounded(distances.mean(), max(distances.std(ddof=1), FINEST * distances.mean()))
            spread = f" ± {spread} s"
        text = self.tr("T = {mean} s{spread}, periods: {count}")
        return text.format(mean=mean, spread=spread, count=len(distances))

    def drawn(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Times [s] and values (n,) of the line of a column, as drawn."""
        times, values = self.lines[name][1].getData()
        return (np.empty(0), np.empty(0)) if times is None else (times, values)

    def values_at(self, plot: pg.PlotItem, x: float, y: float) -> str:
        """Time and values of the curves of a plot where the pointer is."""
        texts = []
        for name, (panel, _) in self.lines.items():
            times, values = self.drawn(name)
            if self.plots[panel] is plot and len(times) and times[0] <= x <= times[-1]:
                texts.append(f"{quantity(name)}: {np.interp(x, times, values):.5g} {panel.unit}".rstrip())
        return "\n".join([f"{self.tr('time')}: {x:.5g} s", *texts]) if texts else ""

    def set_theme(self, palette: QPalette) -> None:
        """Apply a palette. Call `show_columns` afterwards, because axes take their colours when created."""
        pg.setConfigOption("foreground", palette.color(QPalette.ColorRole.WindowText))
        self.setBackground(palette.color(QPalette.ColorRole.Base))

    def _on_mouse_clicked(self, event: object) -> None:
        """Request the context menu, or the time that was clicked."""
        if event.button() == Qt.MouseButton.RightButton:  # type: ignore[attr-defined]
            self.context_menu_requested.emit(event.screenPos().toPoint())  # type: ignore[attr-defined]
            return
        for plot in self.plots.values():
            box, position = plot.getViewBox(), event.scenePos()  # type: ignore[attr-defined]
            if box.sceneBoundingRect().contains(position):
                self.seek_requested.emit(float(box.mapSceneToView(position).x()))


def thinned(times: np.ndarray, values: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Reduce a curve (n,) to about `most` points with the same envelope.

    Of each group of neighbouring points the smallest and the largest are kept, in their order.
    """
    size = 2 * -(-len(times) // most)
    if size <= 2:
        return times, values
    whole = len(times) - len(times) % size
    groups = values[:whole].reshape(-1, size)
    ends = np.sort([groups.argmin(axis=1), groups.argmax(axis=1)], axis=0)
    found = (ends + size * np.arange(len(groups))).T.ravel()
    kept = np.concatenate([found, np.arange(whole, len(times))])
    return times[kept], values[kept]
