"""One piece of work at a time in a background thread, whose newest result is asked for once per frame. No Qt."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem

log = logging.getLogger(__name__)

PAUSE = 1e-3  # [s] that the thread gives way at each breath: frames of the window have priority
FAILURE = Message("work in the background failed")
Breathe = Callable[[], None]
Work = Callable[[Breathe], Any]


class Stopped(Exception):
    """The work was cancelled."""


class BackgroundJob:
    """`start` a function, `poll` for its result once per frame, `cancel`. To be called from one thread.

    The function gets another one, `breathe`, that it calls often: it raises Stopped where the work was cancelled. Work
    that is started while other work runs cancels that, and waits for its end; work that is added follows it.
    """

    def __init__(self, name: str, failure: Message = FAILURE):
        """A thread called `name`; `failure` heads the log's entry of an unexpected exception."""
        self._name, self._failure = name, failure
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._waiting: deque[Work] = deque()
        self._results: list[Any] = []  # of the work that runs; another list for other work, so a late end does no harm

    @property
    def is_running(self) -> bool:
        """Whether work is under way or waits."""
        return bool(self._waiting) or (self._thread is not None and self._thread.is_alive())

    def start(self, work: Work) -> None:
        """Run a function in the thread; its result, or the InputError that it raises, comes by `poll`.

        Any other exception is logged, and an InputError that tells of it comes.
        """
        self.cancel()
        self.add(work)

    def add(self, work: Work) -> None:
        """Run a function in the thread after all that was asked for before; see `start`."""
        self._waiting.append(work)
        self._begin()

    def cancel(self) -> None:
        """End the work at its next breath; its result is dropped."""
        self._stop.set()
        self._results, self._waiting = [], deque()

    def poll(self) -> Any:
        """The result, once; None while there is none."""
        result = self._results.pop() if self._results else None
        self._begin()
        return result

    def close(self, patience: float = 5.0) -> None:
        """End the thread, and wait for that at most `patience` [s]."""
        self.cancel()
        if self._thread is not None:
            self._thread.join(patience)

    def _begin(self) -> None:
        """Start the thread with what waits first, unless it still runs or its result was not asked for yet."""
        if not self._waiting or (self._thread is not None and self._thread.is_alive()) or self._results:
            return
        work, self._stop, self._results = self._waiting.popleft(), threading.Event(), []
        given = work, self._stop, self._results
        self._thread = threading.Thread(target=self._run, args=given, name=self._name, daemon=True)
        self._thread.start()

    def _run(self, work: Work, stop: threading.Event, results: list[Any]) -> None:
        """Body of the thread; `results` gets what comes of it."""

        def breathe() -> None:
            if stop.is_set():
                raise Stopped
            time.sleep(PAUSE)

        try:
            result = work(breathe)
        except Stopped:
            return
        except InputError as error:
            result = error
        except Exception:  # the thread boundary: the window goes on without a result
            log.exception(self._failure)
            result = InputError("polhode", [Problem("", self._failure, Message("the log of messages has the details"))])
        if not stop.is_set():
            results.append(result)
