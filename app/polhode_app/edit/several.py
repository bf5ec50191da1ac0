"""One edit of several items of a kind: each gets the change that the shown item got. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from polhode.scene.fields import FieldPath, at
from polhode.scene.scene import Scene

Change = Callable[[Scene, FieldPath], Scene]
"""A change of the field at a path; it raises InputError."""
OWN = ("name",)  # fields that no two items share


def alike(scene: Scene, shown: FieldPath, selected: Sequence[FieldPath]) -> list[FieldPath]:
    """Paths of the selected items of the list and type of the shown one, which comes first."""
    others = [path for path in selected if path != shown and path[:-1] == shown[:-1] and len(path) > 1]
    return [shown, *(path for path in others if type(at(scene, path)) is type(at(scene, shown)))]


def with_all(scene: Scene, items: Sequence[FieldPath], path: FieldPath, change: Change) -> Scene:
    """The scene with a change of the field at `path` of the first item, and of the same field of the others.

    Items without such a field, such as those with another kind of shape, are left as they are. Raises InputError.
    """
    inside, first = path[len(items[0]) :], at(scene, path[:-1])
    if inside[-1:] and inside[-1] in OWN:
        items = items[:1]
    for item in items:
        try:
            owner = at(scene, (*item, *inside[:-1])) if inside else None
        except LookupError:
            continue
        if not inside or type(owner) is type(first):
            scene = change(scene, (*item, *inside))
    return scene


def for_each(before: object, value: object, own: object) -> object:
    """The value that an item gets whose own one is `own`, where that of the shown item changes from `before`.

    Of a vector only the components that have changed.
    """
    vectors = all(isinstance(each, tuple) for each in (before, value, own))
    if not vectors or not len(before) == len(value) == len(own):  # type: ignore[arg-type]
        return value
    parts = zip(before, value, own, strict=True)  # type: ignore[call-overload]
    return tuple(kept if old == new else new for old, new, kept in parts)
