"""Names of the items of a scene as the tree, notices and headings show them, in the current language. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from polhode.scene.fields import FieldPath, at
from polhode.scene.scene import Scene
from polhode_app.i18n.field_names import choice, item_label, named, one
from polhode_app.i18n.language import tr


def item_title(scene: Scene, path: FieldPath) -> str:
    """Name of the item at a path, such as ("body", 0) or ("body", 0, "shape", 1), with its translation."""
    part = at(scene, path)
    if len(path) < 2 or not isinstance(path[-1], int):
        return named(getattr(part, "name", "")) or one(str(path[-1]))
    key, index = str(path[-2]), path[-1]
    return item_label_of(key, part) or (item_text(key, part, index) if len(path) == 2 else inner_text(key, part))


def named_all(names: Iterable[str]) -> str:
    """Names of items with their translations, separated by commas."""
    return ", ".join(map(named, names))


def item_text(key: str, part: Any, index: int) -> str:
    """Name of an item of the list `key`, ends of a spring, target of a force, or number and method of a ghost."""
    if key == "spring":
        return f"{_end_text(part.from_)} – {_end_text(part.to)}"
    if key == "force":
        return str(part.on)
    return part.name or f"{tr('Ghost')} {index + 1}" + (f": {choice(part.method)}" if part.method else "")


def item_label_of(key: str, part: Any) -> str:
    """Translated names of an item, of the ends of a spring, or of the target of a force; "" where there are none."""
    if key == "spring":
        names = [_end_text(end) for end in (part.from_, part.to)]
        return " – ".join(map(named, names)) if any(map(item_label, names)) else ""
    return item_label(str(part.on) if key == "force" else getattr(part, "name", ""))


def inner_text(inner: str, each: Any) -> str:
    """Name of a part inside an item: kind of a shape, number that an axis of a sweep varies."""
    if inner == "axes":
        return str(each.parameter)
    return choice(each.kind) if inner == "shape" else tr("Dipole")


def _end_text(end: Any) -> str:
    """Name of an end of a spring; coordinates would not fit."""
    if isinstance(end, str):
        return end
    return end.body if hasattr(end, "body") else tr("fixed point")
