"""Many start states of one compiled scene, where a sweep or a fit varies only how bodies and beads start.

Compiling a scene for each costs milliseconds. Orientation, angular velocity, velocity and position of a body are in the
state alone, and its section of the state is a formula of them (`start_bodies`), evaluated here for all of them
together. Whether that is all that changes is not assumed: `starts_agree` compiles some of the scenes and compares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Model
from polhode.jit.kernel_struct import KernelStruct
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE, MOMENTUM, ON_PATH, POSITION
from polhode.physics.bodies.compile import momentum_of_spin
from polhode.physics.bodies.shapes import unit
from polhode.physics.paths.arrays import PARAMETER, SPEED
from polhode.physics.paths.path_kernels import to_internal_parameter
from polhode.scene.fields import FieldPath
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.variants.numbers import rotation, scene_with

BEAD_FIELDS = ("parameter", "speed")
FIELDS = ("tilt", "angular_velocity", "velocity", "position")
MOVING = ("pivot", "axle", "free")
NEAR = 1e-12  # relative difference of states by rounding


def starts_agree(
    scene: Scene, fields: Sequence[FieldPath], values: np.ndarray, compiled: CompiledScene, meshes: Meshes
) -> bool:
    """Whether `starts` gives the starts of `build` for values (n, m) [SI] at m fields, with the model of `compiled`."""
    if not all(is_start(scene, path) for path in fields):
        return False
    try:
        corners = [build(scene_with(scene, tuple(fields), row), meshes, is_varied=True) for row in values]
    except InputError:
        return False
    scale, counts = np.abs(compiled.start).max(initial=1e-300), _that_count(compiled)
    return all(
        _equal(_without_script(corner, compiled), compiled.model)
        and _equal(corner.inputs, compiled.inputs)
        and np.allclose(corner.start[counts], start[counts], rtol=NEAR, atol=NEAR * scale)
        for corner, start in zip(corners, starts(scene, fields, compiled, values), strict=True)
    )


def is_start(scene: Scene, path: FieldPath) -> bool:
    """Whether a path is that of a number of the start of a body or of a bead that nothing holds."""
    if path[0] == "bead":
        return path[2] in BEAD_FIELDS and scene.bead[int(path[1])].holding_friction == 0
    if path[0] != "body" or path[2] not in FIELDS:
        return False
    return scene.body[int(path[1])].support in MOVING


def _that_count(compiled: CompiledScene) -> np.ndarray:
    """(k,) bool: numbers of a start that a run reads; bodies of beads are written first, by their paths."""
    counts = np.ones(len(compiled.start), dtype=bool)
    for b in np.flatnonzero(compiled.model.bodies.support == ON_PATH):
        counts[BODY_SIZE * b : BODY_SIZE * (b + 1)] = False
    return counts


def _without_script(corner: CompiledScene, compiled: CompiledScene) -> Model:
    """The model of a corner, but for the motions of driven bodies, which repeat the positions of all bodies."""
    return corner.model.with_members(bodies=replace(corner.model.bodies, motion=compiled.model.bodies.motion))


def starts(scene: Scene, fields: Sequence[FieldPath], compiled: CompiledScene, values: np.ndarray) -> np.ndarray:
    """(n, k) start states for values (n, m) [SI] at m fields, of which all belong to FIELDS of bodies and beads."""
    states = np.tile(compiled.start, (len(values), 1))
    bodies = compiled.model.bodies
    beads = compiled.model.beads
    for axis, path in enumerate(fields):
        if path[0] == "bead":
            i = int(path[1])
            is_parameter = path[2] == "parameter"
            at = beads.at + i + len(beads.body) * (PARAMETER if is_parameter else SPEED)
            column = values[:, axis]
            states[:, at] = [to_internal_parameter(beads.paths, i, q) for q in column] if is_parameter else column
    for number in sorted({int(path[1]) for path in fields if path[0] == "body"}):
        body = scene.body[number]
        given = {
            name: np.tile(np.array((0.0, 0.0, 0.0) if name == "tilt" else getattr(body, name)), (len(values), 1))
            for name in FIELDS
        }
        for axis, path in enumerate(fields):
            if path[:2] == ("body", number):
                given[str(path[2])][:, int(path[3])] = values[:, axis]
        tilt = given["tilt"]
        if body.support == "axle" and body.axis is not None:
            tilt = np.outer(tilt @ unit(body.axis), unit(body.axis))
        turns = rotation(tilt) @ body.orientation.matrix()
        to_reference = turns @ -bodies.origin[number]
        spins = np.einsum("nji,nj->ni", turns, given["angular_velocity"])
        of_spin = np.stack([momentum_of_spin(bodies, number, each) for each in np.eye(3)], axis=1)
        rows = states.reshape(len(values), -1)[:, 18 * number : 18 * number + 18]
        rows[:, POSITION:MOMENTUM] = given["position"] + to_reference
        rows[:, BASIS:ANGULAR_MOMENTUM] = np.swapaxes(turns, 1, 2).reshape(-1, 9)
        rows[:, ANGULAR_MOMENTUM:] = np.einsum("nij,nj->ni", turns, spins @ of_spin.T)
        if body.support == "free":
            moving = given["velocity"] + np.cross(given["angular_velocity"], to_reference)
            rows[:, MOMENTUM:BASIS] = bodies.mass[number] * moving
    return states


def _equal(one: KernelStruct, other: KernelStruct) -> bool:
    """Whether all numbers and arrays of two structs are equal to rounding."""
    if one.members.keys() != other.members.keys():
        return False
    return all(_same(value, other.members[name]) for name, value in one.members.items())


def _same(one: object, other: object) -> bool:
    if isinstance(one, KernelStruct) and isinstance(other, KernelStruct):
        return _equal(one, other)
    first, second = np.asarray(one), np.asarray(other)
    if first.dtype.kind != "f":
        return np.array_equal(first, second)
    scale = np.abs(first[np.isfinite(first)]).max(initial=1e-300)
    return first.shape == second.shape and np.allclose(first, second, rtol=NEAR, atol=NEAR * scale, equal_nan=True)
