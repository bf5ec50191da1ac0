"""Sampling of columns at the steps of the run, as densely as is cheap. Lives in the physics thread; no Qt."""

from __future__ import annotations

import time
from collections.abc import Callable

from polhode.analysis.columns import columns
from polhode.simulation.simulation import Simulation
from polhode_app.messages import ColumnSamples

SHARE = 0.02  # fraction of wall time for sampling; below a quarter of it the interval is halved
LOOK = 0.25  # [s] wall time between two adjustments of the interval


class ColumnSampling:
    """Samples columns at every k-th step; k is 1 if that is cheap enough."""

    def __init__(self, deliver: Callable[[ColumnSamples], None]):
        """`deliver` receives the samples."""
        self._deliver = deliver
        self.wanted: tuple[str, ...] = ()  # columns that are asked for, whether the scene has them or not
        self._names: tuple[str, ...] = ()  # "time" and the wanted columns that the scene has
        self._indices: list[int] = []  # indices of these in the table
        self._every = 1  # steps
        self._since = (0.0, 0.0)  # [s] wall time of the last adjustment, and total cost of sampling then

    def set_columns(self, names: tuple[str, ...], simulation: Simulation | None, newest: bool) -> None:
        """Set the columns to sample; `newest` as in `restart`."""
        self.wanted = names
        if simulation is not None:
            self.restart(simulation, newest)

    def restart(self, simulation: Simulation, newest: bool = True) -> None:
        """Start sampling from the current state of a simulation, which may be another one.

        `newest` is False if the simulation was rewound and later states are still available: then samples of those are
        kept, and the current state is not emitted.
        """
        known = {name: index for index, name in enumerate(columns(simulation.compiled))} if self.wanted else {}
        names = [name for name in self.wanted if name in known]
        self._names = ("time", *names) if names else ()
        self._indices = [known[name] for name in self._names]
        self._sample(simulation)
        if names and newest:
            self._deliver(ColumnSamples(self._names, simulation.snapshot().numbers[None, self._indices]))

    def collect(self, simulation: Simulation, wall: float) -> None:
        """Emit the samples of the last steps, and adjust the interval; `wall` is the wall time [s]."""
        if not self._names:
            return
        numbers = simulation.sampled()
        if len(numbers):
            self._deliver(ColumnSamples(self._names, numbers))
        if wall - self._since[0] >= LOOK:
            self._adapt(simulation, wall)

    def _adapt(self, simulation: Simulation, wall: float) -> None:
        """Double or halve the interval according to the measured cost."""
        share = (simulation.sampling - self._since[1]) / (wall - self._since[0])
        self._since = (wall, simulation.sampling)
        if share > SHARE:
            self._every *= 2
        elif share < SHARE / 4 and self._every > 1:
            self._every //= 2
        else:
            return
        self._sample(simulation)

    def _sample(self, simulation: Simulation) -> None:
        """Configure the simulation's sampler."""
        simulation.sample(self._indices, self._every)
        self._since = (time.perf_counter(), simulation.sampling)
