"""A time step that is safely below an estimated limit. No Qt."""

from __future__ import annotations

from math import floor, log10

MARGIN = 0.95  # of the estimated largest stable step


def safely_below(limit: float) -> float:
    """A step [s] of two digits, MARGIN times `limit` [s] or somewhat less: 0.024 for 0.0257."""
    step = MARGIN * limit
    power = floor(log10(step)) - 1
    return float(f"{floor(step / 10.0**power + 1e-9)}e{power}")
