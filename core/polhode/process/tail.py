"""The last of what a process writes to a pipe, within a fixed size."""

from __future__ import annotations

from collections import deque
from threading import Event, Lock
from typing import IO

LINES, BYTES = 500, 2**16
"""Most lines and bytes that are kept."""


class Tail:
    """Reads a pipe to its end, and keeps its last LINES lines and BYTES bytes."""

    def __init__(self, stream: IO[bytes] | None):
        """stream: of the pipe; None for one that is not read"""
        self._stream, self._pieces, self._lock = stream, deque[bytes](), Lock()
        self._size = self._left_out = 0  # bytes
        self._has_ended = Event()

    def read(self) -> None:
        """Read to the end of the pipe: body of a thread."""
        if self._stream is not None:
            with self._stream:
                while piece := self._stream.readline(BYTES):
                    self._keep(piece)
        self._has_ended.set()

    def _keep(self, piece: bytes) -> None:
        """Append a line, or a part of a longer one."""
        with self._lock:
            self._pieces.append(piece)
            self._size += len(piece)
            while self._size > BYTES or len(self._pieces) > LINES:
                gone = len(self._pieces.popleft())
                self._size, self._left_out = self._size - gone, self._left_out + gone

    def text(self, patience: float) -> str:
        """The text that is kept; waits for the end of the pipe, at most `patience` [s]."""
        self._has_ended.wait(patience)
        with self._lock:
            text, left_out = b"".join(self._pieces).decode(errors="replace"), self._left_out
        return f"({left_out} bytes before this line are left out)\n{text}" if left_out else text
