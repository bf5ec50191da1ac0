"""Times of the rows of a table: decimal numbers, without the rounding errors of steps times the time step."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import floor

import numpy as np

WHOLE = 1e-9  # of an interval: smaller remainders are rounding errors and give no further row
DIGITS = 22  # 10^22 is the largest power of ten that a float64 has exactly
EXACT = 2**53  # largest integer below which a float64 has all


class RowTimes:
    """Times of the rows [s]: `begin`, later ones each `every` after the one before, and `until` as the last one.

    They are multiples of decimal numbers: with 0.1 the row after the third is 0.3, not 0.30000000000000004. `len` is
    their number.
    """

    def __init__(self, until: float, every: float, begin: float = 0.0):
        self.begin, self.every, self.until = float(f"{begin:.15g}"), every, until  # [s]
        self._first, self._interval = Decimal(repr(self.begin)), Decimal(repr(every))
        span = until - begin
        whole = floor(span / every + WHOLE)
        count = whole + 1 if span - whole * every > WHOLE * every else whole
        self._count = max(count, 1 if span > 0 else 0)

    def __len__(self) -> int:
        return self._count + 1

    def __iter__(self) -> Iterator[float]:
        return (time for start in range(0, len(self), 1024) for time in self.part(start, start + 1024).tolist())

    def part(self, start: int, stop: int) -> np.ndarray:
        """(r,) times of rows start ... stop - 1, as far as there are."""
        stop = min(stop, len(self))
        numbers = np.arange(start, min(stop, self._count))
        made = self._multiples(numbers)
        return np.append(made, self.until) if start <= self._count < stop else made

    def _multiples(self, numbers: np.ndarray) -> np.ndarray:
        """(r,) the nearest float64 to each decimal number of these rows (r,)."""
        places = -min(0, int(self._first.as_tuple().exponent), int(self._interval.as_tuple().exponent))
        first, interval = int(self._first.scaleb(places)), int(self._interval.scaleb(places))
        if places <= DIGITS and abs(first) + self._count * interval < EXACT:  # one division, which rounds once
            return np.asarray((first + numbers * interval) / 10.0**places)
        return np.array([float(self._first + number * self._interval) for number in numbers.tolist()])


def decimal_times(values: np.ndarray) -> np.ndarray:
    """Times (t,) [s], which are steps times the time step, as decimal numbers of 15 digits.

    0.30000000000000004, the product of 3 and 0.1 as floats, is 0.3, as RowTimes has it.
    """
    return np.array([float(f"{value:.15g}") for value in values.tolist()])
