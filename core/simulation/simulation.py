"""A scene that runs, and all that is done to it from outside: edits, interactions, the distance sensor."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from copy import copy
from time import thread_time
from typing import Any

import numpy as np

from core.analysis.model_warnings import ModelWarnings
from core.engine.compile import CompiledScene
from core.engine.ledger import DRIVE, HAND
from core.engine.model import Clock, Inputs
from core.mesh.mesh import Meshes
from core.physics.frame.jolt import jolt
from core.physics.grab.interaction_forces import apply_interaction, following, move_grabbed_point, stopped
from core.physics.grab.interactions import Grip
from core.physics.modal.mode_control import check_mode, check_soft_body, clear_modes, excite_mode, mute_modes
from core.physics.sensor.sensor_motion import START_TIME, sensor_distance
from core.scene.problem import InputError
from core.scene.scene import Scene
from core.simulation.checkpoint import Checkpoint
from core.simulation.diverged import Diverged as Diverged
from core.simulation.driven_parameters import apply_driven_values, build_at, transfer_same_layout, with_values
from core.simulation.sensor_drive import SensorDrive
from core.simulation.state_transfer import transfer_state
from core.simulation.stepping import SteppedScene


class Simulation(SteppedScene):
    """A running scene. Owns its state: nothing that it hands out changes it, and nothing in it is shared."""

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
        super()._take(built)
        self._of_then: CompiledScene | None = None  # another scene, whose states are returned to
        self._driven: tuple[float, ...] = ()  # the numbers that the hand drives, as they are now
        self.sensor_drive.take(built)

    def _act(self, step: float) -> None:
        self.sensor_drive.act(self, step)

    def _next_due(self) -> int:
        return min(super()._next_due(), self.sensor_drive.next_due(self))

    def _tell(self, what: str, *how: Any) -> None:
        if self.told is not None:
            self.told(what, how)

    @property
    def driven_scene(self) -> Scene:
        """The same with the numbers that the hand over the sensor drives as they are now."""
        return with_values(self.scene, self._driven) if self._driven else self.scene

    @property
    def driven(self) -> tuple[float, ...]:
        """The numbers that the hand drives, as they were written last; () before."""
        return self._driven

    @property
    def hand_place(self) -> float:
        """Distance [m] of the hand over the sensor."""
        return float(sensor_distance(self._inputs.hand, self.time)[0])

    @property
    def silent(self) -> frozenset[tuple[str, int]]:
        """Soft bodies and modes of theirs, counted from 0, that are kept out of the motion."""
        return self._silent

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
        jolt(self._built.model, self._inputs, self._built.inputs, self.time, self._state, self._work)
        self._inputs = self._as_held(self._built.inputs)
        self._state[self._built.model.ledger + DRIVE] += self._total() - before
        self._begin_history()
        self.sensor_drive.cost = thread_time() - begun

    def load(self, scene: Scene, built: CompiledScene | None = None) -> None:
        """Go on with another scene; what it shares with this one by name keeps moving.

        `built` is what the scene becomes with the hand where it is, if that is known already. Where only inputs differ,
        such as gravity, what is held stays held.

        Raises InputError, and changes nothing, where the scene can't be built.
        """
        built = built or build_at(scene, self.hand_place, self._meshes, self._whole)
        self._tell("load", scene)
        if built.model is self._whole.model:
            self._change_inputs(built)
            return
        state, time, hand = transfer_state(self._built, self._state, built), self.time, self._inputs.hand
        self._take(built)
        if self._follows:
            self._inputs = self._inputs.with_members(hand=hand)
        self._state = clear_modes(self._built, self._silent, state)
        self._restart(time, self.time_step)

    def _change_inputs(self, built: CompiledScene) -> None:
        """Go on with other inputs of the same model; an edit changes the energy, so the ledger begins again."""
        self._whole, self._built = built, mute_modes(built, self._silent)
        self._inputs = self._as_held(built.inputs)
        self._state[built.model.ledger :] = 0.0
        self._restart(self.time, self.time_step)

    def _as_held(self, inputs: Inputs) -> Inputs:
        """The same with what mouse and hand do now."""
        return inputs.with_members(**{name: getattr(self._inputs, name) for name in ("held", "pull", "hand")})

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
        check_soft_body(self._built, name)
        self._tell("excite", name, shape, speed)
        before = self._total()
        excite_mode(self._built, name, shape, speed, self._inputs.held, self._state)
        self._by_hand(before)

    def silence(self, name: str, mode: int, on: bool = True) -> None:
        """Take one mode, counted from 0, out of the motion of a modal soft body and keep it out, or let it move again.

        It loses its amplitude and rate, and begins again without. A reset lets all modes move again; an edit does not.
        Raises InputError where the body has no such mode.
        """
        check_mode(self._built, name, mode)
        self._tell("silence", name, mode, on)
        before, changed = self._total(), {(name, mode)}
        self._silent = self._silent | changed if on else self._silent - changed
        self._built = mute_modes(self._whole, self._silent)
        clear_modes(self._built, changed, self._state)
        self._by_hand(before)

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
