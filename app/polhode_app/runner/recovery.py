"""The last state with a small energy error, restored after the run has diverged. No Qt."""

from __future__ import annotations

import numpy as np

from polhode.analysis.steps.energy_drift import BAD
from polhode.simulation.simulation import Simulation

SOUND = 0.01  # relative energy error up to which a state counts as good
EVERY = 0.2  # [s] wall time between two stored states


class LastGoodState:
    """Stores the two newest good states. The older one is restored, as an instability may precede its energy error."""

    def __init__(self) -> None:
        self._kept: list[tuple[float, int, np.ndarray]] = []
        self._at = -np.inf
        self._drifts = False  # the energy of this run has drifted by more than BAD

    def restart(self, simulation: Simulation) -> None:
        """Discard stored states and start from the current one."""
        self._kept, self._at = [(simulation.time, simulation.steps, simulation.state)], -np.inf
        self._drifts = False

    def store_if_due(self, simulation: Simulation, drift: float, wall: float) -> None:
        """Store the current state if its energy error `drift` is small and the last one is old enough.

        `wall` is a wall time [s].
        """
        if abs(drift) <= SOUND and wall - self._at >= EVERY:
            self._at = wall
            self._kept = [*self._kept[-1:], (simulation.time, simulation.steps, simulation.state)]

    def begins_to_drift(self, drift: float) -> bool:
        """Whether the recent energy error `drift` is beyond BAD for the first time in this run."""
        before, self._drifts = self._drifts, self._drifts or abs(drift) > BAD
        return self._drifts and not before

    @property
    def oldest(self) -> tuple[float, np.ndarray]:
        """Time [s] and state (k,) that `restore` returns to."""
        time, _, state = self._kept[0]
        return time, state

    def restore(self, simulation: Simulation, drift: float) -> None:
        """If the energy error `drift` is large or NaN, set the simulation back to a good state."""
        if not abs(drift) <= SOUND and self._kept:  # written so that NaN counts as large
            time, steps, state = self._kept[0]
            simulation.restore(time, steps, state)
            self._kept = self._kept[:1]
