"""Uncertain numbers in the fields of a part: texts become numbers before validation, which returns plain floats, and
the numbers keep their uncertainty after it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from math import isfinite
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from polhode.scene.message import Message
from polhode.scene.model_fields import Location, field_quantity, fields_by_key
from polhode.scene.problem import InvalidValue
from polhode.scene.uncertain import NUMBER, Certain, Uncertain, uncertain_of_text

MEAN = re.compile(rf"\s*({NUMBER})")
LETTERS = "xyz"  # of the components of a vector that is a table
AXES, CERTAIN = frozenset(LETTERS), frozenset((float, int, bool, type(None)))  # most values, passed over at once


class NumberField(NamedTuple):
    """A field that holds numbers."""

    name: str  # in Python
    unit: str | None  # None where it is not known
    refused: Message | None  # why no uncertainty is possible


def number_fields(model: type[BaseModel]) -> Mapping[str, NumberField]:
    """Fields of a model that hold numbers, by their names in files."""
    is_setting = not getattr(model, "has_uncertain", True)
    found = {}
    for (key, field), name in zip(fields_by_key(model).items(), model.model_fields, strict=True):
        kinds = _kinds(field.annotation)
        if kinds.isdisjoint((float, int)):
            continue
        refused = Message("is a count or an index, which is certain, but is {text}") if float not in kinds else None
        refused = next((mark.reason for mark in field.metadata if isinstance(mark, Certain)), refused)
        if is_setting:
            refused = Message("is a setting, which is certain, but is {text}")
        quantity = field_quantity(field)
        found[key] = NumberField(name, quantity.unit if quantity is not None else None, refused)
    return found


def _kinds(annotation: object) -> set[object]:
    """The plain types that an annotation allows outside of models."""
    if get_origin(annotation) is Literal:
        return set()
    if get_origin(annotation) is Annotated:
        return _kinds(get_args(annotation)[0])
    return {annotation} if isinstance(annotation, type) else set().union(*map(_kinds, get_args(annotation)))


class UncertainFields:
    """Reads and keeps the uncertain numbers of the parts of one model."""

    def __init__(self, model: type[BaseModel]):
        self._model = model

    def read(self, data: dict[str, Any]) -> tuple[dict[str, Any], list[ErrorDetails]]:
        """The data with uncertain numbers in place of their texts, and the errors of texts."""
        stated = {key: value for key, value in data.items() if type(value) not in CERTAIN and _may_have(value)}
        if not stated:
            return data, []
        errors: list[ErrorDetails] = []
        read = {
            key: _read(value, self._fields[key], (key,), errors) for key, value in stated.items() if key in self._fields
        }
        return {**data, **read}, errors

    def keep(self, data: dict[str, Any], values: dict[str, Any]) -> None:
        """Put the uncertain numbers of `data`, as `read` made it, into validated values by Python names, in place."""
        for key, value in data.items():
            if _may_have(value) and key in self._fields:
                name = self._fields[key].name
                values[name] = _kept(value, values[name])

    @cached_property
    def _fields(self) -> Mapping[str, NumberField]:
        return number_fields(self._model)


def _may_have(value: Any) -> bool:
    """Whether a value, or one in it outside of parts, is an uncertain number or may be the text of one."""
    kind = type(value)
    if kind in CERTAIN:
        return False
    if kind is str:
        return "+-" in value or "±" in value or "+/-" in value
    if kind is list or kind is tuple:
        return any(type(inner) not in CERTAIN and _may_have(inner) for inner in value)
    if kind is dict:
        return len(value) <= len(LETTERS) and value.keys() <= AXES and any(map(_may_have, value.values()))
    return kind is Uncertain


def _read(value: Any, field: NumberField, location: Location, errors: list[ErrorDetails]) -> Any:
    """A value with uncertain numbers in place of their texts; errors are added to the last argument."""
    if isinstance(value, list | tuple):
        return [_read(inner, field, (*location, index), errors) for index, inner in enumerate(value)]
    if isinstance(value, dict):
        return {key: _read(inner, field, (*location, key), errors) for key, inner in value.items()}
    try:
        number = uncertain_of_text(value, field.unit) if isinstance(value, str) else value
        if isinstance(number, Uncertain) and field.refused is not None:
            rule = Message(field.refused.template, text=number.text)
            raise InvalidValue(rule, Message("give the number alone"))
    except InvalidValue as error:
        errors.append(ErrorDetails(type="value_error", loc=location, msg="", input=value, ctx={"error": error}))
        return _mean_of(value)
    return value if number is None else number


def _mean_of(value: object) -> object:
    """A number that is valid where the text at fault is, so that it has one problem."""
    found = MEAN.match(str(value))
    mean = float(found[1]) if found is not None else 0.0
    if not isfinite(mean):
        return 1
    return int(mean) if mean == int(mean) else mean


def _kept(stated: Any, made: Any) -> Any:
    """The validated value with the stated uncertain numbers in it, where they have not changed."""
    if isinstance(stated, Uncertain):
        is_certain = stated.deviation == 0.0 and not stated.is_si  # in SI it has to stay: the file's units are unknown
        return stated if not is_certain and type(made) in (float, int) and float(stated) == made else made
    if isinstance(stated, dict):
        stated = [stated.get(key, 0.0) for key in LETTERS]
    if isinstance(stated, list) and isinstance(made, tuple) and len(stated) == len(made):
        return tuple(_kept(*pair) for pair in zip(stated, made, strict=True))
    return made
