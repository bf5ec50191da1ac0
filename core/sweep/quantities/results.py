"""What a runner of cells returns, and what all runners of quantities have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.sweep.cells import DIVERGED, PENDING
from core.sweep.map_layout import NO_LABEL


@dataclass(eq=False)
class Results:
    """Results of some cells, in the order of their starts."""

    label: np.ndarray  # (n,) int32
    value: np.ndarray  # (n,) [SI]
    time: np.ndarray  # (n,) [s]
    status: np.ndarray  # (n,) uint8
    numbers: np.ndarray  # (n, f) as of SweepMap.features

    @classmethod
    def empty(cls, count: int, width: int) -> Results:
        """Results of pending cells, with `width` numbers each."""
        return cls(
            np.full(count, NO_LABEL, dtype=np.int32),
            np.full(count, np.nan),
            np.full(count, np.nan),
            np.full(count, PENDING, dtype=np.uint8),
            np.full((count, width), np.nan),
        )


class QuantityRunner(Protocol):
    """Runs cells of one compiled scene, with scratch arrays of its own: one for each thread."""

    def run(self, states: np.ndarray) -> Results:
        """The results of all starts `states` (n, k), which are not changed; pending ones after `cancel`."""

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""


def failed(cancelled: bool) -> int:
    """Status of a run that took fewer steps than it should."""
    return PENDING if cancelled else DIVERGED
