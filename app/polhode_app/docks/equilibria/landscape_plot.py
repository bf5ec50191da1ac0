"""Plot of a potential landscape: colours, contour lines, equilibria and the state that moves on it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import product

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPalette, QResizeEvent

from polhode.equilibria.coordinates import periods
from polhode_app.interactors.landscape_maker import DrawnLandscape
from polhode_app.viewport.base.palette import PALETTE
from polhode_app.window.widgets.canvas import Canvas, ShortNumberAxis, style_axes

COLORS = "cividis"  # looks the same to people with and without colour blindness
SYMBOLS = {"stable": "o", "neutral": "star", "unstable": "x"}
MARK_SIZE, BESIDE_SIZE, STATE_SIZE = 12, 7, 13  # [pixel]
LINE = (255, 255, 255, 110)
UNLIMITED = 16_777_215  # [pixel] Qt's largest height


class LandscapePlot(Canvas):
    """One or two coordinates; the wheel zooms. `range_changed` asks for another part of the landscape, None for all.

    `mark_clicked` carries the number of an equilibrium. `build` must be called before the plot is used.
    """

    range_changed = Signal(object)
    mark_clicked = Signal(int)
    drawn: DrawnLandscape | None = None  # of the class: Qt resizes a widget while it is made

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(220)

    def build(self) -> Iterator[None]:
        """Make the plot and its items, in parts, between which the window can work."""
        axes = {side: ShortNumberAxis(side) for side in ("left", "bottom")}
        self.plot = self.addPlot(enableMenu=False, axisItems=axes)
        style_axes(self.plot)
        yield
        self.image = pg.ImageItem(axisOrder="col-major")
        self.image.setColorMap(pg.colormap.get(COLORS))
        self.plot.addItem(self.image)
        self.lines = self.plot.plot(connect="pairs", pen=pg.mkPen(LINE, width=1))
        self.curve = self.plot.plot(pen=pg.mkPen(PALETTE[0], width=2))
        self.marks = pg.ScatterPlotItem(pxMode=True)
        self.marks.sigClicked.connect(self._on_mark_clicked)
        self.state = pg.ScatterPlotItem(pxMode=True, symbol="o", size=STATE_SIZE)
        self.plot.addItem(self.marks)
        self.plot.addItem(self.state)
        self._fitted: object = None  # axes and ranges that have been fitted
        self.plot.getViewBox().sigRangeChangedManually.connect(self._on_range_changed)
        self.scene().sigMouseClicked.connect(self._on_mouse_clicked)
        yield
        self.bar = pg.ColorBarItem(colorMap=pg.colormap.get(COLORS), interactive=False, width=14)
        yield
        self.bar.setImageItem(self.image, insert_in=self.plot)
        self.bar.axis.setLabel("", units="J")

    def draw(self, drawn: DrawnLandscape) -> None:
        """Draw a landscape with its marks; the whole of it if it has other axes than before."""
        self.drawn = drawn
        two = len(drawn.landscape.axes) == 2
        self.image.setVisible(two)
        self.bar.setVisible(two)
        self.lines.setVisible(two)
        self.curve.setVisible(not two)
        values = drawn.landscape.values
        if two:
            (x, y), energy = values, drawn.landscape.energy
            step = x[1] - x[0], y[1] - y[0]
            self.image.setImage(energy, autoLevels=False, levels=(drawn.lowest, drawn.highest))
            self.image.setRect(QRectF(x[0] - step[0] / 2, y[0] - step[1] / 2, step[0] * len(x), step[1] * len(y)))
            self.bar.setLevels((drawn.lowest, drawn.highest))
            self.lines.setData(drawn.lines[:, 0], drawn.lines[:, 1])
        else:
            self.curve.setData(values[0], np.clip(drawn.landscape.energy, None, drawn.highest))
        self._label(drawn)
        self._draw_marks(drawn)
        shown = drawn.wanted.axes, drawn.wanted.whole, tuple((v[0], v[-1]) for v in drawn.landscape.values)
        if drawn.wanted.ranges is None and self._fitted != shown:
            self._fitted = shown
            self.fit()

    def show_state(self, position: tuple[float, ...] | None) -> None:
        """Mark where the state is now; on a curve at its energy there."""
        drawn = self.drawn
        if position is None or drawn is None:
            self.state.setData([], [])
            return
        positions = self._copies(drawn, position)
        if len(position) == 1:
            values, energy = drawn.landscape.values[0], drawn.landscape.energy
            positions = [(x, float(np.interp(x, values, energy))) for (x,) in positions]
        self.state.setData(pos=np.array(positions).reshape(-1, 2))

    def fit(self) -> None:
        """Show the whole landscape that is drawn."""
        if self.drawn is None:
            return
        values = self.drawn.landscape.values
        self.plot.setXRange(values[0][0], values[0][-1], padding=0.0)
        low, high = (values[1][0], values[1][-1]) if len(values) == 2 else (self.drawn.lowest, self.drawn.highest)
        self.plot.setYRange(low, high, padding=0.0 if len(values) == 2 else 0.05)

    def set_theme(self, palette: QPalette) -> None:
        """Apply a palette."""
        text = palette.color(QPalette.ColorRole.WindowText)
        self.setBackground(palette.color(QPalette.ColorRole.Base))
        for axis in (self.plot.getAxis("left"), self.plot.getAxis("bottom"), self.bar.axis):
            axis.setPen(text)
            axis.setTextPen(text)
        self.state.setBrush(pg.mkBrush(PALETTE[5]))
        self.state.setPen(pg.mkPen("w", width=2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the height that equal scales of both axes need."""
        super().resizeEvent(event)
        if self.drawn is not None:
            self._limit_height()

    def _limit_height(self) -> None:
        """Limit the range so that equal scales of both axes leave no empty space above and below the landscape."""
        assert self.drawn is not None
        box, values = self.plot.getViewBox(), self.drawn.landscape.values
        if not box.state["aspectLocked"]:
            self.setMaximumHeight(UNLIMITED)
            return
        around = self.height() - box.height()
        self.setMaximumHeight(round(box.width() * np.ptp(values[1]) / np.ptp(values[0]) + around))

    def _copies(self, drawn: DrawnLandscape, position: tuple[float, ...]) -> list[tuple[float, ...]]:
        """A position on the landscape, with its images by whole turns within the part that is drawn."""
        choices = []
        for value, period, values in zip(position, periods(drawn.landscape.axes), drawn.landscape.values, strict=True):
            images = [value + turn * period for turn in (-1, 0, 1)] if period else [value]
            choices.append([image for image in images if not period or values[0] <= image <= values[-1]])
        return list(product(*choices))

    def _label(self, drawn: DrawnLandscape) -> None:
        axes = drawn.landscape.axes
        self.plot.setLabel("bottom", escape(axes[0].name), units=axes[0].unit)
        name, unit = (axes[1].name, axes[1].unit) if len(axes) == 2 else ("", "J")
        self.plot.setLabel("left", escape(name), units=unit)
        equal = len(axes) == 2 and axes[0].unit == axes[1].unit and axes[0].kind == axes[1].kind
        self.plot.setAspectLocked(equal)
        self._limit_height()

    def _draw_marks(self, drawn: DrawnLandscape) -> None:
        """Filled circles are stable, crosses unstable, diamonds neutral; small ones are beside the landscape."""
        two = len(drawn.landscape.axes) == 2
        spots = [
            {
                "pos": position if two else (position[0], mark.energy),
                "symbol": SYMBOLS[mark.stability],
                "size": BESIDE_SIZE if mark.beside else MARK_SIZE,
                "brush": pg.mkBrush("w" if mark.stability != "unstable" else "k"),
                "pen": pg.mkPen("k" if mark.stability != "unstable" else "w", width=1.5),
                "data": mark.number,
            }
            for mark in drawn.marks
            for position in self._copies(drawn, mark.values)
        ]
        self.marks.setData(spots)

    def _on_mark_clicked(self, _item: object, points: list[pg.SpotItem]) -> None:
        if len(points):
            self.mark_clicked.emit(int(points[0].data()))

    def _on_range_changed(self, _axes: object) -> None:
        """Ask for the part that is seen."""
        if self.drawn is None or len(self.drawn.landscape.axes) != 2:
            return
        (left, right), (bottom, top) = self.plot.getViewBox().viewRange()
        self.range_changed.emit(((left, right), (bottom, top)))

    def _on_mouse_clicked(self, event: object) -> None:
        """A double click shows the whole landscape."""
        if event.double():  # type: ignore[attr-defined]
            self._fitted = None
            self.range_changed.emit(None)
