"""Observers of headless runs: maxima of columns, and drift of the energy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from polhode.analysis.columns import columns
from polhode.analysis.peaks import Maxima
from polhode.analysis.steps.energy_drift import BAD, HORIZON, EnergyDrift
from polhode.analysis.steps.limits import judged
from polhode.analysis.steps.trials import LOOKS
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.simulation.batches.stepping import SteppedScene
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot
from polhode_app.export.known_columns import check_columns

Progress = Callable[[float], None]  # called with the simulated time [s] reached
Warn = Callable[[Problem], None]  # called once for each warning, also by another thread


class PeakWatch:
    """Advances a simulation step by step and detects the maxima of some columns."""

    def __init__(self, simulation: Simulation, names: Sequence[str]):
        """Prepare to watch the columns `names`. Raises InputError for columns that the scene does not have."""
        known = [*columns(simulation.compiled)]
        check_columns("--maxima", names, known)
        self._maxima = {name: Maxima() for name in names}
        self._places = [known.index(name) for name in names]

    def columns(self) -> list[str]:
        """Names of the additional columns, in the order of `numbers`."""
        return [f"{name}.{what}" for name in self._maxima for what in ("maximum", "period")]

    def numbers(self) -> list[float]:
        """Time of the last maximum [s] and period [s] of each watched column; NaN before they are known."""
        return [number for maxima in self._maxima.values() for number in (maxima.time, maxima.period)]

    def advance(self, simulation: SteppedScene, time: float, progress: Progress) -> None:
        """Advance the simulation to a time [s], one step per call, and examine every step."""
        while time - simulation.time > simulation.time_step:
            simulation.advance_steps(1)
            self._look(simulation)
            progress(simulation.time)
        if time > simulation.time:
            simulation.advance(time - simulation.time)
            self._look(simulation)
        progress(time)

    def _look(self, simulation: SteppedScene) -> None:
        """Pass the current row of the table to the peak detectors."""
        numbers = simulation.snapshot().numbers.tolist()
        for place, maxima in zip(self._places, self._maxima.values(), strict=True):
            maxima.add(numbers[0], numbers[place])


class DriftWatch:
    """Warns once where the energy of a run drifts by more than BAD within HORIZON."""

    def __init__(self, simulation: Simulation, warn: Warn):
        """Watch a run from its present state on."""
        self._simulation, self._warn, self._next = simulation, warn, simulation.time
        self._drift: EnergyDrift | None = EnergyDrift(simulation.snapshot())

    @property
    def is_due(self) -> bool:
        """Whether a frame is needed."""
        return self._drift is not None and self._simulation.time >= self._next

    def look(self, now: Snapshot) -> None:
        """Check a frame of the run. A drift that a shorter step would have as well causes no warning."""
        if not self.is_due or self._drift is None:
            return
        self._next = now.time + HORIZON / LOOKS
        if abs(drift := self._drift.lately(now)) <= BAD:
            return
        self._drift = None
        compiled, method, step = (
            self._simulation.compiled,
            self._simulation.scene.solver.method,
            self._simulation.time_step,
        )
        if not judged(compiled, method, step, 0.0, compiled.start, horizon=min(now.time, HORIZON)).verdict.keeps_energy:
            return
        rule = Message(
            "{step:g} s is too long: until {time:.4g} s the energy has drifted by {percent:.2g} %",
            step=step,
            time=now.time,
            percent=100 * drift,
        )
        self._warn(Problem("solver.time_step", rule, Message("shorten it")))
