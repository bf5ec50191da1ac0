"""Times that are no plain seconds: clock times, dates of ISO 8601 and counts since 1970."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import numpy as np

ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?(Z|[+-]\d\d:?\d\d)?",
    re.ASCII | re.IGNORECASE,
)
CLOCK = re.compile(r"(\d{1,2}):([0-5]\d):([0-5]\d)(?:[.,](\d{1,12}))?", re.ASCII)
DAY = 86400.0  # [s]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SINCE_1970 = (5e8, 5e9)  # [s] of the years 1985 to 2128
COUNTS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}  # per second


def clock_seconds(cell: str) -> float | None:
    """Seconds since 1970 of a date with a time ("2026-05-03T10:00:00.020Z"), or since midnight ("10:00:00.020").

    None for any other text, and for a date that does not exist. Without a zone, UTC is taken.
    """
    if (found := CLOCK.fullmatch(cell)) is not None:
        hours, minutes, seconds = (int(part) for part in found.groups()[:3])
        return 3600.0 * hours + 60.0 * minutes + seconds + _fraction(found[4])
    if (found := ISO.fullmatch(cell)) is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    try:
        at = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
    return (at - EPOCH).total_seconds() + _fraction(found[7]) - _zone(found[8])


def _fraction(digits: str | None) -> float:
    return float(f"0.{digits}") if digits else 0.0


def _zone(zone: str | None) -> float:
    """Seconds by which a zone such as "+02:00" is ahead of UTC."""
    if not zone or zone in "Zz":
        return 0.0
    digits = zone[1:].replace(":", "")
    ahead = timedelta(hours=int(digits[:2]), minutes=int(digits[2:])).total_seconds()
    return -ahead if zone[0] == "-" else ahead


def across_midnight(seconds: np.ndarray) -> np.ndarray:
    """Clock times (n,) [s] that continue beyond midnight, where they go back by more than half a day."""
    days = np.concatenate([[0], np.cumsum(np.diff(seconds) < -DAY / 2)])
    return seconds + DAY * days if len(seconds) else seconds


def unit_since_1970(times: np.ndarray) -> str:
    """The unit in which all times (n,) are counts since 1970: "s", "ms", "us" or "ns"; "" where they are none."""
    finite = times[np.isfinite(times)]
    if not len(finite):
        return ""
    for unit, count in COUNTS.items():
        if (finite >= SINCE_1970[0] * count).all() and (finite <= SINCE_1970[1] * count).all():
            return unit
    return ""
