"""The newest state of a run whose energy was still right: where to go on after it has blown up. No Qt."""

from __future__ import annotations

import numpy as np

from core.simulation.simulation import Simulation

SOUND = 0.01  # drift of the energy, in parts of the energy exchanged, up to which a state is worth keeping
EVERY = 0.2  # [s] wall time between two that are kept


class LastGoodState:
    """Keeps two: the newer one may have been wrong already without a trace in its energy."""

    def __init__(self) -> None:
        self._kept: list[tuple[float, int, np.ndarray]] = []
        self._at = -np.inf

    def restart(self, simulation: Simulation) -> None:
        """Whatever the run is now, it goes on from there."""
        self._kept, self._at = [(simulation.time, simulation.steps, simulation.state)], -np.inf

    def store_if_due(self, simulation: Simulation, drift: float, wall: float) -> None:
        """Keep the state of a run at wall time [s], if it is sound and the last one is old enough."""
        if abs(drift) <= SOUND and wall - self._at >= EVERY:
            self._at = wall
            self._kept = [*self._kept[-1:], (simulation.time, simulation.steps, simulation.state)]

    def restore(self, simulation: Simulation, drift: float) -> None:
        """Take a run whose energy is wrong back to where it was right."""
        if not abs(drift) <= SOUND and self._kept:  # squares of what has blown up may be no numbers
            time, steps, state = self._kept[0]
            simulation.go_back(time, steps, state)
            self._kept = self._kept[:1]
