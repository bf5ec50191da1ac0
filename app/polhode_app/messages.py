"""Messages between the GUI thread and the physics thread.

Commands go from the window to the simulation, events and frames come back. All are immutable, so no locks are needed.

Every version of a scene has a generation, an integer. Events, frames and interactions carry the one that they belong
to, so that each thread can tell those of an earlier version apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from polhode.physics.grab.interactions import Interaction
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.edit.scene_diff import SceneDiff
from polhode_app.sensor.hub import SensorDistance as SensedHand

if TYPE_CHECKING:
    from polhode.analysis.steps.limits import Verdict
    from polhode.engine.compiled_scene import CompiledScene  # imports numba, which the window does not wait for
    from polhode.mesh.mesh import Meshes
    from polhode.recording.reader import RecordedRun

new_generation = count(1).__next__
"""Returns an integer that was not returned before; it may be called in any thread."""


@dataclass(frozen=True)
class LoadScene:
    """Compile a scene and run it, from its initial state or, with `carry`, as an edit of the running one.

    An edit transfers the state of all bodies and points that both scenes have, matched by name.
    """

    scene: Scene
    carry: bool = False
    generation: int = field(default_factory=new_generation)
    undoes: bool = False  # the scene was edited before, and the edit is undone
    restarts: bool = False  # an edit that starts from the initial state: a recording is continued in another file


@dataclass(frozen=True)
class Play:
    """Run at the current speed."""


@dataclass(frozen=True)
class Pause:
    """Stop after the current batch of steps."""


@dataclass(frozen=True)
class AdvanceSteps:
    """Pause, then advance by a number of steps, or of recorded states in a replay; go back if it is negative."""

    count: int = 1


@dataclass(frozen=True)
class Reset:
    """Return to the initial state; a running simulation continues."""


@dataclass(frozen=True)
class BringBackFuture:
    """Pause where the run was resumed from an earlier time, and exchange its two futures."""


@dataclass(frozen=True)
class Seek:
    """Pause and restore the stored state nearest to a time [s].

    Later states remain available until the run is resumed from there.
    """

    time: float


@dataclass(frozen=True)
class SetHistorySize:
    """Limit the memory of the rewind buffer."""

    size: int  # bytes


@dataclass(frozen=True)
class StartRecording:
    """Record the run to a file from the current state on."""

    path: Path
    version: str  # of the program


@dataclass(frozen=True)
class StopRecording:
    """Finish the recording; `RecordingEnded` follows."""


@dataclass(frozen=True, eq=False)
class ShowRecording:
    """Replay a recording instead of running a simulation.

    `ResumeFromReplay`, and every edit, start a simulation from the state that is shown.
    """

    recorded: RecordedRun
    generation: int = field(default_factory=new_generation)  # of its first scene


@dataclass(frozen=True)
class ResumeFromReplay:
    """Leave the replay and simulate on from the state that is shown."""


@dataclass(frozen=True)
class SetSpeed:
    """Set the target speed of the run."""

    factor: float  # simulated seconds per wall second


@dataclass(frozen=True)
class Interact:
    """Apply a mouse interaction until it is replaced, or ended by `EndInteraction`."""

    generation: int  # of the scene whose indices of bodies and points the interaction uses
    grip: Interaction


@dataclass(frozen=True)
class EndInteraction:
    """Release what is grabbed."""


@dataclass(frozen=True, eq=False)
class ExciteMode:
    """Add a velocity along one mode shape of a soft body, once."""

    generation: int  # of the scene that defines the points of the body
    name: str  # of the soft body
    shape: np.ndarray  # (3, n) displacements of its n points, scaled arbitrarily, laboratory frame
    speed: float  # [m/s] added to the point with the largest displacement


@dataclass(frozen=True)
class MuteMode:
    """Mute one mode of a soft body, with `on`, or let it move again."""

    generation: int
    name: str
    mode: int  # index, lowest frequency first
    on: bool


@dataclass(frozen=True)
class SetSensorSource:
    """Set the function that is polled for the sensor distance before every batch of steps.

    It is called in the physics thread with a time [s] of perf_counter, and returns None while the distance is unknown.
    """

    hand: Callable[[float], SensedHand | None]


@dataclass(frozen=True)
class SetForcesByLaw:
    """Set whether frames contain the forces separated by law, which costs about as much as a step."""

    forces: bool


@dataclass(frozen=True)
class SetSampledColumns:
    """Set the columns of the table that are sampled at the steps; columns that the scene does not have are ignored."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class CancelLoading:
    """Give up the scene that is being compiled; the previous one is kept."""


@dataclass(frozen=True)
class StopThread:
    """End the physics thread."""


Command = (
    LoadScene
    | Play
    | Pause
    | AdvanceSteps
    | Reset
    | BringBackFuture
    | Seek
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
    | CancelLoading
    | StopThread
)


@dataclass(frozen=True)
class SceneLoaded:
    """A scene has been compiled and is the current one."""

    generation: int
    meshes: Meshes  # the cache that holds the meshes of the scene
    compiled: CompiledScene
    edited_at: float | None = None  # [s] simulated, when the edit was made that is undone, if that is past


@dataclass(frozen=True)
class CompilationProgress:
    """Number of units of machine code compiled for the requested scene; (0, 0) once compilation has ended."""

    done: int
    total: int | None  # None while it is unknown
    shapes: float | None = None  # part done of the shapes that are computed before; None while there are none


