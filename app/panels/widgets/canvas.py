"""What plots are drawn on: it counts what that costs, so that what is dear is drawn less often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import thread_time

import pyqtgraph as pg
from PySide6.QtGui import QPaintEvent

MIN_INTERVAL, MAX_INTERVAL = 0.05, 0.25  # [s] wall time between two drawings, at least and at most
LABEL_LENGTH = 8  # letters of a number beside a plot
CPU_SHARE = 0.06  # of the window's time that they may take


class DrawCounter:
    """A widget that is drawn on."""

    spent = 0.0
    """[s] of the processor that painting has taken so far."""

    def paintEvent(self, event: QPaintEvent) -> None:
        start = thread_time()
        super().paintEvent(event)  # type: ignore[misc]
        self.spent += thread_time() - start


class Canvas(DrawCounter, pg.GraphicsLayoutWidget):
    """Room for plots."""


class ShortNumberAxis(pg.AxisItem):
    """An axis whose numbers never get too long to be written: where they begin alike, only the first is whole, and the
    others say how far they are from it."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        texts = super().tickStrings(values, scale, spacing)
        if max(map(len, texts), default=0) <= LABEL_LENGTH:
            return texts
        first = values[0]
        return [f"{scale * first:.6g}", *(f"{scale * (value - first):+.3g}" for value in values[1:])]


def style_axes(plot: pg.PlotItem) -> None:
    """Draw a line at every number beside a plot, and no others: half of all that painting takes would be lines
    between the numbers, which nobody reads."""
    plot.hideButtons()
    plot.showGrid(x=True, y=True, alpha=0.15)
    for side in ("left", "bottom"):
        plot.getAxis(side).setStyle(maxTickLevel=0)


class RedrawTimer:
    """When the next drawing is due."""

    def __init__(self) -> None:
        self._canvases: list[DrawCounter] = []
        self._drawn_at = 0.0  # [s] wall time of the last one
        self._draw_time = self._painted_before = (
            0.0  # [s] of the processor: what it took, and what had been painted before
        )

    def add(self, canvas: DrawCounter) -> None:
        """This one is drawn on."""
        self._canvases.append(canvas)

    def due(self, wall: float) -> bool:
        """Whether it is, at a wall time [s]."""
        cost = self._draw_time + self._paint_time - self._painted_before
        return wall - self._drawn_at >= min(max(cost / CPU_SHARE, MIN_INTERVAL), MAX_INTERVAL)

    @contextmanager
    def drawing(self, wall: float) -> Iterator[None]:
        """Around a drawing; it is painted later."""
        self._drawn_at, self._painted_before, start = wall, self._paint_time, thread_time()
        yield
        self._draw_time = thread_time() - start

    @property
    def _paint_time(self) -> float:
        return sum(canvas.spent for canvas in self._canvases)
