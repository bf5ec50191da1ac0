"""The parts of some classes within a scene: their paths, and scenes with others in their place.

Only fields that can hold such a part are visited, as the annotations of the models say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel

from polhode.scene.fields import FieldPath
from polhode.scene.model_fields import key_of, models_in

P = TypeVar("P", bound=BaseModel)
Kinds = tuple[type[BaseModel], ...]


def parts_within(part: BaseModel, kinds: Kinds, path: FieldPath = ()) -> Iterator[tuple[FieldPath, Any]]:
    """Paths and parts of the classes `kinds` within `part`, which is at `path`, in the order of the fields."""
    if isinstance(part, kinds):
        yield path, part
    for name in _leading(type(part), kinds):
        yield from _inside(getattr(part, name), kinds, (*path, key_of(name, type(part).model_fields[name])))


def _inside(value: object, kinds: Kinds, path: FieldPath) -> Iterator[tuple[FieldPath, Any]]:
    if isinstance(value, BaseModel):
        yield from parts_within(value, kinds, path)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _inside(item, kinds, (*path, index))


def with_parts(part: P, kinds: Kinds, change: Callable[[Any], Any]) -> P:
    """`part` with each part of the classes `kinds` within as `change` returns it; parts without a change are the same.

    Not validated.
    """
    changed = {}
    for name in _leading(type(part), kinds):
        before = getattr(part, name)
        after = _changed(before, kinds, change)
        if after is not before:
            changed[name] = after
    made = part.model_copy(update=changed) if changed else part
    return change(made) if isinstance(made, kinds) else made


def _changed(value: Any, kinds: Kinds, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, BaseModel):
        return with_parts(value, kinds, change)
    if isinstance(value, tuple):
        items = tuple(_changed(item, kinds, change) for item in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value


@cache
def _leading(model: type[BaseModel], kinds: Kinds) -> tuple[str, ...]:
    """Names of the fields of a model that can hold a part of the classes `kinds`, also within other parts."""
    return tuple(
        name
        for name, field in model.model_fields.items()
        if any(_can_hold(inner, kinds, frozenset((model,))) for inner in models_in(field.annotation))
    )


def _can_hold(model: type[BaseModel], kinds: Kinds, outer: frozenset[type[BaseModel]]) -> bool:
    """Whether a part of a model is of the classes `kinds`, or can have such a part; `outer` models are being asked."""
    if issubclass(model, kinds):
        return True
    inner = {each for field in model.model_fields.values() for each in models_in(field.annotation)} - outer - {model}
    return any(_can_hold(each, kinds, outer | {model}) for each in inner)
