"""Every field of every kind of item: scenes that have them, generated from the models, and what can be typed there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polhode.physics.bodies.shapes import Orientation
from polhode.scene.fields import FieldPath, Form, at, forms, kinds, with_value
from polhode.scene.part import ScenePart
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode_app.edit.fields import ORIENTATION_FORMS, orientation_form, stated_as, switched
from polhode_app.edit.part_defaults import fresh, of_another_kind, unused
from polhode_app.edit.parts import added

FOLDER = Path(__file__).parents[1] / "meshes"
MESH, OTHER_MESH, TABLE = "duck.stl", "heart.stl", "../tests/recordings/hand.csv"
SIZE = 0.2  # [m] of what is added
BALL = {"kind": "sphere", "radius": 0.05, "mass": 0.5}
BASE = {
    "title": "Everything",
    "body": [
        {"name": f"body{k}", "support": "free" if k else "pivot", "position": [k, 0, 0], "shape": [BALL], "contact": {}}
        for k in range(5)
    ],
    "particle": [{"name": f"pea{k}", "mass": 0.1, "radius": 0.02, "position": [k, 1, 0]} for k in range(2)],
    "joint": [
        {"name": "hinge0", "kind": "hinge", "first": "body2", "second": "body3", "axis": [0, 1, 0]},
        {"name": "hinge1", "kind": "hinge", "first": "body3", "axis": [0, 1, 0]},
        {"name": "hinge2", "kind": "hinge", "first": "body4", "axis": [0, 1, 0]},
    ],
    "coil": [
        {
            "name": "coil0",
            "winding": {"kind": "loop", "radius": SIZE, "wire_radius": 0.01},
            "resistance": 1.0,
            "source": {"kind": "circuit", "circuit": "loop"},
        }
    ],
    "circuit": [{"name": "loop", "capacitance": 1e-3}, {"name": "spare"}],
}
KEPT: dict[str, dict[str, Any]] = {
    "": {"name": "thing", "file": MESH, "scale": 1e-3, "on": "body0", "shape": (BALL,)},
    "spring": {"from": "pea0", "to": (0.0, 1.0, 0.5)},
    "bead": {"path": {"kind": "circle", "radius": SIZE}},
    "joint": {"first": "body1", "second": "body2"},
    "GearJoint": {"first": "hinge0", "second": "hinge1"},
    "TendonJoint": {"joints": ("hinge0", "hinge1"), "coefficients": (1.0, 0.5)},
    "SoftMesh": {"spacing": 0.01},
    "force": {"force": (1.0, 0.0, 0.0)},
    "sweep": {"name": "map", "outcome": {"quantity": "energy.total"}},
    "ghost": {"body": "body0"},
    "DistanceJoint": {"pull_only": True, "length": 5.0},
    "Lattice": {"counts": (2, 2, 1)},
    "Chain": {"fixed": (0,)},
    "soft": {"particle_radius": 0.01},
    "particle": {"radius": 0.02},
}
"""Values of a new item besides its usual ones: its references to others, by its list or its model."""


@dataclass(frozen=True)
class Item:
    """A part of a scene at a path."""

    scene: Scene
    path: FieldPath

    @property
    def part(self) -> ScenePart:
        return at(self.scene, self.path)

    @property
    def table(self) -> str:
        """Name of the table of the file that it is in."""
        return str(self.path[0]) if self.path else "scene"

    @property
    def selected(self) -> FieldPath:
        """Path of the item of the tree whose form shows the part."""
        numbers = [k for k, step in enumerate(self.path) if isinstance(step, int)]
        if numbers:
            return self.path[: numbers[-1] + 1]
        return self.path[:1] if self.path[:1] not in (("units",), ("view",)) else ()

    @property
    def keys(self) -> list[str]:
        """Names of the fields with an editor of their own."""
        apart = {"part", "parts", "constant"}
        model = type(self.part)
        elsewhere = {key for name, key in ELSEWHERE if name == model.__name__}
        return [key for key in self.all_keys if forms(model)[key].kind not in apart and key not in elsewhere]

    @property
    def parts(self) -> list[FieldPath]:
        """Paths of the parts inside it that may be there or not, or be of several kinds."""
        known = forms(type(self.part))
        one_of = [key for key in self.all_keys if known[key].kind == "part"]
        return [(*self.path, key) for key in one_of if known[key].optional or len(known[key].models) > 1]

    @property
    def all_keys(self) -> list[str]:
        """Names of the fields that its form shows: of an orientation those that it states."""
        part = self.part
        known = [key for key in forms(type(part)) if key not in unused(type(part))]
        return [key for key in known if not isinstance(part, Orientation) or at(part, (key,)) is not None]

    def __str__(self) -> str:
        kind = getattr(self.part, "kind", "")
        return ".".join(str(step) for step in self.path if isinstance(step, str)) + (f":{kind}" if kind else "")


def items() -> Iterator[Item]:
    """An item of every model that can stand in a scene, and each of its parts in every kind, once."""
    yield from _parts(Item(scene_of(BASE, "everything").in_folder(FOLDER), ()), set())


def _parts(item: Item, seen: set[object]) -> Iterator[Item]:
    part = item.part
    model, look = type(part), (type(part), orientation_form(part) if isinstance(part, Orientation) else "")
    if look in seen:
        return
    seen.add(look)
    yield item
    for key, form in forms(model).items():
        if key not in unused(model):
            for inner in _in_list(item, key, form) if form.kind == "parts" else _in_field(item, key, form):
                yield from _parts(inner, seen)


def _in_list(item: Item, key: str, form: Form) -> Iterator[Item]:
    """Parts of every model in the list `key` of an item."""
    path = (*item.path, key)
    scene = item.scene.model_copy(update={"coil": ()}) if key == "shape" else item.scene  # iron is not beside coils
    for model in form.models:
        there = [type(part) for part in at(scene, path)]
        if model in there:
            yield Item(scene, (*path, there.index(model)))
            continue
        table = fresh(model, SIZE, KEPT[""] | KEPT.get(key, {}) | KEPT.get(model.__name__, {}), MESH)
        yield Item(*added(scene, key, table, item.path))


def _in_field(item: Item, key: str, form: Form) -> Iterator[Item]:
    """The part in the field `key` of an item, in every kind."""
    if form.kind != "part":
        return
    path, scene = (*item.path, key), item.scene
    if at(scene, path) is None:
        scene = switched(scene, path, True, SIZE)
    part = at(scene, path)
    if isinstance(part, Orientation):
        yield from (Item(with_value(scene, path, stated_as(part, name)), path) for name in ORIENTATION_FORMS)
        return
    for kind in kinds(form) or ("",):
        is_there = getattr(at(scene, path), "kind", "") == kind
        yield Item(scene if is_there else of_another_kind(scene, path, kind, SIZE, MESH), path)


def typed(form: Form, value: Any) -> Iterator[Any]:
    """Other values than the present one that may stand in a field of a form; a joint rule may allow few of them.

    Numbers of several components come as tuples.
    """
    match form.kind:
        case "number" | "whole" | "number_or_list" | "formula":
            yield from _numbers(form, value)
        case "numbers" | "wholes" | "formulas":
            yield from zip(*(_numbers(form, number) for number in value), strict=False)
            yield from (tuple(float(k + first) for k in range(form.count)) for first in (1, 2))
            yield tuple(2.0 * number for number in value if isinstance(number, float | int))  # the same direction
        case "matrix":
            yield ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))  # a rotation
            yield ((0.02, 0.0, 0.0), (0.0, 0.03, 0.0), (0.0, 0.0, 0.04))  # an inertia
        case "values":
            yield {"world.gravity[2]": -2.0}
        case "rows":
            yield ((0.1, 0.2, 0.3), (0.2, 0.5, 0.6), (0.3, 0.2, 0.9), (0.0, 0.7, 0.1))
        case "list":
            yield from (("body1", "body2"), ("body1",), ("hinge2", "hinge0"), (1.0, 2.0), (2.0,), ("-coil0",))
        case "whole_or_word":
            yield 2
        case "color":
            yield "tomato"
        case "colors":
            yield "tomato", "gold"
        case "end":
            yield "body1" if isinstance(value, str) else (0.1, 0.2, 0.3)
        case "text":
            yield from TEXTS


FORMULAS = ("0.25*t", "x*z + 0.5", "0.3*l", "0.2*q", "0.3*x^2", "-x*1")
TEXTS = (*FORMULAS, "other", "body1", "world.gravity[0]", "energy.kinetic", MESH, OTHER_MESH, TABLE)
"""Texts of which any field of text can have some: formulas, a name, a path, a column, files."""


ELSEWHERE = {
    **{("FormulaMotion", name): "of driven bodies alone" for name in ("angle", "turn_x", "turn_y", "turn_z")},
    ("MeshShape", "part"): "the mesh has one part",
    ("SoftMesh", "unit"): "in another unit it has too few points or too many",
    ("Spring", "over_bodies"): "it runs over no pulley",
    ("Conductor", "currents"): "of tubes and cylinders alone",
    ("DistanceJoint", "pull_only"): "a rod has the length that it has at the start",
}
"""Fields that take no other value in the scenes of `items`, and why; the inspector says so."""


def _numbers(form: Form, value: Any) -> Iterator[float]:
    """Other numbers than the present one within the limits."""
    numbers = (value * 1.25, value * 0.8) if isinstance(value, float | int) else ()
    for number in (*numbers, 0.5, 0.25, 0.05, -0.5, 2.0, 3.0, 5.0):
        rounded = round(number) if form.kind in ("whole", "wholes") else float(f"{number:.4g}")
        if form.low <= rounded <= form.high and not (form.beyond and rounded == form.low) and rounded != value:
            yield rounded
