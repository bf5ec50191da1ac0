"""The one way to compute beside the window in this process: work in a background thread. No Qt."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem

log = logging.getLogger(__name__)

PAUSE, EVERY = 1e-3, 0.01  # [s] that work gives way, and how often: frames of the window have priority
FAILURE = Message("work in the background failed")


class JobCancelled(Exception):
    """The work was cancelled."""


class CheckCancelled:
    """The argument of work, which calls it often."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._paused = 0.0  # when it gave way last [s]
        self.progress: Any = None

    def __call__(self) -> None:
        """Raise Cancelled if the work was cancelled, and give way to the window now and then."""
        if self.is_cancelled:
            raise JobCancelled
        if time.monotonic() - self._paused > EVERY:
            time.sleep(PAUSE)
            self._paused = time.monotonic()

    def wait(self, seconds: float) -> None:
        """Wait; raises Cancelled as soon as the work is cancelled."""
        if self._cancelled.wait(seconds):
            raise JobCancelled

    def report(self, progress: Any) -> None:
        """Replace `progress` of the job. Raises Cancelled."""
        self()
        self.progress = progress

    def cancel(self) -> None:
        """Cancel the work."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether the work was cancelled; its result is dropped then."""
        return self._cancelled.is_set()


Work = Callable[[CheckCancelled], Any]


class _Order(NamedTuple):
    """Work with the name that its result is asked for by."""

    name: str
    work: Work


class Job:
    """`start` or `add` work, `poll` for its result once per frame, `cancel`. To be called from one thread.

    A thread does one piece of work after another, and ends when nothing is left to do. The result of work is what it
    returns, or the InputError that it raises; None is no result. Any other exception is logged, once in a row, and
    an InputError about it is the result.
    """

    def __init__(self, name: str, failure: Message = FAILURE, rest: float = 0.0, patient: bool = False):
        """Prepare a thread called `name`.

        failure: heads the log's entry of an unexpected exception
        rest: pause after each work, in durations of it: simulation and rendering have priority
        patient: work is done inside of `add`, for films in which every frame must be complete; nothing is caught
        """
        self._name, self._failure, self.rest, self._patient = name, failure, rest, patient
        self._logged = ""  # unexpected exception
        self._lock = threading.Lock()  # of what follows
        self._thread: threading.Thread | None = None
        self._newest = CheckCancelled()  # of the work that was begun last
        self._is_busy = False  # with it
        self._waiting: list[_Order] = []
        self._results: list[tuple[str, Any]] = []

    @property
    def is_running(self) -> bool:
        """Whether work is under way or waits, or a result was not taken."""
        with self._lock:
            return self._is_busy or bool(self._waiting) or bool(self._results)

    @property
    def has_results(self) -> bool:
        """Whether `poll` has a result, of some name."""
        return bool(self._results)

    @property
    def progress(self) -> Any:
        """The last report of the running work; None before, and without work or after `cancel`."""
        newest = self._newest
        return newest.progress if self._is_busy and not newest.is_cancelled else None

    def start(self, work: Work) -> None:
        """Run a function in the thread, in place of all that was asked for before."""
        self.cancel()
        self.add(work)

    def add(self, work: Work, name: str = "") -> None:
        """Run a function in the thread after all that was asked for before.

        It replaces work of the same `name` that waits, and its result replaces one that was not taken.
        """
        if self._patient:
            self._put(name, work(CheckCancelled()))
            return
        with self._lock:
            self._waiting = [each for each in self._waiting if not name or each.name != name]
            self._waiting.append(_Order(name, work))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def poll(self, name: str = "") -> Any:
        """The next result of work of that name, once; None while there is none."""
        with self._lock:
            for index, (of, _) in enumerate(self._results):
                if of == name:
                    return self._results.pop(index)[1]
        return None

    def cancel(self) -> None:
        """End the work when it checks next; its result and all others are dropped."""
        with self._lock:
            self._newest.cancel()
            self._waiting, self._results = [], []

    def wait(self, patience: float | None = None) -> None:
        """Wait until everything is done, at most `patience` [s]."""
        thread = self._thread
        if thread is not None:
            thread.join(patience)

    def close(self, patience: float = 5.0) -> None:
        """Cancel, and wait for the end at most `patience` [s]; a compilation can't be interrupted."""
        self.cancel()
        self.wait(patience)

    def _run(self) -> None:
        """Body of the thread."""
        while (order := self._next()) is not None:
            check, begun = self._newest, time.monotonic()
            with suppress(JobCancelled):
                result = self._result(order.work, check)
                with self._lock:
                    if not check.is_cancelled:
                        self._put(order.name, result)
                    self._is_busy = False
                check.wait(self.rest * (time.monotonic() - begun))

    def _next(self) -> _Order | None:
        """Take the work that has waited longest; None, which ends the thread, if there is none."""
        with self._lock:
            self._is_busy = bool(self._waiting)
            if not self._waiting:
                self._thread = None
                return None
            self._newest = CheckCancelled()
            return self._waiting.pop(0)

    def _result(self, work: Work, check: CheckCancelled) -> Any:
        """The result of work. Raises Cancelled."""
        try:
            return work(check)
        except InputError as error:
            return error
        except JobCancelled:
            raise
        except Exception as error:  # the thread boundary: the window continues without a result
            if repr(error) != self._logged:  # work of every frame may fail in every frame
                log.exception(self._failure)
            self._logged = repr(error)
            return InputError("polhode", [Problem("", self._failure, Message("the log of messages has the details"))])

    def _put(self, name: str, result: Any) -> None:
        """Keep a result."""
        if result is not None:
            self._results = [each for each in self._results if not name or each[0] != name]
            self._results.append((name, result))
