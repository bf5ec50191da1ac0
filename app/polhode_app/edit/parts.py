"""Edits of scene items: add, remove, duplicate, rename, reorder, hide. No Qt, no compiler.

All functions return a new scene. An item is identified by its path in the scene, such as ("body", 0, "shape", 1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from operator import is_
from typing import Any

import numpy as np

from polhode.physics.coils.description import OpenSource
from polhode.physics.contact.spheres import SolidSphere
from polhode.physics.joints.description import Joint, OfJoints, TendonJoint
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.path_motions import CarriedPath
from polhode.physics.points.description import Spring
from polhode.physics.sensor.description import Sensor
from polhode.scene.display.story import Story
from polhode.scene.fields import FieldPath, at, with_value, with_values
from polhode.scene.part import ScenePart
from polhode.scene.quantity import Vector
from polhode.scene.scene import Body, Force, Scene, View
from polhode_app.edit import references
from polhode_app.edit.references import followed, rewired, sweep_renamed, sweeps_reordered

Table = dict[str, Any]
"""Fields of an item, as in a file."""
NAMED = ("body", "sphere", "bead", "soft", "particle", "wall", "surface", "plate", "joint", "coil", "circuit")
LISTS = (*NAMED[:5], "spring", "joint", "force", *NAMED[5:8], "coil", "circuit", "ghost", "sweep")
"""The lists of items in a scene, in display order."""
INNER = ("shape", "dipole")
INNER_OF: dict[str, tuple[str, ...]] = {"body": INNER, "sweep": ("axes",)}
"""The lists inside of items, by the list of the item."""
LABELLED = ("ghost", "sweep")
"""Lists whose items have names that no other item refers to."""
POSITIONS = ("position", "point", "center", "start", "end")
"""Fields that state a position."""
DIGITS = 9  # significant digits of computed positions


def listed(path: FieldPath) -> bool:
    """Whether a path is that of an item of a list, which can be removed."""
    return len(path) > 1 and isinstance(path[-1], int) and path[-2] in (*LISTS, *INNER, *INNER_OF["sweep"])


def name_of(scene: Scene, path: FieldPath) -> str | None:
    """Name by which other items refer to the item at a path, or inside of which the path is; None if it has none."""
    part = at(scene, path[:2]) if path and path[0] in NAMED and len(path) > 1 else None
    return getattr(part, "name", None)


def owners(columns: Iterable[str], scene: Scene) -> dict[str, str]:
    """Name of the item of each column, the longest that its name begins with; "" for quantities of the whole scene."""
    items = [f"{name}." for name in names(scene)]
    return {column: max(filter(column.startswith, items), key=len, default="")[:-1] for column in columns}


def path_of(scene: Scene, name: str) -> FieldPath | None:
    """Path of the item with a name, None if unknown.

    Points of a soft body and spheres of a rack are found as the whole body or rack.
    """
    for key in NAMED:
        for index, part in enumerate(getattr(scene, key)):
            if _is_of(part, name):
                return (key, index)
    return None


def names(scene: Scene) -> set[str]:
    """All names in use."""
    return {name for key in NAMED for part in getattr(scene, key) for name in _names_of(part)}


def _names_of(part: Any) -> list[str]:
    """Names that an item occupies; a rack of spheres has several."""
    return [part.name, *part.names] if isinstance(part, SolidSphere) else [part.name]


def _is_of(part: Any, name: str) -> bool:
    """Whether a name denotes the item or a component of it, such as a point of a soft body."""
    return name in _names_of(part) or name.startswith(f"{part.name}.")


def carrier_of(bead: Bead) -> str | None:
    """Name of the body that the path of a bead moves with, if any."""
    return bead.path_motion.body if isinstance(bead.path_motion, CarriedPath) else None


def free_name(taken: Iterable[str], like: str) -> str:
    """An unused name similar to `like`: `ball2` after `ball`."""
    taken = set(taken)
    if like not in taken:
        return like
    stem = re.sub(r"(?<!\d)\d+$", "", like) or "part"
    return next(name for k in range(2, len(taken) + 3) if (name := f"{stem}{k}") not in taken)


def named(scene: Scene, name: str, **fields: object) -> Table:
    """Table of a new item with an unused name and these fields."""
    return {"name": free_name(names(scene), name), **fields}


# References between items


REFERENCES = {"spring": ("from_", "to"), "joint": ("first", "second"), "force": ("on",), "ghost": ("body",)} | {
    "bead": ("path_motion",),
    "coil": ("body",),
}
"""Fields that refer to other items, by list: names, or models with the field `body`."""


def _refers(each: Any, fields: tuple[str, ...], part: Any) -> bool:
    """Whether some fields of an item refer to another one: gears and tendons to hinges, other joints to bodies."""
    if isinstance(each, Joint | OfJoints) and isinstance(each, OfJoints) != isinstance(part, Joint):
        return False
    ends = [getattr(each, field) for field in _fields(each, fields)]
    names = [name for end in ends for name in (end if isinstance(end, tuple) else (end,))]
    names = [name if isinstance(name, str) else getattr(name, "body", None) for name in names]
    return any(name is not None and _is_of(part, name) for name in names)


def _fields(each: Any, fields: tuple[str, ...]) -> tuple[str, ...]:
    """Fields of an item that refer to others: lists of names of tendons and of strings over pulleys, too."""
    if isinstance(each, Spring):
        return (*fields, "over_bodies")
    return ("joints",) if isinstance(each, TendonJoint) else fields


def depending(scene: Scene, path: FieldPath) -> list[FieldPath]:
    """Paths of the items that cannot exist without an item: springs, joints and forces on it, gears and tendons of
    these joints, ghosts that change it, and beads on its paths.
    """
    if name_of(scene, path) is None or len(path) != 2:
        return []
    part, found = at(scene, path), list[FieldPath]()
    for key, fields in REFERENCES.items():
        found += [(key, k) for k, each in enumerate(getattr(scene, key)) if _refers(each, fields, part)]
    hinges = [at(scene, item) for item in found if item[0] == "joint"]
    geared = [k for k, each in enumerate(scene.joint) if any(_refers(each, REFERENCES["joint"], one) for one in hinges)]
    return list(dict.fromkeys([*found, *(("joint", k) for k in geared)]))


def without(scene: Scene, path: FieldPath) -> Scene:
    """The scene without an item and the items that depend on it. Raises InputError."""
    if len(path) > 2:
        parts = at(scene, path[:-1])
        return _relisted(scene, path[:-1], [k for k in range(len(parts)) if k != path[-1]])
    gone = {path, *depending(scene, path)}
    lists: dict[str, Any] = {}
    sensor, story = scene.sensor, scene.story
    for key in {str(each[0]) for each in gone}:
        parts = getattr(scene, key)
        left = [index for index in range(len(parts)) if (key, index) not in gone]
        lists[key] = tuple(parts[index] for index in left)
        sensor, story = _led(sensor, (key,), left), _told(story, (key,), left)
        sweeps = lists.get("sweep", scene.sweep)
        lists["sweep"] = sweeps_reordered(scene, sweeps, (key,), left)
        lists["lesson"] = references.lessons_reordered(lists.get("lesson", scene.lesson), (key,), left)
    if sensor != scene.sensor:
        lists["sensor"] = sensor
    if story != scene.story:
        lists["story"] = story
    names_gone = {name_of(scene, each) for each in gone}
    lists |= rewired(scene.model_copy(update=lists), dict.fromkeys(names_gone - {None}, ""))
    bodies = lists.get("body", scene.body)
    kept = tuple(_ignoring(each, dict.fromkeys(names_gone, "")) for each in bodies)
    if not all(map(is_, kept, bodies)):
        lists["body"] = kept
    if names_gone.intersection(scene.view.hide):
        hide = tuple(each for each in scene.view.hide if each not in names_gone)
        lists["view"] = scene.view.model_copy(update={"hide": hide})
    return with_values(scene, (), lists)


def _ignoring(body: Body, names: Mapping[str, str]) -> Body:
    """A body whose contact ignores bodies by their new names, without those whose new name is empty."""
    if body.contact is None or not names.keys() & set(body.contact.ignores):
        return body
    ignores = tuple(names.get(name, name) for name in body.contact.ignores)
    contact = body.contact.model_copy(update={"ignores": tuple(name for name in ignores if name)})
    return body.model_copy(update={"contact": contact})


def plain_name(name: str) -> str:
    """The name without spaces, as which formulas and columns of tables can refer to it: "left_box" for "left box"."""
    return "_".join(name.split())


def renamed(scene: Scene, path: FieldPath, name: str) -> Scene:
    """The scene with an item renamed, without spaces, and all references to it. Raises InputError."""
    name = plain_name(name)
    if path[0] in LABELLED:
        return with_value(scene, (*path, "name"), name)
    part, (key, index) = at(scene, path), (str(path[0]), int(path[1]))
    if key in ("coil", "circuit"):  # they name each other: in the scene they are checked together, below
        plain = {"source": OpenSource(kind="open"), "body": None} if key == "coil" else {"coils": ()}
        with_value(Scene().model_copy(update={key: (part.model_copy(update=plain),)}), (key, 0, "name"), name)
        own = part.model_copy(update={"name": name})
        parts = tuple(own if k == index else each for k, each in enumerate(getattr(scene, key)))
    else:
        alone = scene.model_copy(update={"view": View(), "ghost": ()})
        parts = getattr(with_value(alone, (key, index, "name"), name), key)
    other = _following(scene.model_copy(update={key: parts}), part, part.name, name)
    return with_values(scene, (), {key: parts, **other})


def _following(scene: Scene, part: Any, old: str, name: str) -> dict[str, object]:
    """Changed lists of the scene with the references to a renamed item."""

    def end(held: object) -> object:
        if isinstance(held, str):
            return name + held[len(old) :] if _is_of(part, held) else held
        if isinstance(held, tuple):
            return tuple(end(one) for one in held)
        return held.model_copy(update={"body": name}) if getattr(held, "body", None) == old else held

    def item(each: ScenePart, fields: tuple[str, ...]) -> ScenePart:
        changed = {field: end(getattr(each, field)) for field in _fields(each, fields)}
        return each.model_copy(update=changed) if _refers(each, fields, part) else each

    changes: dict[str, object] = {
        key: tuple(item(each, fields) for each in getattr(scene, key)) for key, fields in REFERENCES.items()
    }
    changes |= rewired(scene.model_copy(update=changes), {old: name})
    changes["sweep"] = tuple(sweep_renamed(each, old, name) for each in scene.sweep)
    changes["body"] = tuple(_ignoring(each, {old: name}) for each in scene.body)
    changes["lesson"] = references.lessons_renamed(scene.lesson, old, name)
    if old in scene.view.hide:
        hide = tuple(name if each == old else each for each in scene.view.hide)
        changes["view"] = scene.view.model_copy(update={"hide": hide})
    return changes


def added(
    scene: Scene, key: str, part: ScenePart | Mapping[str, object], into: FieldPath = ()
) -> tuple[Scene, FieldPath]:
    """The scene with an item appended to the list `key` of the scene, or of the item at path `into`; and its path.

    Raises InputError.
    """
    parts = at(scene, (*into, key))
    path = (*into, key, len(parts))
    return with_value(scene, (*into, key), (*parts, part)), path


def duplicated(scene: Scene, path: FieldPath, shift: np.ndarray) -> tuple[Scene, FieldPath]:
    """The scene with a copy inserted after an item, translated by `shift` (3,) [m]; and the path of the copy."""
    parts, index = at(scene, path[:-1]), int(path[-1])
    copy = shifted(parts[index], shift)
    if path[0] in NAMED and len(path) == 2:
        copy = copy.model_copy(update={"name": free_for(copy, names(scene))})
    elif path[0] in LABELLED and len(path) == 2 and copy.name:
        copy = copy.model_copy(update={"name": free_name([each.name for each in parts], copy.name)})
    behind = [*range(index + 1), len(parts), *range(index + 1, len(parts))]
    return _relisted(scene, path[:-1], behind, copy), (*path[:-1], index + 1)


def free_for(part: Any, taken: set[str]) -> str:
    """A name for a copy of an item such that none of the names it occupies is in use."""
    name = free_name(taken, part.name)
    while taken & set(_names_of(part.model_copy(update={"name": name}))):
        name = free_name({*taken, name}, name)
    return name


def shifted(part: Any, shift: np.ndarray) -> Any:
    """The item translated by `shift` (3,) [m], in the frame in which its position is stated.

    Returns `part` itself if it states no position.
    """
    if isinstance(part, Force | Joint | OfJoints):
        return part  # its points are those of other items
    changes: dict[str, object] = {}
    for key in POSITIONS:
        value = getattr(part, key, None)
        if isinstance(value, tuple) and len(value) == 3 and all(isinstance(number, float | int) for number in value):
            changes[key] = rounded(np.array(value) + shift)
    if isinstance(part, Spring):
        for key in ("from_", "to"):
            end = getattr(part, key)
            if isinstance(end, tuple):
                changes[key] = rounded(np.array(end) + shift)
    elif isinstance(points := getattr(part, "points", None), tuple):
        changes["points"] = tuple(rounded(np.array(point) + shift) for point in points)
    elif (path := getattr(part, "path", None)) is not None:
        changes["path"] = shifted(path, shift)
    return part.model_copy(update=changes) if changes else part


def rounded(position: np.ndarray) -> Vector:
    """A position (3,) with floating-point noise rounded away."""
    x, y, z = (float(f"{number:.{DIGITS}g}") + 0.0 for number in position)
    return x, y, z


def reordered(scene: Scene, path: FieldPath, index: int) -> Scene:
    """The scene with an item moved to another index of its list."""
    order = list(range(len(at(scene, path[:-1]))))
    order.insert(index, order.pop(int(path[-1])))
    return _relisted(scene, path[:-1], order)


def _relisted(scene: Scene, field_path: FieldPath, order: list[int], *more: ScenePart) -> Scene:
    """The scene with the items of a list in a new order of their old indices; `more` are appended before."""
    parts = (*at(scene, field_path), *more)
    made = with_value(scene, field_path, tuple(parts[number] for number in order))
    sensor, story = _led(scene.sensor, field_path, order), _told(scene.story, field_path, order)
    made = made if sensor == scene.sensor else with_value(made, ("sensor",), sensor)
    if scene.lesson:
        made = with_value(made, ("lesson",), references.lessons_reordered(scene.lesson, field_path, order))
    if field_path[0] != "sweep" and scene.sweep:
        made = with_value(made, ("sweep",), sweeps_reordered(scene, scene.sweep, field_path, order))
    return made if story == scene.story else with_value(made, ("story",), story)


def _led(sensor: Sensor, field_path: FieldPath, order: list[int]) -> Sensor:
    """The sensor description with driven parameters that follow reordered items; those of removed items are dropped."""
    paths = [followed(drive.parameter, field_path, order) for drive in sensor.drive]
    drives = tuple(
        drive if path == drive.parameter else drive.model_copy(update={"parameter": path})
        for drive, path in zip(sensor.drive, paths, strict=True)
        if path is not None
    )
    same = len(drives) == len(sensor.drive) and all(map(is_, drives, sensor.drive))
    return sensor if same else sensor.model_copy(update={"drive": drives})


def _told(story: Story, field_path: FieldPath, order: list[int]) -> Story:
    """The story with buttons and sliders that follow reordered items; those that set fields of removed items are
    dropped.
    """
    kept: dict[str, list[Any]] = {"try_": [], "sliders": []}
    for key, parts in kept.items():
        for part in getattr(story, key):
            paths = {path: followed(path, field_path, order) for path in part.set}
            if None not in paths.values():
                values = {str(paths[path]): value for path, value in part.set.items()}
                parts.append(part.model_copy(update={"set": values}))
    return story.model_copy(update={key: tuple(parts) for key, parts in kept.items()})


def hidden(scene: Scene, name: str, on: bool) -> Scene:
    """The scene with the item of this name hidden, or shown if `on` is False."""
    hide = [each for each in scene.view.hide if each != name]
    return with_value(scene, ("view", "hide"), tuple([*hide, name] if on else hide))


def can_hide(scene: Scene, path: FieldPath) -> bool:
    """Whether the item at a path can be hidden by itself."""
    if len(path) != 2 or path[1] == -1:
        return False
    return path[0] == "spring" or name_of(scene, path) is not None


def is_hidden(scene: Scene, path: FieldPath) -> bool:
    """Whether the item at a path is hidden."""
    return at(scene, path).hidden if path[0] == "spring" else name_of(scene, path) in scene.view.hide


def hidden_at(scene: Scene, path: FieldPath, on: bool) -> Scene:
    """The scene with the item at a path hidden, or shown if `on` is False.

    Springs have no name and carry the flag themselves; other items are listed in the view of the scene.
    """
    if path[0] == "spring":
        return with_value(scene, (*path, "hidden"), on)
    name = name_of(scene, path)
    return scene if name is None else hidden(scene, name, on)


def found_again(old: Scene, path: FieldPath, new: Scene) -> FieldPath | None:
    """Path of an item in another version of the scene, found by name or else by index; None if it was removed."""
    name = name_of(old, path)
    if name is not None:
        moved = path_of(new, name)
        if moved is None or moved[0] != path[0]:
            moved = path[:2]  # it may have been renamed
        path = (*moved, *path[2:])
    try:
        at(new, path)
    except LookupError:
        return None
    return path


def parts_in(scene: Scene) -> Iterator[FieldPath]:
    """Paths of all items in display order; shapes and dipoles follow their body."""
    for key in LISTS:
        for index, part in enumerate(getattr(scene, key)):
            yield (key, index)
            for inner in INNER_OF.get(key, ()):
                yield from ((key, index, inner, k) for k in range(len(getattr(part, inner))))
