"""Base of all plots: limits their frame rate by the CPU time that drawing takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import thread_time

import pyqtgraph as pg
from PySide6.QtCore import QPointF
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

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
    """A widget with one or more plots. A tool tip shows the values under the pointer."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.scene().sigMouseMoved.connect(self._on_mouse_moved)

    def values_at(self, plot: pg.PlotItem, x: float, y: float) -> str:
        """Text of the values at a position of a plot, in the units of its axes; "" shows nothing."""
        return ""

    def _on_mouse_moved(self, position: QPointF) -> None:
        """Show the values at a position of the scene; not during a drag, which zooms or moves a cursor."""
        text = ""
        for item in self.ci.items:
            box = item.getViewBox() if isinstance(item, pg.PlotItem) else None
            if box is not None and box.sceneBoundingRect().contains(position):
                at = box.mapSceneToView(position)
                text = self.values_at(item, float(at.x()), float(at.y()))
        if text and not QGuiApplication.mouseButtons():
            QToolTip.showText(self.viewport().mapToGlobal(self.mapFromScene(position)), text, self)
        else:
            QToolTip.hideText()


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