@dataclass(frozen=True)
class SceneRejected:
    """A scene could not be compiled, or that was cancelled; the previous one is kept."""

    generation: int
    error: InputError | None  # None where it was cancelled


@dataclass(frozen=True)
class RunHalted:
    """The run was paused because its state became non-finite, or because of an internal error."""

    part: str  # name of the body, or "" when the program failed
    time: float  # [s] simulated
    message: Message


@dataclass(frozen=True)
class GhostLost:
    """The state of a ghost became non-finite; the ghost stops until the next reset, the run continues."""

    name: str
    message: Message


@dataclass(frozen=True)
class RecordingEnded:
    """A recording was finished; its file is complete."""

    path: Path
    failure: str  # reason why it ended early, a Message; or ""
    next: Path | None = None  # file that continues it, after the run was rewound or the layout of the state changed


@dataclass(frozen=True, eq=False)
class ReplaySceneChanged:
    """The replay has reached an edit and shows another scene."""

    generation: int  # of the frames that follow
    scene: Scene
    compiled: CompiledScene


@dataclass(frozen=True)
class ReplayEnded:
    """The replay has reached its last state and is paused."""


@dataclass(frozen=True)
class HistoryTruncated:
    """The run was resumed from an earlier time; later states were set aside, see `BringBackFuture`."""

    time: float  # [s] at which the run was resumed
    lost: float = 0.0  # [s] of the run that were set aside
    by_edit: bool = False  # an edit resumed it; where that is undone they come back


@dataclass(frozen=True)
class FutureBroughtBack:
    """The states that were set aside are back; the run is paused where they begin."""


@dataclass(frozen=True)
class StepLimitsFound:
    """Verdict about a scene's step, and stable and recommended steps, from the loaded state on; empty if unknown."""

    scene: Scene
    largest: Mapping[str, float] = field(default_factory=dict)  # [s] stable, by method; 0: none is, inf: all are
    causes: Mapping[str, Message] = field(default_factory=dict)  # what sets them later than in the present motion
    accurate: Mapping[str, float] = field(default_factory=dict)  # [s] recommended, of tried methods
    verdict: Verdict | None = None
    is_complete: bool = False  # a recommended step was looked for

    def merged(self, before: StepLimitsFound | None) -> StepLimitsFound:
        """These limits, completed by what earlier ones of the same physics say beyond them."""
        if before is None or not before.hold_for(self.scene):
            return self
        known = self if self.largest else replace(before, verdict=self.verdict, is_complete=self.is_complete)
        return replace(known, scene=self.scene, accurate={**before.accurate, **self.accurate})

    def hold_for(self, scene: Scene) -> bool:
        """Whether they are valid for another scene: one with the same physics, whatever its solver and its ghosts."""
        return SceneDiff(self.scene, scene).is_only("solver", "ghost", "title", "description", "story")

    def verdict_on(self, scene: Scene) -> Verdict | None:
        """The verdict about the step of a scene, if it is about that one."""
        verdict, solver = self.verdict, scene.solver
        holds = verdict is not None and verdict.holds_for(solver.method, solver.time_step) and self.hold_for(scene)
        return verdict if holds else None


@dataclass(frozen=True)
class WarningRaised:
    """The scene has left the range of validity of the model; the run continues."""

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
    | FutureBroughtBack
    | StepLimitsFound
    | WarningRaised
    | CompilationProgress
)


@dataclass(frozen=True, eq=False)
class ColumnSamples:
    """Values of some columns at steps of the run, oldest first.

    A first time before the last one of earlier samples means that the run was rewound.
    """

    columns: tuple[str, ...]  # "time" first
    numbers: np.ndarray  # (n, columns) values in SI units
    recalled: bool = False  # computed later from stored states: they complete earlier samples and replace none


@dataclass(frozen=True)
class RecordingStatus:
    """Progress of the recording."""

    path: Path
    seconds: float  # [s] of simulated time recorded
    hourly: float  # [bytes] estimated size of an hour of recording


@dataclass(frozen=True)
class FrameData:
    """State of the run for one frame of the window."""

    scene: Scene  # the scene of the snapshot
    generation: int
    snapshot: Snapshot
    running: bool  # False while paused
    factor: float  # simulated seconds per wall second, measured
    steps_per_second: float  # measured
    drift: float  # error of the total energy, relative to the energy exchanged
    ghosts: tuple[Snapshot | None, ...] = ()  # one for each ghost of the scene; None for a ghost that diverged
    past: tuple[float, float] = (0.0, 0.0)  # [s] first and last time that the run can be rewound to
    muted: frozenset[tuple[str, int]] = frozenset()  # names of soft bodies and indices of their muted modes
    driven: tuple[Scene, CompiledScene] | None = None  # the scene with the current values of driven parameters
    recording: RecordingStatus | None = None  # None while the run is not recorded
    replays: bool = False  # the frame belongs to a recording
    recent_drift: float = 0.0  # `drift` of the last HORIZON of core/polhode/analysis/steps/energy_drift.py alone

    @property
    def driven_scene(self) -> Scene:
        """The scene with the current values of its driven parameters."""
        return self.driven[0] if self.driven is not None else self.scene
