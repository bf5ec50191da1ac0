"""Edits of single fields, with the changes of other fields that they imply. No Qt, no compiler."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from polhode.physics.bodies.materials import MATERIALS, material_of
from polhode.physics.bodies.shapes import Orientation
from polhode.physics.contact.description import ContactMaterial, Wall
from polhode.physics.contact.walls.wall_materials import WALL_MATERIALS
from polhode.physics.joints.description import Joint, OfJoints
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.description import PathBase
from polhode.physics.paths.path_frame import UP, is_upright_somewhere
from polhode.physics.paths.path_geometry import points_on
from polhode.physics.points.description import Spring
from polhode.scene.fields import FieldPath, at, form_at, forms, with_value, with_values
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.quantity import Vector
from polhode.scene.scene import Body, Force, Scene
from polhode.scene.uncertain import Uncertain
from polhode_app.edit.contacts import FRICTION
from polhode_app.edit.field_numbers import with_uncertainty_of
from polhode_app.edit.joining import usual_of_joint
from polhode_app.edit.part_defaults import EITHER, fresh, tidy, unused, usual, usual_conductor
from polhode_app.edit.parts import LABELLED, NAMED, renamed
from polhode_app.edit.paths import with_path

EXCLUDED: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "restitution": {"damping": 0.0},
        "force": {"damping": 0.0},
        "torque": {"speed": None},
        "speed": {"torque": None},
        "resistance": {"wire": None},
        "wire": {"resistance": None},
        "anchor": {"anchor_first": None, "anchor_second": None},
        "anchor_first": {"anchor": None},
        "anchor_second": {"anchor": None},
    }
)
"""The values of other fields beside an optional field that is stated, which excludes them."""
ORIENTATION_FORMS = ("none", "axis", "basis")
"""Forms in which an orientation is stated."""
HANGING = ("pivot", "axle")  # supports of a pendulum
BESIDE = 1e-6  # of the length of a pendulum, by which shapes may stand beside its line
Total = Literal["mass", "length"]
"""Of a whole body, in the inspector."""
POINTS = 1025  # of a path, for the side of its track


def entered(scene: Scene, path: FieldPath, value: Any) -> Scene:
    """The scene with a field set to a value, and the fields that depend on it adapted. Raises InputError."""
    outer, step = path[:-1], path[-1]
    part = at(scene, outer)
    if step == "name" and len(outer) == 2 and outer[0] in (*NAMED, *LABELLED):
        return renamed(scene, outer, value)
    if isinstance(part, PathBase) and outer[0] == "bead":
        table = {**part.model_dump(), step: value}
        return with_path(scene, int(outer[1]), table)
    if step == "support" and value == "axle" and isinstance(part, Body) and not any(part.axis or ()):
        return with_values(scene, outer, {"support": value, "axis": (0.0, 0.0, 1.0)})
    changes = {str(step): value} if value is None else {str(step): value, **_excluded(part, str(step))}
    return with_values(scene, outer, changes) if len(changes) > 1 else with_value(scene, path, value)


def _groups(part: Any, key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields that are stated together with the field `key` of a part, and those in place of which they are."""
    known = forms(type(part))
    for one, other in EITHER:
        if key in (*one, *other) and known.keys() >= {*one, *other}:
            return (one, other) if key in one else (other, one)
    return (key,), ()


def _excluded(part: Any, key: str) -> dict[str, object]:
    """Values of the other fields of a part that may not stay beside the field `key`."""
    others = dict.fromkeys(_groups(part, key)[1]) | dict(EXCLUDED.get(key, {}))
    known = forms(type(part))
    return {other: rest for other, rest in others.items() if other in known and at(part, (other,)) != rest}


def can_be_left_out(part: Any, key: str) -> bool:
    """Whether the field `key` of a part is optional, and what would take its place is possible."""
    return forms(type(part))[key].optional and not {*_groups(part, key)[1]} & {*unused(type(part))}


