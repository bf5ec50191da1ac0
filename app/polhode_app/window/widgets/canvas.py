"""Base of all plots: limits their frame rate by the CPU time that drawing takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import thread_time

import pyqtgraph as pg
from PySide6.QtGui import QPaintEvent

MIN_INTERVAL, MAX_INTERVAL = 0.05, 0.25  # [s] wall time between two drawings
LABEL_LENGTH = 8  # characters of a tick label
CPU_SHARE = 0.06  # fraction of the time of the GUI thread


class DrawCounter:
    """Mixin for widgets that measures the CPU time of painting."""

    spent = 0.0
    """[s] CPU time of all painting so far."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, and add the CPU time of the thread to `spent`."""
        start = thread_time()
        super().paintEvent(event)  # type: ignore[misc]
        self.spent += thread_time() - start


class Canvas(DrawCounter, pg.GraphicsLayoutWidget):
    """A widget with one or more plots."""


class ShortNumberAxis(pg.AxisItem):
    """An axis with short labels.

    If the numbers are longer than LABEL_LENGTH, only the first is written in full and the others as differences from
    it.
    """

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Labels of the ticks; called by pyqtgraph."""
        texts = super().tickStrings(values, scale, spacing)
        if max(map(len, texts), default=0) <= LABEL_LENGTH:
            return texts
        first = values[0]
        return [f"{scale * first:.6g}", *(f"{scale * (value - first):+.3g}" for value in values[1:])]


def style_axes(plot: pg.PlotItem) -> None:
    """Draw grid lines at labelled ticks only: unlabelled ones would double the time of painting."""
    plot.hideButtons()
    plot.showGrid(x=True, y=True, alpha=0.15)
    for side in ("left", "bottom"):
        plot.getAxis(side).setStyle(maxTickLevel=0)


class RedrawTimer:
    """Decides when plots are drawn: at intervals between MIN_INTERVAL and MAX_INTERVAL.

    The interval is such that drawing and painting take at most the fraction CPU_SHARE of the time.
    """

    def __init__(self) -> None:
        self._canvases: list[DrawCounter] = []
        self._drawn_at = 0.0  # [s] wall time of the last drawing
        self._draw_time = 0.0  # [s] CPU time of the last drawing
        self._painted_before = 0.0  # [s] CPU time of all painting before it

    def add(self, canvas: DrawCounter) -> None:
        """Include the painting of a widget in the measurement."""
        self._canvases.append(canvas)

    def due(self, wall: float) -> bool:
        """Whether plots are to be drawn at a wall time [s]."""
        cost = self._draw_time + self._paint_time - self._painted_before
        return wall - self._drawn_at >= min(max(cost / CPU_SHARE, MIN_INTERVAL), MAX_INTERVAL)

    @contextmanager
    def drawing(self, wall: float) -> Iterator[None]:
        """Context of the drawing of plots at a wall time [s]; Qt paints them later."""
        self._drawn_at, self._painted_before, start = wall, self._paint_time, thread_time()
        yield
        self._draw_time = thread_time() - start

    @property
    def _paint_time(self) -> float:
        """CPU time [s] of all painting so far."""
        return sum(canvas.spent for canvas in self._canvases)
