"""Sources of frames for films and pictures: a simulation, or a recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from polhode.data.input_checks import check_until
from polhode.engine.compiled_scene import CompiledScene
from polhode.mesh.mesh import Meshes
from polhode.recording.playback import Playback
from polhode.recording.reader import RecordedRun
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot
from polhode_app.compilation.preparation import start_simulation
from polhode_app.runner.ghosts import Ghosts
from polhode_app.sensor.playback import connect_sensor
from polhode_app.viewport.driven_redraw import changes_the_look


class FrameSource(Protocol):
    """A sequence of states that is read in order of time."""

    meshes: Meshes
    simulation: Simulation

    def go_to(self, time: float) -> None:
        """Advance to the state nearest to a time [s]. Raises Diverged."""

    def ghosts(self) -> Sequence[Snapshot | None]:
        """Snapshots of the ghosts at the current time; None for one that diverged."""


class SimulationSource:
    """A scene simulated from its initial state."""

    def __init__(self, scene: Scene, listener: object = None, until: float = 0.0):
        """Compile the scene. Raises InputError, also where its measured data end before `until` [s].

        If `listener` has a method `compiling(done, total)`, it receives the progress of the compilation.
        """
        self.meshes = Meshes()
        self.simulation, self._ghosts = start_simulation(scene, self.meshes, listener), Ghosts.begun(scene, self.meshes)
        check_until(scene, self.simulation.compiled.data_end, until)
        connect_sensor(scene, [self.simulation, *self._ghosts.simulations])
        getattr(listener, "running", lambda *simulations: None)(*self._ghosts.simulations)

    def go_to(self, time: float) -> None:
        """Advance to the whole step nearest to a time [s]; the simulation never goes back. Raises Diverged."""
        simulation = self.simulation
        simulation.advance_steps(max(0, round(time / simulation.time_step) - simulation.steps))
        for _ in self._ghosts.follow(simulation.time):
            pass  # a ghost that diverges is no longer drawn

    def ghosts(self) -> Sequence[Snapshot | None]:
        """Current snapshots of the ghosts."""
        return self._ghosts.snapshots()


class RunningSource:
    """A simulation from its present state on. Ghosts, which begin with a scene, are left out."""

    def __init__(self, simulation: Simulation, until: float = 0.0):
        """Raises InputError where the measured data of its scene end before `until` [s]."""
        check_until(simulation.scene, simulation.compiled.data_end, until)
        self.simulation, self.meshes = simulation, Meshes()

    def go_to(self, time: float) -> None:
        """Advance to the whole step nearest to a time [s]; the simulation never goes back. Raises Diverged."""
        simulation = self.simulation
        simulation.advance_steps(max(0, round((time - simulation.time) / simulation.time_step)))

    def ghosts(self) -> Sequence[Snapshot | None]:
        """An empty sequence."""
        return ()


class RecordingSource:
    """A recording. Ghosts are not part of recordings."""

    def __init__(self, run: RecordedRun):
        """Open the recording at its first state. Raises InputError."""
        self._run = run
        self._playback = Playback(run)
        self.simulation, self.meshes = self._playback.go_to(0), self._playback.meshes

    def go_to(self, time: float) -> None:
        """Show the recorded state nearest to a time [s]."""
        self._playback.go_to(self._run.row_at(time))

    def ghosts(self) -> Sequence[Snapshot | None]:
        """An empty sequence."""
        return ()


def current_scene(source: FrameSource) -> tuple[Scene, CompiledScene]:
    """The scene with current values of driven parameters, and the compiled scene."""
    simulation = source.simulation
    return simulation.driven_scene, simulation.compiled


def changes_appearance(source: FrameSource) -> bool:
    """Whether driven parameters change the appearance of the scene."""
    return bool(source.simulation.scene.sensor.drive) and changes_the_look(source.simulation.scene)


def values_in(snapshot: Snapshot, columns: Sequence[int]) -> np.ndarray:
    """(c,) values of the columns at these indices in a snapshot."""
    return snapshot.numbers[[*columns]]
