"""From a value to a pitch: equal steps of the value are equal musical intervals."""

from __future__ import annotations

from math import isfinite

LOWEST = 220.0  # [Hz] of the lower end of a range
OCTAVES = 2.5  # between both ends
START = 1e-12  # least width of a learned range


def frequency(value: float, low: float, high: float) -> float:
    """Frequency [Hz] of a value in a range: f = LOWEST 2^(OCTAVES (value - low) / (high - low)).

    Pitch is perceived by ratios of frequencies, so the exponential makes equal differences sound equal. Values outside
    have the frequency of the nearer end; a range without width that of its middle.
    """
    share = (value - low) / (high - low) if high > low else 0.5
    return LOWEST * 2.0 ** (OCTAVES * min(max(share, 0.0), 1.0))


class LearnedRange:
    """The range of the values so far."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all values."""
        self.low, self.high = float("inf"), float("-inf")

    def learn(self, value: float) -> None:
        """Extend the range to a value; NaN and infinite ones are left out."""
        if isfinite(value):
            self.low, self.high = min(self.low, value), max(self.high, value)

    @property
    def is_empty(self) -> bool:
        """Whether there was no value yet."""
        return self.low > self.high

    def frequency(self, value: float) -> float:
        """Frequency [Hz] of a value, see `frequency`; that of the middle while all values were the same."""
        if self.is_empty or self.high - self.low <= START * max(abs(self.low), abs(self.high)):
            return frequency(0.5, 0.0, 1.0)
        return frequency(value, self.low, self.high)
