"""Poincare section, computed incrementally during the run."""

from __future__ import annotations

import numpy as np

from polhode.analysis.poincare import between, crossings
from polhode_app.data.plots.plot_store import PlotStore

POINTS = 2**14  # points kept: drawing more would delay the window


class PoincareSection:
    """Values of two quantities at upward crossings of a third one through a level.

    Points already found keep their accuracy when the samples they come from are thinned.
    """

    def __init__(self) -> None:
        self._asked: tuple[object, ...] = ()
        self._until = -np.inf  # [s] time of the last sample processed
        self.points = np.empty((0, 3))  # (k, 3) times [s] and both quantities

    def look(self, plotted: PlotStore, x: str, y: str, watched: str, level: float) -> None:
        """Process new samples of `plotted`.

        The section starts again if quantities or level have changed, or if the run was rewound.
        """
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
