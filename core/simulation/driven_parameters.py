"""Numbers of a scene that the hand over the sensor drives: the scene, and what it becomes, where the hand is now."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from core.engine.compile import CompiledScene, build
from core.engine.inputs_at_start import inputs_at_start
from core.jit.kernel_struct import KernelStruct
from core.mesh.mesh import Meshes
from core.physics.bodies.arrays import body_states
from core.scene.drivable_parameters import parameter_at
from core.scene.fields import place_in, with_value
from core.scene.message import Message
from core.scene.problem import InputError, InvalidValue, Problem
from core.scene.scene import Scene
from core.simulation.state_transfer import transfer_state

# Between two times at which driven numbers are written anew [s], of the simulated time: those that only the inputs have
# cost two looks at the energy, the others a new model.
WRITTEN, BUILT = 0.01, 0.04
ABOVE = 1e-9  # a number that must be larger than a bound is led no nearer to it
OUTSIDE = re.compile(r"world\.(gravity|magnetic_field|wind|rotation)\b")  # what the inputs have


def only_inputs(scene: Scene) -> bool:
    """Whether the model stays as it is, whatever the hand does."""
    return all(OUTSIDE.match(drive.parameter) for drive in scene.sensor.drive)


def driven_values(scene: Scene, distance: float) -> tuple[float, ...]:
    """Every driven number [SI] when the hand is at a distance [m]. Raises InputError where one is not there."""
    values, problems = [], []
    for number, drive in enumerate(scene.sensor.drive):
        try:
            _, form = parameter_at(scene, drive.parameter)
        except InvalidValue as error:
            problems.append(error.problem.at(f"sensor.drive[{number}].parameter"))
            continue
        if any(drive.parameter == other.parameter for other in scene.sensor.drive[:number]):
            rule = Message("'{parameter}' is driven twice", parameter=drive.parameter)
            problems.append(Problem(f"sensor.drive[{number}].parameter", rule, Message("keep one of the two")))
        lowest = form.low + ABOVE if form.beyond else form.low
        values.append(min(max(drive.at(distance), lowest), form.high))
    if problems:
        raise InputError(scene.title or "scene", problems)
    return tuple(values)


def with_values(scene: Scene, values: tuple[float, ...]) -> Scene:
    """The scene with its driven numbers. Raises InputError where its parts do not allow them."""
    changed = scene
    for number, (drive, value) in enumerate(zip(scene.sensor.drive, values, strict=True)):
        try:
            changed = with_value(changed, place_in(drive.parameter), value)
        except InputError as error:
            rule = Message(
                "'{parameter}' can't be {value:.6g}: {reason}",
                parameter=drive.parameter,
                value=value,
                reason=error.problems[0].rule,
            )
            problem = Problem(
                f"sensor.drive[{number}]", rule, Message("give lowest and highest, between which it is right")
            )
            raise InputError(scene.title or "scene", [problem]) from None
    return changed


def build_at(scene: Scene, distance: float, meshes: Meshes, previous: CompiledScene | None = None) -> CompiledScene:
    """What a scene becomes when the hand is at a distance [m], with what `build` takes from `previous`.

    Raises InputError as `build` does.
    """
    if not scene.sensor.drive:
        return build(scene, meshes, previous)
    return replace(build(with_values(scene, driven_values(scene, distance)), meshes), scene=scene)


def apply_driven_values(whole: CompiledScene, values: tuple[float, ...], meshes: Meshes) -> CompiledScene:
    """The same with other driven numbers; its model is the same object where only the inputs have them.

    Raises InputError where it can't be built, or has other sizes.
    """
    scene = with_values(whole.scene, values)
    if only_inputs(scene):
        return replace(whole, inputs=inputs_at_start(scene, whole.model))
    built = build(scene, meshes)
    if _sizes(built.model) != _sizes(whole.model):
        names = ", ".join(drive.parameter for drive in scene.sensor.drive)
        rule = Message("{names}: with another number there are more parts, or fewer", names=names)
        raise InputError(
            scene.title or "scene", [Problem("sensor.drive", rule, Message("narrow its limits, or leave it out"))]
        )
    return replace(built, scene=whole.scene)


def transfer_same_layout(old: CompiledScene, state: np.ndarray, new: CompiledScene) -> np.ndarray:
    """State of `new`, of the same sizes, in which all moves on; the ledger goes on, too.

    What has another mass keeps its velocity: what that changes at once is seen in the energy.
    """
    carried = transfer_state(old, state, new)
    carried[new.model.tangential.at :] = state[old.model.tangential.at :]
    was, now = old.model.bodies, new.model.bodies
    same = np.array([body.support != "fixed" for body in new.scene.bodies], dtype=bool) & (was.mass == now.mass)
    same &= np.all(was.center == now.center, axis=1) & np.all(was.inertia == now.inertia, axis=(1, 2))
    rows, old_rows = body_states(new.model.bodies, carried), body_states(old.model.bodies, state)
    rows[same] = old_rows[same]  # or rounding would add up
    return carried


def _sizes(table: KernelStruct) -> list[object]:
    """Shapes of all arrays in a table and in those inside of it."""
    found: list[object] = []
    for value in table.members.values():
        if isinstance(value, KernelStruct):
            found.append(_sizes(value))
        elif isinstance(value, np.ndarray):
            found.append(value.shape)
    return found
