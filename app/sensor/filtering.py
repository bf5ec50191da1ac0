"""From single measurements to a steady place and its velocity: median against outliers, then a low pass.

The one-euro filter is a low pass whose cut-off rises with the speed: still hands do not tremble, quick ones do not lag.
(Casiez, Roussel, Vogel, 1 euro filter, CHI 2012)
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import pi
from statistics import median
from typing import Literal

Kind = Literal["none", "exponential", "one_euro"]

SLOPE = 3.0  # [Hz] cut-off of the velocity, which leads what follows the hand between two measurements
GAP = 0.5  # [s] after which what comes does not follow from what was


@dataclass(frozen=True)
class FilterSettings:
    kind: Kind = "one_euro"
    median: int = 3  # measurements of which the middle one counts; 1 for none
    cutoff: float = 1.5  # [Hz] of a hand at rest
    beta: float = 0.02  # [Hz per mm/s] by which the cut-off rises


@dataclass(frozen=True)
class Filtered:
    value: float
    velocity: float  # [1/s]
    lag: float  # [s] by which a steady motion is seen too late


def share(cutoff: float, step: float) -> float:
    """Share of the newest value in a low pass with this cut-off [Hz], `step` [s] after the last."""
    ratio = 2 * pi * cutoff * step
    return ratio / (1 + ratio)


class Filter:
    def __init__(self, settings: FilterSettings | None = None):
        self.settings = settings or FilterSettings()
        self._recent: deque[float] = deque(maxlen=max(1, self.settings.median))
        self._last: tuple[float, float, float, float] | None = None  # time, middle one, value, velocity

    def __call__(self, time: float, measured: float) -> Filtered:
        """Takes a value that was measured at `time` [s]; times grow."""
        if self._last is not None and not 0 < time - self._last[0] <= GAP:
            self._recent.clear()
            self._last = None
        self._recent.append(measured)
        middle = median(self._recent)
        if self._last is None:
            self._last = time, middle, middle, 0.0
            return Filtered(middle, 0.0, 0.0)
        before, last_middle, value, velocity = self._last
        step = time - before
        velocity += share(SLOPE, step) * ((middle - last_middle) / step - velocity)
        cutoff = self._cutoff(velocity)
        part = 1.0 if cutoff is None else share(cutoff, step)
        value += part * (middle - value)
        self._last = time, middle, value, velocity
        # A ramp leaves the low pass late by (1 - share)/share steps, and the median by half its length.
        lag = step * ((1 - part) / part + (len(self._recent) - 1) / 2)
        return Filtered(value, velocity, lag)

    def _cutoff(self, velocity: float) -> float | None:
        match self.settings.kind:
            case "none":
                return None
            case "exponential":
                return self.settings.cutoff
            case "one_euro":
                return self.settings.cutoff + self.settings.beta * abs(velocity)
