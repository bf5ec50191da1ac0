"""What plots are drawn on: it counts what that costs, so that what is dear is drawn less often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import thread_time

import pyqtgraph as pg
from PySide6.QtGui import QPaintEvent

EVERY, SLOWEST = 0.05, 0.25  # [s] wall time between two drawings, at least and at most
ROOM = 8  # letters of a number beside a plot
SHARE = 0.06  # of the window's time that they may take


class DrawCounter:
    """A widget that is drawn on."""

    spent = 0.0
    """[s] of the processor that painting has taken so far."""

    def paintEvent(self, event: QPaintEvent) -> None:
        begun = thread_time()
        super().paintEvent(event)  # type: ignore[misc]
        self.spent += thread_time() - begun


class Canvas(DrawCounter, pg.GraphicsLayoutWidget):
    """Room for plots."""


class ShortNumberAxis(pg.AxisItem):
    """An axis whose numbers never get too long to be written: where they begin alike, only the first is whole, and the
    others say how far they are from it."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        texts = super().tickStrings(values, scale, spacing)
        if max(map(len, texts), default=0) <= ROOM:
            return texts
        first = values[0]
        return [f"{scale * first:.6g}", *(f"{scale * (value - first):+.3g}" for value in values[1:])]


def rule(plot: pg.PlotItem) -> None:
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
        self._at = 0.0  # [s] wall time of the last one
        self._took = self._before = 0.0  # [s] of the processor: what it took, and what had been painted before

    def count(self, canvas: DrawCounter) -> None:
        """This one is drawn on."""
        self._canvases.append(canvas)

    def due(self, wall: float) -> bool:
        """Whether it is, at a wall time [s]."""
        cost = self._took + self._painted - self._before
        return wall - self._at >= min(max(cost / SHARE, EVERY), SLOWEST)

    @contextmanager
    def drawing(self, wall: float) -> Iterator[None]:
        """Around a drawing; it is painted later."""
        self._at, self._before, begun = wall, self._painted, thread_time()
        yield
        self._took = thread_time() - begun

    @property
    def _painted(self) -> float:
        return sum(canvas.spent for canvas in self._canvases)
