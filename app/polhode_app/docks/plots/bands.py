"""Bands of uncertainty about the curves of a plot over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from polhode.uncertainty.result import Uncertainties  # imports the compiler, for which the window does not wait

WIDTH = 2.0  # standard deviations on each side: about 95 % of a normal distribution
ALPHA = 60  # of 255, of the area
OUTLINE = 1.0  # [pixel]


class Band(NamedTuple):
    """A band about the curve of a column."""

    times: np.ndarray  # (n,) [s]
    lower: np.ndarray  # (n,)
    upper: np.ndarray  # (n,)
    dashed_from: float = np.inf  # [s] time from which its outline is dashed
    style: Qt.PenStyle = Qt.PenStyle.SolidLine  # of its outline before


def uncertainty_bands(found: Uncertainties | None) -> dict[str, Band]:
    """The values to first order, plus and minus WIDTH standard deviations, of the uncertain columns by name.

    The outline is dashed from the time on at which draws differ (Uncertainties.differs_from).
    """
    bands: dict[str, Band] = {}
    for name in found.uncertain if found is not None else ():
        assert found is not None
        values, half = found.values[:, found.names.index(name)], WIDTH * found.sd(name)
        begin = found.differs_from(name) if found.drawn is not None else np.inf
        bands[name] = Band(found.time, values - half, values + half, begin)
    return bands


def dotted(times: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> Band:
    """A band with a dotted outline, as of predictions, between values (n,) at times (n,) [s]."""
    return Band(times, lower, upper, style=Qt.PenStyle.DotLine)


class Bands:
    """Bands of columns, in the colours of the curves."""

    def __init__(self) -> None:
        self.bands: Mapping[str, Band] = {}  # by column
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
        for name, band in self.bands.items():
            if name in lines:
                plot, line = lines[name]
                self.drawn[name] = plot, _items(band, line.opts["pen"].color())
                for item in self.drawn[name][1]:
                    plot.addItem(item, ignoreBounds=True)  # the curve sets the range of the axis


def _items(band: Band, color: object) -> list[pg.GraphicsObject]:
    """Area and outlines of a band."""
    is_there = np.isfinite(band.lower) & np.isfinite(band.upper)
    times, edges = band.times[is_there], [edge[is_there] for edge in (band.upper, band.lower)]
    items: list[pg.GraphicsObject] = []
    for style, part in (
        (band.style, times <= band.dashed_from),
        (Qt.PenStyle.DashLine, times >= band.dashed_from),
    ):
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
