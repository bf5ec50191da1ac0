"""Validation of the parts of a scene that were copied with other values and not validated then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pydantic import ValidationError

from polhode.scene.checks.validation_messages import problems
from polhode.scene.model_fields import key_of
from polhode.scene.part import ScenePart, from_numpy, mark_validated
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene

P = TypeVar("P", bound=ScenePart)


def validated(scene: Scene) -> Scene:
    """The scene with all its parts validated: the same object unless lists or numbers of another type became usual.

    Raises InputError with the problems that a file of this scene would have. Parts that are validated already, as all
    of a scene from a file, are passed over.
    """
    found: list[Problem] = []
    made = _validated(scene, "", found)
    if found:
        raise InputError(str(scene.title) or "scene", list(dict.fromkeys(found)))
    return made


def _validated(part: P, path: str, found: list[Problem]) -> P:
    """A part with all parts in it validated; problems are added to `found`."""
    changed: dict[str, object] = {}
    before = len(found)
    for name, value in vars(part).items():
        if isinstance(value, ScenePart):
            here = f"{path}.{_key(part, name)}" if path else _key(part, name)
            made: object = _validated(value, here, found)
        elif isinstance(value, tuple | list) and value and isinstance(value[0], ScenePart):
            here = f"{path}.{_key(part, name)}" if path else _key(part, name)
            made = _validated_items(value, here, found)
        else:
            continue
        if made is not value:
            changed[name] = made
    if changed:
        part = part.model_copy(update=changed)
    if getattr(part, "is_validated", False):
        return part
    try:
        return _revalidated(part, path, found)
    except (TypeError, AttributeError, LookupError, ArithmeticError, ValueError):
        if len(found) == before:
            raise
        return part  # a joint rule needs a value that is itself invalid


def _validated_items(items: Sequence[object], path: str, found: list[Problem]) -> Sequence[object]:
    """The items of a list, the same object if none of them changes."""
    made = [
        _validated(item, f"{path}[{index}]", found) if isinstance(item, ScenePart) else item
        for index, item in enumerate(items)
    ]
    return tuple(made) if any(one is not other for one, other in zip(items, made, strict=True)) else items


def _revalidated(part: P, path: str, found: list[Problem]) -> P:
    """A part whose own fields are validated; parts in it count as valid."""
    stated = {name: from_numpy(getattr(part, name)) for name in part.model_fields_set}
    values = {_key(part, name): value for name, value in stated.items()}
    try:
        checked = type(part).model_validate(values)
    except ValidationError as error:
        found += [each.at(path) if path else each for each in problems(error, values, type(part))]
        return part
    if any(value is not getattr(part, name) or value != getattr(checked, name) for name, value in stated.items()):
        part = part.model_copy(update={name: getattr(checked, name) for name in stated})
    mark_validated(part)
    return part


def _key(part: ScenePart, name: str) -> str:
    """Name of a field in files; an unknown one is its own."""
    field = type(part).model_fields.get(name)
    return key_of(name, field) if field is not None else name
