"""What the window says to the physics thread, and what the thread says back. Plain frozen records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.sensor.hub import SensorDistance as SensedHand
from core.physics.grab.interactions import Interaction
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene
from core.simulation.snapshot import Snapshot

if TYPE_CHECKING:
    from core.engine.compile import CompiledScene  # these bring the compiler, which the window does not wait for
    from core.mesh.mesh import Meshes
    from core.recording.reader import RecordedRun


@dataclass(frozen=True)
class LoadScene:
    """Run this scene: from its start, or as an edit that carries the running state over by name."""

    scene: Scene
    carry: bool = False


@dataclass(frozen=True)
class Play: ...


@dataclass(frozen=True)
class Pause: ...


@dataclass(frozen=True)
class Step:
    count: int = 1


@dataclass(frozen=True)
class Reset: ...


@dataclass(frozen=True)
class Seek:
    """Pause and stand where the run was at about a time [s]; what comes after it is over as soon as the run goes on."""

    time: float


@dataclass(frozen=True)
class SetHistorySize:
    """How much memory the past of the run may take."""

    size: int  # bytes


@dataclass(frozen=True)
class StepBack:
    """Pause and stand so many steps before."""

    count: int = 1


@dataclass(frozen=True)
class StartRecording:
    """Write the run to a file from now on."""

    path: Path
    version: str  # of the program


@dataclass(frozen=True)
class StopRecording: ...


@dataclass(frozen=True, eq=False)
class ShowRecording:
    """Show a recording instead of a run. `ResumeFromReplay`, and every edit, go on from the frame that is shown."""

    recorded: RecordedRun


@dataclass(frozen=True)
class ResumeFromReplay: ...


@dataclass(frozen=True)
class SetSpeed:
    factor: float  # simulated seconds per wall second


@dataclass(frozen=True)
class Interact:
    """A hand does this, until it does something else, or lets go."""

    scene: Scene  # in which the things have the numbers that the grip names
    grip: Interaction


@dataclass(frozen=True)
class EndInteraction: ...


@dataclass(frozen=True, eq=False)
class ExciteMode:
    """Push a soft body once along one of its shapes."""

    scene: Scene  # in which it has these points
    name: str
    shape: np.ndarray  # (3, n)
    speed: float  # [m/s] that the point gains which moves most


@dataclass(frozen=True)
class MuteMode:
    """Keep one mode of a soft body out of the motion, or let it move again."""

    scene: Scene
    name: str
    mode: int
    on: bool


@dataclass(frozen=True)
class SetSensorSource:
    """Before every batch ask this where the hand over the sensor is, at a time of perf_counter; None: unknown."""

    hand: Callable[[float], SensedHand | None]


@dataclass(frozen=True)
class SetForcesByLaw:
    """Whether moments are to have the forces law by law, which costs as much as a step."""

    forces: bool


@dataclass(frozen=True)
class SetSampledColumns:
    """Which columns of the table are to be sampled from the steps; those that a scene does not have are left out."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class StopThread: ...


Command = (
    LoadScene
    | Play
    | Pause
    | Step
    | Reset
    | Seek
    | StepBack
    | SetHistorySize
    | StartRecording
    | StopRecording
    | ShowRecording
    | ResumeFromReplay
    | SetSpeed
    | Interact
    | EndInteraction
    | ExciteMode
    | MuteMode
    | SetSensorSource
    | SetForcesByLaw
    | SetSampledColumns
    | StopThread
)


@dataclass(frozen=True)
class SceneLoaded:
    """The scene is built and ready."""

    scene: Scene
    meshes: Meshes  # the library that has read its meshes
    built: CompiledScene  # what the physics made of it


@dataclass(frozen=True)
class CompilationProgress:
    """The scene that was asked for waits for its machine code; (0, 0): no longer."""

    done: int
    total: int


@dataclass(frozen=True)
class SceneRejected:
    """The scene could not be built; the one before goes on."""

    scene: Scene
    error: InputError


@dataclass(frozen=True)
class RunHalted:
    """The run paused by itself: a part left the numbers, or the program failed."""

    part: str  # name of the body, or "" when the program failed
    time: float  # [s] simulated
    message: Message


@dataclass(frozen=True)
class GhostLost:
    """A ghost left the numbers and is gone until the next start; the run goes on."""

    name: str
    message: Message


@dataclass(frozen=True)
class RecordingEnded:
    """A recording has ended; it is whole."""

    path: Path
    failure: str  # why it ended by itself, a Message; or ""
    next: Path | None = None  # where the recording goes on, because time was turned back or other things have come


@dataclass(frozen=True, eq=False)
class ReplaySceneChanged:
    """The recording has come to an edit: another scene is to be seen."""

    scene: Scene
    built: CompiledScene


@dataclass(frozen=True)
class ReplayEnded:
    """The recording is at its end, and stands."""


@dataclass(frozen=True)
class HistoryTruncated:
    """The run has gone on from a moment of its past: what came after that is lost."""

    time: float  # [s] of the moment


@dataclass(frozen=True)
class StepLimitsFound:
    """The largest stable step of each method, estimated about the state in which a scene was loaded."""

    scene: Scene
    largest: Mapping[str, float]  # [s] by the method's name; 0: none is stable, inf: all are

    def hold_for(self, scene: Scene) -> bool:
        """Whether they are those of another scene too: one that differs in nothing that moves."""
        return self.scene.shares_all_but(scene, "solver", "ghost", "title", "description")


@dataclass(frozen=True)
class WarningRaised:
    """Something has left the range of the model; the run goes on."""

    problem: Problem


Event = (
    SceneLoaded
    | SceneRejected
    | RunHalted
    | GhostLost
    | RecordingEnded
    | ReplaySceneChanged
    | ReplayEnded
    | HistoryTruncated
    | StepLimitsFound
    | WarningRaised
    | CompilationProgress
)


@dataclass(frozen=True, eq=False)
class ColumnSamples:
    """Some columns at steps of the run, oldest first. A time before those that were sampled: the run was taken back."""

    columns: tuple[str, ...]  # "time" first
    numbers: np.ndarray  # (n, columns)
    recalled: bool = False  # of states that were kept of the past: what is known of it stays


@dataclass(frozen=True)
class RecordingStatus:
    """How far a recording is."""

    path: Path
    seconds: float  # simulated
    hourly: float  # [bytes] that an hour of it takes, about


@dataclass(frozen=True)
class FrameData:
    """What the window sees of the run."""

    scene: Scene  # the one that the snapshot belongs to
    snapshot: Snapshot
    running: bool
    factor: float  # simulated seconds per wall second, measured
    steps_per_second: float  # measured
    drift: float  # of the total energy, in parts of the energy exchanged
    ghosts: tuple[Snapshot | None, ...] = ()  # of the scene's ghosts, in its order; None where one is lost
    past: tuple[float, float] = (0.0, 0.0)  # [s] first and last time that the run can be taken to
    muted: frozenset[tuple[str, int]] = frozenset()  # soft bodies and modes of theirs that are kept out of the motion
    driven: tuple[Scene, CompiledScene] | None = None  # the scene with its driven parameters at this frame
    recording: RecordingStatus | None = None  # while it is being recorded
    replays: bool = False  # it is a moment of a recording

    @property
    def driven_scene(self) -> Scene:
        """The scene as it is now."""
        return self.driven[0] if self.driven is not None else self.scene
