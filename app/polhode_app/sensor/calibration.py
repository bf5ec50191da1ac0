"""Calibration: from raw sensor values to millimetres, by a fitted line or an interpolated table."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

CLOSE = 1e-6  # relative difference below which two raw values count as equal


@dataclass(frozen=True)
class Calibration:
    """Pairs (raw value, known distance [mm]); without pairs the raw value is the distance."""

    pairs: tuple[tuple[float, float], ...] = ()
    kind: Literal["line", "table"] = "line"

    def __call__(self, raw: float) -> float:
        """Distance [mm] of a raw value. A table is interpolated linearly and extrapolated by its end segments."""
        if not self.pairs:
            return raw
        if self.kind == "line":
            slope, start = self._line
            return start + slope * raw
        pairs = self._sorted
        k = min(max(bisect_left(pairs, (raw,)) - 1, 0), len(pairs) - 2)
        (x, y), (next_x, next_y) = pairs[k : k + 2]
        return y + (next_y - y) * (raw - x) / (next_x - x)

    @cached_property
    def _line(self) -> tuple[float, float]:
        """Slope and intercept of the least-squares line."""
        slope, start = np.polyfit(*np.array(self.pairs).T, 1)
        return float(slope), float(start)

    @cached_property
    def _sorted(self) -> list[tuple[float, float]]:
        """The pairs by ascending raw value."""
        return sorted(self.pairs)

    @property
    def residual(self) -> float:
        """Largest deviation [mm] of the calibration from its own pairs."""
        return max((abs(self(raw) - known) for raw, known in self.pairs), default=0.0)


def calibrated(pairs: Sequence[tuple[float, float]], kind: Literal["line", "table"] = "line") -> Calibration:
    """Make a calibration from at least two pairs (raw, known [mm]).

    Raises InvalidValue if raw values or distances coincide, or if the distances of a table are not monotonic.
    """
    if len(pairs) < 2:
        raise InvalidValue(
            Message("{count} known distance is too few", count=len(pairs)), Message("measure at two or more distances")
        )
    raw = np.sort([pair[0] for pair in pairs])
    known = [pair[1] for pair in sorted(pairs)]
    if np.diff(raw).min() <= CLOSE * np.abs(raw).max():
        raise InvalidValue(
            Message("the sensor read the same value at two distances"),
            Message("measure at distances that are farther apart"),
        )
    if min(known) == max(known):
        raise InvalidValue(
            Message("these are all the same distance"), Message("measure at distances that are farther apart")
        )
    steps = np.diff(known)
    if kind == "table" and not (np.all(steps > 0) or np.all(steps < 0)):
        raise InvalidValue(
            Message("the distances do not rise or fall monotonically with the sensor's values"),
            Message("repeat the measurement that stands out"),
        )
    return Calibration(tuple((float(a), float(b)) for a, b in pairs), kind)
