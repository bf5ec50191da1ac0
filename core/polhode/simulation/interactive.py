"""Actions on a running scene other than edits: interactions, excited and muted modes, forces by functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import HAND
from polhode.engine.model import Inputs
from polhode.engine.rates import place
from polhode.physics.grab.interaction_forces import apply_interaction, move_grabbed_point
from polhode.physics.grab.interactions import Interaction, interaction_fault
from polhode.physics.modal.mode_control import (
    check_mode,
    check_shape,
    check_soft_body,
    clear_modes,
    excite_mode,
    mute_modes,
)
from polhode.scene.checks.arguments import Finite, checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.simulation.batches.stepping import SteppedScene
from polhode.simulation.function_forces import Function, FunctionForcesOf

Listener = Callable[[str, tuple[Any, ...]], None]
"""Called with the name of a method of Simulation and its arguments, before that method changes anything."""


class InteractiveScene(SteppedScene):
    """A stepped scene on which interactions and functions act.

    Methods that a replay repeats report themselves to `listeners` first.
    """

    listeners: list[Listener]
    _forces: FunctionForcesOf

    def _set_compiled(self, compiled: CompiledScene) -> None:
        super()._set_compiled(self._forces.in_scene(compiled))

    def _before_batch(self, step: float) -> None:
        self._forces.hold(self._built, self._inputs, self.time, self._state, self._work)

    def _next_due(self) -> int:
        due = super()._next_due()
        return min(due, self.steps + 1) if self._forces.holds else due

    def _after_failure(self) -> None:
        if self._forces:
            try:
                self._forces.raise_failure()
            finally:
                self._begin_history()  # without rates that are not finite

    def _notify(self, name: str, *arguments: Any) -> None:
        for listener in tuple(self.listeners):  # one may end itself
            listener(name, arguments)

    @property
    def muted(self) -> frozenset[tuple[str, int]]:
        """Names of soft bodies with the indices of their muted modes."""
        return self._muted

    @checked
    def grab(self, interaction: Interaction) -> None:
        """Start an interaction (core/polhode/physics/grab/interactions.py) in place of the current one.

        The energy that moving a grabbed point adds or removes is in the ledger's `hand`. Raises InputError where the
        scene has no such body or point.
        """
        self._check_interaction(interaction)
        self._notify("grab", interaction)
        self._set_interaction(apply_interaction(self._built, self._state, interaction), interaction)

    def _check_interaction(self, interaction: Interaction) -> None:
        """Raise InputError for an interaction with what the scene does not have."""
        if wrong := interaction_fault(interaction, len(self.scene.bodies), len(self._built.model.points.mass)):
            raise InputError.of("grab", wrong, Message("count from 0 in scene order"), "interaction")

    def release(self) -> None:
        """End the interaction. A point keeps the velocity that it was moved with; a fixed one stays where it is."""
        if self._interaction is not None:
            self._notify("release")
            self._set_interaction(self._built.inputs, None)

    def _set_interaction(self, inputs: Inputs, interaction: Interaction | None) -> None:
        before = self._energy_before()
        self._inputs, self._interaction = inputs.with_members(sensor_track=self._inputs.sensor_track), interaction
        move_grabbed_point(self._built, interaction, inputs, self._state)
        self._add_interaction_work(before)

    @checked
    def add_force(self, on: str, function: Function) -> None:
        """Let a force and a torque act on a body, particle or point, by a function of its motion.

        on: name of a body, sphere, bead or particle, or a point of a soft body as NAME.NUMBER
        function: function(time, position, velocity, basis, angular_velocity) -> (force, torque)

        time [s]; position (3,) [m] and velocity (3,) [m/s] of the centre of mass; basis (3, 3), rows u1, u2, u3;
        angular velocity (3,) [rad/s]; force (3,) [N] on the centre of mass, torque (3,) [N m] about it; all in the
        laboratory frame. A point has the axes of the laboratory, and no torque.

            @numba.njit
            def spring(time, position, velocity, basis, angular_velocity):
                return -3.0 * position, np.zeros(3)

            simulation.add_force("bob", spring)

        A function that numba has compiled is called at each evaluation of the rates, as a law; it must depend on its
        arguments only. Any other function is called once before each step, and its values are held during the step: an
        error of the first order in the time step. A second call for the same thing replaces the function;
        `remove_force` ends it, `reset` and edits do not.

        The work is in the ledger's `drive`. An exception of the function ends `advance` at the last whole step, and the
        simulation stays usable. Scenes, and so maps, fits and pages, have no functions. A recording has the frames, but
        can't be replayed. `copy` keeps the functions; they can't be pickled. Raises InputError where the scene has no
        such body or point, or numba can't compile the function.
        """
        self._forces.add(self._built, on, function)
        self._notify("add_force", on)
        self._use_forces()

    @property
    def has_functions(self) -> bool:
        """Whether a force by a function acts."""
        return bool(self._forces)

    @property
    def is_at_start(self) -> bool:
        """Whether nothing has acted on the start of the scene: a new simulation of the scene has the same states."""
        if self.steps or self.has_functions or self._muted or self._interaction is not None:
            return False
        start = self._built.start.copy()
        place(self._built.model, self._inputs, self.time, start, self._work)  # completes what depends on others
        return np.array_equal(self._state, start, equal_nan=True)

    @checked
    def remove_force(self, on: str) -> None:
        """End the force that `add_force` added to a body or point. Raises InputError where there is none."""
        self._forces.remove(on)
        self._use_forces()

    def _use_forces(self) -> None:
        """Step with the current functions from now on."""
        self._set_compiled(self._unmuted)
        self._inputs = self._inputs.with_members(function_forces=self._built.inputs.function_forces)
        self._begin_history()

    @checked
    def excite(self, name: str, shape: np.ndarray, speed: Finite) -> None:
        """Add velocities to the points of a soft body along `shape` (3, n), body frame, at most `speed` [m/s].

        The shape may have any scale, but must not be zero everywhere. In a modal body the shape of a mode excites that
        mode alone. The energy is in the ledger's `hand`. Raises InputError where the scene has no such body.
        """
        check_soft_body(self._built, name)
        check_shape(self._built, name, shape)
        self._notify("excite", name, shape, speed)
        before = self._energy_before()
        excite_mode(self._built, name, shape, speed, self._inputs.held, self._state)
        self._add_interaction_work(before)

    @checked
    def mute(self, name: str, mode: int, on: bool = True) -> None:
        """Mute the mode with index `mode` of a modal soft body, or with `on` False unmute it.

        Its amplitude and rate are set to zero. A reset unmutes all modes; an edit does not. Raises InputError where the
        body has no such mode.
        """
        check_mode(self._built, name, mode)
        self._notify("mute", name, mode, on)
        before, changed = self._energy_before(), {(name, mode)}
        self._muted = self._muted | changed if on else self._muted - changed
        self._built = mute_modes(self._unmuted, self._muted)
        clear_modes(self._built, changed, self._state)
        self._add_interaction_work(before)

    def _add_interaction_work(self, before: float) -> None:
        """Add the change of the energy since `before` [J] to the ledger's `hand`, and restart the method's history."""
        self._state[self._built.model.ledger + HAND] += self._total() - before
        self._restart(self.time, self._clock.step)
