"""Engines run the chunks of a sweep: threads here, other machines in core/polhode/sweep/engines/cluster.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, runtime_checkable

import numpy as np

from polhode.sweep.chunks import Chunk, ChunkRunner


class Submitted(Protocol):
    """A submitted chunk."""

    def result(self) -> Chunk:
        """Its results; raises the exception that ended it."""
        ...

    def add_done_callback(self, callback: Callable[[Any], Any], /) -> None:
        """Call `callback` with this object, on any thread, when it is done."""
        ...


Submit = Callable[[np.ndarray], Submitted]


@runtime_checkable
class Engine(Protocol):
    """Runs chunks of cells."""

    @property
    def workers(self) -> int:
        """Number of chunks that run at once."""
        ...

    def running(self, chunks: ChunkRunner) -> AbstractContextManager[Submit]:
        """A context with a function that submits cells (n,)."""
        ...


class Threads:
    """Threads of this process; compiled loops release the lock of the interpreter."""

    def __init__(self, workers: int):
        self.workers = workers

    @contextmanager
    def running(self, chunks: ChunkRunner) -> Iterator[Submit]:
        """See Engine."""
        with ThreadPoolExecutor(self.workers, "cells") as pool:
            yield lambda cells: pool.submit(chunks.run, cells)
