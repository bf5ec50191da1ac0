"""A recording that another process reads, so that no damage of the file reaches this one.

HDF5 does not survive every file: some let it loop forever without a response to signals, some let it crash or allocate
without end. Here hdf5_server.py reads the file, with limits of time and memory; this process imports no
HDF5, and gets numbers and texts.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np

from polhode.process.child_process import SINGLE_THREADED, ChildProcess
from polhode.process.messages import Message as Reply
from polhode.recording.contents import Contents
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
        environment = {**os.environ, **SINGLE_THREADED}
        self._process = ChildProcess(server or SERVER, str(path.absolute()), environment=environment)
        self.close = self._process.close
        """End the process, from any thread; a call that waits for it raises InputError then."""

    def contents(self, check_cancelled: Callable[[], None] = lambda: None) -> Contents:
        """Everything but the states; to be called once. Raises InputError where the file can't be read.

        check_cancelled: called while the process reads; may raise to end it
        """
        return Contents.of(*self.reply(check_cancelled))

    def states(self, start: int, stop: int) -> np.ndarray:
        """(t, k) flat states of the frames start ... stop - 1. Raises InputError where they can't be read."""
        if not self.close.alive or self._process.status is not None:
            raise self._objection("", Message("is closed"), Message("open it again"))
        self._process.send({"start": start, "stop": stop})
        head, blobs = self.reply()
        return np.frombuffer(blobs[0]).reshape(-1, head["size"])

    def reply(self, check_cancelled: Callable[[], None] = lambda: None) -> Reply:
        """The next message of the process. Raises InputError for a refusal, or where it ends or takes too long."""
        late = False
        try:
            reply = self._process.receive(PATIENCE, check_cancelled)
        except TimeoutError:
            reply, late = None, True
        if reply is None:
            if late or self._process.status == OUT_OF_TIME:
                raise self._objection("", Message("is damaged: reading it does not end"), REMEDY)
            raise self._objection("", Message("is damaged: HDF5 does not survive reading it"), REMEDY)
        if "refused" in reply[0]:
            place, rule, remedy = reply[0]["refused"]
            raise self._objection(place, Message.restored(rule), Message.restored(remedy))
        return reply

    def _objection(self, place: str, rule: Message, remedy: Message) -> InputError:
        return InputError.of(str(self.path), rule, remedy, place)
