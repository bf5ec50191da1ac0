"""Vectors of a scene whose components are numbers or formulas; formulas count in SI, whatever the units of the file.

A file states one as a list, [0, 0, "-9.8 + sin(t)"], or as a table, { x = "0", y = "0", z = "-9.8 + sin(t)" }.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import inf, isfinite
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, PlainValidator, WithJsonSchema

from polhode.data.inputs import Formula, formula_of
from polhode.formulas.parser import parse
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import PURE, check_magnitude

Component = float | str | MeasuredInput
Components = tuple[Component, Component, Component]
Texts = tuple[Formula, Formula, Formula]
POSITION_AND_TIME = ("x", "y", "z", "t")
"""Variables of what changes in space [m], laboratory frame, and with the time t [s]."""
T = TypeVar("T", bound=Component | None)


def as_component(value: object, variables: Iterable[str]) -> float | str:
    """A finite number, or the text of a formula in these variables; raises ValueError with rule and remedy."""
    names = tuple(variables)
    if isinstance(value, str):
        parse(value, names)
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidValue(
            Message(
                "must be a number or a formula of {variables}, but is {value!r}",
                variables=", ".join(names),
                value=value,
            ),
            Message("give a number, or a formula in quotes"),
        )
    try:
        number = float(value)
    except OverflowError:  # an integer of hundreds of digits
        number = inf
    if not isfinite(number):
        raise InvalidValue(Message("must be finite, but is {value!r}", value=number), Message("give a finite number"))
    check_magnitude(number, 0.0, PURE[1])
    return number


def _in_position_and_time(value: object) -> float | str:
    return as_component(value, POSITION_AND_TIME)


def listed(value: object) -> object:
    """The components of a table { x, y, z } as a list, 0 where one is missing; anything else as it is."""
    if not isinstance(value, dict):
        return value
    if unknown := [key for key in value if key not in ("x", "y", "z")]:
        rule = Message("has the unknown component '{name}'", name=unknown[0])
        raise InvalidValue(rule, Message("name the components x, y and z"))
    return [value.get(key, 0.0) for key in "xyz"]


_COMPONENT = {"anyOf": [{"type": "number"}, {"type": "string"}]}
COMPONENT_SCHEMA = WithJsonSchema(_COMPONENT)
_LIST = {"type": "array", "items": _COMPONENT, "minItems": 3, "maxItems": 3}
_TABLE = {"type": "object", "properties": dict.fromkeys("xyz", _COMPONENT), "minProperties": 1}
VECTOR_SCHEMA = WithJsonSchema({"anyOf": [_LIST, _TABLE | {"additionalProperties": False}]})

OfPosition = Annotated[float | str, PlainValidator(_in_position_and_time), COMPONENT_SCHEMA]
VectorOfPosition = Annotated[tuple[OfPosition, OfPosition, OfPosition], BeforeValidator(listed), VECTOR_SCHEMA]
"""Numbers, or formulas of x, y, z [m] and t [s]."""


def has_formulas(vector: Components) -> bool:
    """Whether a component is a formula, or measured."""
    return any(isinstance(part, str | MeasuredInput) for part in vector)


def texts(vector: Components, folder: Path = Path()) -> Texts:
    """Its components as formulas; a number is one, too. Measured data are relative to `folder`, that of the scene."""
    x, y, z = (formula_of(part, folder) for part in vector)
    return x, y, z


def later(part: T, time: float) -> T:
    """A number, a formula, or measured data, with t counted from `time` [s]."""
    if isinstance(part, MeasuredInput):
        return part.model_copy(update={"delay": part.delay - time})
    return re.sub(r"\bt\b", f"(t + {time!r})", part) if isinstance(part, str) and time else part  # type: ignore[return-value]


def vector_later(vector: Components, time: float) -> Components:
    """The same vector with t counted from `time` [s]."""
    x, y, z = (later(part, time) for part in vector)
    return x, y, z


def at_the_start(vector: Components) -> tuple[float, float, float]:
    """The vector at the origin at t = 0, with 0 where a formula has no value there. For drawings."""
    zero = dict.fromkeys(POSITION_AND_TIME, 0.0)
    found = (part if isinstance(part, float) else float(parse(str(part), POSITION_AND_TIME)(zero)) for part in vector)
    x, y, z = (part if isfinite(part) else 0.0 for part in found)
    return x, y, z
