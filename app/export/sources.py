"""What films and pictures are made of: scenes that run, and recordings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from app.compilation.preparation import start_simulation
from app.runner.ghosts import Ghosts
from app.sensor.playback import play_hand
from app.viewport.driven_redraw import changes_the_look
from core.engine.compile import CompiledScene
from core.mesh.mesh import Meshes
from core.recording.playback import Playback
from core.recording.reader import RecordedRun
from core.scene.scene import Scene
from core.simulation.simulation import Simulation
from core.simulation.snapshot import Snapshot


class FrameSource(Protocol):
    """Moments in order of time."""

    meshes: Meshes
    simulation: Simulation

    def go_to(self, time: float) -> None:
        """Stand at the moment that is nearest to a time [s]. Raises Diverged."""

    def ghosts(self) -> Sequence[Snapshot | None]:
        """Those of the moment."""


class SimulationSource:
    """A scene from its start. Raises InputError where it can't be built."""

    def __init__(self, scene: Scene, hearer: object = None):
        """`hearer` may hear what is compiled."""
        self.meshes = Meshes()
        self.simulation, self._ghosts = start_simulation(scene, self.meshes, hearer), Ghosts.begun(scene, self.meshes)
        play_hand(scene, [self.simulation, *self._ghosts.simulations])

    def go_to(self, time: float) -> None:
        simulation = self.simulation
        simulation.advance_steps(max(0, round(time / simulation.time_step) - simulation.steps))
        for _ in self._ghosts.follow(simulation.time):
            pass  # one that is lost on the way is no longer drawn

    def ghosts(self) -> Sequence[Snapshot | None]:
        return self._ghosts.snapshots()


class RecordingSource:
    """A recording; its ghosts were not recorded."""

    def __init__(self, run: RecordedRun):
        self._run = run
        self._playback = Playback(run)
        self.simulation, self.meshes = self._playback.go_to(0), self._playback.meshes

    def go_to(self, time: float) -> None:
        self._playback.go_to(self._run.row_at(time))

    def ghosts(self) -> Sequence[Snapshot | None]:
        return ()


def scene_seen(source: FrameSource) -> tuple[Scene, CompiledScene]:
    """The scene with what the hand drives, and what the physics makes of it."""
    simulation = source.simulation
    return simulation.driven_scene, simulation.built


def is_tuned(source: FrameSource) -> bool:
    return bool(source.simulation.scene.sensor.drive) and changes_the_look(source.simulation.scene)


def values_in(snapshot: Snapshot, places: Sequence[int]) -> np.ndarray:
    """(c,) what the columns at these places are in a moment."""
    return snapshot.numbers[[*places]]
