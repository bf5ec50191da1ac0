"""Checks of the arguments of public functions, by their annotations, with the messages of scene files."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import Annotated, Any, ParamSpec, TypeVar, get_type_hints

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from polhode.scene.checks.validation_messages import rule_and_remedy
from polhode.scene.part import from_numpy
from polhode.scene.problem import InputError, InvalidValue, Problem

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Duration = Annotated[Finite, Field(ge=0)]
"""A time [s] that is not negative."""
PositiveTime = Annotated[Finite, Field(gt=0)]
Count = Annotated[int, Field(strict=True, ge=0, lt=2**62)]
"""A number of things."""


@cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation, config=ConfigDict(arbitrary_types_allowed=True, strict=True))


def checked_value(annotation: Any, value: object) -> Any:
    """A value of an annotated type. Raises InvalidValue, with the place inside of the value, for any other."""
    try:
        return _adapter(annotation).validate_python(value)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        rule, remedy = rule_and_remedy(detail)
        place = "".join(f"[{step}]" for step in detail["loc"] if isinstance(step, int))
        raise InvalidValue(rule, remedy, place) from None


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """The function with its arguments checked, those whose annotation has bounds or a type of its own.

    A call raises InputError with all problems, the name of the function as source and those of the arguments as places,
    and TypeError for arguments that the function does not have.
    """
    signature, name = inspect.signature(function), function.__qualname__

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        bound = signature.bind(*arguments, **named)
        found: list[Problem] = []
        for parameter, annotation in _annotations(function).items():
            if parameter not in bound.arguments:
                continue
            try:
                bound.arguments[parameter] = checked_value(annotation, from_numpy(bound.arguments[parameter]))
            except InvalidValue as error:
                found.append(Problem(parameter + error.place, error.rule, error.remedy))
        if found:
            raise InputError(name, found)
        return function(*bound.args, **bound.kwargs)

    return call


@cache
def _annotations(function: Callable[..., object]) -> Mapping[str, Any]:
    """Annotations of the parameters of a function that are checked: all but those without one."""
    hints = get_type_hints(function, include_extras=True)
    return {name: hint for name, hint in hints.items() if name != "return" and hint is not Any}
