"""Rules that join several fields, checked also where a field is invalid.

pydantic checks such a rule only if every field is valid by itself; the author of a file wants all problems at once.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from core.scene.problem import InvalidValue, Problem
from core.scene.scene import Scene
from core.scene.units import fields_by_key
from core.scene.validation_messages import Location, kind_of, models_in, place

Found = list[tuple[Location, InvalidValue]]


def broken_rules(data: dict[str, Any]) -> list[Problem]:
    """Problems that the joint rules of all parts find in the tables of a scene file."""
    found: Found = []
    _part(Scene, data, (), found)
    return [fault.problem.at(place(location, data)) for location, fault in found]


def _part(model: type[BaseModel], table: dict[str, Any], location: Location, found: Found) -> BaseModel:
    """The part as the file states it, unchecked, and its rules' objections as additions to `found`."""
    fields = fields_by_key(model)
    values = {
        key: _value(fields[key].annotation, value, (*location, key), found)
        for key, value in table.items()
        if key in fields
    }
    part = model.model_construct(**values)
    for rule in model.__pydantic_decorators__.model_validators.values():
        if rule.info.mode == "after":
            try:
                rule.func(part)
            except InvalidValue as fault:
                found.append((location, fault))
            except (TypeError, AttributeError, LookupError, ArithmeticError, ValueError):
                continue  # the rule needs a value that is itself at fault
    return part


def _value(annotation: object, value: Any, location: Location, found: Found) -> Any:
    """A value with its tables as parts."""
    if isinstance(value, list):
        return tuple(_value(annotation, item, (*location, index), found) for index, item in enumerate(value))
    if isinstance(value, dict):
        models = models_in(annotation)
        meant = [model for model in models if len(models) == 1 or kind_of(model) == value.get("kind")]
        return _part(meant[0], value, location, found) if meant else value
    return value
