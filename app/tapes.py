"""The recording of a run that a person watches. Lives inside the physics thread; no Qt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.commands import Recorded, Taped
from app.export.taping import Taping
from core.mesh import Meshes
from core.problem import InputError
from core.simulation import Simulation

FRAMES = 60.0  # moments per second of wall time
ENDING = 20.0  # [s] that a file may take to become whole


class Tapes:
    """At most one recording."""

    def __init__(self, say: Callable[[Recorded], None]):
        self._say = say
        self._taping: Taping | None = None

    def begin(self, simulation: Simulation, path: Path, meshes: Meshes, version: str, speed: float) -> None:
        """Record from now on, at a speed [simulated seconds per second]; `Recorded` says why it does not begin."""
        self.end()
        try:
            self._taping = Taping(path, simulation, _spacing(simulation, speed), meshes, version)
        except (InputError, OSError) as error:
            self._say(Recorded(path, str(error)))

    def space(self, simulation: Simulation | None, speed: float) -> None:
        """From now on the run goes at this speed."""
        if self._taping is not None and simulation is not None:
            self._taping.every = _spacing(simulation, speed)

    def advance(self, simulation: Simulation, steps: int) -> None:
        """Go on by some steps, and record what is due on the way. Raises Diverged as the simulation does."""
        taping = self._taping
        while taping is not None and taping.going and steps > 0:
            due = taping.until_next(simulation.steps)
            simulation.advance_steps(min(steps, due))
            if due <= steps:
                taping.take()
            steps -= min(steps, due)
        if steps > 0:
            simulation.advance_steps(steps)
        if taping is not None and taping.failure:
            self.end()

    def end(self) -> None:
        """Keep what there is, and say so."""
        taping, self._taping = self._taping, None
        if taping is not None:
            why = taping.failure
            taping.take()
            taping.finish()
            taping.join(ENDING)
            self._say(Recorded(taping.path, why or taping.failure))

    @property
    def taped(self) -> Taped | None:
        """How far it is."""
        taping = self._taping
        if taping is None:
            return None
        hourly = 3600.0 * FRAMES * taping.expected
        return Taped(taping.path, taping.seconds, hourly)


def _spacing(simulation: Simulation, speed: float) -> int:
    """Steps between two moments."""
    return max(1, round(speed / (FRAMES * simulation.time_step)))
