"""Columns of a run between the ends of its batches: states are kept on a tape within the compiled call."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import thread_time

import numpy as np

from core.analysis.diagnostics import observed
from core.engine.model import Clock, Inputs, Model, SampleBuffer, Work

TAPE = 2**20  # numbers that a tape holds at most, but for one row
ROWS = 1024


class StateSampler:
    """Some columns of the table at every so many steps of a simulation that uses `work`."""

    def __init__(self, work: Work, columns: Sequence[int] = (), every: int = 0):
        """`columns` are places in core.analysis.columns; none: nothing is kept, and nothing is spent."""
        self._columns = np.array(columns, dtype=np.int64)
        self._every = every if columns else 0
        size = len(work.stage)
        rows = max(1, min(ROWS, TAPE // max(size, 1))) if self._every else 0
        self._tape = SampleBuffer(np.zeros((rows, size)), np.array([self._every, 0, 0], dtype=np.int64))
        self._phase = 0  # steps since the last one that was kept
        self._seconds = 0.0
        self._given: list[np.ndarray] = []
        self.work = work.with_members(tape=self._tape)

    def next_due(self, step: int) -> int:
        """Step at which the tape is full, if it is empty at `step`."""
        return step + self._every * len(self._tape.states) if self._every else sys.maxsize

    def take(self, model: Model, inputs: Inputs, work: Work, clock: Clock) -> None:
        """Work out the columns of the states that a call, which began at `clock`, has left on the tape."""
        _, phase, rows = self._tape.count.tolist()
        if rows > 0:
            steps = self._every - self._phase + self._every * np.arange(rows)
            times = clock.start + (clock.done + steps) * clock.step
            begun = thread_time()
            numbers = observed(model, inputs, times, self._tape.states[:rows], work)
            self._given.append(numbers[:, self._columns])
            self._tape.count[2] = 0
            self._seconds += thread_time() - begun
        self._phase = phase

    @property
    def seconds(self) -> float:
        """Processor time [s] that working out has taken so far."""
        return self._seconds

    def given(self) -> np.ndarray:
        """(n, columns) those that were worked out since the last call."""
        given, self._given = self._given, []
        return np.concatenate(given) if given else np.empty((0, len(self._columns)))
