"""Where the chunks of a sweep run: on threads of this process. core/polhode/sweep/engines/cluster.py has other
machines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

import numpy as np

from polhode.sweep.chunks import Chunk, ChunkRunner


class Waiting(Protocol):
    """A chunk that was submitted."""

    def result(self) -> Chunk:
        """Its results; raises what ended it."""
        ...

    def add_done_callback(self, callback: Callable[[Any], Any], /) -> None:
        """Call `callback` with this object, on any thread, when it is done."""
        ...


Submit = Callable[[np.ndarray], Waiting]


class Engine(Protocol):
    """Runs chunks of cells."""

    @property
    def workers(self) -> int:
        """Number of chunks that run at once."""
        ...

    def running(self, chunks: ChunkRunner) -> AbstractContextManager[Submit]:
        """Within this context the function that it gives submits cells (n,)."""
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
