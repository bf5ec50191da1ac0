"""The loop of the physics thread: executes commands, advances the simulation in batches, publishes frames."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from polhode.analysis.steps.energy_drift import EnergyDrift
from polhode.engine.compiled_scene import CompiledScene
from polhode.jit.processor_time import worked
from polhode.mesh.mesh import Meshes
from polhode.scene.problem import InputError, Problem, message_of
from polhode.simulation.diverged import DataEnded
from polhode.simulation.simulation import Diverged, Simulation
from polhode_app import messages
from polhode_app.runner.backfill import backfilled_samples
from polhode_app.runner.ghosts import Ghosts
from polhode_app.runner.pacing import Pacing
from polhode_app.runner.passage import published_parts
from polhode_app.runner.pending_scene import PendingScene, first_run
from polhode_app.runner.recording import RunRecorder
from polhode_app.runner.recovery import LastGoodState
from polhode_app.runner.replay import ReplaySource
from polhode_app.runner.rewind_buffer import RewindBuffer, StoredState
from polhode_app.runner.sampling import ColumnSampling
from polhode_app.runner.sensor_input import SensorInput
from polhode_app.runner.slow_steps import StepGuard
from polhode_app.runner.step_limits import StepLimits

CATCH_UP = 0.25  # [s] CPU time for advancing from a checkpoint in a step back


class SimulationLoop:
    """State of the run: at most one simulation or replay, its ghosts, pacing, and what is derived from it."""

    def __init__(
        self,
        say: Callable[[messages.Event], None],
        publish: Callable[[messages.FrameData], None],
        sampled: Callable[[messages.ColumnSamples], None],
    ):
        self.stopped = False
        self.patience: float | None = None  # [s] to wait for the next command; None: without limit
        self._meshes = Meshes()
        self._say, self._publish, self._pass_sampled = say, publish, sampled
        self._simulation: Simulation | None = None
        self._generation = 0  # of its scene
        self._ghosts, self._last_good, self._rewind_buffer = Ghosts(), LastGoodState(), RewindBuffer()
        self._run_recorder = RunRecorder(say)
        self._replay_source: ReplaySource | None = None  # the recording that is shown in place of a run
        self._plots: Iterator[messages.ColumnSamples] = iter(())  # its remaining samples for plots
        self._sensor_input = SensorInput()
        self._sampling = ColumnSampling(sampled)
        self._pacing = Pacing()
        self._frame: messages.FrameData | None = None
        self._running = False
        self._forces = False  # whether frames contain the forces by law
        self._limits = StepLimits(say)
        self._passed_warnings: tuple[Problem, ...] = ()  # of the simulation, already emitted
        self._pending_scene = PendingScene(say, self._meshes)
        self.step_guard = StepGuard()

    def execute(self, command: messages.Command) -> None:
        """Execute one command, or defer it until the pending scene is compiled."""
        if self._pending_scene.takes(command, is_first=self._simulation is None, is_running=self._running):
            return
        match command:
            case messages.LoadScene():
                self._pending_scene.load(command, self._simulation if command.carry else None, self._load)
            case messages.Play() | messages.Pause():
                self._transport(isinstance(command, messages.Play))
            case messages.AdvanceSteps(count) if count < 0:
                self._back(-count)
            case messages.AdvanceSteps(count):
                self._transport(False)
                self._advance(count)
            case messages.Reset():
                self._reset()
            case messages.Seek(to):
                self._seek(to)
            case messages.BringBackFuture():
                self._bring_back()
            case messages.SetHistorySize(size):
                self._rewind_buffer.set_size(size)
            case messages.SetSpeed(factor):
                self._pacing.speed = factor
                self._run_recorder.set_interval(self._simulation, factor)
                self._transport(self._running)
            case messages.SetSensorSource(hand):
                self._sensor_input.set_source(hand)
            case messages.SetForcesByLaw(forces):
                self._forces = forces
                self._show()
            case messages.SetSampledColumns(columns):
                self._plot(columns)
            case messages.StopThread():
                self._pending_scene.cancel()
                self._run_recorder.end()
                self.stopped = True
                self._limits.close()
            case _:
                self._do_to_it(command)

    def _do_to_it(self, command: messages.Command) -> None:
        """Execute a command about interactions, modes or recordings."""
        match command:
            case messages.Interact(generation, grip):
                self._change(generation, lambda simulation: simulation.grab(grip))
            case messages.EndInteraction():
                self._change(self._generation, Simulation.release)
            case messages.ExciteMode(generation, name, shape, speed):
                self._change(generation, lambda simulation: simulation.excite(name, shape, speed))
            case messages.MuteMode(generation, name, mode, on):
                self._change(generation, lambda simulation: simulation.mute(name, mode, on))
            case messages.StartRecording(path, version):
                if self._simulation is not None and self._replay_source is None:
                    self._run_recorder.start(self._simulation, path, self._meshes, version, self._pacing.speed)
                    self._show()
            case messages.StopRecording():
                self._run_recorder.end()
                self._show()
            case messages.ShowRecording():
                self._pending_scene.show(command, lambda: self._replay(command))
            case messages.ResumeFromReplay():
                self._go_on()

    def batch(self) -> None:
        """Advance by the steps that are due, and set `patience`."""
        self._pending_scene.poll()
        for command in self._pending_scene.deferred_commands():
            self.execute(command)
        sampled = next(self._plots, None)
        if sampled is not None:
            self._pass_sampled(sampled)
        if self.stopped or not self._running or self._simulation is None:
            self.patience = self._pending_scene.patience if sampled is None else 0
            return
        simulation = self._simulation
        step = simulation.time_step if self._replay_source is None else self._replay_source.spacing
        due = self._pacing.steps(time.perf_counter(), simulation.time, step)
        if due:
            self._advance(due)
        self.patience = self._pacing.patience(due, time.perf_counter(), simulation.time)

    def halt(self, part: str, message: str) -> None:
        """Pause in the current state and emit RunHalted; `part` names the body that diverged, or is ""."""
        self._running = False
        self._say(messages.RunHalted(part, self._simulation.time if self._simulation else 0.0, message))
        if self._frame is not None:
            self._publish(replace(self._frame, running=False, factor=0.0, steps_per_second=0.0))

    def _load(self, command: messages.LoadScene, carry: bool, compiled: CompiledScene) -> None:
        scene = command.scene
        if carry:
            self._go_on()
        else:
            self._replay_source, self._plots = None, iter(())
        try:
            if carry and self._simulation is not None:
                ghosts = self._ghosts.carried(scene, self._simulation)
                simulation = self._simulation
                simulation.load(scene, compiled)
            else:
                simulation, ghosts = first_run(scene, self._meshes, compiled, self.step_guard)
                self._passed_warnings = ()
                self._run_recorder.replace(simulation, command.restarts)
        except InputError as error:
            self._say(messages.SceneRejected(command.generation, error))
            return
        self._ghosts, self._generation = ghosts, command.generation
        edited_at = self._rewind_buffer.edited_at(scene) if command.undoes else None
        comes_back = command.undoes and self._rewind_buffer.sets_aside(scene)
        self._say(messages.SceneLoaded(command.generation, self._meshes, simulation.compiled, edited_at))
        if carry:
            self._forget_later(simulation, by_edit=True)
            self._rewind_buffer.store(simulation, ghosts)
        else:
            self._rewind_buffer.restart(simulation, ghosts)
        self._begin(simulation)
        if comes_back:
            self._bring_back()
        self._limits.request(simulation.compiled, simulation.time, simulation.state)

    def _reset(self) -> None:
        if self._replay_source is not None:
            self._wind(-self._replay_source.run.rows)
        elif self._simulation is not None:
            self._simulation.reset()
            self._ghosts.reset()
            self._rewind_buffer.restart(self._simulation, self._ghosts)
            self._begin(self._simulation)

    def _back(self, count: int) -> None:
        """Go back some steps: restore the checkpoint before and advance from there, as far as CATCH_UP permits."""
        if self._replay_source is not None:
            self._running = False
            self._wind(-count)
            return
        if (simulation := self._simulation) is None:
            return
        self._rewind_buffer.leave(simulation, self._ghosts)
        wanted = max(simulation.steps - count, 0)
        if not self._restore(kept := self._rewind_buffer.before(wanted)):
            return
        missing = min(wanted - kept.run.steps, self._pacing.affordable(CATCH_UP))
        if missing > 0:
            with self.step_guard(simulation), suppress(Diverged):  # these steps succeeded before
                simulation.advance_steps(missing)
            for name, stop in self._ghosts.follow(simulation.time):
                self._say(messages.GhostLost(name, message_of(stop)))
        self._transport(False)

    def _restore(self, kept: StoredState | None) -> bool:
        """Restore a stored state, which is not shown yet; False, and nothing changes, if that is impossible."""
        if (simulation := self._simulation) is None or kept is None:
            return False
        self._running = False
        try:
            simulation.return_to(kept.run)
            self._ghosts.return_to(kept.ghosts)
        except InputError as error:  # a mesh file of an earlier scene is missing
            for problem in error.problems:
                self._say(messages.WarningRaised(problem))
            return False
        if simulation.time < self._drift.since:  # from before an edit, which has changed the energy
            self._drift = EnergyDrift(simulation.snapshot())
        self._last_good.restart(simulation)
        self._sampling.restart(simulation, newest=False)
        return True

    def _replay(self, command: messages.ShowRecording) -> None:
        """Show a recording in place of a run, from its first state."""
        self._run_recorder.end()
        try:
            self._replay_source = ReplaySource(command.recorded, self._meshes)
        except InputError as error:
            self._say(messages.SceneRejected(command.generation, error))
            return
        simulation = self._replay_source.simulation
        self._generation = command.generation
        self._say(messages.SceneLoaded(command.generation, self._meshes, simulation.compiled))
        self._ghosts, self._passed_warnings = Ghosts(), ()
        self._rewind_buffer.restart(simulation, self._ghosts)
        self._begin(simulation)

    def _wind(self, count: int) -> None:
        """Move the replay by some recorded states."""
        assert self._replay_source is not None
        self._wind_to(self._replay_source.row + count)

    def _wind_to(self, row: int) -> None:
        reel = self._replay_source
        assert reel is not None
        shown = reel.simulation.scene
        simulation = reel.move_to(row)
        if simulation.scene != shown:
            self._generation = messages.new_generation()
            self._say(messages.ReplaySceneChanged(self._generation, simulation.scene, simulation.compiled))
        self._pacing.done(1, 0.0, 0.0, time.perf_counter(), simulation.time)
        if self._running and reel.is_at_end:
            self._running = False
            self._say(messages.ReplayEnded())
        self._show()

    def _seek(self, to: float) -> None:
        if self._replay_source is not None:
            self._running = False
            self._wind_to(self._replay_source.run.row_at(to))
            return
        if self._simulation is not None:
            self._rewind_buffer.leave(self._simulation, self._ghosts)
        if self._restore(self._rewind_buffer.nearest(to)):
            self._transport(False)

    def _go_on(self) -> None:
        """Leave the replay: simulate on from the state that is shown."""
        if self._replay_source is None:
            return
        simulation, self._replay_source, self._plots = self._replay_source.simulation, None, iter(())
        simulation.release()
        self._rewind_buffer.restart(simulation, self._ghosts)
        self._begin(simulation)

    def _plot(self, columns: tuple[str, ...]) -> None:
        if self._replay_source is not None:
            self._plots = self._replay_source.sampled(columns)
            return
        simulation = self._simulation
        newest = simulation is None or simulation.time >= self._rewind_buffer.span[1]
        self._sampling.set_columns(columns, simulation, newest)
        past = backfilled_samples(simulation, self._rewind_buffer.states, columns) if simulation is not None else None
        if past is not None:
            self._pass_sampled(past)

    def _begin(self, simulation: Simulation) -> None:
        """Measure pace and energy error from the current state on."""
        self._simulation = simulation
        self._drift = EnergyDrift(simulation.snapshot())
        self._last_good.restart(simulation)
        self._sampling.restart(simulation)
        self._transport(self._running)

    def _change(self, generation: int, change: Callable[[Simulation], None]) -> None:
        """Apply a change to the simulation, unless it was meant for an earlier scene."""
        if self._simulation is not None and self._replay_source is None and generation == self._generation:
            change(self._simulation)
            if not self._running:  # else the next batch of steps is shown
                self._show()

    def _transport(self, running: bool) -> None:
        self._running = running
        if self._simulation is not None:
            self._pacing.start(time.perf_counter(), self._simulation.time)
            self._show()

    def _advance(self, count: int) -> None:
        if self._replay_source is not None:
            self._wind(count)
        if self._replay_source is not None or (simulation := self._simulation) is None:
            return
        self._forget_later(simulation)
        before, begun = time.perf_counter(), worked()
        for each in (simulation, *self._ghosts.simulations):
            self._sensor_input.move_followers(each, count * simulation.time_step, self._pacing, before)
        try:
            with self.step_guard(simulation, *self._ghosts.simulations):
                wall = count * simulation.time_step / self._pacing.speed
                for steps in published_parts(simulation, count, wall, self._frame, self._ghosts, self._publish):
                    self._run_recorder.advance(simulation, steps)
                    for name, stop in self._ghosts.follow(simulation.time):
                        self._say(messages.GhostLost(name, message_of(stop)))
        except Diverged as error:
            self._pass_warnings(simulation)
            self._fall_back(simulation, error)
            return
        self._sampling.collect(simulation, time.perf_counter())
        self._rewind_buffer.store_if_due(simulation, self._ghosts)
        now, spent = time.perf_counter(), worked() - begun
        self._pacing.done(count, spent, now - before - spent, now, simulation.time)
        self._show()
        if self._frame is not None:
            self._last_good.store_if_due(simulation, self._frame.drift, now)
            if self._last_good.begins_to_drift(self._frame.recent_drift):
                self._limits.request(simulation.compiled, *self._last_good.oldest)

    def _forget_later(self, simulation: Simulation, by_edit: bool = False) -> None:
        if lost := self._rewind_buffer.go_on(simulation, self._ghosts):
            self._say(messages.HistoryTruncated(simulation.time, lost, by_edit))

    def _bring_back(self) -> None:
        """Pause where the run was resumed, with the future that it had before."""
        simulation, fork = self._simulation, self._rewind_buffer.bring_back()
        if simulation is not None and self._restore(fork):
            self._sampling.restart(simulation)  # plots forget the other future
            self._plot(self._sampling.wanted)
            self._transport(False)
            self._say(messages.FutureBroughtBack())

    def _fall_back(self, simulation: Simulation, error: Diverged) -> None:
        """Restore the last good state after a divergence, and request step limits for it; not where data have ended."""
        self._sampling.collect(simulation, time.perf_counter())
        if not isinstance(error, DataEnded):
            self._last_good.restore(simulation, self._drift.at(simulation.snapshot()))
            self._limits.request(simulation.compiled, simulation.time, simulation.state)
        self._sampling.restart(simulation)
        self._show()
        self.halt(error.part, message_of(error))

    def _pass_warnings(self, simulation: Simulation) -> None:
        for warning in simulation.warnings:
            if warning not in self._passed_warnings:
                self._say(messages.WarningRaised(warning))
        self._passed_warnings = simulation.warnings

    def _show(self) -> None:
        """Publish a frame with the current state."""
        if (simulation := self._simulation) is None:
            return
        self._pass_warnings(simulation)
        now = time.perf_counter()
        snapshot = simulation.snapshot(self._forces)
        self._frame = messages.FrameData(
            simulation.scene,
            self._generation,
            snapshot,
            self._running,
            self._pacing.factor(now) if self._running else 0.0,
            self._pacing.steps_per_second(now) if self._running else 0.0,
            self._drift.at(snapshot),
            self._ghosts.snapshots(),
            self._rewind_buffer.span if self._replay_source is None else self._replay_source.span,
            simulation.muted,
            (simulation.driven_scene, simulation.compiled) if simulation.scene.sensor.drive else None,
            self._run_recorder.status,
            self._replay_source is not None,
            self._drift.lately(snapshot),
        )
        self._publish(self._frame)
