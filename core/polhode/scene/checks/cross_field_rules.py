"""Rules that join several fields, checked also where a field is invalid.

pydantic runs the validators of a model, those with mode "after", only if every field is valid by itself. The author
of a file wants to see all problems at once. So this walks over the tables of a file whose validation failed, makes
each part without checks (`model_construct`), and runs the same validators on it. A rule that fails because one of its
values is itself at fault is left out: that value has a message of its own.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from polhode.scene.checks.validation_messages import path_of
from polhode.scene.model_fields import Location, fields_by_key, kind_of, models_in
from polhode.scene.problem import InvalidValue, Problem
from polhode.scene.scene import Scene

Found = list[tuple[Location, InvalidValue]]


def broken_rules(data: dict[str, Any]) -> list[Problem]:
    """Problems that the joint rules of all parts find in `data`, the tables of a scene file in the file's units.

    Each has the path of the part with the rule, as in the file; inner parts come first. Unknown keys and kinds are
    skipped. `data` is not changed.
    """
    found: Found = []
    _part(Scene, data, (), found)
    return [fault.problem.at(path_of(location, data)) for location, fault in found]


def _part(model: type[BaseModel], table: dict[str, Any], location: Location, found: Found) -> BaseModel:
    """The part in `table` at `location` of keys and indices, unchecked; objections of its rules go to `found`."""
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
                continue  # the rule needs a value that is itself invalid
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
