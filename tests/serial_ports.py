"""Serial ports for tests: ptys that behave as badly as cables and boards do."""

from __future__ import annotations

import os
import time
import tty
from collections.abc import Callable
from pathlib import Path

PATIENCE = 10.0  # [s]


class Cable:
    """A port at a path of its own, which can be plugged in and out. What is written to it comes out of the port."""

    def __init__(self, path: Path):
        self.path = path
        self._master = -1

    def plug(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        name = os.ttyname(slave)
        os.close(slave)
        self.path.symlink_to(name)

    def unplug(self) -> None:
        if self._master >= 0:
            self.path.unlink()
            os.close(self._master)
            self._master = -1

    def say(self, data: bytes) -> int:
        """How many of the bytes went into the cable."""
        try:
            return os.write(self._master, data)
        except (BlockingIOError, OSError):  # full, or nobody listens
            return 0

    def hear(self) -> bytes:
        """Bytes sent to the board since the last call."""
        try:
            return os.read(self._master, 4096)
        except (BlockingIOError, OSError):
            return b""

    def __enter__(self) -> Cable:
        self.plug()
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()


def until(met: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Wait until something holds."""
    end = time.monotonic() + patience
    while not met():
        assert time.monotonic() < end, what
        time.sleep(0.005)
