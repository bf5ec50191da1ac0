"""Processor cores of this process."""

from __future__ import annotations

import os
from functools import cache


@cache
def cores() -> int:
    """Number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
