"""Bands of uncertainty about the curves of a plot over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from polhode.uncertainty.result import Uncertainties  # imports the compiler, for which the window does not wait

WIDTH = 2.0  # standard deviations on each side: about 95 % of a normal distribution
ALPHA = 60  # of 255, of the area
OUTLINE = 1.0  # [pixel]


class Bands:
    """The value to first order, plus and minus WIDTH standard deviations, in the colour of the curve.

    The outline is dashed from the time on at which draws differ (Uncertainties.differs_from).
    """

    def __init__(self) -> None:
        self.found: Uncertainties | None = None
        self.drawn: dict[str, tuple[pg.PlotItem, list[pg.GraphicsObject]]] = {}  # by column

    def forget(self) -> None:
        """The plots were removed with all that they had."""
        self.drawn = {}

    def draw(self, lines: Mapping[str, tuple[pg.PlotItem, pg.PlotDataItem]]) -> None:
        """Draw the bands of the columns, whose plots and curves are given, in place of those before."""
        for plot, items in self.drawn.values():
            for item in items:
                plot.removeItem(item)
        self.drawn = {}
        for name in self.found.uncertain if self.found is not None else ():
            if name in lines:
                plot, line = lines[name]
                self.drawn[name] = plot, self._items(name, line.opts["pen"].color())
                for item in self.drawn[name][1]:
                    plot.addItem(item, ignoreBounds=True)  # the curve sets the range of the axis

    def _items(self, name: str, color: object) -> list[pg.GraphicsObject]:
        """Area and outlines of the band of a column."""
        found = self.found
        assert found is not None
        values, half = found.values[:, found.names.index(name)], WIDTH * found.sd(name)
        is_there = np.isfinite(values) & np.isfinite(half)
        times, edges = found.time[is_there], [(values + sign * half)[is_there] for sign in (1.0, -1.0)]
        begin = found.differs_from(name) if found.drawn is not None else np.inf
        items: list[pg.GraphicsObject] = []
        for style, part in ((Qt.PenStyle.SolidLine, times <= begin), (Qt.PenStyle.DashLine, times >= begin)):
            pen = pg.mkPen(color, width=OUTLINE, style=style)
            items += [pg.PlotCurveItem(times[part], edge[part], pen=pen) for edge in edges if part.any()]
        whole = [pg.PlotCurveItem(times, edge) for edge in edges]
        area = pg.FillBetweenItem(*whole, brush=_area_color(color))
        area.setZValue(-2)
        return [area, *items]


def _area_color(color: object) -> object:
    """The colour of the area of a band."""
    made = pg.mkColor(color)
    made.setAlpha(ALPHA)
    return made
