"""A recording that another process reads, so that no damage of the file reaches this one.

HDF5 does not survive every file: some let it loop forever without a response to signals, some let it crash or allocate
without end. Here hdf5_server.py reads the file, with limits of time and memory; this process imports no
HDF5, and gets numbers and texts.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Timer
from typing import Any
from weakref import finalize

import numpy as np

from polhode.recording.contents import Contents, receive, send
from polhode.scene.message import Message
from polhode.scene.problem import InputError

SERVER = "polhode.recording.checks.hdf5_server"
PATIENCE = 60.0  # [s] wall time for an answer, which normally takes a fraction of a second
REMEDY = Message("use another copy of it")
OUT_OF_TIME = -getattr(signal, "SIGXCPU", -1)  # exit status of a process whose processor time is over


class IsolatedFile:
    """An open recording, or another HDF5 file. For one thread at a time, but for `close`."""

    def __init__(self, path: Path, server: str | None = None):
        """Start the process, which begins to read; `contents` waits for it. Raises OSError if it can't start.

        server: module that reads the file, by default that of recordings
        """
        self.path = path
        command = [sys.executable, "-P", "-m", server or SERVER, str(path.absolute())]
        known = os.pathsep.join(filter(None, sys.path))
        # No threads of numerical libraries, which take time and memory.
        environment = {**os.environ, "PYTHONPATH": known, "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._replies = self._process.stdin, self._process.stdout
        self.close = finalize(self, _end, self._process)
        """End the process, from any thread; a call that waits for it raises InputError then."""

    def contents(self) -> Contents:
        """Everything but the states; to be called once. Raises InputError where the file can't be read."""
        return Contents.of(*self.reply())

    def states(self, start: int, stop: int) -> np.ndarray:
        """(t, k) flat states of the frames start ... stop - 1. Raises InputError where they can't be read."""
        try:
            send(self._requests, {"start": start, "stop": stop})
        except (OSError, ValueError):  # the process has ended, or the file is closed
            raise self._objection("", Message("is closed"), Message("open it again")) from None
        head, blobs = self.reply()
        return np.frombuffer(blobs[0]).reshape(-1, head["size"])

    def reply(self) -> tuple[dict[str, Any], list[bytes]]:
        """The next message of the process. Raises InputError for a refusal, or where it ends or takes too long."""
        timer = Timer(PATIENCE, self._process.kill)
        timer.start()
        try:
            reply = receive(self._replies)
        except ValueError:  # the file is closed
            reply = None
        late = timer.finished.is_set()
        timer.cancel()
        timer.join()
        if reply is None:
            raise self._ended(late)
        if "refused" in reply[0]:
            place, rule, remedy = reply[0]["refused"]
            raise self._objection(place, Message.restored(rule), Message.restored(remedy))
        return reply

    def _ended(self, late: bool) -> InputError:
        """Why the process has ended without an answer; `late`: it has taken longer than PATIENCE."""
        status = self._process.wait()
        if late or status == OUT_OF_TIME:
            return self._objection("", Message("is damaged: reading it does not end"), REMEDY)
        return self._objection("", Message("is damaged: HDF5 does not survive reading it"), REMEDY)

    def _objection(self, place: str, rule: Message, remedy: Message) -> InputError:
        return InputError.of(str(self.path), rule, remedy, place)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and wait until it has ended; a thread that reads its output gets the end of it."""
    process.kill()
    process.wait()
