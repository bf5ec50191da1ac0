"""Samples of the steps of a run for who plots them, as many as cost little. Lives inside the physics thread; no Qt."""

from __future__ import annotations

import time
from collections.abc import Callable

from app.messages import ColumnSamples
from core.analysis.columns import columns
from core.simulation.simulation import Simulation

SHARE = 0.02  # of the wall time that sampling may take; below a quarter of it, it may be finer
LOOK = 0.25  # [s] wall time between two looks at what it takes


class ColumnSampling:
    """Columns of a simulation at every so many steps: every one, if that is cheap."""

    def __init__(self, tell: Callable[[ColumnSamples], None]):
        self._tell = tell
        self._wanted: tuple[str, ...] = ()
        self._names: tuple[str, ...] = ()  # those of them that the scene has, after the time
        self._places: list[int] = []
        self._every = 1  # steps
        self._since = (0.0, 0.0)  # [s] wall time, and time that sampling had taken then

    def set_columns(self, names: tuple[str, ...], simulation: Simulation | None, newest: bool) -> None:
        """From now on sample these columns; whether the simulation is at its newest state says `newest`."""
        self._wanted = names
        if simulation is not None:
            self.restart(simulation, newest)

    def restart(self, simulation: Simulation, newest: bool = True) -> None:
        """Whatever the simulation is now, its history goes on from there.

        One that has gone back, and may go to later states again, is not `newest`: what was sampled of them stays.
        """
        known = {name: place for place, name in enumerate(columns(simulation.built))} if self._wanted else {}
        names = [name for name in self._wanted if name in known]
        self._names = ("time", *names) if names else ()
        self._places = [known[name] for name in self._names]
        self._sample(simulation)
        if names and newest:
            self._tell(ColumnSamples(self._names, simulation.snapshot().numbers[None, self._places]))

    def collect(self, simulation: Simulation, wall: float) -> None:
        """Pass on what the steps up to wall time [s] have left."""
        if not self._names:
            return
        numbers = simulation.sampled()
        if len(numbers):
            self._tell(ColumnSamples(self._names, numbers))
        if wall - self._since[0] >= LOOK:
            self._adapt(simulation, wall)

    def _adapt(self, simulation: Simulation, wall: float) -> None:
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
        simulation.sample(self._places, self._every)
        self._since = (time.perf_counter(), simulation.sampling)
