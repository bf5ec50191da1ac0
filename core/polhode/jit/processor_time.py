"""Processor time of a thread, without what it spent compiling: the cost of its own work.

In wall time a step would include waiting for the interpreter's lock, for other programs, and for the compiler.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# On Windows thread_time has a resolution of 16 ms, which is too coarse.
_clock = time.perf_counter if sys.platform == "win32" else time.thread_time
_clock_of: Any = getattr(time, "pthread_getcpuclockid", None)  # of another thread; Linux has it

_compiled: dict[int, float] = {}  # [s] spent compiling, by thread
_since: dict[int, tuple[float, float]] = {}  # [s] on its clock and in wall time, when a thread began to compile


def worked() -> float:
    """Processor time [s] of this thread, without compiling; its differences count. Wall time on Windows."""
    thread = threading.get_ident()
    now = _since[thread][0] if thread in _since else _clock()
    return now - _compiled.get(thread, 0.0)


def worked_by(thread: int) -> float:
    """As `worked`, of the running thread with an identifier; wall time where the system has no clock for it."""
    since = _since.get(thread)
    if _clock_of is None:
        return (time.perf_counter() if since is None else since[1]) - _compiled.get(thread, 0.0)
    return (time.clock_gettime(_clock_of(thread)) if since is None else since[0]) - _compiled.get(thread, 0.0)


@contextmanager
def compiling() -> Iterator[None]:
    """Context of a compilation, which may compile other functions."""
    thread = threading.get_ident()
    if thread in _since:
        yield
        return
    _since[thread] = _clock(), time.perf_counter()
    try:
        yield
    finally:
        begun, _ = _since[thread]
        _compiled[thread] = _compiled.get(thread, 0.0) + _clock() - begun
        del _since[thread]