def made_of(scene: Scene, path: FieldPath, key: str) -> Scene:
    """The scene with the shape, wall or surface at a path made of a material, by its key.

    A shape gets its density and colour, and the contact of its body its friction, see `_with_friction`; a wall or a
    surface gets its friction. Raises InputError.
    """
    part = at(scene, path)
    if isinstance(part, ContactMaterial):
        friction = WALL_MATERIALS[key].friction
        changes: dict[str, object] = {"kinetic_friction": friction, "static_friction": None, "friction": 0.0}
        return with_values(scene, path, {**changes, "rough": False} if isinstance(part, Wall) else changes)
    material, before = MATERIALS[key], material_of(part)
    changed = with_values(scene, path, {"mass": None, "density": material.density, "color": material.color})
    return _with_friction(changed, path[:2], before, key) if path[0] == "body" else changed


def _with_friction(scene: Scene, path: FieldPath, before: str | None, key: str) -> Scene:
    """The scene with the contact of the body at a path as rough as a material is, if all shapes are made of that.

    A friction that the user has chosen stays: any but that of an item that was just added, and of the former material.
    """
    body = at(scene, path)
    contact = body.contact
    if contact is None or contact.rough or {material_of(shape) for shape in body.shape} != {key}:
        return scene
    usual_ones = {FRICTION, *([MATERIALS[before].friction] if before is not None else [])}
    is_chosen = "kinetic_friction" in contact.model_fields_set and contact.kinetic_friction not in usual_ones
    if is_chosen or contact.static_friction is not None:
        return scene
    return with_value(scene, (*path, "contact", "kinetic_friction"), MATERIALS[key].friction)


def with_mass(body: Body, factor: float) -> Body:
    """The body with the masses of all its shapes multiplied by a factor, and the inertia that it states."""

    def scaled(part: Any, *names: str) -> Any:
        numbers = {name: number for name in names if (number := getattr(part, name)) is not None}
        return part.model_copy(update={name: _times(number, factor) for name, number in numbers.items()})

    shapes = tuple(scaled(shape, *({"mass", "density"} & type(shape).model_fields.keys())) for shape in body.shape)
    inertia = body.inertia and scaled(body.inertia, "mass", "tensor")
    return body.model_copy(update={"shape": shapes, "inertia": inertia})


def _times(number: Any, factor: float) -> Any:
    """A number, or all numbers of a tuple, multiplied by a factor, without rounding errors of the last digits."""
    if isinstance(number, tuple):
        return tuple(_times(each, factor) for each in number)
    return with_uncertainty_of(number, float(f"{number * factor:.10g}"))


def length_of(body: Body) -> float | None:
    """Distance [m] from the pivot to the centre of the shape farthest from it; None if it is no pendulum.

    A pendulum has neither a mesh nor a stated inertia, and not all of its shapes are at the pivot.
    """
    positions = np.array([shape.position for shape in body.shape]).reshape(-1, 3)
    distances = np.linalg.norm(positions, axis=1)
    longest = float(distances.max(initial=0.0))
    is_stated = body.inertia is not None or any(shape.kind == "mesh" for shape in body.shape)
    if body.support not in HANGING or longest == 0.0 or is_stated:
        return None
    along = positions[int(distances.argmax())] / longest
    beside = np.linalg.norm(positions - np.outer(positions @ along, along), axis=1).max()
    return longest if beside <= BESIDE * longest and (positions @ along).min() >= 0.0 else None


def with_length(body: Body, length: float) -> Body:
    """The pendulum with another length [m]: its bob keeps its size, and what reaches from the pivot to it is stretched.

    The length may be uncertain. Raises ValueError if the body is no pendulum, and InputError as `with_uncertainty`.
    """
    before = length_of(body)
    if before is None:
        raise ValueError(f"{body.name!r} is no pendulum")
    factor = length / before
    shapes = tuple(_moved(shape, factor, _reaches_pivot(shape)) for shape in body.shape)
    made = body.model_copy(update={"shape": shapes, "dipole": tuple(_moved(each, factor) for each in body.dipole)})
    return with_uncertainty(made, "length", length)


