"""Peak detection in samples of a running simulation, and the period between peaks.

A maximum is a sample above the one before and not below the one after; its time is that of the vertex of the parabola
through the three.
"""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np


class Maxima:
    """Local maxima of samples in order of time: `time` and `period` [s] of the last one, nan before there is any."""

    def __init__(self) -> None:
        self.time = nan  # [s] of the last maximum
        self.period = nan  # [s] from the one before it
        self._samples: list[tuple[float, float]] = []

    def add(self, time: float, value: float) -> bool:
        """Add a sample at `time` [s]; returns True if the previous sample is next to a maximum.

        The maximum is the vertex of the parabola through three samples, with an error of about (w dt)^2 dt for a
        sine of w.
        """
        self._samples = [*self._samples[-2:], (time, value)]
        if len(self._samples) < 3:
            return False
        if not self._samples[0][1] < self._samples[1][1] >= self._samples[2][1]:
            return False
        top, _ = parabola_vertex(*self._samples)
        self.time, self.period = top, top - self.time
        return True


def parabola_vertex(first: tuple[Any, Any], middle: tuple[Any, Any], last: tuple[Any, Any]) -> tuple[Any, Any]:
    """Time [s] and value at the vertex of the parabola through three samples (time, value), or arrays of these.

    By Newton's divided differences; times need not be equally spaced. The samples must not lie on a line.
    """
    (t0, y0), (t1, y1), (t2, y2) = first, middle, last
    before, after = (y1 - y0) / (t1 - t0), (y2 - y1) / (t2 - t1)
    top = (t0 + t1) / 2 + (t2 - t0) / 2 * before / (before - after)  # where the slope between the middles is zero
    return top, y1 + before * (top - t1) + (after - before) / (t2 - t0) * (top - t1) * (top - t0)


def maxima(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and values, each (m,), of all maxima of samples (n,) in order of time, as `Maxima` finds them."""
    found = np.flatnonzero((values[:-2] < values[1:-1]) & (values[1:-1] >= values[2:]))
    first, middle, last = ((times[found + k], values[found + k]) for k in range(3))
    return parabola_vertex(first, middle, last)
