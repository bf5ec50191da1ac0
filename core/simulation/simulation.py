"""A scene that runs: the clock, the batches and the stop on numbers that are no longer numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from math import ceil
from time import thread_time
from typing import Any

import numpy as np

from core.analysis.diagnostics import energy
from core.analysis.model_warnings import ModelWarnings
from core.engine.compile import STOP_STEPS, CompiledScene
from core.engine.ledger import DRIVE, HAND
from core.engine.model import Clock, Inputs
from core.engine.rates import rates
from core.engine.work import link, make_work, subjects_in
from core.integrators import AS_PRINTED, METHODS
from core.mesh.mesh import Meshes
from core.physics.frame.jolt import jolt
from core.physics.grab.interaction_forces import apply_interaction, following, move_grabbed_point, stopped
from core.physics.grab.interactions import Grip
from core.physics.magnets.closest_dipoles import closest_dipoles
from core.physics.modal.mode_control import clear_modes, excite_mode, mute_modes
from core.physics.sensor.sensor_motion import START_TIME, sensor_distance
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene
from core.simulation.checkpoint import Checkpoint
from core.simulation.diverged import Diverged as Diverged
from core.simulation.diverged import lost_part
from core.simulation.driven_parameters import apply_driven_values, build_at, transfer_same_layout, with_values
from core.simulation.helper_thread import HelperThread
from core.simulation.sampler import StateSampler
from core.simulation.sensor_drive import SensorDrive
from core.simulation.snapshot import Snapshot
from core.simulation.state_transfer import transfer_state
from core.simulation.take_snapshot import take_snapshot

WHOLE = 1e-6  # of a step: closer than this to a whole number of steps is whole, for seconds are not exact in binary


class Simulation:
    """A running scene. Owns its state: nothing that it hands out changes it, and nothing in it is shared.

    time_step [s] is the scene's; `advance` takes as many whole steps as fit.
    """

    def __init__(self, scene: Scene, meshes: Meshes | None = None, built: CompiledScene | None = None):
        """Build the scene, unless it is `built`; raises InputError with everything that is wrong with it."""
        self._meshes = meshes or Meshes()
        self._watch = ModelWarnings()
        self._silent: frozenset[tuple[str, int]] = frozenset()
        self._follows = False  # a hand over the sensor that is measured
        self.told: Callable[[str, tuple[Any, ...]], None] | None = None  # hears what is done from outside, and how
        self.sensor_drive = SensorDrive()
        self._take(built or build_at(scene, scene.sensor.centre, self._meshes))
        self._state = self._built.start.copy()
        self.reset()

    def _take(self, built: CompiledScene) -> None:
        self._silent = frozenset((name, mode) for name, mode in self._silent if mode < built.modes_kept(name))
        self._whole, self._built = built, mute_modes(built, self._silent)
        self._inputs: Inputs = built.inputs
        self._grip: Grip | None = None
        self._watch.take(built)
        self._of_then: CompiledScene | None = None  # another scene, whose states are returned to
        self._work, self._linked = make_work(built.model, built.inputs), subjects_in(built.model, built.inputs)
        self._help = HelperThread(built.model, self._work)
        self._samples = StateSampler(self._work)
        self._method = (METHODS | AS_PRINTED)[built.scene.solver.method]
        self.time_step = built.scene.solver.time_step
        self._driven: tuple[float, ...] = ()  # the numbers that the hand drives, as they are now
        self.sensor_drive.take(built)

    def _restart(self, time: float, step: float) -> None:
        """Count time from here in steps of another length, with a history that begins here."""
        self._clock = Clock(time, step, 0)
        self._work.stop_time[0] = STOP_STEPS * step
        self._begin_history()
        self._watch.look(self._inputs, time, self._state, self._work)

    def _begin_history(self) -> None:
        """Something acts otherwise from here on, which older rates do not know."""
        model, inputs = self._built.model, self._inputs
        if (present := subjects_in(model, inputs)) != self._linked:
            link(model, inputs, self._work)
            self._linked = present
        rate = np.empty_like(self._state)
        rates(model, inputs, self.time, self._state, self._work, rate)
        if self._method.NAME in AS_PRINTED:
            rate[model.is_momentum] = 0.0
        self._history = np.tile(rate, (self._method.HISTORY, 1))  # f_(-1) = f_0

    def _tell(self, what: str, *how: Any) -> None:
        if self.told is not None:
            self.told(what, how)

    @property
    def scene(self) -> Scene:
        return self._built.scene

    @property
    def driven_scene(self) -> Scene:
        """The same with the numbers that the hand over the sensor drives as they are now."""
        return with_values(self.scene, self._driven) if self._driven else self.scene

    @property
    def driven(self) -> tuple[float, ...]:
        """The numbers that the hand drives, as they were written last; () before."""
        return self._driven

    @property
    def inputs(self) -> Inputs:
        """What the outside world does now."""
        return self._inputs

    @property
    def hand_place(self) -> float:
        """Distance [m] of the hand over the sensor."""
        return float(sensor_distance(self._inputs.hand, self.time)[0])

    @property
    def built(self) -> CompiledScene:
        """Model, start and mass properties of the scene."""
        return self._built

    @property
    def state(self) -> np.ndarray:
        """Copy of the flat state; core.engine.model says what stands where."""
        return self._state.copy()

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._clock.start + self._clock.done * self._clock.step

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What has left the range of the model so far: magnets that came too near, each pair of bodies once."""
        return tuple(self._watch.warnings)

    @property
    def silent(self) -> frozenset[tuple[str, int]]:
        """Soft bodies and modes of theirs, counted from 0, that are kept out of the motion."""
        return self._silent

    @property
    def basis_drift(self) -> float:
        """Largest |u_i.u_j - delta_ij| before repair in the last batch of steps."""
        return float(self._work.drift[0])

    def advance(self, seconds: float) -> None:
        """Go on by `seconds` [s]. Where the time step does not divide them, equal smaller steps are taken.

        Raises Diverged, and stands on the last good state, where a step would not be finite.
        """
        steps = seconds / self.time_step
        if abs(steps - round(steps)) <= WHOLE:
            self.advance_steps(round(steps))
            return
        end, count = self.time + seconds, ceil(steps)
        self._run(count, seconds / count)
        self._clock = Clock(end, self._clock.step, 0)

    def advance_steps(self, steps: int) -> None:
        """Go on by a number of whole steps; raises Diverged as `advance` does."""
        self._run(steps, self.time_step)

    def _run(self, steps: int, step: float) -> None:
        if step != self._clock.step:
            self._restart(self.time, step)
        work, end = self._work, self.steps + steps
        work.drift[0] = 0.0
        while self.steps < end:
            self.sensor_drive.act(self, step)
            due = min(end, self.sensor_drive.next_due(self), self._samples.next_due(self.steps))
            count = due - self.steps
            model = self._built.model
            with self._help(count, model, self._inputs):
                taken = self._method.advance(model, self._inputs, self._state, self._history, work, self._clock, count)
            self._samples.take(model, self._inputs, work, self._clock)
            self._clock = self._clock._replace(done=self._clock.done + taken)
            self.steps += taken
            if taken < count:
                break
        self._watch.look(self._inputs, self.time, self._state, work)
        if self.steps < end:
            part = lost_part(self._built, self._work.stage)
            self.snapshot()  # places the dipoles of the last good state
            solves = self._method.NAME == "implicit"
            raise Diverged(part, self.time, step, closest_dipoles(self._built, work.dipoles.position), solves)

    def drive(self, values: tuple[float, ...]) -> None:
        """Write anew what the hand drives, in the scene's order: the energy that comes in by it is the drive's.

        Where the scene can't be built with these numbers it goes on with those it had, and a warning says why.
        """
        if values == self._driven:
            return
        self._tell("drive", values)
        self._driven, begun, before = values, thread_time(), self._total()
        try:
            whole = apply_driven_values(self._whole, values, self._meshes)
        except InputError as error:
            self._watch.warn(error.problems)
            return
        old, rebuilt = self._built, whole.model is not self._whole.model
        self._whole, self._built = whole, mute_modes(whole, self._silent)
        if rebuilt:
            self._state = clear_modes(self._built, self._silent, transfer_same_layout(old, self._state, self._built))
            self._watch.go_on(self._built)
        now = self._inputs
        jolt(self._built.model, now, self._built.inputs, self.time, self._state, self._work)
        self._inputs = self._built.inputs.with_members(held=now.held, pull=now.pull, hand=now.hand)
        self._state[self._built.model.ledger + DRIVE] += self._total() - before
        self._begin_history()
        self.sensor_drive.cost = thread_time() - begun

    def load(self, scene: Scene, built: CompiledScene | None = None) -> None:
        """Go on with another scene; what it shares with this one by name keeps moving.

        `built` is what the scene becomes with the hand where it is, if that is known already.

        Raises InputError, and changes nothing, where the scene can't be built.
        """
        built = built or build_at(scene, self.hand_place, self._meshes)
        self._tell("load", scene)
        state, time, hand = transfer_state(self._built, self._state, built), self.time, self._inputs.hand
        self._take(built)
        if self._follows:
            self._inputs = self._inputs.with_members(hand=hand)
        self._state = clear_modes(self._built, self._silent, state)
        self._restart(time, self.time_step)

    def hold(self, grip: Grip) -> None:
        """A hand grabs, pulls or twists from now on, instead of what it did before.

        What a grabbed point gains or loses when it is moved stands in the ledger, in the line of the hand.
        """
        self._tell("hold", grip)
        self._handle(apply_interaction(self._built, self._state, grip), grip)

    def release(self) -> None:
        """Let go: a point keeps the velocity that it was led with, a fixed one stays where it was left."""
        if self._grip is not None:
            self._tell("release")
            self._handle(self._built.inputs, None)

    def _handle(self, inputs: Inputs, grip: Grip | None) -> None:
        before = self._total()
        self._inputs, self._grip = inputs.with_members(hand=self._inputs.hand), grip
        move_grabbed_point(self._built, grip, inputs, self._state)
        self._by_hand(before)

    def follow(self, place: float, velocity: float, within: float) -> None:
        """The hand over the sensor is at a distance [m] and moves with that velocity [m/s].

        What follows it starts from where it is, catches up within some `within` [s], stays there if this is not called
        again, and never jumps. Before the first call the hand is the scene's simulated one. The work is the ledger's
        drive.
        """
        self._tell("follow", place, velocity, within)
        goal, fastest = (place, velocity), self.scene.sensor.fastest
        hand = following(self._inputs.hand, self.time, goal, max(within, self.time_step), fastest)
        self._inputs, self._follows = self._inputs.with_members(hand=hand), True
        self._begin_history()  # dampers feel the new velocity at once

    def play(self, hand: Callable[[float], float]) -> None:
        """The hand over the sensor is at hand(t) [m] at every simulated time t [s], also after a reset.

        It is asked at times that follow from the steps alone, and passes smoothly through the places of these times, no
        faster than the scene allows: the same motion every time.
        """
        self.sensor_drive.track = hand

    def excite(self, name: str, shape: np.ndarray, speed: float) -> None:
        """Push the points of a soft body along a shape (3, n) of it, in its own frame; the fastest gains `speed` [m/s].

        Of a body that moves by modes, a shape of theirs sets off that mode and no other. The hand's line of the ledger
        has the energy. Raises InputError where there is no such body.
        """
        self._needs(
            name in {soft.name for soft in self.scene.soft}, Message("'{name}' is no soft body of the scene", name=name)
        )
        self._tell("excite", name, shape, speed)
        before = self._total()
        excite_mode(self._built, name, shape, speed, self._inputs.held, self._state)
        self._by_hand(before)

    def silence(self, name: str, mode: int, on: bool = True) -> None:
        """Take one mode, counted from 0, out of the motion of a modal soft body and keep it out, or let it move again.

        It loses its amplitude and rate, and begins again without. A reset lets all modes move again; an edit does not.
        Raises InputError where the body has no such mode.
        """
        kept = self._built.modes_kept(name)
        self._needs(
            0 <= mode < kept,
            Message("'{name}' does not move by a mode {mode}: it keeps {kept}", name=name, mode=mode, kept=kept),
        )
        self._tell("silence", name, mode, on)
        before, changed = self._total(), {(name, mode)}
        self._silent = self._silent | changed if on else self._silent - changed
        self._built = mute_modes(self._whole, self._silent)
        clear_modes(self._built, changed, self._state)
        self._by_hand(before)

    def _needs(self, known: bool, rule: Message) -> None:
        if not known:
            raise InputError(self.scene.title, [Problem("soft", rule, Message("see polhode modes for what there is"))])

    def _total(self) -> float:
        """Energy of now [J]; and all is placed."""
        return energy(self._built.model, self._inputs, self.time, self._state, self._work).total

    def _by_hand(self, before: float) -> None:
        """Write what the energy has gained into the hand's line of the ledger, and go on from here."""
        self._state[self._built.model.ledger + HAND] += self._total() - before
        self._restart(self.time, self._clock.step)

    def fork(self, scene: Scene) -> Simulation:
        """Another simulation that goes on from here with a scene, as `load` would; this one stays as it is.

        Raises InputError where the scene can't be built.
        """
        other = copy(self)
        other.told, other.sensor_drive, other._watch = None, copy(self.sensor_drive), ModelWarnings()  # noqa: SLF001  # its own
        other.load(scene)  # which replaces all that a run changes
        return other

    def reset(self) -> None:
        """Back to the scene's start, where nothing is held and no mode is silent."""
        self._tell("reset")
        self._silent, self._built = frozenset(), self._whole
        if self._driven:
            with suppress(InputError):  # what it has now was built; what it begins with need not be
                self._take(build_at(self.scene, self.scene.sensor.centre, self._meshes))
        self._state = self._built.start.copy()
        self._inputs, self._grip, self._follows = self._built.inputs, None, False
        self.steps = self.sensor_drive.due = 0
        self._restart(0.0, self.time_step)

    def go_back(
        self, time: float, steps: int, state: np.ndarray, hand: np.ndarray | None = None, grip: Grip | None = None
    ) -> None:
        """Go on from a state of this scene that was at a time [s], after so many steps.

        A recording knows the hand over the sensor (HAND_SIZE,), and what the other one did.
        """
        self._tell("go_back", time, steps, state)
        self._state[:] = state
        self.steps = self.sensor_drive.due = steps
        if hand is None and self._follows:
            hand = stopped(self._inputs.hand, self.time)
            hand[START_TIME] = time  # it stays where it is, although the time is another one
        elif hand is not None:
            self._follows, self._grip = not np.array_equal(hand, self._built.inputs.hand), grip
            self._inputs = apply_interaction(self._built, state, grip) if grip is not None else self._built.inputs
        if hand is not None:
            self._inputs = self._inputs.with_members(hand=hand)
        self._restart(time, self.time_step)
        if steps * self.time_step == time:  # then it goes on at the very times that it would have gone on at
            self._clock = Clock(0.0, self.time_step, steps)

    def bookmark(self) -> Checkpoint:
        """Where it is now, to return to."""
        return Checkpoint(self.time, self.steps, self.scene, self.state, self._driven, self.sensor_drive.due)

    def return_to(self, bookmark: Checkpoint) -> None:
        """Go on from where it was; what has been edited since stays edited, as far as `load` would carry it over."""
        state = bookmark.state
        if bookmark.scene is not self.scene:
            if self._of_then is None or self._of_then.scene is not bookmark.scene:
                self._of_then = build_at(bookmark.scene, bookmark.scene.sensor.centre, self._meshes)
            state = clear_modes(self._built, self._silent, transfer_state(self._of_then, state, self._built))
        elif bookmark.driven:
            self.drive(bookmark.driven)  # what this does to the ledger is undone with all the rest
        self.go_back(bookmark.time, bookmark.steps, state)
        self.sensor_drive.due = bookmark.due

    def sample(self, columns: Sequence[int], every: int = 1) -> None:
        """From now on keep these columns of the table at every so many steps, until another scene is loaded."""
        self._samples = StateSampler(self._work, columns, every)
        self._work = self._samples.work

    def sampled(self) -> np.ndarray:
        """(n, columns) what was kept since the last call, oldest first."""
        return self._samples.given()

    @property
    def sampling(self) -> float:
        """Processor time [s] that samples have taken since `sample` was called."""
        return self._samples.seconds

    def snapshot(self, forces: bool = False) -> Snapshot:
        """A copy of this moment, with the forces law by law if they are asked for."""
        return take_snapshot(
            self._built, self._inputs, self._state, self._work, (self.time, self.steps), self._grip, forces
        )
