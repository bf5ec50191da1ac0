"""Columns of a run between the ends of its batches: states are kept in a buffer within the compiled call.

The step writes every n-th state into `work.samples` (core/polhode/engine/model.py); after the batch the columns of
these states are evaluated together. The buffer limits the length of a batch, and samples cost nothing when there are
none.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import thread_time

import numpy as np

from polhode.engine.diagnostics import observe, observed
from polhode.engine.model import Clock, Inputs, Model, StoredStates, Work

BUFFER = 2**20  # largest number of float64 in the buffer, unless one row is larger
ROWS = 4096  # more batches cost more than the larger buffer


class StateSampler:
    """Records columns at every `every` steps of a simulation that uses its `work`. For the simulating thread only."""

    def __init__(self, work: Work, columns: Sequence[int] = (), every: int = 0, into: np.ndarray | None = None):
        """`columns` are indices of polhode.analysis.columns; with none, nothing is recorded. `work` is not changed.

        into: (rows, c) array for all columns of the table, which is filled from its first row on
        """
        self._columns = np.array(columns, dtype=np.int64)
        self._every = every if columns else 0
        size = len(work.stage)
        rows = max(1, min(ROWS, BUFFER // max(size, 1))) if self._every else 0
        self._buffer = StoredStates(np.zeros((rows, size)), np.array([self._every, self._every, 0], dtype=np.int64))
        self._into = into
        self._left = self._every  # steps to the next one that is kept
        self._seconds = 0.0
        self._collected: list[np.ndarray] = []
        self.work = work.with_members(samples=self._buffer)

    def next_due(self, step: int) -> int:
        """Step at which the buffer, empty at step `step`, is full; sys.maxsize where nothing is recorded."""
        return step + self._every * len(self._buffer.states) if self._every else sys.maxsize

    def collect(self, model: Model, inputs: Inputs, work: Work, clock: Clock) -> None:
        """Evaluate the columns of the states in the buffer, from a batch that began at `clock`, and empty it.

        The states in the buffer are placed, which changes them; those of the simulation do not change.
        """
        _, left, rows = self._buffer.count.tolist()
        if rows > 0:
            steps = self._left + self._every * np.arange(rows)
            times = clock.start + (clock.done + steps) * clock.step
            begun = thread_time()
            self._collected.append(self._evaluated(model, inputs, times, self._buffer.states[:rows], work))
            self._buffer.count[2] = 0
            self._seconds += thread_time() - begun
        self._left = left

    def _evaluated(self, model: Model, inputs: Inputs, times: np.ndarray, states: np.ndarray, work: Work) -> np.ndarray:
        """(r, columns) of the states (r, k) at `times` (r,) [s], which are placed."""
        if self._into is None:
            return observed(model, inputs, times, states, work)[:, self._columns]
        rows, self._into = self._into[: len(times)], self._into[len(times) :]
        observe(model, inputs, times, states, work, rows)
        return rows

    @property
    def seconds(self) -> float:
        """Processor time [s] spent on evaluating columns."""
        return self._seconds

    def collected(self) -> np.ndarray:
        """(n, columns) samples since the last call, oldest first, in the units of polhode.analysis.columns."""
        given, self._collected = self._collected, []
        if len(given) == 1:
            return given[0]
        return np.concatenate(given) if given else np.empty((0, len(self._columns)))
