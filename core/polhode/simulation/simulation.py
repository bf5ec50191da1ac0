"""A running scene and everything that acts on it from outside: edits, interactions, the distance sensor.

Whatever acts from outside is a method of Simulation. Those that a replay repeats report themselves to `listeners`
by name and arguments before they act; core/polhode/recording/events.py stores them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy as copy_of
from time import thread_time
from typing import Annotated, Self

import numpy as np
from pydantic import Field

from polhode.analysis.model_warnings import ModelWarnings
from polhode.analysis.table.run import Run
from polhode.analysis.table.sampling import Progress, run_to_arrays
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import DRIVE
from polhode.engine.model import Clock, Inputs
from polhode.mesh.mesh import Meshes
from polhode.physics.frame.jolt import jolt
from polhode.physics.grab.interaction_forces import apply_interaction
from polhode.physics.grab.interactions import Interaction
from polhode.physics.modal.mode_control import clear_modes, mute_modes
from polhode.physics.sensor.sensor_motion import START_TIME, stopped_track, track_to
from polhode.scene.checks.arguments import Count, Duration, Finite, PositiveNumber, check_array, checked
from polhode.scene.display.notebook import html_of
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.checkpoint import Checkpoint
from polhode.simulation.diverged import Diverged as Diverged
from polhode.simulation.driven_parameters import (
    apply_driven_values,
    build_at,
    driven_values,
    floats_of,
    transfer_same_layout,
    with_numbers,
    with_values,
)
from polhode.simulation.function_forces import FunctionForcesOf
from polhode.simulation.interactive import InteractiveScene, Listener
from polhode.simulation.saved_run import SavedRun, saved_inputs
from polhode.simulation.sensor_drive import SensorDrive
from polhode.simulation.state_transfer import held_by_joints, transfer_state


class Simulation(InteractiveScene):
    """A running scene. It owns its state and returns copies or read-only data.

        from polhode import Simulation, read_scene

        simulation = Simulation(read_scene("scenes/heavy_top.toml"))
        simulation.advance(2.0)
        moment = simulation.snapshot()
        print(moment.time, moment.bodies.basis[0, 2], moment.energy.total - moment.ledger.total)

    All methods and properties are for one thread at a time: they share scratch arrays, and `snapshot` writes to these
    as well. Snapshots and checkpoints may be read by other threads. Listeners are called in the thread of the caller.
    """

    @checked
    def __init__(self, scene: Scene, meshes: Meshes | None = None, compiled: CompiledScene | None = None):
        """Compile a scene and start it; raises InputError with all problems of the scene.

        meshes: cache of mesh files, to share between simulations
        compiled: the compiled scene, if the caller has it
        """
        self._meshes = meshes or Meshes()
        self._model_warnings = ModelWarnings()
        self._muted: frozenset[tuple[str, int]] = frozenset()
        self._follows = False  # whether the sensor track comes from `track` or a recording, not from the scene
        self.listeners: list[Listener] = []
        self.sensor_drive = SensorDrive()
        self._forces = FunctionForcesOf()
        self._set_scene(compiled or build_at(scene, scene.sensor.centre, self._meshes))
        self._state = self._built.start.copy()
        self.reset()

    def _set_scene(self, compiled: CompiledScene) -> None:
        super()._set_scene(compiled)
        self._earlier: CompiledScene | None = None  # compiled scene of the last checkpoint from before an edit
        self._driven: tuple[float, ...] = ()  # current values of the driven parameters
        self.sensor_drive.set_scene(compiled)

    def _before_batch(self, step: float) -> None:
        self.sensor_drive.act(self, step)
        super()._before_batch(step)

    def _next_due(self) -> int:
        return min(super()._next_due(), self.sensor_drive.next_due(self))

    @property
    def driven_scene(self) -> Scene:
        """The scene with the current values of its driven parameters."""
        return with_values(self.scene, self._driven) if self._driven else self.scene

    def __repr__(self) -> str:
        solver = f"{self.scene.solver.method}, time step {self.time_step:g} s"
        return f"Simulation at t = {self.time:g} s of {self.scene!r}; {solver}"

    def _repr_html_(self) -> str | None:
        """HTML of the current snapshot for notebooks, in three dimensions."""
        return html_of(self)

    @property
    def driven(self) -> tuple[float, ...]:
        """Values of the driven parameters as they were last set; () before that."""
        return self._driven

    @checked
    def drive(self, values: Annotated[tuple[Finite, ...], Field(strict=False)]) -> None:
        """Set the driven parameters [SI], in the order of `sensor.drive`; their work is added to the ledger's `drive`.

        Where the scene can't be compiled with these values, it keeps the previous ones and adds a warning.
        `sensor_drive` calls it while it is active.
        """
        if len(values) != len(self.scene.sensor.drive):
            rule = Message("has {count} values, needs {needed}", count=len(values), needed=len(self.scene.sensor.drive))
            raise InputError.of("drive", rule, Message("give one for each of sensor.drive"), "values")
        if values == self._driven:
            return
        self._notify("drive", values)
        self._driven, begun, before = values, thread_time(), self._energy_before()
        try:
            unmuted = apply_driven_values(self._unmuted, values, self._meshes)
        except InputError as error:
            self._model_warnings.warn(error.problems)
            return
        self._continue_with(unmuted, before, transfers=unmuted.model is not self._unmuted.model)
        self.sensor_drive.cost = thread_time() - begun

    @checked
    def set(self, values: Mapping[str, object]) -> None:
        """Change values of the scene while it runs, such as the torque of a motor by a controller.

        values: by the path of each field, as `Scene.with_values` takes them: numbers in SI, vectors, texts, parts

            simulation.set({"joint[0].motor.torque": 0.3, "world.gravity[2]": -1.62})

        State and time continue. Numbers that `sensor.drive` may drive, torques of motors, and constant forces keep
        interactions, and their work is added to the ledger's `drive`; any other value is an edit, as by `load`.
        Recordings repeat both. Raises InputError, and changes nothing, for unknown paths, values that a file could not
        have, and numbers that the sensor drives.
        """
        scene, numbers = self.scene.with_values(values), floats_of(values)
        for drive in scene.sensor.drive:
            if drive.parameter in values:
                remedy = Message("remove it from sensor.drive, or leave it to the sensor")
                raise InputError.of("set", Message("is driven by the sensor"), remedy, drive.parameter)
        driven = self._driven or driven_values(scene, self.sensor_distance)
        compiled, is_same = with_numbers(self._unmuted, scene, numbers, driven, self._meshes)
        if compiled is None:
            self.load(scene)
            return
        before = self._energy_before()
        self._notify("set", numbers)
        self._continue_with(compiled, before, transfers=not is_same)

    def _continue_with(self, compiled: CompiledScene, before: float, transfers: bool) -> None:
        """Continue with other numbers and the same layout of the state, which is transferred if they change it.

        The change of the energy since it was `before` [J] is added to the ledger's `drive`.
        """
        old = self._built
        self._set_compiled(compiled)
        if transfers:
            state = transfer_same_layout(old, self._state, self._built, self.time)
            self._state = clear_modes(self._built, self._muted, state)
        self._model_warnings.update_scene(self._built)
        jolt(self._built.model, self._inputs, self._built.inputs, self.time, self._state, self._work)
        self._inputs = self._as_held(self._built.inputs)
        self._state[self._built.model.ledger + DRIVE] += self._total() - before
        self._begin_history()

    @checked
    def load(self, scene: Scene, compiled: CompiledScene | None = None) -> None:
        """Replace the scene; the state of items with the same name in both scenes is transferred.

        compiled: the scene compiled at the current sensor distance, if the caller has it already

        Time and step count continue. If only inputs such as gravity differ, interactions continue; otherwise they end.
        The ledger begins at zero, since an edit changes the energy.

        If changed joints can't be assembled at the current positions, the run restarts with a warning, because joints
        are described at the start. Raises InputError, and changes nothing, if the scene can't be compiled.
        """
        compiled = compiled or build_at(scene, self.sensor_distance, self._meshes, self._unmuted)
        self._notify("load", scene)
        if compiled.model is self._unmuted.model:
            self._change_inputs(compiled)
            if self._interaction is not None:  # a recording distinguishes edits that end it from those that don't
                self._notify("grab", self._interaction)
            return
        time, track = self.time, self._inputs.sensor_track
        state = transfer_state(self._built, self._state, compiled, time)
        inputs = compiled.inputs.with_members(sensor_track=track) if self._follows else compiled.inputs
        state, problems = held_by_joints(self.scene, compiled, self._meshes, inputs, time, state)
        problems += self._forces.without_place(compiled)
        self._set_scene(compiled)
        self._inputs = self._built.inputs.with_members(sensor_track=inputs.sensor_track)
        self._model_warnings.warn(problems)
        self._state = clear_modes(self._built, self._muted, state)
        self._restart(time, self.time_step)

    def _change_inputs(self, compiled: CompiledScene) -> None:
        """Replace the inputs of the same model; an edit changes the energy, so the ledger is set to zero."""
        self._set_compiled(compiled)
        self._inputs = self._as_held(self._built.inputs)
        self._state[compiled.model.ledger :] = 0.0
        self._restart(self.time, self.time_step)

    def _as_held(self, inputs: Inputs) -> Inputs:
        """`inputs` with the current interaction and sensor track."""
        return inputs.with_members(**{name: getattr(self._inputs, name) for name in ("held", "pull", "sensor_track")})

    @checked
    def track(self, place: Finite, velocity: Finite, within: Duration) -> None:
        """Set the measured distance `place` [m] of the target and its `velocity` [m/s].

        Followers reach it within `within` [s] on a continuous path and then stay there until the next call. Before the
        first call the target is the scene's simulated one. The work is in the ledger's `drive`.
        """
        self._notify("track", place, velocity, within)
        goal, fastest = (place, velocity), self.scene.sensor.fastest
        track = track_to(self._inputs.sensor_track, self.time, goal, max(within, self.time_step), fastest)
        self._inputs, self._follows = self._inputs.with_members(sensor_track=track), True
        self._begin_history()  # dampers feel the new velocity at once

    @checked
    def play(self, track: Callable[[float], float]) -> None:
        """Let the target be at track(t) [m] at every simulated time t [s], also after a reset.

        The track is sampled at steps of the simulation and interpolated, at most as fast as the scene allows, so every
        run has the same motion.
        """
        self.sensor_drive.track = track

    def copy(self) -> Simulation:
        """A simulation that continues from here with the same bits; from then on neither acts on the other.

        It has no listeners and no samples. A simulation can also be pickled, for other processes: there the scene is
        compiled again, which takes its files, and its machine code is read where it is kept. One with forces by
        functions can't: that raises InputError.
        """
        other = Simulation(self.scene, self._meshes, self._unmuted)
        other._forces = self._forces.copy()
        other._set_compiled(self._unmuted)
        return other._continued(self._saved())

    __copy__ = copy

    def __getstate__(self) -> SavedRun:
        if self._forces:
            rule, remedy = Message("has forces by functions"), Message("call remove_force first, or copy")
            raise InputError.of("Simulation", rule, remedy, "add_force")
        return self._saved()

    def _saved(self) -> SavedRun:
        return SavedRun(
            self.scene,
            self._driven,
            self._muted,
            self._follows,
            self._interaction,
            saved_inputs(self._inputs),
            copy_of(self.sensor_drive),
            self._saved_steps(),
        )

    def __setstate__(self, saved: SavedRun) -> None:
        Simulation.__init__(self, saved.scene)
        if saved.driven:
            self._set_scene(apply_driven_values(self._unmuted, saved.driven, self._meshes))
        self._continued(saved)

    def _continued(self, saved: SavedRun) -> Self:
        """This simulation of the same scene, changed to continue a saved run."""
        self._driven, self._muted, self.sensor_drive = saved.driven, saved.muted, saved.sensor_drive
        self._built = mute_modes(self._unmuted, saved.muted)
        self._inputs = saved.inputs_in(self._built.inputs)
        self._interaction, self._follows = saved.interaction, saved.follows
        self._continue_steps(saved.steps)
        return self

    @checked
    def fork(self, scene: Scene) -> Simulation:
        """A second simulation that continues from this state with `scene`, as after `load`; this one does not change.

        It has no listeners, and its own warnings. Raises InputError where the scene can't be compiled.
        """
        other = self.copy()
        other._model_warnings = ModelWarnings()  # noqa: SLF001
        other.load(scene, build_at(scene, self.sensor_distance, self._meshes))
        return other

    def reset(self) -> None:
        """Return to the start of the scene, at t = 0, without interactions and muted modes.

        The target of the sensor is the simulated one again; a played motion stays. Warnings of the run are dropped.
        """
        self._notify("reset")
        self._muted, self._built = frozenset(), self._unmuted
        if self._driven:
            with suppress(InputError):  # their values at the start may be invalid where the current ones are not
                self._set_scene(build_at(self.scene, self.scene.sensor.centre, self._meshes))
        self._model_warnings.restart(self._built)
        self._state = self._built.start.copy()
        self._inputs, self._interaction, self._follows = self._built.inputs, None, False
        self.steps = self.sensor_drive.due = 0
        self._restart(0.0, self.time_step)

    @checked
    def restore(
        self,
        time: Finite,
        steps: Count,
        state: np.ndarray,
        track: np.ndarray | None = None,
        interaction: Interaction | None = None,
    ) -> None:
        """Continue from a flat state (k,) of this scene at `time` [s] after `steps` steps.

        state: copied; core/polhode/engine/model.py
        track: (TRACK_SIZE,) sensor track of that time, given by a replay
        interaction: that of that time; only with a track

        Without a track the current interaction continues, and a measured target stays at its distance. Raises
        InputError for arrays of another shape, or with numbers that are not finite.
        """
        check_array("restore", "state", state, self._state.shape)
        if track is not None:
            check_array("restore", "track", track, self._inputs.sensor_track.shape)
        if interaction is not None:
            self._check_interaction(interaction)
        self._notify("restore", time, steps, state)
        self._state[:] = state
        self.steps = self.sensor_drive.due = steps
        if track is None and self._follows:
            track = stopped_track(self._inputs.sensor_track, self.time)
            track[START_TIME] = time  # the distance stays, the time changes
        elif track is not None:
            self._follows, self._interaction = not np.array_equal(track, self._built.inputs.sensor_track), interaction
            self._inputs = (
                apply_interaction(self._built, state, interaction) if interaction is not None else self._built.inputs
            )
        if track is not None:
            self._inputs = self._inputs.with_members(sensor_track=track)
        self._restart(time, self.time_step)
        if steps * self.time_step == time:  # then the later times are bit by bit those of the first run
            self._clock = Clock(0.0, self.time_step, steps)

    @checked
    def run(self, until: Finite, every: PositiveNumber | None = None, progress: Progress = lambda time: None) -> Run:
        """Advance to `until` [s], and return a row of all columns for each `every` [s], the present state first.

        every: [s], by default 0.01, or the time step if that is longer; the last row is at `until` in any case
        progress: called with the simulated time [s] several times per second

        Ctrl-C, and `cancel` by another thread, end the run with a warning: `complete` of the result is False, and it
        has the rows so far. Rows on whole steps change nothing in the run; others need a shorter step before each. A
        `sample` ends. Raises InputError for impossible times, and Diverged, whose `run` has the rows up to then.
        """
        return run_to_arrays(self, until, every, progress, self.is_at_start)

    def checkpoint(self) -> Checkpoint:
        """The current state, a copy, for `return_to` of this simulation also after edits."""
        return Checkpoint(self.time, self.steps, self.scene, self.state, self._driven, self.sensor_drive.due)

    @checked
    def return_to(self, checkpoint: Checkpoint) -> None:
        """Continue from a checkpoint. Later edits of the scene stay; the state is transferred to it as by `load`.

        Raises InputError if the checkpoint's scene can't be compiled any more.
        """
        state = checkpoint.state
        if checkpoint.scene != self.scene:
            if self._earlier is None or self._earlier.scene != checkpoint.scene:
                self._earlier = build_at(checkpoint.scene, checkpoint.scene.sensor.centre, self._meshes)
            state = transfer_state(self._earlier, state, self._built, checkpoint.time)
            state, problems = held_by_joints(
                checkpoint.scene, self._built, self._meshes, self._inputs, checkpoint.time, state
            )
            self._model_warnings.warn(problems)
            state = clear_modes(self._built, self._muted, state)
        elif checkpoint.driven:
            self.drive(checkpoint.driven)  # `restore` restores the ledger
        self.restore(checkpoint.time, checkpoint.steps, state)
        self.sensor_drive.due = checkpoint.due
