"""How many steps to do now: arithmetic on clocks that others read, so it is tested without waiting."""

from __future__ import annotations

import sys
import time
from collections import deque

BUDGET = 0.008  # [s] wall time of a batch: shorter ones lose to the drawing thread, longer ones lag behind the hand
LONGEST = 4.0  # budgets that a batch lasts at most, where the drawing thread lets it begin so seldom
DEBT = 0.1  # [s] wall time: a lag up to this is caught up, a longer one is forgiven, or the debt would only grow
WINDOW = 1.0  # [s] wall time over which the real factor is measured

# What a step costs is what its thread works for it: at the end of a batch it may wait for a frame to be drawn. Windows
# counts that work in pieces of 16 ms, which is too coarse.
worked = time.perf_counter if sys.platform == "win32" else time.thread_time


class Pacing:
    """Keeps simulated time at `speed` times wall time, and measures what is really reached.

    All arguments called `wall` are readings of one monotonic clock [s], all called `simulated` simulated times [s].
    """

    def __init__(self, speed: float = 1.0, budget: float = BUDGET):
        self.speed = speed  # simulated seconds per wall second
        self.budget = budget  # [s] longest batch
        self.start(0.0, 0.0)
        self._step_cost: float | None = None  # [s] of a step, measured
        self._wait = 0.0  # [s] that a batch is kept waiting for others, mean

    def start(self, wall: float, simulated: float) -> None:
        """Count from here: after play, a new speed, a reset."""
        self._origin = (wall, simulated)
        self._samples: deque[tuple[float, float, int]] = deque([(wall, simulated, 0)])

    def steps(self, wall: float, simulated: float, time_step: float) -> int:
        """Steps that are due now, at most what fits into the budget."""
        wall_origin, simulated_origin = self._origin
        lag = simulated_origin + (wall - wall_origin) * self.speed - simulated
        if lag > DEBT * self.speed:
            lag = DEBT * self.speed
            self._origin = (wall, simulated + lag)
        due = int(lag / time_step + 1e-6)  # a step that is due up to rounding is due
        # Who draws holds the interpreter for a whole frame at times. A batch as long as the wait for it delays nothing.
        return max(0, min(due, self.affordable(min(max(self.budget, self._wait), LONGEST * self.budget))))

    def done(self, steps: int, seconds: float, waited: float, wall: float, simulated: float) -> None:
        """A batch of `steps` took `seconds` of work, was kept waiting for `waited` [s], and ended now."""
        cost = seconds / steps
        # Half old, half new: one batch that the system interrupted does not halve the next ten.
        self._step_cost = cost if self._step_cost is None else 0.5 * (self._step_cost + cost)
        self._wait = 0.5 * (self._wait + waited)
        self._samples.append((wall, simulated, self._samples[-1][2] + steps))
        while len(self._samples) > 2 and wall - self._samples[1][0] > WINDOW:
            self._samples.popleft()

    def factor(self, wall: float) -> float:
        """Simulated seconds per wall second, measured over the last second."""
        return self._rate(wall, self._samples[-1][1] - self._samples[0][1])

    def steps_per_second(self, wall: float) -> float:
        """Steps per wall second, measured over the last second."""
        return self._rate(wall, self._samples[-1][2] - self._samples[0][2])

    def _rate(self, wall: float, gain: float) -> float:
        elapsed = wall - self._samples[0][0]
        return gain / elapsed if elapsed > 0 else 0.0

    def affordable(self, budget: float) -> int:
        """Steps that take at most so many seconds, but one at least."""
        return max(1, int(budget / self._step_cost)) if self._step_cost else 1
