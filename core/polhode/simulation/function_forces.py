"""Forces on bodies and points by functions of the program that uses a simulation.

A function of numba is called at each evaluation of the rates. Any other is called once before each step, and its
values are held during the step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import NOTHING, Inputs, Work
from polhode.jit.user_functions import GIVEN, c_function, is_compiled
from polhode.physics.forces.arrays import FunctionForces, no_function_forces
from polhode.physics.forces.function_forces import write_motions
from polhode.physics.points.compile import point_named
from polhode.scene.checks.validation_messages import shown
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, did_you_mean

Function = Callable[[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""A force [N] on, and a torque [N m] about, the centre of mass, (3,) each, of the time [s], its position (3,) [m] and
velocity (3,) [m/s], the basis (3, 3) with rows u1, u2, u3, and the angular velocity (3,) [rad/s]; laboratory frame."""
FORM_ARGUMENTS = ("time", "position", "velocity", "basis", "angular_velocity")
FORM = f"function({', '.join(FORM_ARGUMENTS)}) -> (force, torque)"


@dataclass(eq=False)
class _Force:
    """The function of one thing, with its machine code if numba has compiled it, and the values that are held."""

    function: Function
    code: Any  # a C function of numba, or None
    held: np.ndarray = field(default_factory=lambda: np.zeros(6))  # (6,) force [N] and torque [N m]


class FunctionForcesOf:
    """The functions of a simulation by the names of bodies and points, and the input that they are for its kernels."""

    def __init__(self) -> None:
        self._forces: dict[str, _Force] = {}
        self._input = no_function_forces()
        self._names: list[str] = []  # of the things in the input, in order

    def __bool__(self) -> bool:
        return bool(self._forces)

    def copy(self) -> FunctionForcesOf:
        """The same functions, for another simulation."""
        other = FunctionForcesOf()
        other._forces = {name: replace(force, held=force.held.copy()) for name, force in self._forces.items()}
        return other

    @property
    def holds(self) -> bool:
        """Whether there are values to be held during a step."""
        return any(force.code is None for force in self._forces.values())

    def add(self, compiled: CompiledScene, on: str, function: Function) -> None:
        """Set the function of a body or point, in place of an earlier one. Raises InputError where there is none, or
        numba can't compile it."""
        if _row(compiled, on) == (NOTHING, NOTHING):
            known = [*(body.name for body in compiled.scene.bodies), *compiled.points]
            remedy = did_you_mean(on, known, Message("name a body, or a point as rope.3"))
            raise InputError.of("add_force", Message("there is no body or point named '{name}'", name=on), remedy, "on")
        try:
            signature(function).bind(*FORM_ARGUMENTS)
        except (TypeError, ValueError) as error:
            rule = Message("can't be called with {count} arguments", count=len(FORM_ARGUMENTS))
            raise InputError.of("add_force", rule, Message("write it as {form}", form=FORM), "function") from error
        try:
            self._forces[on] = _Force(function, c_function(function) if is_compiled(function) else None)
        except ValueError as error:
            rule = Message("can't be compiled: {reason}", reason=str(error))
            raise InputError.of("add_force", rule, Message("write it as {form}", form=FORM), "function") from error

    def remove(self, on: str) -> None:
        """Remove the function of a body or point. Raises InputError where it has none."""
        if on not in self._forces:
            rule = Message("no force was added to '{name}'", name=on)
            remedy = did_you_mean(on, [*self._forces], Message("name what add_force was called with"))
            raise InputError.of("remove_force", rule, remedy, "on")
        del self._forces[on]

    def without_place(self, compiled: CompiledScene) -> list[Problem]:
        """Warnings of forces on what a scene does not have; they are removed."""
        gone = [name for name in self._forces if _row(compiled, name) == (NOTHING, NOTHING)]
        for name in gone:
            del self._forces[name]
        return [_ended(name) for name in gone]

    def in_scene(self, compiled: CompiledScene) -> CompiledScene:
        """A compiled scene with these forces in its inputs."""
        present = {name: _row(compiled, name) for name in self._forces}
        self._names = [name for name, row in present.items() if row != (NOTHING, NOTHING)]
        if not self._names and not len(compiled.inputs.function_forces.body):
            return compiled
        count, forces = len(self._names), [self._forces[name] for name in self._names]
        rows = np.array([present[name] for name in self._names], dtype=np.int64).reshape(-1, 2)
        self._input = FunctionForces(
            body=rows[:, 0].copy(),
            point=rows[:, 1].copy(),
            address=np.array([force.code.address if force.code else 0 for force in forces], dtype=np.int64),
            held=np.array([force.held for force in forces]).reshape(-1, 6),
            failed=np.zeros(count, dtype=np.bool_),
            arguments=np.zeros((count, GIVEN)),
        )
        return replace(compiled, inputs=compiled.inputs.with_members(function_forces=self._input))

    def hold(self, compiled: CompiledScene, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
        """Call the functions that numba has not compiled, and hold their values, for the step of `state` (k,) at `time`
        [s]. Their exceptions pass; all earlier values are held then. Raises InputError for other values than vectors.
        """
        if not self.holds:
            return
        motions = np.zeros((len(self._names), GIVEN))
        write_motions(compiled.model, inputs, time, state, work, motions)
        found = []
        for name, numbers in zip(self._names, motions, strict=True):
            force = self._forces[name]
            found.append(force.held if force.code else _values(name, force.function(*_arguments(numbers))))
        for row, (name, values) in enumerate(zip(self._names, found, strict=True)):
            self._forces[name].held = self._input.held[row] = values

    def raise_failure(self) -> None:
        """Call functions whose compiled code has raised exceptions with the same arguments, which raises them again."""
        for row in np.flatnonzero(self._input.failed).tolist():
            self._input.failed[row] = False
            self._forces[self._names[row]].function(*_arguments(self._input.arguments[row]))


def _row(compiled: CompiledScene, name: str) -> tuple[int, int]:
    """Index of the body with a name, and that of the point; NOTHING for each that does not exist."""
    for number, body in enumerate(compiled.scene.bodies):
        if body.name == name:
            return number, NOTHING
    return NOTHING, point_named(compiled.points, name)


def _ended(name: str) -> Problem:
    """The warning about a force on what an edited scene does not have."""
    rule = Message(
        "the force by a function on '{name}' has ended: the edited scene has no such body or point", name=name
    )
    return Problem(f"add_force.{name}", rule, Message("add it to another one"))


def _arguments(numbers: np.ndarray) -> tuple[Any, ...]:
    """The arguments of a function, from (GIVEN) numbers."""
    numbers = numbers.copy()
    return float(numbers[0]), numbers[1:4], numbers[4:7], numbers[7:16].reshape(3, 3), numbers[16:19]


def _values(name: str, result: object) -> np.ndarray:
    """(6,) force [N] and torque [N m] that a function has returned. Raises InputError for anything else."""
    try:
        values = np.array(result, dtype=float)
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.shape != (2, 3) or not np.isfinite(values).all():
        rule = Message("has returned {value} for '{name}'", value=shown(result), name=name)
        remedy = Message("return a force and a torque, each of three finite numbers")
        raise InputError.of("add_force", rule, remedy, "function")
    return values.ravel()
