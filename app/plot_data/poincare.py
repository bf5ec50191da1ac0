"""The points of a Poincare section while a run goes on."""

from __future__ import annotations

import numpy as np

from app.plot_data.plot_store import PlotStore
from core.analysis.poincare import between, crossings

POINTS = 2**14  # that are kept: more would hold up the window


class PoincareSection:
    """Two quantities whenever a third one passes a level upwards. What was found stays as fine as it was found."""

    def __init__(self) -> None:
        self._asked: tuple[object, ...] = ()
        self._until = -np.inf  # [s] of the last sample that was looked at
        self.points = np.empty((0, 3))  # (k, 3) times [s] and both quantities

    def look(self, plotted: PlotStore, x: str, y: str, watched: str, level: float) -> None:
        """Add what has come; start again where something else is asked for, or the run was taken back."""
        asked = (x, y, watched, level, plotted.cuts)
        if asked != self._asked:
            self._asked, self._until, self.points = asked, -np.inf, np.empty((0, 3))
        times, xs, ys, ws = plotted.together(x, y, watched)
        begin = max(int(np.searchsorted(times, self._until, side="right")) - 1, 0)
        if len(times) - begin < 2:
            return
        rows, parts = crossings(ws[begin:], level)
        found = np.column_stack([between(values[begin:], rows, parts) for values in (times, xs, ys)])
        self.points = np.concatenate([self.points, found])[-POINTS:]
        self._until = times[-1]
