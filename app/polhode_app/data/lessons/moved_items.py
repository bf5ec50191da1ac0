"""Paths of fields after items of a scene were removed, reordered or renamed, found from two versions of it. No Qt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from polhode.scene.fields import FieldPath
from polhode.scene.scene import Scene
from polhode_app.edit.parts import INNER_OF, LISTS
from polhode_app.edit.references import followed


class MovedItems:
    """Follows from one version of a scene to a later one. Unchanged items are the same objects in both."""

    def __init__(self, old: Scene, new: Scene):
        self._moves: list[tuple[FieldPath, list[int]]] = []  # lists with the old indices of their items, in new order
        self.renamed: list[tuple[str, str]] = []
        """Old and new names."""
        for key in LISTS:
            before, after = getattr(old, key), getattr(new, key)
            if before is after:
                continue
            order = _order(before, after)
            self._moves.append(((key,), order))
            for number, was in enumerate(order):
                if was >= 0:
                    self._compare(key, number, before[was], after[number])

    def _compare(self, key: str, number: int, before: Any, after: Any) -> None:
        """Compare the names and the inner lists of two versions of an item, whose new index is `number`."""
        names = getattr(before, "name", None), getattr(after, "name", None)
        if all(names) and names[0] != names[1]:
            self.renamed.append((str(names[0]), str(names[1])))
        for inner in INNER_OF.get(key, ()):
            lists = getattr(before, inner), getattr(after, inner)
            if lists[0] is not lists[1]:
                self._moves.append(((key, number, inner), _order(*lists)))

    def path(self, path: str) -> str | None:
        """The new path of a field; None if its item was removed."""
        for listed, order in self._moves:
            if (found := followed(path, listed, order)) is None:
                return None
            path = found
        return path

    def column(self, name: str) -> str:
        """The new name of a column of the table."""
        for old, new in self.renamed:
            if name.startswith(f"{old}."):
                return new + name[len(old) :]
        return name


def _order(before: Sequence[Any], after: Sequence[Any]) -> list[int]:
    """Old indices of the items of a list, -1 of new ones.

    Items are the same by identity, else by name; the others by their place, where as many are left.
    """
    order, left = [-1] * len(after), list(range(len(before)))
    for number, was in [*_pairs(before, after, id), *_pairs(before, after, lambda each: getattr(each, "name", ""))]:
        if order[number] < 0 and was in left:
            order[number] = was
            left.remove(was)
    free = [number for number, was in enumerate(order) if was < 0]
    if len(free) == len(left):
        for number, was in zip(free, left, strict=True):
            order[number] = was
    return order


def _pairs(before: Sequence[Any], after: Sequence[Any], key: Any) -> Iterator[tuple[int, int]]:
    """New and old indices of items with the same key, which is not empty."""
    known = {key(each): number for number, each in enumerate(before)}
    for number, each in enumerate(after):
        if (name := key(each)) and name in known:
            yield number, known[name]
