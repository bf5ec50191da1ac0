"""Validation of lists that are broken as a whole: the first problems of each list or table are kept, others counted.

pydantic keeps an error with its place for each item that is at fault, of which a file of some megabytes may have
millions. Here a long list is validated in pieces, and of its errors MOST are kept; an error of its own type, MORE,
counts the others. So a scene has at most some thousand errors, whatever its file holds. `Part` in
core/polhode/physics/bodies/shapes.py applies it to every list and table of the scene format.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from pydantic import BaseModel, ValidationError, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, ErrorDetails, InitErrorDetails, PydanticCustomError
from pydantic_core.core_schema import no_info_wrap_validator_function

from polhode.scene.checks.uncertain_fields import UncertainFields
from polhode.scene.model_fields import Location
from polhode.scene.problem import MOST

MORE = "more_problems"  # type of the error that counts others, as `count` of its context
TOO_MANY = "too_many"  # type of the error of a list or table with more items, `count`, than it may have, `most`
PIECE = 64  # items that are validated at once; more than the smallest length that a list may be required to have


class PartValidator:
    """Validates the fields of a part: uncertain numbers are kept, and of unknown keys the first ones are listed."""

    def __init__(self, known: set[str], model: type[BaseModel]):
        self._known, self._uncertain = known, UncertainFields(model)

    def __call__(self, data: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        """The fields that `handler` makes of `data`. Raises ValidationError."""
        if not isinstance(data, dict):
            return handler(data)
        read, errors = self._uncertain.read(data)
        try:
            made = self._with_few(read, handler)
        except ValidationError as error:
            if not errors:
                raise
            places = {detail["loc"] for detail in errors}  # each has one problem
            others = [each for each in error.errors(include_url=False) if _without_tags(each["loc"]) not in places]
            raise _error(*_cut([*errors, *others])) from None
        if errors:
            raise _error(*_cut(errors))
        if read is not data:
            self._uncertain.keep(read, made[0])
        return made

    def _with_few(self, data: dict[str, Any], handler: ValidatorFunctionWrapHandler) -> Any:
        if len(data) <= len(self._known) + MOST:
            return handler(data)
        unknown = [key for key in data if key not in self._known]
        with_few = {key: data[key] for key in (*(self._known & data.keys()), *unknown[:MOST])}
        kept, count = [], len(unknown[MOST:])
        try:
            handler(with_few)
        except ValidationError as error:
            kept = error.errors(include_url=False)
        raise _error(*_cut(kept, count))


def bound_errors(schema: CoreSchema) -> None:
    """Bound the errors of a model's core schema; changes its argument. Models inside of it are left as they are.

    pydantic gives the schema of a model again for each field that has it: one that is bounded already stays as it is.
    """
    model: Any = schema
    while model["type"] != "model":
        model = model["schema"]
    fields = model["schema"]
    if fields["type"] == "function-wrap" and isinstance(fields["function"]["function"], PartValidator):
        return
    while fields["type"] != "model-fields":
        fields = fields["schema"]
    _bound_inner(fields)
    known = {field.get("validation_alias", name) for name, field in fields["fields"].items()}
    model["schema"] = no_info_wrap_validator_function(PartValidator(known, model["cls"]), model["schema"])


def count_of_others(details: list[ErrorDetails]) -> int:
    """Number of errors that are counted, not kept."""
    return sum(detail["ctx"]["count"] for detail in details if detail["type"] == MORE)


def _bound_inner(schema: Any) -> Any:
    """The core schema with all its lists and tables of values bounded, except those of inner models."""
    if not isinstance(schema, dict) or schema["type"] in ("model", "definition-ref"):
        return schema
    for key in ("schema", "values_schema"):
        if key in schema:
            schema[key] = _bound_inner(schema[key])
    if "items_schema" in schema and isinstance(schema["items_schema"], list):
        schema["items_schema"] = [_bound_inner(inner) for inner in schema["items_schema"]]
    for key in ("fields", "choices"):
        if isinstance(inner := schema.get(key), dict):
            schema[key] = {name: _bound_inner(part) for name, part in inner.items()}
        elif isinstance(inner, list):
            schema[key] = [_bound_inner(part) for part in inner]
    if "variadic_item_index" in schema or schema["type"] == "dict":
        return _in_pieces(schema)
    return schema


def _in_pieces(schema: Any) -> CoreSchema:
    """A core schema that validates a list or table in pieces."""
    most = schema.get("max_length")

    def validated(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        if not isinstance(value, list | tuple | dict):
            return handler(value)
        if most is not None and len(value) > most:  # counted before they are validated
            raise PydanticCustomError(TOO_MANY, "has {count} of {most}", {"count": len(value), "most": most})
        made, kept, count = [], [], 0
        for start, piece in _pieces(value):
            try:
                made.append(handler(piece))
            except ValidationError as error:
                found, others = _cut(error.errors(include_url=False))
                kept += [_moved(detail, start) for detail in found] if start else found
                kept, count = _cut(kept, count + others)
        if kept:
            raise _error(kept, count)
        if len(made) == 1:
            return made[0]
        return _together(made, isinstance(value, dict))

    return no_info_wrap_validator_function(validated, schema)


def _together(parts: list[Any], is_table: bool) -> Any:
    """The items of all validated pieces, in order: a dict or a tuple."""
    if is_table:
        return {key: value for part in parts for key, value in part.items()}
    return tuple(item for part in parts for item in part)


def _pieces(value: Any) -> Iterator[tuple[int, Any]]:
    """A list or table in pieces of PIECE items, the last one up to twice as long, and the index where each begins."""
    if isinstance(value, dict):
        items = iter(value.items())
        for _ in range(max(1, len(value) // PIECE)):
            yield 0, dict(islice(items, PIECE))
        if rest := dict(items):
            yield 0, rest
        return
    starts = range(0, max(1, len(value) - PIECE + 1), PIECE)
    for start in starts:
        yield start, value[start : None if start == starts[-1] else start + PIECE]


def _without_tags(location: Location) -> Location:
    """A location without the tags of unions."""
    return tuple(step for step in location if isinstance(step, int) or not step.startswith("("))


def _moved(detail: ErrorDetails, start: int) -> ErrorDetails:
    """An error of a piece as one of the list; `start` is the index of the first item of the piece."""
    location = detail["loc"]
    if location and isinstance(location[0], int):
        return {**detail, "loc": (location[0] + start, *location[1:])}
    return detail


def _cut(details: list[ErrorDetails], count: int = 0) -> tuple[list[ErrorDetails], int]:
    """The errors at the first MOST locations, and the number of others; missing numbers of a vector count once."""
    count += count_of_others(details)
    faults: dict[Any, list[ErrorDetails]] = {}
    for detail in details:
        if detail["type"] == MORE:
            continue
        location = detail["loc"]
        is_number = detail["type"] == "missing" and bool(location) and isinstance(location[-1], int)
        faults.setdefault((location[:-1], None) if is_number else (location, detail["type"]), []).append(detail)
    kept = [detail for found in islice(faults.values(), MOST) for detail in found]
    return kept, count + max(0, len(faults) - MOST)


def _error(details: list[ErrorDetails], count: int) -> ValidationError:
    """The error of pydantic with these details, and one that counts others where there are any."""
    lines = [_line(detail) for detail in details]
    if count:
        others = PydanticCustomError(MORE, "and {count} more", {"count": count})
        lines.append(InitErrorDetails(type=others, loc=(), input=None))
    return ValidationError.from_exception_data("scene", lines)


def _line(detail: ErrorDetails) -> InitErrorDetails:
    """An error of pydantic as it is given to the library."""
    context = detail.get("ctx", {})
    own = detail["type"] == TOO_MANY
    kind = PydanticCustomError(TOO_MANY, "has {count} of {most}", context) if own else detail["type"]
    return InitErrorDetails(type=kind, loc=detail["loc"], input=detail["input"], ctx=context)
