"""The recording of a run that a person watches. Lives inside the physics thread; no Qt."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

from app.messages import RecordingEnded, RecordingStatus
from app.recording.geometry import geometry
from core.mesh.mesh import Meshes
from core.recording.writer import RecordingWriter
from core.scene.problem import InputError, message_of
from core.simulation.simulation import Simulation

FRAMES = 60.0  # moments per second of wall time
ENDING = 20.0  # [s] that a file may take to become whole


class RunRecorder:
    """At most one recording. Where time is turned back or other things come it goes on in a file beside: NAME-2 ..."""

    def __init__(self, say: Callable[[RecordingEnded], None]):
        self._say = say
        self._speed = 1.0
        self._taping: RecordingWriter | None = None
        self._open: Callable[[Simulation, Path], RecordingWriter] | None = None

    def start(self, simulation: Simulation, path: Path, meshes: Meshes, version: str, speed: float) -> None:
        """Record at a speed [simulated seconds per second]; `RecordingEnded` says why it can't begin."""
        self.end()
        self._speed = speed
        self._open = lambda of, to: RecordingWriter(to, of, _spacing(of, self._speed), version, geometry(meshes))
        self._first = path
        self._begin(simulation, path)

    def _begin(self, simulation: Simulation, path: Path) -> None:
        assert self._open is not None
        try:
            self._taping = self._open(simulation, path)
        except (InputError, OSError) as error:
            self._say(RecordingEnded(path, message_of(error)))

    def set_interval(self, simulation: Simulation | None, speed: float) -> None:
        """From now on the run goes at this speed."""
        self._speed = speed
        if self._taping is not None and simulation is not None:
            self._taping.every = _spacing(simulation, speed)

    def _follow(self, simulation: Simulation) -> None:
        """Go on in another file, if the run has become another one."""
        taping = self._taping
        if taping is None:
            return
        taping.look()
        if taping.over:
            self._taping = None
            taping.join(ENDING)
            path = _beside(self._first)
            self._begin(simulation, path)
            self._say(RecordingEnded(taping.path, taping.failure, path if self._taping is not None else None))

    def advance(self, simulation: Simulation, steps: int) -> None:
        """Go on by some steps, and record what is due on the way. Raises Diverged as the simulation does."""
        self._follow(simulation)
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
            taping.take()
            taping.finish()
            taping.join(ENDING)
            self._say(RecordingEnded(taping.path, taping.failure))

    @property
    def status(self) -> RecordingStatus | None:
        """How far it is."""
        taping = self._taping
        if taping is None:
            return None
        hourly = 3600.0 * FRAMES * taping.expected
        return RecordingStatus(taping.path, taping.seconds, hourly)


def _spacing(simulation: Simulation, speed: float) -> int:
    """Steps between two moments."""
    return max(1, round(speed / (FRAMES * simulation.time_step)))


def _beside(path: Path) -> Path:
    """The first name that is free: run-2.vtkhdf, run-3.vtkhdf ..."""
    return next(name for k in count(2) if not (name := path.with_stem(f"{path.stem}-{k}")).exists())
