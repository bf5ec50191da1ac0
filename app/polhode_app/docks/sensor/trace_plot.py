"""Plot of the measured and filtered distance over the last seconds."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QPalette

from polhode_app.sensor.hub import LOST, FilteredReading
from polhode_app.viewport.base.palette import CURVES
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.canvas import DrawCounter, style_axes

SPAN = 10.0  # [s] range of the time axis
HEIGHT = 150  # [pixel]
LEAST_RANGE = 10.0  # [mm] least range of the distance axis: the noise of a target at rest is not magnified


class TracePlot(DrawCounter, pg.PlotWidget):
    """Distances [mm] over the time before now [s]: measurements as dots, the output of the filter as a curve."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setFixedHeight(scaled(HEIGHT))
        item = self.getPlotItem()
        style_axes(item)
        item.setMouseEnabled(False, False)
        item.setLabel("left", "mm")
        item.getAxis("left").enableAutoSIPrefix(False)
        item.getAxis("left").setWidth(scaled(52))
        item.getAxis("bottom").enableAutoSIPrefix(False)
        item.setLabel("bottom", "s")
        item.setXRange(-SPAN, 0.0, padding=0)
        self._has_data = False  # whether the curves have points
        self.measured_curve = item.plot(pen=None, symbol="o", symbolSize=3, symbolPen=None, symbolBrush=CURVES[1])
        self.filtered_curve = item.plot(pen=pg.mkPen(CURVES[0], width=2.0), connect="finite")

    def draw(self, readings: list[FilteredReading], now: float, longest: float = LOST) -> None:
        """Draw readings of the last SPAN seconds; `now` is a time [s] of perf_counter.

        Failed measurements, and times of more than `longest` [s] without any, are gaps of the curve. The axis shows the
        central 96 % of the values, but at least LEAST_RANGE.
        """
        recent = [each for each in readings if now - each.arrived < SPAN]
        if not (recent or self._has_data):
            return  # the plot stays empty
        self._has_data = bool(recent)
        times = np.array([each.arrived - now for each in recent])
        missed = np.array([each.raw is None for each in recent], dtype=bool)
        measured = np.array([each.distance for each in recent])
        filtered = np.where(missed, np.nan, [each.filtered for each in recent])
        self.measured_curve.setData(times[~missed], measured[~missed])
        gaps = np.flatnonzero(np.diff(times) > longest) + 1
        self.filtered_curve.setData(np.insert(times, gaps, np.nan), np.insert(filtered, gaps, np.nan))
        if not missed.all():
            low, high = np.percentile(measured[~missed], [2, 98])
            half = max(high - low, LEAST_RANGE) / 2
            self.getPlotItem().setYRange((low + high) / 2 - 1.3 * half, (low + high) / 2 + 1.3 * half, padding=0)

    def set_theme(self, palette: QPalette) -> None:
        """Adopt the colours of the window."""
        self.setBackground(palette.color(QPalette.ColorRole.Base))
        for side in ("left", "bottom"):
            axis = self.getPlotItem().getAxis(side)
            axis.setPen(palette.color(QPalette.ColorRole.WindowText))
            axis.setTextPen(palette.color(QPalette.ColorRole.WindowText))
