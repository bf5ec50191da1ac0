"""When a second thread helps: where springs are many, the machine has a core for it, and it is faster for it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Thread

from core.crew import HELPERS, STOP
from core.forces.springs import help_out
from core.model import Model, Work

MANY = 20_000  # springs of soft bodies: beyond, a step lasts longer than it takes to share it out
AGAIN = 16  # batches after which the slower way is tried once more
FORGET = 0.3  # share of the newest batch in the mean


@cache
def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Help:
    """Decides batch by batch. A core that others use as well is no help: whoever claims a part there is made to wait.

    What comes out is the same to the bit either way.
    """

    def __init__(self, model: Model, work: Work):
        self._model, self._work = model, work
        self._wanted = model.runs.count.sum() >= MANY
        self._means: dict[bool, float] = {}  # [s] wall time of a step, with help and without
        self._batches = 0

    @contextmanager
    def __call__(self, steps: int) -> Iterator[None]:
        """Help with a batch of steps while this lasts."""
        if not self._wanted or steps == 0 or _cores() == 1:
            yield
            return
        helped = self._choice()
        crew, start = self._work.crew, time.perf_counter()
        crew[STOP] = crew[HELPERS] = 0
        helper = Thread(target=help_out, args=(self._model, self._work), name="crew")
        if helped:
            helper.start()
        try:
            yield
        finally:
            crew[STOP] = 1
            if helped:
                helper.join()
            crew[HELPERS] = 0
        spent = (time.perf_counter() - start) / steps
        self._means[helped] = (1 - FORGET) * self._means.get(helped, spent) + FORGET * spent

    def _choice(self) -> bool:
        """With help or without: the faster one, and now and then the other, which may have become faster."""
        self._batches += 1
        if len(self._means) < 2:
            return True not in self._means
        faster = self._means[True] < self._means[False]
        return faster != (self._batches % AGAIN == 0)
