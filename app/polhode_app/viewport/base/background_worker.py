"""Background thread for computations of views that take longer than a frame."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from polhode.scene.message import Message

log = logging.getLogger(__name__)

REST = 1.0  # pause after each job, in durations of the job: simulation and rendering have priority
Job = Callable[[ModuleType], Any]  # called with the module field_in_space, which imports numba and is loaded late


class Worker:
    """Views `order` jobs by name and `take` the results; a newer order of the same name replaces a waiting one.

    Jobs run in the worker thread; all methods are to be called from the GUI thread.
    """

    def __init__(self, patient: bool = False):
        """With `patient`, jobs run inside of `order`, for films in which every frame must be complete."""
        self._patient = patient
        self._orders: dict[str, Job] = {}
        self._ready: dict[str, Any] = {}
        self._change = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def order(self, name: str, job: Job) -> None:
        """Queue a job; a waiting job of that name is dropped."""
        if self._patient:
            self._ready[name] = job(_field())
            return
        with self._change:
            self._orders[name] = job
            self._change.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="field", daemon=True)
            self._thread.start()

    def take(self, name: str) -> Any:
        """Result of the last finished job of that name, once; None if there is no new one."""
        return self._ready.pop(name, None)

    @property
    def ready(self) -> bool:
        """Whether any result is available."""
        return bool(self._ready)

    @property
    def is_running(self) -> bool:
        """Whether the thread was started and has not ended."""
        return self._thread is not None and self._thread.is_alive()

    def close(self, patience: float = 5.0) -> None:
        """End the thread, and wait for that at most `patience` [s]; a compilation cannot be interrupted."""
        with self._change:
            self._closed = True
            self._change.notify()
        if self._thread is not None:
            self._thread.join(patience)

    def _work(self) -> None:
        """Body of the thread."""
        try:
            field = _field()
            while (order := self._next()) is not None:
                name, job = order
                begun = time.perf_counter()
                self._ready[name] = job(field)
                with self._change:
                    self._change.wait_for(lambda: self._closed, REST * (time.perf_counter() - begun))
        except Exception:  # the thread boundary: the program continues without field lines
            log.exception(Message("the field could not be computed"))

    def _next(self) -> tuple[str, Job] | None:
        """Take the job that has waited longest; None on shutdown."""
        with self._change:
            self._change.wait_for(lambda: self._orders or self._closed)
            if self._closed:
                return None
            name = next(iter(self._orders))
            return name, self._orders.pop(name)


def _field() -> ModuleType:
    """The module field_in_space."""
    # Imported here because it loads numba, which would delay the first frame.
    from polhode.physics.magnets import field_in_space

    return field_in_space
