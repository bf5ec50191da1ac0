"""Frames between two redraws of a window, from which it draws the lines of the past."""

from __future__ import annotations

import threading

from polhode_app.messages import FrameData

MOST = 1024  # frames that are kept: a second of a fast rotation


class PassedFrames:
    """Frames since the last call of `take`, added by the physics thread and taken by that of the window.

    Where the window takes none for long, every second one is left out, and of those that come, and so on: lines become
    coarser, but have no gap.
    """

    def __init__(self) -> None:
        self._frames: list[FrameData] = []
        self._newest: FrameData | None = None  # if it is not among them
        self._every, self._number = 1, 0  # one of _every frames that come is kept
        self._lock = threading.Lock()

    def add(self, frame: FrameData) -> None:
        """Keep a frame; the newest one is always kept."""
        with self._lock:
            is_kept = self._number % self._every == 0
            self._number += 1
            self._newest = None if is_kept else frame
            if is_kept:
                self._frames.append(frame)
            if len(self._frames) == MOST:
                self._newest = self._newest or self._frames[-1]
                del self._frames[1::2]
                self._every *= 2

    def take(self) -> list[FrameData]:
        """The frames since the last call, oldest first."""
        with self._lock:
            taken, newest = self._frames, self._newest
            self._frames, self._newest, self._every, self._number = [], None, 1, 0
        return taken if newest is None else [*taken, newest]
