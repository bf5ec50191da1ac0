"""When a quantity was largest, and how much time has passed since it was so before: a period, found while it runs."""

from __future__ import annotations

from math import nan


class Maxima:
    """Local maxima of samples that come in order of time."""

    def __init__(self) -> None:
        self.time = nan  # [s] of the last maximum
        self.period = nan  # [s] from the one before it
        self._samples: list[tuple[float, float]] = []

    def add(self, time: float, value: float) -> bool:
        """Take a sample at `time` [s]; True where the one before it is next to a maximum.

        The maximum is that of the parabola through three samples: off by some (w dt)^2 dt for a swing of w.
        """
        self._samples = [*self._samples[-2:], (time, value)]
        if len(self._samples) < 3:
            return False
        (t0, y0), (t1, y1), (t2, y2) = self._samples
        if not y0 < y1 >= y2:
            return False
        before, after = (y1 - y0) / (t1 - t0), (y2 - y1) / (t2 - t1)
        top = (t0 + t1) / 2 + (t2 - t0) / 2 * before / (before - after)  # where the slope between the middles is zero
        self.time, self.period = top, top - self.time
        return True
