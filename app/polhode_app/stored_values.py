"""Values that were stored by another run of the program, or edited or damaged since: each is read through a type.

What does not fit the type is replaced by a default, so that no stored value can end the program or keep it from
starting.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

T = TypeVar("T")


def read_as(kind: TypeAdapter[T], value: object, default: T) -> T:
    """`value` as the type of `kind`, converted where that loses nothing, or `default` where it does not fit."""
    try:
        return kind.validate_python(value)
    except ValidationError:
        return default


def json_object(text: str) -> dict[str, Any]:
    """The JSON object in a text, or an empty one."""
    try:
        found = from_json(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
