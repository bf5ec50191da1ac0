"""Parts that a scene can get, as they are at first, and what a part becomes that is to be of another kind.

Everything is as large as it looks right in the scene that it comes into, and runs as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import floor, log10, pi
from typing import Any

import numpy as np

from app.edit.paths import of_kind, with_path
from core.physics.bodies.shapes import MassOnly, Part, ShapeBase
from core.physics.paths.description import PathBase
from core.physics.sensor.description import WallFollows
from core.scene.fields import Form, Place, at, form_at, forms, kinds, with_value
from core.scene.scene import Scene

DENSITY = 1000.0  # [kg/m^3] of water, near that of most plastics
SINKS = 0.01  # what lies on something sinks in by this part of its size
GRAVITY = 9.8  # [m/s^2]
STEP = 1e-3  # [s] of most scenes: what is added is soft enough for it
SOFTEST = 0.1  # turns of a spring's motion per step that are safe with every method but the simplest


@dataclass(frozen=True)
class Placement:
    """Where something new goes, and how large it is."""

    size: float  # [m]
    place: tuple[float, float, float]  # [m]
    ground: float = 0.0  # [m] height
    file: str = ""  # of a mesh, as the scene is to name it
    scale: float = 1.0  # [m] of its unit


def spot_in(center: np.ndarray, radius: float, ground: float, scene: Scene) -> Placement:
    """A free spot for something in a scene that reaches `radius` [m] about `center` (3,), above the ground."""
    size = neat(0.3 * radius)
    x, y, _ = (neat_to(number, size) for number in center)
    places = [np.array(each.position) for key in ("body", "sphere", "particle") for each in getattr(scene, key)]
    for step in range(len(places) + 1):
        beside = np.array([x + 1.5 * size * ((step + 1) // 2) * (-1) ** step, y, neat_to(ground + 2 * size, size)])
        if all(np.linalg.norm(beside - place) > size for place in places):
            break
    return Placement(size, (round(float(beside[0]), 9), float(beside[1]), round(float(beside[2]), 9)), ground)


def neat(number: float) -> float:
    """A number of about this size with one digit: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(number))
    return float(f"{max(step for step in (1, 2, 5) if step * power <= number * (1 + 1e-9)) * power:.3g}")


def neat_to(number: float, size: float) -> float:
    """A number to a tenth of a size."""
    return round(round(number / (0.1 * size)) * 0.1 * size, 9) + 0.0


ALWAYS: dict[str, Any] = {  # fields that have to be stated, whatever the size of the part
    "rows": 5,
    "count": 8,
    "counts": (4, 4, 4),
    "angular_velocity": (0.0, 0.0, 0.0),
    "period": 1.0,
    "direction": (0.0, 0.0, 1.0),
    "axis": (0.0, 0.0, 1.0),
    "angle": 0.5,
    "basis": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "cosine": (1e-3, 0.0, 0.0),
    "sine": (0.0, 1e-3, 0.0),
    "angular_frequency": 6.28,
    "remanence": (0.0, 0.0, 1.2),
    "density": DENSITY,
    "static_friction": 0.5,
    "restitution": 0.8,
    "method": "semi_implicit_euler",
    "time_step": STEP,
    "modes": 6,
    "color": "steelblue",
    "parameter": "world.gravity[2]",
}


def usual(key: str, form: Form, size: float) -> Any:
    """A value of a field that has to be stated, for a part of a size [m]. Raises KeyError."""
    if key in ALWAYS:
        return ALWAYS[key]
    mass = DENSITY * size**3 / 2
    values: dict[str, Any] = {
        "radius": size / 2,
        "length": size,
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
    }
    return tidy(values[key])


def tidy(value: Any) -> Any:
    """A value whose numbers have few digits."""
    if isinstance(value, tuple):
        return tuple(map(tidy, value))
    return round_to(value) if isinstance(value, float) else value


def round_to(number: float) -> float:
    return float(f"{number:.3g}") + 0.0


def hardness(mass: float, size: float) -> float:
    """A stiffness [N/m] on which this mass sinks in a little, and swings slowly enough for the usual step."""
    return float(f"{min(mass * GRAVITY / (SINKS * size), mass * (2 * pi * SOFTEST / STEP) ** 2):.1g}")


def fresh(model: type[Part], size: float, keep: Mapping[str, object] | None = None, file: str = "") -> dict[str, Any]:
    """A table of a model: fields of `keep`, and for what else has to be stated something usual."""
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
    if issubclass(model, MassOnly):
        table = {key: value for key, value in table.items() if key not in ("density", "magnet")}
        table.setdefault("mass", usual("mass", fields["mass"], size))
    elif issubclass(model, ShapeBase) and not {"mass", "density"} & table.keys():
        table["density"] = DENSITY
    elif {"remanence", "moment"} <= fields.keys() and not {"remanence", "moment"} & table.keys():
        table["remanence"] = usual("remanence", fields["remanence"], size)
    if "tube_radius" in table and "radius" in table:
        table["tube_radius"] = round_to(0.3 * table["radius"])
    return table


def _needed(model: type[Part], key: str) -> bool:
    field = model.model_fields.get(key) or model.model_fields[f"{key}_"]
    return field.is_required()


def of_another_kind(scene: Scene, place: Place, kind: str, size: float, file: str = "") -> Scene:
    """The scene with the part at a place of another kind; fields that both kinds have stay. Raises InputError."""
    old = at(scene, place)
    if isinstance(old, PathBase):
        return with_path(scene, int(place[1]), of_kind(kind, old))
    *outer, step = place
    whole = form_at(scene, tuple(outer) if isinstance(step, int) else place)
    model = kinds(whole)[kind]
    known = {key: replace(form, help="") for key, form in forms(type(old)).items()}
    same = [key for key, form in forms(model).items() if known.get(key) == replace(form, help="") and key != "kind"]
    keep = {key: value for key in same if (value := at(old, (key,))) is not None}
    if model is WallFollows:
        keep["offset"] = -scene.sensor.centre  # it stands where it stood, with the hand in the middle of its way
    return with_value(scene, place, fresh(model, _size_of(old) or size, keep, file))


def _size_of(part: Any) -> float | None:
    """[m] of a shape that states how large it is."""
    if (radius := getattr(part, "radius", None)) is not None:
        return 2 * float(radius)
    extent = getattr(part, "size", None) or getattr(part, "semi_axes", None)
    return float(max(extent)) if extent else getattr(part, "length", None)
