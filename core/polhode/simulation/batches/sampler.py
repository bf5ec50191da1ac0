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

NO_COLUMNS, NO_ROWS = np.zeros(0, dtype=np.int64), np.empty((0, 0))


class StateSampler:
    """Records columns at every `every` steps of a simulation that uses its `work`. For the simulating thread only."""

    def __init__(self, work: Work):
        """`work` is not changed; its `samples` have no rows."""
        self.work = work
        self.end()

    def end(self) -> None:
        """Record nothing from now on. The buffer is kept for the next samples: to map its pages again takes longer."""
        self._every, self._left, self._seconds = 0, 0, 0.0
        self._columns, self._into = NO_COLUMNS, NO_ROWS
        self._filled, self._fetched = 0, 0  # rows of `into`
        self._beyond: list[np.ndarray] = []  # those for which it has no rows
        self.work.samples.count[:] = 0

    def begin(self, columns: Sequence[int], every: int, into: np.ndarray | None = None) -> None:
        """Record `columns`, indices of polhode.analysis.columns, from now on, and drop what was not fetched.

        into: (rows, c) array for all columns of the table, which is filled from its first row on; samples for which it
            has no rows left are in arrays of their own
        """
        self.end()
        size, buffer = len(self.work.stage), self.work.samples
        if len(buffer.states) == 0:
            rows = max(1, min(ROWS, BUFFER // max(size, 1)))
            buffer = StoredStates(np.zeros((rows, size)), np.zeros(3, dtype=np.int64))
            self.work = self.work.with_members(samples=buffer)
        buffer.count[:2] = self._every = self._left = every  # steps to the next one that is kept
        self._columns, self._into = np.array(columns, dtype=np.int64), NO_ROWS if into is None else into

    def next_due(self, step: int) -> int:
        """Step at which the buffer, empty at step `step`, is full; sys.maxsize where nothing is recorded."""
        return step + self._every * len(self.work.samples.states) if self._every else sys.maxsize

    def collect(self, model: Model, inputs: Inputs, work: Work, clock: Clock) -> None:
        """Evaluate the columns of the states in the buffer, from a batch that began at `clock`, and empty it.

        The states in the buffer are placed, which changes them; those of the simulation do not change.
        """
        buffer = self.work.samples
        _, left, rows = buffer.count.tolist()
        if rows > 0:
            steps = self._left + self._every * np.arange(rows)
            times = clock.start + (clock.done + steps) * clock.step
            begun = thread_time()
            self._evaluate(model, inputs, times, buffer.states[:rows], work)
            buffer.count[2] = 0
            self._seconds += thread_time() - begun
        self._left = left

    def _evaluate(self, model: Model, inputs: Inputs, times: np.ndarray, states: np.ndarray, work: Work) -> None:
        """Add the rows of the states (r, k) at `times` (r,) [s], which are placed."""
        begin, self._filled = self._filled, self._filled + len(times)
        if self._filled <= len(self._into):
            observe(model, inputs, times, states, work, self._into[begin : self._filled])
            return
        self._into, self._filled = self._into[:begin], begin  # later ones come after these, also if they are fewer
        self._beyond.append(observed(model, inputs, times, states, work)[:, self._columns])

    @property
    def seconds(self) -> float:
        """Processor time [s] spent on evaluating columns."""
        return self._seconds

    def collected(self) -> np.ndarray:
        """(n, columns) samples since the last call, oldest first, in the units of polhode.analysis.columns."""
        blocks = [rows for rows in (self._into[self._fetched : self._filled], *self._beyond) if len(rows)]
        self._fetched, self._beyond = self._filled, []
        if len(blocks) == 1:
            return blocks[0]
        return np.concatenate(blocks) if blocks else np.empty((0, len(self._columns)))
