"""Where things have been, as far as they have left what a scene was expected to reach."""

from __future__ import annotations

import numpy as np

from app.viewport.base.polydata import box

SLACK = 0.1  # distance from the box that nothing is done about, in radii of the stage
AHEAD = 0.35  # growth beyond a place that was reached, in its distance from the middle of the box
MOST = 60.0  # growth at most, in radii of the stage


class SweptBox:
    """The only thing of a stage that changes: a box around its room, which grows with what moves."""

    def __init__(self, room: np.ndarray):
        """Begin with the box around the points (n, 3) [m] of a room."""
        self.low, self.high = box(room)
        self._middle = (self.low + self.high) / 2
        self._radius = float(np.linalg.norm(self.high - self.low)) / 2
        self.has_grown = False

    def cover(self, places: np.ndarray) -> bool:
        """Grow so that places (n, 3) [m] are well inside; True if that was necessary.

        It grows in proportion to its size, so that a thing that rolls away makes it grow a few times only.
        """
        if not len(places):
            return False
        low, high = box(places)
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            return False
        least, most = self._middle - MOST * self._radius, self._middle + MOST * self._radius
        low, high = low.clip(least, most), high.clip(least, most)
        under, over = low < self.low - SLACK * self._radius, high > self.high + SLACK * self._radius
        if not (under.any() or over.any()):
            return False
        self.has_grown = True
        self.low = np.where(under, (low + AHEAD * (low - self._middle)).clip(least), self.low)
        self.high = np.where(over, (high + AHEAD * (high - self._middle)).clip(max=most), self.high)
        return True

    def corners(self) -> np.ndarray:
        """(8, 3) [m] corners of the box."""
        ends = np.array([self.low, self.high])
        return np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
