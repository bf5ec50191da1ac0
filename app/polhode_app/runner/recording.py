"""Recording of the run in the window. Lives in the physics thread; no Qt."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from polhode.mesh.mesh import Meshes
from polhode.scene.problem import InputError, message_of
from polhode.simulation.simulation import Simulation
from polhode_app.messages import RecordingEnded, RecordingStatus

if TYPE_CHECKING:
    from polhode.recording.writer import RecordingWriter

FRAMES = 60.0  # [1/s] states recorded per second of wall time
ENDING = 20.0  # [s] timeout for completing a file


class RunRecorder:
    """Controls at most one recording.

    When the run is rewound, or an edit changes the layout of the state, the recording is continued in another file next
    to the first: run-2.vtkhdf, run-3.vtkhdf ...
    """

    def __init__(self, say: Callable[[RecordingEnded], None]):
        """`say` emits events to the window."""
        self._say = say
        self._speed = 1.0
        self._taping: RecordingWriter | None = None
        self._open: Callable[[Simulation, Path], RecordingWriter] | None = None

    def start(self, simulation: Simulation, path: Path, meshes: Meshes, version: str, speed: float) -> None:
        """Start recording at a speed [simulated seconds per wall second]; `RecordingEnded` reports failures."""
        # Imported here, because every start would wait for HDF5, and most runs are not recorded.
        from polhode.recording.writer import RecordingWriter  # noqa: PLC0415
        from polhode_app.runner.geometry import geometry  # noqa: PLC0415

        self.end()
        self._speed = speed
        self._open = lambda of, to: RecordingWriter(to, of, _spacing(of, self._speed), version, geometry(meshes))
        self._first = path
        self._begin(simulation, path)

    def _begin(self, simulation: Simulation, path: Path) -> None:
        """Open a file; failures are reported as `RecordingEnded`."""
        assert self._open is not None
        try:
            self._taping = self._open(simulation, path)
        except (InputError, OSError) as error:
            self._say(RecordingEnded(path, message_of(error)))

    def set_interval(self, simulation: Simulation | None, speed: float) -> None:
        """Adapt the interval between recorded states to a speed [simulated seconds per wall second]."""
        self._speed = speed
        if self._taping is not None and simulation is not None:
            self._taping.every = _spacing(simulation, speed)

    def _follow(self, simulation: Simulation) -> None:
        """Continue in another file if the current one cannot hold the next state."""
        taping = self._taping
        if taping is None:
            return
        taping.look()
        if taping.over:
            self._continue(taping, simulation)

    def replace(self, simulation: Simulation, continues: bool) -> None:
        """End the recording for another simulation, which is recorded to another file if `continues`."""
        taping = self._taping
        if taping is None or not continues:
            self.end()
        else:
            taping.take()
            taping.finish()
            self._continue(taping, simulation)

    def _continue(self, taping: RecordingWriter, simulation: Simulation) -> None:
        """Record to another file after one that is complete."""
        self._taping = None
        taping.join(ENDING)
        path = _beside(self._first)
        self._begin(simulation, path)
        self._say(RecordingEnded(taping.path, taping.failure, path if self._taping is not None else None))

    def advance(self, simulation: Simulation, steps: int) -> None:
        """Advance the simulation by some steps and record the states that are due. Raises Diverged."""
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
        """Complete the file and report `RecordingEnded`; does nothing if there is no recording."""
        taping, self._taping = self._taping, None
        if taping is not None:
            taping.take()
            taping.finish()
            taping.join(ENDING)
            self._say(RecordingEnded(taping.path, taping.failure))

    @property
    def status(self) -> RecordingStatus | None:
        """Progress of the recording, or None."""
        taping = self._taping
        if taping is None:
            return None
        hourly = 3600.0 * FRAMES * taping.expected
        return RecordingStatus(taping.path, taping.seconds, hourly)


def _spacing(simulation: Simulation, speed: float) -> int:
    """Steps between two recorded states, at least one."""
    return max(1, round(speed / (FRAMES * simulation.time_step)))


def _beside(path: Path) -> Path:
    """The first unused name in the series run-2.vtkhdf, run-3.vtkhdf ..."""
    return next(name for k in count(2) if not (name := path.with_stem(f"{path.stem}-{k}")).exists())
