"""The one way to run a module of this program in a process of its own.

What such a process is for: files that a library may not survive reading, work that would hold the interpreter's lock,
and commands that the window runs. It answers by messages (messages.py), which its module sends; limits.py has what
the module begins with.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, Full, Queue, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import IO, Any
from weakref import finalize

from polhode.process.messages import Message, receive, send
from polhode.process.tail import Tail

SINGLE_THREADED = {"OPENBLAS_NUM_THREADS": "1"}
"""Variables for modules with limits: threads of numerical libraries take time and memory."""
LOOK = 0.05  # [s] between two calls of `check_cancelled`
UNREAD = 64  # most messages that wait to be taken; the module waits at its full pipe meanwhile
KILLED = 5.0  # [s] that a killed process is waited for; a system whose disk hangs may keep it longer


class ChildProcess:
    """A module in a process of its own, which is killed by `close`, and when this object is deleted.

    Only `receive` waits: one thread writes what is sent, and another reads what is answered, so that neither a full
    pipe nor a module that does not read holds up the caller. Of a module that floods its pipes no more is kept than
    UNREAD messages and the last errors (tail.py); lines that are no messages are read past.
    """

    def __init__(
        self,
        module: str,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        keeps_errors: bool = False,
        listener: Callable[[Message | None], None] | None = None,
    ):
        """Start `python -m module arguments`. Raises OSError where no process can be started.

        environment: by default that of this process; the module finds the same packages in any case
        keeps_errors: whether `errors` has the end of what the module writes to stderr
        listener: called in the thread that reads, with each message and with None at the end, in place of `poll`
        """
        known = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            env={**(os.environ if environment is None else environment), "PYTHONPATH": known},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if keeps_errors else subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._answers: Queue[Message | None] = Queue(UNREAD)
        self._requests: SimpleQueue[Message | None] = SimpleQueue()
        self._tail, is_closed = Tail(self._process.stderr), Event()
        take = listener or partial(_put, self._answers, is_closed)
        read, write = (
            partial(_read, self._process, self._requests, take),
            partial(_write, self._process, self._requests),
        )
        for work in (read, write, self._tail.read):  # threads that referred to this object would keep it
            Thread(target=work, name=module, daemon=True).start()
        self.has_ended = False
        """Whether the process has ended, and all of its messages were taken."""
        self.close = finalize(self, _end, self._process, is_closed)
        """Kill the process, from any thread; a call that waits for a message gets None then."""

    @property
    def number(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Exit status, negative for a signal; None while the process runs."""
        return self._process.poll()

    @property
    def errors(self) -> str:
        """Last text that the module has written to stderr; the first line tells how much is left out before."""
        return self._tail.text(KILLED if self.has_ended else 0.0)

    def send(self, head: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
        """Send a message; without effect where the process has ended."""
        self._requests.put((head, list(blobs)))

    def end_input(self) -> None:
        """Let the module end by itself, after what was sent before."""
        self._requests.put(None)

    def poll(self) -> Iterator[Message]:
        """The messages that have come since the last call."""
        while not self.has_ended and not self._answers.empty():
            if (message := self._taken(self._answers.get())) is not None:
                yield message

    def receive(self, patience: float, check_cancelled: Callable[[], None] = lambda: None) -> Message | None:
        """The next message; None where the process has ended instead.

        After `patience` [s] the process is killed, and TimeoutError raised. `check_cancelled` is called meanwhile;
        where it raises, the process is killed as well.
        """
        until = monotonic() + patience
        try:
            while not self.has_ended:
                check_cancelled()
                with suppress(Empty):
                    return self._taken(self._answers.get(timeout=min(LOOK, patience)))
                if monotonic() > until:
                    raise TimeoutError
        except BaseException:
            self.close()
            raise
        return None

    def _taken(self, message: Message | None) -> Message | None:
        self.has_ended = message is None
        return message


Process = subprocess.Popen[bytes]
Listener = Callable[[Message | None], None]


def _read(process: Process, requests: SimpleQueue[Message | None], listener: Listener) -> None:
    """Body of the thread that reads, until the module has closed its output and the process has ended."""
    assert process.stdout is not None
    with process.stdout as stream:
        while True:
            try:
                message = receive(stream)
            except (ValueError, TypeError):  # no message, but a line that a library has printed
                continue
            if message is None:
                break
            listener(message)
    process.wait()
    requests.put(None)
    listener(None)


def _put(answers: Queue[Message | None], is_closed: Event, message: Message | None) -> None:
    """Wait until the message fits into the queue; after `close` the oldest one makes room."""
    while True:
        with suppress(Full):
            return answers.put(message, timeout=LOOK)
        if is_closed.is_set():
            with suppress(Empty):
                answers.get_nowait()


def _write(process: Process, requests: SimpleQueue[Message | None]) -> None:
    """Body of the thread that writes."""
    stream: IO[bytes] | None = process.stdin
    assert stream is not None
    with suppress(OSError), stream:  # it does not read any more, which the other thread tells
        while (request := requests.get()) is not None:
            send(stream, *request)


def _end(process: Process, is_closed: Event) -> None:
    """Kill a process, and wait until it has ended."""
    is_closed.set()
    process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(KILLED)