def _reaches_pivot(shape: Any) -> bool:
    """Whether a shape along the line begins at the pivot, such as the rod of a pendulum."""
    length, distance = getattr(shape, "length", None), float(np.linalg.norm(shape.position))
    if length is None or abs(distance - length / 2) > BESIDE * length:
        return False
    axis = shape.orientation.matrix()[:, 2]
    return abs(abs(axis @ np.array(shape.position)) - distance) <= BESIDE * distance


def _moved(part: Any, factor: float, stretched: bool = False) -> Any:
    """A part with its distance from the pivot, and its length where it is stretched, multiplied by a factor."""
    update: dict[str, Any] = {"position": _times(part.position, factor)}
    if stretched:
        update["length"] = _times(part.length, factor)
    return part.model_copy(update=update)


def with_uncertainty(body: Body, key: Total, number: float) -> Body:
    """The body, whose mass [kg] or length [m] is `number` already, with the uncertainty that this has, or without any.

    Raises InputError for an uncertain one where several numbers of the shapes make it.
    """
    place = _place(body, key)
    if place is None:
        if not isinstance(number, Uncertain):
            return body
        rule = Message("follows from several numbers of the shapes")
        remedy = Message("give the uncertainties there; numbers with the same letter vary together")
        raise InputError.of(body.name, rule, remedy, key)
    made = before = float(_value(body, place))
    if isinstance(number, Uncertain):
        deviation = float(f"{number.deviation * abs(before / number):.10g}")
        made = Uncertain(before, deviation, number.distribution, number.letter)
    (name, index), shape = place, body.shape[0]
    value = tuple(made if k == index else each for k, each in enumerate(shape.position)) if name == "position" else made
    return body.model_copy(update={"shape": (shape.model_copy(update={name: value}),)})


def uncertain(body: Body, key: Total, number: float) -> float:
    """The mass [kg] or length [m] of a body with the uncertainty of the number that states it, if it has one."""
    place = _place(body, key)
    stated = None if place is None else _value(body, place)
    if not isinstance(stated, Uncertain) or not stated:
        return number
    return Uncertain(
        number, float(f"{stated.deviation * abs(number / stated):.10g}"), stated.distribution, stated.letter
    )


def _place(body: Body, key: Total) -> tuple[str, int | None] | None:
    """Field of the only shape, and component of its position, that state the mass or the length alone."""
    if len(body.shape) != 1 or body.inertia is not None:
        return None
    shape: Any = body.shape[0]
    if key == "mass":
        return next(((name, None) for name in ("mass", "density") if getattr(shape, name, None) is not None), None)
    along = [k for k, each in enumerate(shape.position) if each]
    return ("position", along[0]) if len(along) == 1 and not body.dipole else None


def _value(body: Body, place: tuple[str, int | None]) -> float:
    name, index = place
    value: Any = getattr(body.shape[0], name)
    return value if index is None else value[index]


def switched(scene: Scene, path: FieldPath, on: bool, size: float) -> Scene:
    """The scene with an optional field set to its default for an item of `size` [m], or unset. Raises InputError.

    Fields that are stated together with it are set or unset with it, and those in place of which it is the other way.
    """
    outer, step = path[:-1], str(path[-1])
    part = at(scene, outer)
    mine, others = _groups(part, step)
    absent = [key for key in (mine if on else others) if at(part, (key,)) is None]
    changes = {key: usual_value(scene, outer, key, size) for key in absent}
    changes |= _excluded(part, step) if on else dict.fromkeys(mine)
    return with_values(scene, outer, changes) if len(changes) > 1 else entered(scene, path, changes[step])


def usual_value(scene: Scene, path: FieldPath, key: str, size: float) -> Any:
    """Default of an optional field of the part at a path when it is switched on; nothing moves by it."""
    part, form = at(scene, path), form_at(scene, (*path, key))
    if isinstance(part, Joint | OfJoints) and (value := usual_of_joint(scene, part, key, size)) is not None:
        return value
    if form.kind == "part":
        keep = usual_conductor(part) if key == "conductor" else {"angular_velocity": (0.0, 0.0, 0.0)}
        return fresh(form.models[0], size, keep)
    if key == "static_friction":
        return max(0.5, float(getattr(part, "kinetic_friction", 0.0)))
    if key == "one_sided" and isinstance(part, Bead):
        return usual_side(part.path)
    if key == "body":
        return next((body.name for body in scene.body), "")
    if key == "energy" and isinstance(part, Force):
        return usual_energy(part)
    if key == "unit":
        return "m"  # as `scale` is stated without a unit
    if key == "force" and isinstance(part, Spring):
        return usual_law(part, size)
    if key == "mass" and hasattr(part, "density"):
        return 1.0 if size >= 1 else usual(key, form, size)
    value = usual(key, form, size)
    return _between(part, key, value) if isinstance(value, float) else value


