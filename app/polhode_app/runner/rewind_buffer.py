"""Rewind buffer: checkpoints of the run in bounded memory. Lives in the physics thread; no Qt."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from polhode.jit.processor_time import worked
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Checkpoint, Simulation
from polhode_app.runner.ghosts import Ghosts

BUDGET = 256 * 2**20  # [bytes] default size
FRAME = 1 / 60  # [s] least wall time between two checkpoints: one per frame
SHARE = 0.02  # fraction of wall time spent on copies at most
RECORD = 600  # [bytes] overhead of a checkpoint beside its state vector


class StoredState(NamedTuple):
    """Checkpoints of the run and its ghosts at one time."""

    run: Checkpoint
    ghosts: tuple[Checkpoint | None, ...]

    @property
    def size(self) -> int:
        """Memory [bytes]."""
        return sum(RECORD + each.state.nbytes for each in (self.run, *self.ghosts) if each is not None)


class RewindBuffer:
    """Checkpoints in order of time.

    When the memory is full, every second checkpoint of the older half is dropped, but never the first. So the recent
    past keeps its resolution and the initial state stays available.
    """

    def __init__(self, budget: int | None = None):
        """`budget` is the memory limit [bytes]."""
        self._budget = BUDGET if budget is None else budget
        self._kept: list[StoredState] = []
        self._size = 0
        self._aside: list[StoredState] = []  # what followed the fork before
        self._aside_size = 0
        self._fork: StoredState | None = None  # where the run was resumed
        self._at, self._cost = -np.inf, 0.0  # [s] wall time of the last checkpoint, and its CPU time

    def set_size(self, budget: int) -> None:
        """Set the memory limit [bytes] and drop checkpoints if necessary."""
        self._budget = budget
        while self.size > budget and len(self._kept) > 2:
            self._thin()

    @property
    def span(self) -> tuple[float, float]:
        """First and last time [s]."""
        return (self._kept[0].run.time, self._kept[-1].run.time) if self._kept else (0.0, 0.0)

    def __len__(self) -> int:
        """Number of checkpoints."""
        return len(self._kept)

    @property
    def size(self) -> int:
        """Memory in use [bytes]."""
        return self._size + self._aside_size

    def restart(self, simulation: Simulation, ghosts: Ghosts) -> None:
        """Discard everything and store the initial state of a run."""
        self._kept, self._size, self._at = [], 0, -np.inf
        self._set_aside([], None)
        self.store(simulation, ghosts)

    def store_if_due(self, simulation: Simulation, ghosts: Ghosts) -> None:
        """Store the current state unless the last one is too recent; expensive copies are made less often."""
        wall = time.perf_counter()
        if wall - self._at >= max(FRAME, self._cost / SHARE):
            begun = worked()
            self.store(simulation, ghosts)
            self._at, self._cost = wall, worked() - begun

    def store(self, simulation: Simulation, ghosts: Ghosts) -> None:
        """Store the current state, in place of states at the same time or later."""
        self._cut(lambda time: time >= simulation.time)
        self._add(StoredState(simulation.checkpoint(), ghosts.bookmarks()))
        if self.size > self._budget:
            self._thin()

    def leave(self, simulation: Simulation, ghosts: Ghosts) -> None:
        """Store the current state before the run is rewound, so that its end can be reached again."""
        if self._kept and simulation.time > self._kept[-1].run.time:
            self.store(simulation, ghosts)

    def go_on(self, simulation: Simulation, ghosts: Ghosts) -> float:
        """Set aside the states after the current one, because the run is resumed there.

        Returns how much of the run [s] they are; 0 if there are none.
        """
        time, end = simulation.time, self.span[1]
        if end <= time:
            return 0.0
        later = [kept for kept in self._kept if kept.run.time > time]
        self.store(simulation, ghosts)
        self._set_aside(later, self._kept[-1])
        if self.size > self._budget:
            self._thin()
        return end - time

    def bring_back(self) -> StoredState | None:
        """Exchange what followed where the run was resumed with what was set aside there; returns the state there.

        None, and nothing changes, if nothing is set aside.
        """
        fork = self._fork
        if fork is None:
            return None
        now = [kept for kept in self._kept if kept.run.time > fork.run.time]
        self._cut(lambda time: time >= fork.run.time)
        for kept in (fork, *self._aside):
            self._add(kept)
        self._set_aside(now, fork)
        return fork

    def _set_aside(self, states: list[StoredState], fork: StoredState | None) -> None:
        self._aside, self._fork = states, fork
        self._aside_size = sum(each.size for each in states)

    def sets_aside(self, scene: Scene) -> bool:
        """Whether states of a scene are set aside."""
        return bool(self._aside) and self._aside[0].run.scene == scene

    def _cut(self, is_over: Callable[[float], bool]) -> None:
        """Drop states from the end while `is_over(time)` holds."""
        while self._kept and is_over(self._kept[-1].run.time):
            self._size -= self._kept.pop().size

    @property
    def states(self) -> list[Checkpoint]:
        """Checkpoints of the run, oldest first, without those of the ghosts."""
        return [kept.run for kept in self._kept]

    def nearest(self, time: float) -> StoredState | None:
        """The state nearest to a time [s]; None if the buffer is empty."""
        if not self._kept:
            return None
        right = bisect_right(self._kept, time, key=lambda kept: kept.run.time)
        return min(self._kept[max(right - 1, 0) : right + 1], key=lambda kept: abs(kept.run.time - time))

    def edited_at(self, scene: Scene) -> float | None:
        """Time [s] at which `scene` was edited: of the first state after the last one of that scene.

        Where no state has that scene, because it was edited again at once or the run was reset, the time since which
        the run has the scene of its last state. None if the buffer is empty.
        """
        states = self.states[::-1]
        later = list(takewhile(lambda run: run.scene is not scene, states))
        if len(later) == len(states):
            later = list(takewhile(lambda run: run.scene is states[0].scene, states))
        return later[-1].time if later else None

    def before(self, steps: int) -> StoredState:
        """The last state at or before a number of steps, or the first one."""
        return self._kept[max(bisect_right(self._kept, steps, key=lambda kept: kept.run.steps) - 1, 0)]

    def _add(self, kept: StoredState) -> None:
        self._kept.append(kept)
        self._size += kept.size

    def _thin(self) -> None:
        """Drop what is set aside, or every second state of the older half."""
        if self._aside:
            self._set_aside([], None)
            return
        old, self._kept, self._size = self._kept, [], 0
        half = len(old) // 2
        for kept in (*old[:half:2], *old[half:]):
            self._add(kept)
