"""Defers Ctrl-C during compilation.

An exception raised inside a callback of the compiler would be printed and lost. So the handler of SIGINT only takes a
note, and the usual one is called when the function is compiled.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_pressed = threading.Event()
_waits = threading.Event()  # `_press` is the handler of SIGINT


def _press(_number: int, _frame: FrameType | None) -> None:
    """Handler of SIGINT during compilation: note that it was sent."""
    _pressed.set()


@contextmanager
def deferred() -> Iterator[None]:
    """Context of a compilation, may be nested; KeyboardInterrupt is raised before the next one or after it.

    Without effect in other threads than the main one, where Python delivers no signals.
    """
    if _waits.is_set() or threading.current_thread() is not threading.main_thread():
        if _pressed.is_set() and threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # the parent process ignores it, or the program handles it
        yield
        return
    signal.signal(signal.SIGINT, _press)
    _waits.set()
    try:
        yield
    finally:
        _waits.clear()
        signal.signal(signal.SIGINT, before)
        if _pressed.is_set():
            _pressed.clear()
            raise KeyboardInterrupt
