"""Numbers of a scene by their paths as users write them, tilts among them, and the scene with other values there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TypeVar

import numpy as np

from polhode.physics.bodies.shapes import Orientation, unit
from polhode.scene.checks.arguments import checked_value
from polhode.scene.fields import FieldPath, at, existing, form_at, numbers, parse_path, with_value, with_values, written
from polhode.scene.message import Message
from polhode.scene.part import from_numpy
from polhode.scene.problem import InputError, InvalidValue, Problem, did_you_mean
from polhode.scene.quantity import Number
from polhode.scene.scene_fields import SceneFields
from polhode.scene.variants.drivable_parameters import MOST
from polhode.scene.variants.input_units import unit_in_input

S = TypeVar("S", bound=SceneFields)
TILT = re.compile(r"body\[(\d+)\]\.tilt\[([012])\]")
REMOVED = re.compile(r"(\w+)\[([^\d\]][^\]]*)\](.*)")  # a name in place of an index: the item was removed


def number_at(scene: SceneFields, text: str, suggests: bool = True) -> tuple[FieldPath, str]:
    """Path and unit of a number. Raises InvalidValue, with the most similar one if `suggests`, which is slow."""
    if (found := TILT.fullmatch(text)) is not None:
        if int(found[1]) < len(scene.body) and scene.body[int(found[1])].support not in ("fixed", "driven"):
            return ("body", int(found[1]), "tilt", int(found[2])), "rad"
        rule = Message("the scene has no body {number} that can be tilted", number=int(found[1]))
        raise InvalidValue(rule, Message("name a body on a pivot, on an axle or free"))
    if (gone := REMOVED.match(text)) is not None:
        rule = Message("'{name}', which this axis varied, is not in the scene any more", name=gone[2])
        raise InvalidValue(rule, Message("choose another number, or remove this axis"))
    try:
        path = parse_path(text)
        value, form = at(scene, path), form_at(scene, path)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and form.kind in ("number", "whole") and path[0] not in ("format", "units", "view", "sweep"):
            return path, form.unit or unit_in_input(scene, path)
    except (LookupError, ValueError):
        pass
    known = [written(path) for path, _ in islice(numbers(scene), MOST if suggests else 0)]
    remedy = did_you_mean(text, known, Message("name one as messages do, such as world.gravity[2]"))
    raise InvalidValue(Message("'{text}' is no number of the scene", text=text), remedy)


def scene_of_values(scene: S, values: Mapping[str, object]) -> S:
    """The scene with values [SI] by the paths that users write, tilts among them, validated together.

    Raises InputError with the problems of all paths, else those of all values.
    """
    found: list[Problem] = []
    tilts: dict[FieldPath, float] = {}
    changes: dict[FieldPath, object] = {}
    for text, value in values.items():
        try:
            if TILT.fullmatch(text) is not None:
                tilts[number_at(scene, text)[0]] = checked_value(Number, from_numpy(value))
            else:
                path = existing(scene, text)
                _check_apart(path, changes)
                changes[path] = from_numpy(value)
        except InvalidValue as error:
            found.append(error.problem.at(text))
    if found:
        raise InputError(scene.title or "scene", found)
    made = with_values(scene, (), changes) if changes else scene
    return scene_with(made, tuple(tilts), np.array(list(tilts.values()))) if tilts else made


def _check_apart(path: FieldPath, others: Iterable[FieldPath]) -> None:
    """Raise InvalidValue where a path and one of the others lead to the same field, or one into the other's."""
    for other in others:
        if path[: len(other)] == other[: len(path)]:
            rule = Message("'{other}' is set too, and one contains the other", other=written(other))
            raise InvalidValue(rule, Message("set one of them"))


def scene_with(scene: S, paths: tuple[FieldPath, ...], values: np.ndarray) -> S:
    """The scene with values (n,) [SI] at n paths, tilts among them, as `number_at` gives them. Raises InputError."""
    tilts: dict[int, np.ndarray] = {}
    changes: dict[FieldPath, object] = {}
    for path, value in zip(paths, values.tolist(), strict=True):
        if "tilt" in path:
            tilts.setdefault(int(path[1]), np.zeros(3))[int(path[3])] = value
            continue
        is_whole = isinstance(at(scene, path), int)
        changes[path] = round(value) if is_whole else value
    if changes:
        scene = with_values(scene, (), changes)
    for number, tilt in tilts.items():
        scene = with_value(scene, ("body", number, "orientation"), tilted(scene, number, tilt))
    return scene


def tilted(scene: SceneFields, number: int, tilt: np.ndarray) -> Orientation:
    """Orientation of a body turned by the rotation vector `tilt` (3,) [rad], laboratory frame.

    Of a body on an axle only the component along the axle turns it.
    """
    body = scene.body[number]
    if body.support == "axle" and body.axis is not None:
        axis = unit(body.axis)
        tilt = (tilt @ axis) * axis
    turn = rotation(tilt) @ body.orientation.matrix()
    u1, u2, u3 = (tuple(turn[:, k].tolist()) for k in range(3))
    return Orientation(basis=(u1, u2, u3))


def rotation(vectors: np.ndarray) -> np.ndarray:
    """(..., 3, 3) rotation matrices of rotation vectors (..., 3) [rad], by Rodrigues' formula.

    R = 1 + sin(a)/a K + (1 - cos(a))/a^2 K^2 with a the length of the vector and K its cross product matrix.
    """
    angle = np.linalg.norm(vectors, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    half = np.sinc(angle / (2 * np.pi))  # sin(a/2)/(a/2), also for 0
    return np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * half**2 * (cross @ cross)
