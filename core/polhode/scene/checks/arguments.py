"""Checks of the arguments of public functions, by their annotations, with the messages of scene files."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar, get_type_hints

import numpy as np
from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from polhode.scene.checks.validation_messages import no_list, other_class, rule_and_remedy, shown
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, Problem

PLAIN = (int, float, str, bool, bytes)
SLOWEST, FASTEST = 1e-4, 1e6  # [1/s] rates of frames, what encoders take
P = ParamSpec("P")
R = TypeVar("R")

Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
MaybeInfinite = Annotated[float, Field(strict=True, ge=-math.inf)]
"""Any number but nan."""
Duration = Annotated[Finite, Field(ge=0)]
"""A time [s] that is not negative."""
PositiveNumber = Annotated[Finite, Field(gt=0)]
Pair = Annotated[tuple[Finite, Finite], Field(strict=False)]
"""Two numbers, also as a list."""
Bounds = Annotated[tuple[MaybeInfinite, MaybeInfinite], Field(strict=False)]
"""A lower and an upper bound, which may be infinite."""
Count = Annotated[int, Field(ge=0, lt=2**62)]
"""A number of steps, or an index."""
Counts = Annotated[Sequence[Count], BeforeValidator(lambda value: _as_tuple(value))]
"""Several of them, also as a range or an array."""
Array = Annotated[np.ndarray, BeforeValidator(lambda value: _as_array(value))]
"""An array of numbers, also as lists of lists; `check_array` checks its shape."""
PositiveCount = Annotated[Count, Field(ge=1)]
FrameRate = Annotated[Finite, Field(ge=SLOWEST, le=FASTEST)]
"""Frames per second of a film."""


def _as_tuple(value: object) -> object:
    """A range or an array as a tuple of numbers of Python; any other value as it is."""
    return tuple(np.asarray(value).tolist()) if isinstance(value, range | np.ndarray) else value


def _as_array(value: object) -> object:
    """Lists and tuples of numbers as an array; any other value as it is."""
    if isinstance(value, list | tuple):
        try:
            return np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            return value
    return value


def _keys(value: object) -> Collection[object]:
    """The keys of a mapping; none of any other value."""
    return value.keys() if isinstance(value, Mapping) else ()


@cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation, config=ConfigDict(arbitrary_types_allowed=True, strict=True))


def checked_value(annotation: Any, value: object) -> Any:
    """A value of an annotated type. Raises InvalidValue, with the place inside of the value, for any other."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(annotation, type) and annotation not in PLAIN:
        if not isinstance(value, annotation):
            raise InvalidValue(*_other_class(annotation.__name__, value))
        return value
    try:
        return _adapter(annotation).validate_python(value)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        class_name = detail.get("ctx", {}).get("class_name", detail.get("ctx", {}).get("class"))
        rule, remedy = _other_class(class_name, value) if class_name else rule_and_remedy(detail)
        if detail["type"] == "missing":
            rule, remedy = Message("is missing"), Message("see the documentation of the function")
        place = "".join(f"[{step!r}]" for step in detail["loc"] if isinstance(step, int) or step in _keys(value))
        raise InvalidValue(rule, remedy, place) from None


def _other_class(name: str, value: object) -> tuple[Message, Message]:
    """Rule and remedy of a value that is no object of a class."""
    if name == "Sequence":
        return no_list(value)
    rule, remedy = other_class(name, value)
    if name == "Scene" and isinstance(value, str | Path):
        remedy = Message("make it with read_scene({value})", value=shown(str(value)))
    return rule, remedy


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """The function with its arguments checked by their annotations.

    A call raises InputError with all problems, the name of the function as source and those of the arguments as places,
    and TypeError for arguments that the function does not have, or lacks.
    """
    signature = inspect.signature(function)
    kinds = {name: each.kind for name, each in signature.parameters.items()}
    several = next((name for name, kind in kinds.items() if kind is inspect.Parameter.VAR_POSITIONAL), "")
    plain: Callable[..., R] = function
    name = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
    by_position = tuple(name for name, kind in kinds.items() if kind is inspect.Parameter.POSITIONAL_OR_KEYWORD)
    known = {*by_position, *(name for name, kind in kinds.items() if kind is inspect.Parameter.KEYWORD_ONLY)}
    needed = {name for name, each in signature.parameters.items() if each.default is inspect.Parameter.empty}

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        bound: inspect.BoundArguments | None = None
        given: dict[str, Any] = dict(zip(by_position, arguments, strict=False), **named)
        if len(given) < len(arguments) + len(named) or not needed <= given.keys() <= known:
            try:  # slower than most functions, and needed for several arguments in one and for wrong calls only
                bound = signature.bind(*arguments, **named)
            except TypeError as error:
                raise TypeError(f"{name}() {error}") from None
            given = bound.arguments
        found: list[Problem] = []
        for parameter, annotation in _annotations(function).items():
            if parameter in given:
                try:
                    value = given[parameter]
                    if parameter == several:
                        given[parameter] = tuple(checked_value(annotation, each) for each in value)
                    else:
                        given[parameter] = checked_value(annotation, value)
                except InvalidValue as error:
                    found.append(Problem(parameter + error.place, error.rule, error.remedy))
        if found:
            raise InputError(name, found)
        return plain(**given) if bound is None else function(*bound.args, **bound.kwargs)

    return call


def check_array(source: str, name: str, values: np.ndarray, shape: tuple[int, ...], is_written: bool = False) -> None:
    """Raise InputError for an array of another shape, or with numbers that are not finite.

    source: name of the function, for the message
    name: name of the argument
    values: (...) of any shape
    shape: the right one; -1 for any length
    is_written: whether the function writes the values, which may be any float64 then
    """
    if values.ndim != len(shape) or any(n not in (m, -1) for m, n in zip(values.shape, shape, strict=True)):
        text = ", ".join("n" if n < 0 else str(n) for n in shape)
        rule = Message("has the shape {found}, needs ({shape})", found=values.shape, shape=text)
        raise InputError.of(source, rule, Message("see the documentation of the function"), name)
    if is_written:
        if values.dtype != np.float64 or not (values.flags.c_contiguous and values.flags.writeable):
            rule = Message("is no contiguous array of float64 that may be written")
            raise InputError.of(source, rule, Message("make it with numpy.empty"), name)
    elif values.dtype.kind not in "fiu" or not np.isfinite(values).all():
        raise InputError.of(source, Message("has values that are not finite"), Message("give finite numbers"), name)


@cache
def _annotations(function: Callable[..., object]) -> Mapping[str, Any]:
    """Annotations of the parameters of a function that are checked."""
    hints = get_type_hints(function, include_extras=True)
    return {name: hint for name, hint in hints.items() if name != "return"}
