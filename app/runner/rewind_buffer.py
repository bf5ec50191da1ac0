"""The past of a run in bounded memory: states to go back to, and on from. Lives inside the physics thread; no Qt."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from app.runner.ghosts import Ghosts
from app.runner.pacing import worked
from core.simulation.simulation import Checkpoint, Simulation

BUDGET = 256 * 2**20  # bytes
FRAME = 1 / 60  # [s] wall time between two states that are kept: more can't be seen
SHARE = 0.02  # of the wall time that the work for copies may take
RECORD = 600  # bytes of what is beside the numbers of a state


class StoredState(NamedTuple):
    """A run as it was."""

    run: Checkpoint
    ghosts: tuple[Checkpoint | None, ...]

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(RECORD + each.state.nbytes for each in (self.run, *self.ghosts) if each is not None)


class RewindBuffer:
    """States in order of time. When there is no more room the older half loses every second one, but never the first.

    So the newest stay as close as they came, and the start is not forgotten.
    """

    def __init__(self, budget: int | None = None):
        """`budget` [bytes], at first that of the program."""
        self._budget = BUDGET if budget is None else budget
        self._kept: list[StoredState] = []
        self._size = 0
        self._at, self._cost = -np.inf, 0.0  # [s] wall time when the last one was kept, and its work

    def set_size(self, budget: int) -> None:
        """So many bytes from now on."""
        self._budget = budget
        while self._size > budget and len(self._kept) > 2:
            self._thin()

    @property
    def span(self) -> tuple[float, float]:
        """First and last time [s]."""
        return (self._kept[0].run.time, self._kept[-1].run.time) if self._kept else (0.0, 0.0)

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def size(self) -> int:
        """Bytes."""
        return self._size

    def restart(self, simulation: Simulation, ghosts: Ghosts) -> None:
        """A run from its start."""
        self._kept, self._size, self._at = [], 0, -np.inf
        self.store(simulation, ghosts)

    def store_if_due(self, simulation: Simulation, ghosts: Ghosts) -> None:
        """Keep the current state, if the last one is old enough."""
        wall = time.perf_counter()
        if wall - self._at >= max(FRAME, self._cost / SHARE):
            begun = worked()
            self.store(simulation, ghosts)
            self._at, self._cost = wall, worked() - begun

    def store(self, simulation: Simulation, ghosts: Ghosts) -> None:
        """Keep the current state, instead of one of the same time."""
        self._cut(lambda time: time >= simulation.time)
        self._add(StoredState(simulation.checkpoint(), ghosts.bookmarks()))
        if self._size > self._budget:
            self._thin()

    def leave(self, simulation: Simulation, ghosts: Ghosts) -> None:
        """Somebody goes back: the end of all is to be found again."""
        if self._kept and simulation.time > self._kept[-1].run.time:
            self.store(simulation, ghosts)

    def go_on(self, time: float) -> bool:
        """The run goes on from a time [s]: what came after it has not happened. True if there was any."""
        before = len(self)
        self._cut(lambda later: later > time)
        return len(self) < before

    def _cut(self, is_over: Callable[[float], bool]) -> None:
        while self._kept and is_over(self._kept[-1].run.time):
            self._size -= self._kept.pop().size

    @property
    def states(self) -> list[Checkpoint]:
        """Of the run, oldest first."""
        return [kept.run for kept in self._kept]

    def nearest(self, time: float) -> StoredState | None:
        """The state nearest to a time [s], if there is any."""
        if not self._kept:
            return None
        right = bisect_right(self._kept, time, key=lambda kept: kept.run.time)
        return min(self._kept[max(right - 1, 0) : right + 1], key=lambda kept: abs(kept.run.time - time))

    def before(self, steps: int) -> StoredState:
        """The last state after at most so many steps, or the first of all."""
        return self._kept[max(bisect_right(self._kept, steps, key=lambda kept: kept.run.steps) - 1, 0)]

    def _add(self, kept: StoredState) -> None:
        self._kept.append(kept)
        self._size += kept.size

    def _thin(self) -> None:
        old, self._kept, self._size = self._kept, [], 0
        half = len(old) // 2
        for kept in (*old[:half:2], *old[half:]):
            self._add(kept)
