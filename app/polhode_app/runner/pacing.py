"""Pacing of the simulation in real time.

Only arithmetic: clocks are read by the caller, so that tests need not wait.
"""

from __future__ import annotations

from collections import deque

BUDGET = 0.008  # [s] wall time of a batch: shorter ones starve beside the GUI thread, longer ones delay the mouse
LONGEST = 4.0  # limit of a batch, in budgets, while the GUI thread holds the GIL for long
DEBT = 0.1  # [s] wall time: a lag up to this, or to one step, is caught up; the rest would grow without limit
IDLE = 0.004  # [s] wall time between two batches of a run that keeps its pace
WINDOW = 1.0  # [s] wall time over which the real factor is averaged


class Pacing:
    """Keeps simulated time at `speed` times wall time, and measures the speed that is reached.

    Parameters named `wall` are readings of one monotonic clock [s], those named `simulated` are simulated times [s].
    """

    def __init__(self, speed: float = 1.0, budget: float = BUDGET):
        """Pace at `speed` simulated seconds per wall second with batches of `budget` [s]."""
        self.speed = speed  # simulated seconds per wall second
        self.budget = budget  # [s] wall time of a batch
        self.start(0.0, 0.0)
        self._step_cost: float | None = None  # [s] CPU time of a step, running mean
        self._wait = 0.0  # [s] that a batch waits for the GIL, running mean

    def start(self, wall: float, simulated: float) -> None:
        """Restart the clocks: after play, reset, or a change of speed."""
        self._origin = (wall, simulated)
        self._samples: deque[tuple[float, float, int]] = deque([(wall, simulated, 0)])

    def steps(self, wall: float, simulated: float, time_step: float) -> int:
        """Number of steps that are due, limited to those that fit into the budget."""
        wall_origin, simulated_origin = self._origin
        lag = simulated_origin + (wall - wall_origin) * self.speed - simulated
        most = max(DEBT * self.speed, time_step)  # less than a step would never let a long one begin
        if lag > most:
            lag = most
            self._origin = (wall, simulated + lag)
        due = int(lag / time_step + 1e-6)  # tolerates rounding errors
        # Rendering may hold the GIL for a whole frame. A batch as long as that wait delays no frame.
        return max(0, min(due, self.affordable(min(max(self.budget, self._wait), LONGEST * self.budget))))

    def patience(self, steps: int, wall: float, simulated: float) -> float:
        """Wall time [s] to wait for commands after a batch of `steps`, 0 if the run lags behind.

        Batches of single steps would publish thousands of states per second, and each costs the window as well.
        """
        wall_origin, simulated_origin = self._origin
        lag = wall - wall_origin - (simulated - simulated_origin) / self.speed
        return 0.0 if steps and lag > IDLE else IDLE

    def done(self, steps: int, seconds: float, waited: float, wall: float, simulated: float) -> None:
        """Report a batch of `steps` that ended now.

        `seconds` is its CPU time, and `waited` the wall time it spent waiting [s].
        """
        cost = seconds / steps
        # Averaging over a few batches: one that the system interrupted does not shorten the next ten.
        self._step_cost = cost if self._step_cost is None else 0.5 * (self._step_cost + cost)
        self._wait = 0.5 * (self._wait + waited)
        self._samples.append((wall, simulated, self._samples[-1][2] + steps))
        while len(self._samples) > 2 and wall - self._samples[1][0] > WINDOW:
            self._samples.popleft()

    def factor(self, wall: float) -> float:
        """Simulated seconds per wall second, averaged over WINDOW."""
        return self._rate(wall, self._samples[-1][1] - self._samples[0][1])

    def steps_per_second(self, wall: float) -> float:
        """Steps per wall second, averaged over WINDOW."""
        return self._rate(wall, self._samples[-1][2] - self._samples[0][2])

    def _rate(self, wall: float, gain: float) -> float:
        """A gain since the oldest sample, per wall second."""
        elapsed = wall - self._samples[0][0]
        return gain / elapsed if elapsed > 0 else 0.0

    def affordable(self, budget: float) -> int:
        """Number of steps that take at most `budget` [s], at least one."""
        return max(1, int(budget / self._step_cost)) if self._step_cost else 1
