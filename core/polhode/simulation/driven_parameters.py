"""Parameters of a scene that are driven by the distance sensor: their values, and the scene compiled with them.

`sensor.drive` lists paths of parameters (core/polhode/scene/variants/drivable_parameters.py), each with a linear
function of the sensor's distance and limits. Parameters of the world's fields only change the inputs; for others all
arrays of the scene are computed again. No machine code is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from polhode.engine.adjusted import adjusted
from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.inputs_at_start import inputs_at_start
from polhode.engine.registry import SUBJECTS
from polhode.engine.work import width_of_columns
from polhode.jit.kernel_struct import KernelStruct
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.arrays import body_states
from polhode.scene.fields import parse_path, with_value
from polhode.scene.message import Message
from polhode.scene.part import from_numpy
from polhode.scene.problem import MOST, InputError, InvalidValue, Problem
from polhode.scene.scene import Scene
from polhode.scene.variants.drivable_parameters import parameter_at
from polhode.simulation.state_transfer import transfer_state

# [s] simulated time between two updates of driven parameters: WRITTEN if they belong to the inputs, which costs two
# evaluations of the energy, BUILT for others, for which the scene is compiled again.
WRITTEN, BUILT = 0.01, 0.04
ABOVE = 1e-9  # distance from an open bound
OF_INPUTS = re.compile(rf"world\.({'|'.join(name for part in SUBJECTS for name in part.input_fields)})\b")
"""Parameters that belong to the inputs."""


def only_inputs(scene: Scene) -> bool:
    """Whether all driven parameters belong to the inputs, so that the model does not change."""
    return all(OF_INPUTS.match(drive.parameter) for drive in scene.sensor.drive)


def driven_values(scene: Scene, distance: float) -> tuple[float, ...]:
    """Values [SI] of all driven parameters at a sensor distance [m], in the order of `sensor.drive`, within their
    limits.

    Raises InputError for unknown parameters and for those that are driven twice.
    """
    values: list[float] = []
    problems: list[Problem] = []
    earlier: set[str] = set()
    for number, drive in enumerate(scene.sensor.drive):
        try:
            _, form = parameter_at(scene, drive.parameter, suggests=len(problems) < MOST)
        except InvalidValue as error:
            problems.append(error.problem.at(f"sensor.drive[{number}].parameter"))
            continue
        if drive.parameter in earlier:
            rule = Message("'{parameter}' is driven twice", parameter=drive.parameter)
            problems.append(Problem(f"sensor.drive[{number}].parameter", rule, Message("keep one of the two")))
        earlier.add(drive.parameter)
        lowest = form.low + ABOVE if form.beyond else form.low
        values.append(min(max(drive.at(distance), lowest), form.high))
    if problems:
        raise InputError(scene.title or "scene", problems)
    return tuple(values)


def with_values(scene: Scene, values: tuple[float, ...]) -> Scene:
    """The scene with the given values [SI] of its driven parameters, in the order of `sensor.drive`.

    Raises InputError, with the place of the drive, for a value that the scene does not allow.
    """
    changed = scene
    for number, (drive, value) in enumerate(zip(scene.sensor.drive, values, strict=True)):
        try:
            changed = with_value(changed, parse_path(drive.parameter), value)
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
    """Compile a scene at a sensor distance [m]. Raises InputError.

    `previous` is reused as `build` does, unless the scene drives parameters. The result's `scene` is the given one,
    without the driven values.
    """
    if not scene.sensor.drive:
        return build(scene, meshes, previous)
    return replace(build(with_values(scene, driven_values(scene, distance)), meshes), scene=scene)


def apply_driven_values(unmuted: CompiledScene, values: tuple[float, ...], meshes: Meshes) -> CompiledScene:
    """The compiled scene with other values [SI] of driven parameters; the same model if these belong to the inputs.

    Raises InputError where the scene can't be compiled, or has arrays of other sizes or other columns, so that the
    state or the table would not fit.
    """
    scene, kept = with_values(unmuted.scene, values), only_inputs(unmuted.scene)
    compiled = replace(unmuted, inputs=inputs_at_start(scene, unmuted.model)) if kept else build(scene, meshes)
    if _sizes(compiled) != _sizes(unmuted):
        names = ", ".join(drive.parameter for drive in scene.sensor.drive)
        rule = Message("{names}: with another number there are more parts, or fewer", names=names)
        raise InputError.of(scene.title or "scene", rule, Message("narrow its limits, or leave it out"), "sensor.drive")
    return replace(compiled, scene=unmuted.scene)


def floats_of(values: Mapping[str, object]) -> dict[str, float]:
    """The values by path, if all of them are numbers; else none."""
    numbers = {path: from_numpy(value) for path, value in values.items()}
    floats = {path: float(value) for path, value in numbers.items() if isinstance(value, int | float)}
    is_switch = any(isinstance(value, bool) for value in numbers.values())
    return {} if is_switch or len(floats) < len(numbers) else floats


def with_numbers(
    unmuted: CompiledScene, scene: Scene, paths: Collection[str], driven: tuple[float, ...], meshes: Meshes
) -> tuple[CompiledScene | None, bool]:
    """The compiled scene with other numbers at `paths`, as `scene` has them; and whether the state is the same for it.

    driven: values [SI] of the driven parameters

    None where there are none, one of them may not change in a run, or the arrays get other sizes.
    Raises InputError where the scene can't be compiled.
    """
    if not paths:
        return None, False
    if not scene.sensor.drive and (found := adjusted(unmuted, scene, paths, meshes)) is not None:
        return found, True
    try:
        for path in paths:
            parameter_at(scene, path, suggests=False)
    except InvalidValue:
        return None, False
    compiled = replace(build(with_values(scene, driven), meshes, unmuted), scene=scene)
    return (compiled, False) if _sizes(compiled) == _sizes(unmuted) else (None, False)


def transfer_same_layout(old: CompiledScene, state: np.ndarray, new: CompiledScene, time: float) -> np.ndarray:
    """State (k,) of `new`, of the same sizes, that continues `state` (k,) of `old` at `time` [s], the ledger included.

    Where a mass changes, the velocity is kept; the energy changes at once. Bodies with the same mass, centre and
    inertia keep their state bit by bit.
    """
    carried = transfer_state(old, state, new, time)
    carried[new.model.tangential.at :] = state[old.model.tangential.at :]
    was, now = old.model.bodies, new.model.bodies
    same = np.array([body.support != "fixed" for body in new.scene.bodies], dtype=bool) & (was.mass == now.mass)
    same &= np.all(was.center == now.center, axis=1) & np.all(was.inertia == now.inertia, axis=(1, 2))
    rows, old_rows = body_states(new.model.bodies, carried), body_states(old.model.bodies, state)
    rows[same] = old_rows[same]  # bit by bit, so that rounding errors do not add up
    return carried


def _sizes(compiled: CompiledScene) -> tuple[int, list[object]]:
    """Number of columns, and shapes of the arrays of the model."""
    return width_of_columns(compiled.model, compiled.inputs), _shapes(compiled.model)


def _shapes(table: KernelStruct) -> list[object]:
    """Shapes of the arrays in a struct, nested structs included, in order."""
    members = (value for value in table.members.values() if isinstance(value, KernelStruct | np.ndarray))
    return [_shapes(value) if isinstance(value, KernelStruct) else value.shape for value in members]
