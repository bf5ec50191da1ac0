"""Default values of new scene items, and of items that are changed to another kind.

Sizes are derived from the scene, so that every new item is visible and the scene runs without further edits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import floor, log10, pi
from typing import Any

import numpy as np

from polhode.physics.bodies.materials import MATERIALS
from polhode.physics.bodies.shapes import (
    CLOSED_FORMS,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    MassOnly,
    MeshShape,
    Sphere,
    Torus,
)
from polhode.physics.coils.description import CircuitSource
from polhode.physics.joints.description import HingeJoint, SliderJoint, TendonJoint
from polhode.physics.paths.description import PathBase
from polhode.physics.paths.path_motions import CarriedPath
from polhode.physics.sensor.description import WallFollows
from polhode.scene.fields import FieldPath, Form, at, form_at, forms, kinds, with_value, written
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode_app.edit.paths import of_kind, with_path

DENSITY = MATERIALS["plastic"].density  # [kg/m^3] of added items
NEODYMIUM = MATERIALS["magnet"].density  # [kg/m^3] of magnets that are added
STEEL = MATERIALS["steel"].density  # [kg/m^3] of compass needles that are added
COPPER = 5.9e7  # [S/m] conductivity
STRAIN_AT_BREAK = 0.5  # at which a new spring breaks
BREAKS_AT = 20.0  # force at which a new joint breaks, in weights of an item of its size
SINKS = 0.01  # penetration at rest, relative to the size of the item
GRAVITY = 9.8  # [m/s^2]
STEP = 1e-3  # [s] time step of most scenes, with which default stiffnesses are stable
SOFTEST = 0.1  # periods of a spring per step that are stable with all methods but explicit Euler


EITHER = (
    (("density",), ("mass",)),
    (("remanence",), ("moment",)),
    (("stiffness",), ("force",)),
    (("range", "count"), ("draws",)),
)
"""Two groups of optional fields of which exactly one is stated, in models that have all of them; new items have the
first.
"""
NEW = (*EITHER, (("torque",), ("speed",)))


@dataclass(frozen=True)
class Placement:
    """Position and size of a new item."""

    size: float  # [m]
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [m] laboratory frame
    ground: float = 0.0  # [m] height of the ground
    file: str = ""  # mesh file, as stated in the scene
    scale: float = 1.0  # [m] length of one unit of the mesh
    axis: tuple[float, float, float] | None = None  # [m] from end to end, where a drag gave it; laboratory frame


def spot_in(center: np.ndarray, radius: float, ground: float, scene: Scene) -> Placement:
    """A free position in a scene of `radius` [m] about `center` (3,) [m], above the ground at height `ground` [m]."""
    size = neat(0.3 * radius)
    x, y, _ = (neat_to(number, size) for number in center)
    positions = [np.array(each.position) for key in ("body", "sphere", "particle") for each in getattr(scene, key)]
    for step in range(len(positions) + 1):
        beside = np.array([x + 1.5 * size * ((step + 1) // 2) * (-1) ** step, y, neat_to(ground + 2 * size, size)])
        if all(np.linalg.norm(beside - position) > size for position in positions):
            break
    return Placement(size, (round(float(beside[0]), 9), float(beside[1]), round(float(beside[2]), 9)), ground)


def neat(number: float) -> float:
    """The largest number of the form 1, 2 or 5 times a power of ten that is not above `number`."""
    power = 10.0 ** floor(log10(number))
    return float(f"{max(step for step in (1, 2, 5) if step * power <= number * (1 + 1e-9)) * power:.3g}")


def neat_to(number: float, size: float) -> float:
    """A number rounded to a tenth of `size`."""
    return round(round(number / (0.1 * size)) * 0.1 * size, 9) + 0.0


ALWAYS: dict[str, Any] = {  # defaults of required fields that do not depend on the size
    "rows": 5,
    "count": 8,
    "counts": (4, 4, 4),
    "angular_velocity": (0.0, 0.0, 0.0),
    "period": 1.0,
    "set": {"world.gravity[2]": -1.0},
    "low": 0.0,
    "high": 20.0,
    "direction": (0.0, 0.0, 1.0),
    "axis": (0.0, 0.0, 1.0),
    "second_axis": (1.0, 0.0, 0.0),
    "angle": 0.5,
    "basis": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "cosine": (1e-3, 0.0, 0.0),
    "sine": (0.0, 1e-3, 0.0),
    "angular_frequency": 6.28,
    "remanence": (0.0, 0.0, 1.2),
    "density": DENSITY,
    "conductivity": COPPER,
    "static_friction": 0.5,
    "restitution": 0.8,
    "method": "semi_implicit_euler",
    "time_step": STEP,
    "modes": 6,
    "value": -1.6,
    "color": "steelblue",
    "parameter": "world.gravity[2]",
    "body": "body",
    "label": "Try this",
    "until": 10.0,
    "values": ({"parameter": "world.gravity[2]", "value": -9.0},),
    "axes": ({"parameter": "world.gravity[2]", "range": (-12.0, -6.0), "count": 21},),
    "deviation": 0.1,
    "quantity": "energy.total",
    "tolerance": 0.1,
    "joints": ("hinge",),
    "coefficients": (1.0,),
    "resistance": 1.0,
    "voltage": "1",
    "title": "Lesson",
    "step": ({"run": ()},),
    "current": "1",
}


def usual(key: str, form: Form, size: float) -> Any:
    """Default of a field, for an item of `size` [m].

    An optional field without a value of its own gets what is nearest to nothing. Raises KeyError for other fields.
    """
    if key in ALWAYS:
        return ALWAYS[key]
    mass = DENSITY * size**3 / 2
    values: dict[str, Any] = {
        "radius": size / 2,
        "length": size,
        "thickness": size / 10,
        "tube_radius": size / 8,
        "semi_axes": (size / 2, size / 3, size / 4)[: form.count],
        "size": (size, 0.6 * size, 0.4 * size),
        "mass": mass,
        "particle_mass": mass / 100,
        "stiffness": hardness(mass, size),
        "tensor": tuple(tuple(0.1 * mass * size**2 * (i == j) for j in range(3)) for i in range(3)),
        "moment": (0.0, 0.0, round_to(1e5 * size**3)),
        "spacing": (size / 4,) * 3 if form.kind == "numbers" else size / 4,
        "velocity": (size, 0.0, 0.0),
        "r1": (size, 0.0, 0.0),
        "r2": (0.0, size, 0.0),
        "amplitude": size / 5,
        "z": f"{round_to(0.5 / size)}*(x^2 + y^2)",
        "x_range": (-2 * size, 2 * size),
        "y_range": (-2 * size, 2 * size),
        "range": (-2 * size, 2 * size),
        "rest_length": size,
        "rounding": size / 20,
        "breaks_at": mass * GRAVITY * BREAKS_AT,
        "breaks_at_strain": STRAIN_AT_BREAK,
        "winding": {"kind": "solenoid", "radius": size / 2, "length": size / 2},
        "wire_radius": size / 40,
        "points": tuple((x * size / 2, y * size / 2, 0.0) for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))),
        "inner_radius": size / 3,
        "outer_radius": size / 2,
        "inductance": 1e-3,
        "lower": -pi / 2 if form.unit == "rad" else -size,
        "upper": pi / 2 if form.unit == "rad" else size,
    }
    return tidy(values[key]) if key in values or not form.optional else _least(form)


def _least(form: Form) -> Any:
    """The value of a field that is nearest to nothing: zero, as far as it may be, or the first choice."""
    if form.choices:
        return form.choices[0]
    if form.kind in ("text", "formula"):
        return "0"
    zero = 1.0 if form.beyond and form.low == 0.0 else min(max(0.0, form.low), form.high)
    zero = int(zero) if form.kind in ("whole", "wholes") else zero
    if form.kind == "matrix":
        return tuple(tuple(float(row == column) for column in range(form.count)) for row in range(3))
    return zero if form.count == 1 else (zero,) * form.count


def unused(model: type[ScenePart]) -> tuple[str, ...]:
    """Fields of a model that no item of it can have, and those that files alone state: triangles are not typed.

    Lessons are recorded, or written in the file.
    """
    of_files = {
        MassOnly: ("density", "magnet", "iron", "conductor"),
        MeshShape: ("vertices", "faces", "conductor"),
        Scene: ("format", "lesson"),
        **dict.fromkeys((Capsule, Cone, Ellipsoid, Torus), ("conductor",)),
    }
    return next((names for kind, names in of_files.items() if issubclass(model, kind)), ())


def usual_conductor(shape: ScenePart) -> dict[str, object]:
    """Fields of a conductor that suit a shape: rings in a cylinder, a thin wall of a sphere."""
    if isinstance(shape, Cylinder):
        return {"currents": "rings"}
    return {"thickness": tidy(0.1 * shape.radius)} if isinstance(shape, Sphere) else {}


def tidy(value: Any) -> Any:
    """A value with all numbers rounded to three digits."""
    if isinstance(value, tuple):
        return tuple(map(tidy, value))
    return round_to(value) if isinstance(value, float) else value


def round_to(number: float) -> float:
    """A number with three significant digits."""
    return float(f"{number:.3g}") + 0.0


def hardness(mass: float, size: float) -> float:
    """Contact stiffness [N/m] for a mass [kg] and a size [m]: little penetration, yet stable with the usual step."""
    return float(f"{min(mass * GRAVITY / (SINKS * size), mass * (2 * pi * SOFTEST / STEP) ** 2):.1g}")


def fresh(
    model: type[ScenePart], size: float, keep: Mapping[str, object] | None = None, file: str = ""
) -> dict[str, Any]:
    """Table of a new item of a model: fields of `keep`, and defaults of the other required fields.

    `size` is in m; `file` is the mesh file of models that have one.
    """
    keep, kind = keep or {}, forms(model).get("kind")
    table: dict[str, Any] = {"kind": kind.choices[0]} if kind is not None else {}
    fields = {key: form for key, form in forms(model).items() if key != "kind"}
    for key, form in fields.items():
        if key in keep:
            table[key] = keep[key]
        elif key == "file" and _needed(model, key):
            table[key] = file
        elif _needed(model, key):
            table[key] = usual(key, form, size)
    table = {key: value for key, value in table.items() if key not in unused(model)}
    for groups in NEW:
        keys = {key for group in groups for key in group}
        if fields.keys() >= keys and not keys & table.keys():
            first = next(group for group in groups if not {*group} & {*unused(model)})
            table |= {key: usual(key, fields[key], size) for key in first}
    if "tube_radius" in table and "radius" in table:
        table["tube_radius"] = round_to(0.3 * table["radius"])
    return table


def _needed(model: type[ScenePart], key: str) -> bool:
    """Whether a field of a model is required."""
    field = model.model_fields.get(key) or model.model_fields[f"{key}_"]
    return field.is_required()


def of_another_kind(scene: Scene, path: FieldPath, kind: str, size: float, file: str = "") -> Scene:
    """The scene with the item at a path changed to another kind; common fields are kept. Raises InputError.

    `size` [m] is used if the old item has none.
    """
    old = at(scene, path)
    if isinstance(old, PathBase):
        return with_path(scene, int(path[1]), of_kind(kind, old))
    *outer, step = path
    whole = form_at(scene, tuple(outer) if isinstance(step, int) else path)
    model = kinds(whole)[kind]
    known = forms(type(old))
    common = [key for key in forms(model) if key in known and key != "kind" and at(old, (key,)) is not None]
    keep = {key: value for key in common if _fits(value := at(old, (key,)), known[key], forms(model)[key])}
    if (magnet := keep.get("magnet")) is not None and not issubclass(model, CLOSED_FORMS):
        keep["magnet"] = magnet.model_copy(update={"field": "dipoles"})
    if model is WallFollows:
        keep["offset"] = -scene.sensor.centre  # the position is unchanged at the central sensor distance
    if model is TendonJoint and (over := _hinges_beside(scene, path)):
        keep |= {"joints": over, "coefficients": (1.0,) * len(over)}
    if model is CarriedPath and scene.body:
        keep["body"] = scene.body[0].name
    if model is CircuitSource:
        keep["circuit"] = _first_circuit(scene, path)
    return with_value(scene, path, fresh(model, _size_of(old) or size, keep, file))


def _first_circuit(scene: Scene, path: FieldPath) -> str:
    """Name of the first circuit of a scene. Raises InputError where it has none."""
    if not scene.circuit:
        rule, remedy = Message("the scene has no circuit"), Message("add one first: Add > Circuit of coils")
        raise InputError(scene.title or "scene", [Problem(written(path), rule, remedy)])
    return scene.circuit[0].name


def _hinges_beside(scene: Scene, path: FieldPath) -> tuple[str, ...]:
    """Names of all hinges and sliders but that at a path."""
    others = (joint for number, joint in enumerate(scene.joint) if path != ("joint", number))
    return tuple(joint.name for joint in others if isinstance(joint, HingeJoint | SliderJoint))


def _fits(value: object, form: Form, other: Form) -> bool:
    """Whether a value of a field with one form can be that of a field with another one."""
    is_number = {form.kind, other.kind} <= {"number", "number_or_list"} and not isinstance(value, tuple)
    return replace(form, kind=other.kind if is_number else form.kind, help="") == replace(other, help="")


def _size_of(part: Any) -> float | None:
    """Size [m] of a shape, None if it states none."""
    if (radius := getattr(part, "radius", None)) is not None:
        return 2 * float(radius)
    extent = getattr(part, "size", None) or getattr(part, "semi_axes", None)
    return float(max(extent)) if extent else getattr(part, "length", None)
