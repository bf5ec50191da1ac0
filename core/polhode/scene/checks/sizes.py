"""Sizes of the things of a scene, which must not differ by more orders of magnitude than float64 has digits for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from operator import itemgetter
from typing import Any

from pydantic import BaseModel

from polhode.scene.fields import FieldPath, forms_without_help, written
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

LARGEST_RATIO = 1e12  # of two sizes: their squares and cubes are added up in one scene


def size_problems(scene: Scene) -> list[Problem]:
    """The problem of a scene in SI whose largest size is more than LARGEST_RATIO times its smallest one, if it is.

    Sizes are the lengths that cannot be negative, such as radii and spacings; 0 and coordinates do not count.
    """
    sizes = list(_sizes(scene, ()))
    if not sizes:
        return []
    (smallest, small), (largest, large) = min(sizes, key=itemgetter(0)), max(sizes, key=itemgetter(0))
    if largest <= LARGEST_RATIO * smallest:
        return []
    rule = Message(
        "is {largest:g} m, more than {ratio:g} times {place}, which is {smallest:g} m",
        largest=largest,
        ratio=LARGEST_RATIO,
        place=written(small),
        smallest=smallest,
    )
    return [Problem(written(large), rule, Message("correct one of them"))]


def _sizes(part: BaseModel, path: FieldPath) -> Iterator[tuple[float, FieldPath]]:
    """Sizes [m] in a part and in the parts inside of it, with their paths."""
    for name, key, is_size in _fields(type(part)):
        yield from _inner_sizes(getattr(part, name), (*path, key), is_size)


def _inner_sizes(value: Any, path: FieldPath, is_size: bool) -> Iterator[tuple[float, FieldPath]]:
    if isinstance(value, BaseModel):
        yield from _sizes(value, path)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _inner_sizes(item, (*path, index), is_size)
    elif is_size and value:
        yield value, path


@cache
def _fields(model: Any) -> list[tuple[str, str, bool]]:
    """Fields that may hold sizes: Python name, name in files, and whether they are sizes themselves, not parts."""
    found = []
    for name, (key, form) in zip(model.model_fields, forms_without_help(model).items(), strict=True):
        is_size = form.kind in ("number", "numbers", "number_or_list") and form.unit == "m" and form.low == 0
        if is_size or form.kind in ("part", "parts"):
            found.append((name, key, is_size))
    return found
