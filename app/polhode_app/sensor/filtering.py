"""Filtering of the measured distance: a median filter against outliers, then a low-pass filter.

The one-euro filter is a low pass whose cut-off frequency rises with the speed, which suppresses jitter at rest and lag
in fast motion. (Casiez, Roussel, Vogel, 1 euro filter, CHI 2012)
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import pi
from statistics import median
from typing import Literal

Kind = Literal["none", "exponential", "one_euro"]

SLOPE = 3.0  # [Hz] cut-off of the velocity, which extrapolates between two measurements
GAP = 0.5  # [s] between two measurements after which the filter restarts


@dataclass(frozen=True)
class FilterSettings:
    """Parameters of the filter."""

    kind: Kind = "one_euro"
    median: int = 3  # window of the median filter, in measurements; 1 disables it
    cutoff: float = 1.5  # [Hz] cut-off at rest
    beta: float = 0.02  # [Hz per mm/s] slope of the cut-off over the speed


@dataclass(frozen=True)
class Filtered:
    """Output of the filter."""

    value: float  # in the unit of the input
    velocity: float  # [unit/s]
    lag: float  # [s] delay of a uniform motion


def smoothing_factor(cutoff: float, step: float) -> float:
    """Weight of the newest value in a first-order low pass with this cut-off [Hz], `step` [s] after the last value."""
    ratio = 2 * pi * cutoff * step
    return ratio / (1 + ratio)


class Filter:
    """Median filter followed by the low pass of the settings; keeps the state of one signal."""

    def __init__(self, settings: FilterSettings | None = None):
        self.settings = settings or FilterSettings()
        self._recent: deque[float] = deque(maxlen=max(1, self.settings.median))
        self._last: tuple[float, float, float, float] | None = None  # time, middle one, value, velocity

    def __call__(self, time: float, measured: float) -> Filtered:
        """Filter a value measured at `time` [s]; times must increase, otherwise the filter restarts."""
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
        velocity += smoothing_factor(SLOPE, step) * ((middle - last_middle) / step - velocity)
        cutoff = self._cutoff(velocity)
        part = 1.0 if cutoff is None else smoothing_factor(cutoff, step)
        value += part * (middle - value)
        self._last = time, middle, value, velocity
        # The low pass delays a ramp by (1 - share)/share steps, the median by half its window.
        lag = step * ((1 - part) / part + (len(self._recent) - 1) / 2)
        return Filtered(value, velocity, lag)

    def _cutoff(self, velocity: float) -> float | None:
        """Cut-off frequency [Hz] at a velocity; None for no low pass."""
        match self.settings.kind:
            case "none":
                return None
            case "exponential":
                return self.settings.cutoff
            case "one_euro":
                return self.settings.cutoff + self.settings.beta * abs(velocity)
