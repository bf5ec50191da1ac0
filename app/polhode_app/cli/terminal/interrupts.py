"""Ctrl-C: ends a command with one line and exit status 130 at any time, also in the middle of a compiled call.

Python runs signal handlers in the main thread between its own instructions only, and an exception that a handler raises
may meet code that cannot pass it on: callbacks of the compiler, destructors, imports. So nothing is raised here. The
signal wakes a thread, which ends the process at once, unless the command works on an output (`work`): then it cancels
what runs, and the command ends by itself at the next report of progress. It has GRACE seconds for that, or until the
second Ctrl-C.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

INTERRUPTED = 130  # exit status
GRACE = 5.0  # [s] for a command to end by itself
AGAIN = 0.02  # [s] between two calls of what cancels

line = "Stopped."  # in the language of the command
cancels: list[Callable[[], None]] = []  # called in the thread until the command has answered
_requested = threading.Event()
_answered = threading.Event()
_working = threading.Event()


def listen() -> None:
    """Handle Ctrl-C from now on."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, lambda number, frame: None)
    threading.Thread(target=_hear, args=(reader,), name="Ctrl-C", daemon=True).start()
    # Python restores the default action of Ctrl-C as it ends: a command that is done would end with another status.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


def begin_work() -> None:
    """From now on, until `work` ends, there is an output that Ctrl-C keeps. Without effect outside of `work`."""
    if not _answered.is_set():
        _working.set()


@contextmanager
def work() -> Iterator[None]:
    """Context of a command that writes an output; raises KeyboardInterrupt if Ctrl-C was pressed before."""
    _answered.clear()
    try:
        check()
        yield
    finally:
        _answered.set()
        _working.clear()
        cancels.clear()


def check() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed."""
    if _requested.is_set():
        _answered.set()
        raise KeyboardInterrupt


def _hear(reader: socket.socket) -> None:
    """Body of the thread: read the number of each signal that Python handles."""
    while number := reader.recv(1):
        if number[0] != signal.SIGINT:
            continue
        if not _working.is_set() or _requested.is_set():
            _end()
        _requested.set()
        threading.Thread(target=_wait, name="end", daemon=True).start()


def _wait() -> None:
    """Cancel what runs until the command answers; end the process where it does not."""
    end = monotonic() + GRACE
    while not _answered.wait(AGAIN):
        for cancel in tuple(cancels):
            cancel()
        if monotonic() > end:
            _end()


def _end() -> None:
    """End the process with one line; a progress bar is erased, and the cursor shown again."""
    with suppress(OSError):  # stderr is closed, or full
        bar = "\r\x1b[K\x1b[?25h" if os.isatty(2) else ""
        os.write(2, f"{bar}{line}\n".encode(sys.getfilesystemencoding(), "replace"))
    os._exit(INTERRUPTED)