def _between(part: Any, key: str, value: Any) -> Any:
    """A limit that is on the right side of the other one of the part."""
    for low, high in (("lower", "upper"), ("lowest", "highest")):
        above, below, far = getattr(part, high, None), getattr(part, low, None), abs(value or 1.0)
        if key == low and above is not None and value >= above:
            return above - far
        if key == high and below is not None and value <= below:
            return below + far
    return value


def usual_energy(force: Force) -> str:
    """Formula of the potential energy of a constant force; 0 for any other one."""
    numbers = [each for each in force.force if isinstance(each, int | float)]
    terms = [f"{-number:.12g}*{axis}" for number, axis in zip(numbers, "xyz", strict=False) if number]
    return " + ".join(terms) if terms and len(numbers) == 3 else "0"


def usual_law(spring: Spring, size: float) -> str:
    """Formula of the force of a spring with a stiffness; `size` [m] is its rest length, if it states none."""
    rest = tidy(size) if spring.rest_length is None else spring.rest_length
    return f"{spring.stiffness or 1.0:g}*(l - {rest:g})" + (f" + {spring.damping:g}*v" if spring.damping else "")


def usual_side(path: PathBase) -> str:
    """Side of a one-sided track when it is switched on: below, or inside if the path is upright somewhere."""
    chords = np.diff(points_on(path, np.linspace(*path.ends(), POINTS)), axis=0)
    tangents = chords / np.linalg.norm(chords, axis=1, keepdims=True)
    return "inside" if is_upright_somewhere(tangents, UP) else "below"


def stated_as(orientation: Orientation, form: str) -> Orientation:
    """The same rotation in another form, one of WAYS; the identity for "none"."""
    if form == "none":
        return Orientation()
    turn = orientation.matrix()
    if form == "basis":
        first, second, third = map(clean, turn.T)
        return Orientation(basis=(first, second, third))
    axis, angle = axis_and_angle(turn)
    return Orientation(axis=clean(axis), angle=round(angle, 9))


def orientation_form(orientation: Orientation) -> str:
    """The form in which an orientation is stated, one of WAYS."""
    if orientation.basis is not None:
        return "basis"
    return "none" if orientation.axis is None else "axis"


def axis_and_angle(turn: np.ndarray) -> tuple[np.ndarray, float]:
    """Unit axis (3,) and angle [rad], 0 to pi, of a rotation matrix (3, 3); the z axis for the identity."""
    quaternion = np.array(
        [
            [turn[0, 0] - turn[1, 1] - turn[2, 2], 0.0, 0.0, 0.0],
            [turn[0, 1] + turn[1, 0], turn[1, 1] - turn[0, 0] - turn[2, 2], 0.0, 0.0],
            [turn[0, 2] + turn[2, 0], turn[1, 2] + turn[2, 1], turn[2, 2] - turn[0, 0] - turn[1, 1], 0.0],
            [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1], np.trace(turn)],
        ]
    )
    x, y, z, w = np.linalg.eigh(quaternion)[1][:, -1]  # Bar-Itzhack (2000), from the lower triangle
    if w < 0:
        x, y, z, w = -x, -y, -z, -w
    sine = float(np.sqrt(x * x + y * y + z * z))
    if sine < 1e-9:
        return np.array([0.0, 0.0, 1.0]), 0.0
    return np.array([x, y, z]) / sine, 2 * float(np.arctan2(sine, w))


def clean(vector: np.ndarray) -> Vector:
    """Components (3,) with floating-point noise rounded away."""
    x, y, z = (round(float(number), 9) + 0.0 for number in vector)
    return x, y, z
