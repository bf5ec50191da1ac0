"""A thread for what a view computes and no frame may wait for. Only the newest order of each view is worked on."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from core.scene.message import Message

log = logging.getLogger(__name__)

REST = 1.0  # times as long as it has worked: the physics and the frames come first
Job = Callable[[ModuleType], Any]  # it gets field_in_space, which brings the compiler and is loaded late


class Worker:
    """Views `order` by name and `take` what is ready; with patience an order is done before it returns, for films."""

    def __init__(self, patient: bool = False):
        self._patient = patient
        self._orders: dict[str, Job] = {}
        self._ready: dict[str, Any] = {}
        self._change = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def order(self, name: str, job: Job) -> None:
        """Replace the order of that name that waits."""
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
        """What the last finished order of that name gave, once; None where there is nothing new."""
        return self._ready.pop(name, None)

    @property
    def ready(self) -> bool:
        """Something can be taken."""
        return bool(self._ready)

    def close(self, patience: float = 5.0) -> None:
        """End the thread; it may be deep in a compilation."""
        with self._change:
            self._closed = True
            self._change.notify()
        if self._thread is not None:
            self._thread.join(patience)

    def _work(self) -> None:
        try:
            field = _field()
            while (order := self._next()) is not None:
                name, job = order
                begun = time.perf_counter()
                self._ready[name] = job(field)
                with self._change:
                    self._change.wait_for(lambda: self._closed, REST * (time.perf_counter() - begun))
        except Exception:  # the thread boundary: the lab goes on without lines
            log.exception(Message("the field could not be computed"))

    def _next(self) -> tuple[str, Job] | None:
        """The order that has waited longest, when there is one; None at the end."""
        with self._change:
            self._change.wait_for(lambda: self._orders or self._closed)
            if self._closed:
                return None
            name = next(iter(self._orders))
            return name, self._orders.pop(name)


def _field() -> ModuleType:
    # Here and not at the top: the first frame does not wait for the compiler.
    from core.physics.magnets import field_in_space

    return field_in_space
