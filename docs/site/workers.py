"""Processes that do the jobs of a build side by side; each loads the program once, and has a VTK context of its own.

They are started by spawn: a fork would share the state of VTK and of the compiler.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Self


@dataclass(frozen=True)
class Job:
    """A call of a function of a module, which a worker does."""

    title: str  # as progress and errors name it
    function: Callable[..., None]
    arguments: tuple[Any, ...] = ()
    effort: float = 1.0  # time that it takes, relative to other jobs


class JobFailed(Exception):
    """A job whose process ended, as by an exception, which it printed; the message begins with the title of the job."""


class Workers:
    """Processes that wait for jobs. Leaving the context ends them, also in the middle of a job."""

    def __init__(self, count: int):
        """Start the processes; what their jobs need is loaded with the first ones."""
        context = multiprocessing.get_context("spawn")
        self._processes = {}
        for _ in range(count):
            connection, other = context.Pipe()
            process = context.Process(target=_serve, args=(other,), daemon=True)
            process.start()
            other.close()  # the worker has its own end: where it dies, ours is closed
            self._processes[connection] = process

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for process in self._processes.values():
            process.terminate()
        for connection, process in self._processes.items():
            process.join()
            connection.close()

    def run(self, jobs: Iterable[Job], done: Callable[[Job], None]) -> None:
        """Do all jobs, the first ones first; `done` is called after each. Raises JobFailed at the first fault."""
        waiting = deque(jobs)
        idle, busy = list(self._processes), dict[Connection, Job]()
        while waiting or busy:
            while waiting and idle:
                connection = idle.pop()
                busy[connection] = job = waiting.popleft()
                _send(connection, job)
            for connection in wait([*busy]):
                job = busy.pop(connection)
                self._check_answer(connection, job)
                idle.append(connection)
                done(job)

    def _check_answer(self, connection: Connection, job: Job) -> None:
        """Receive the end of a job. Raises JobFailed."""
        try:
            connection.recv()
        except (EOFError, ConnectionResetError) as error:
            process = self._processes[connection]
            process.join()
            raise JobFailed(f"{job.title}: the process ended with status {process.exitcode}") from error


def _send(connection: Connection, job: Job) -> None:
    """Order a job. Where the process has ended, `_check_answer` finds out."""
    try:
        connection.send((job.function, job.arguments))
    except BrokenPipeError:
        return


def _serve(connection: Connection) -> None:
    """Do what is ordered until the other end is closed; runs in a process of its own, which an exception ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one ends these
    while True:
        try:
            function, arguments = connection.recv()
        except EOFError:
            return
        function(*arguments)
        connection.send(None)
