"""Units and magnitudes of scene fields, and conversion from the units of a file.

A field carries its unit as an annotation: `Annotated[Number, Quantity("kg m^2/s")]`, made of the names in `BASES`.
Angles count as pure numbers. `magnitudes` limits the values of each unit in SI, so that products and powers of all
values stay within the range of float64.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Tag,
    ValidationInfo,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from pydantic_core.core_schema import with_info_after_validator_function

from polhode.scene.display.colors import known_color
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

# Exponents of (length, mass, time, current) of the units that others are made of; angles count as pure numbers.
BASES: dict[str, tuple[int, int, int, int]] = {
    "1": (0, 0, 0, 0),
    "rad": (0, 0, 0, 0),
    "m": (1, 0, 0, 0),
    "kg": (0, 1, 0, 0),
    "s": (0, 0, 1, 0),
    "A": (0, 0, 0, 1),
    "N": (1, 1, -2, 0),
    "J": (2, 1, -2, 0),
    "W": (2, 1, -3, 0),
    "Pa": (-1, 1, -2, 0),
    "T": (0, 1, -2, -1),
    "S": (-2, -1, 3, 2),
    "V": (2, 1, -3, -1),
    "ohm": (2, 1, -3, -2),
    "H": (2, 1, -2, -2),
    "F": (-2, -1, 4, 2),
    "C": (0, 0, 1, 1),
}
USUAL = (1e-30, 1e30)  # smallest and largest magnitude [SI] of units that are not in MAGNITUDES
# Smallest and largest magnitude of units [SI]. The smallest one is that of fields that must be positive, and of
# lengths, masses and times that are not negative, all of which are divided by.
PURE = (1e-60, 1e60)  # of numbers without a unit, and of all others as a file in any units states them
MAGNITUDES: dict[str, tuple[float, float]] = {
    "": PURE,
    "rad": (1e-30, 1e15),
    "m": (1e-15, 1e15),
    "1/m": (1e-15, 1e15),
    "kg": (1e-33, 1e33),
    "s": (1e-18, 1e18),
    "kg m^2": (1e-63, 1e63),
    "m/s": (1e-30, 1e15),
    "m/s^2": (1e-30, 1e20),
    "rad/s": (1e-30, 1e18),
}
DIVISORS = ("m", "kg", "s")
IN_FILE_UNITS = "in file units"  # context of a validation whose values are not SI yet


@cache
def exponents(unit: str) -> tuple[int, ...]:
    """Exponents of (length, mass, time, current) of a unit such as "kg m^2" or "N s/m"; what follows "/" divides.

    Raises KeyError for a name that is not one of BASES.
    """
    above, _, below = unit.partition("/")
    found = [0, 0, 0, 0]
    for sign, factors in ((1, above), (-1, below)):
        for factor in factors.split():
            name, _, power = factor.partition("^")
            found = [total + sign * int(power or 1) * own for total, own in zip(found, BASES[name], strict=True)]
    return tuple(found)


def magnitudes(unit: str) -> tuple[float, float]:
    """Smallest and largest magnitude [SI] of values with this unit."""
    return MAGNITUDES.get(unit, USUAL)


@dataclass(frozen=True)
class Quantity:
    """The unit of a field, as an annotation that file, schema, check and form all read.

    A default counts in SI whatever units the file has, unless `in_file_units` is True.
    """

    unit: str
    in_file_units: bool = False  # the default, too, counts in the file's units (a mesh's scale)

    def __post_init__(self) -> None:
        """Raises KeyError for an unknown unit, as soon as the class of the field is made."""
        exponents(self.unit)

    def factor(self, units: tuple[float, float, float, float]) -> float:
        """SI value of one file unit of this quantity; `units` are the file's units of (length, mass, time, current) in
        SI.

        In a file in centimetres and grams, (0.01, 0.001, 1, 1), it is 1000 for "kg/m^3".
        """
        factor = 1.0
        for size, exponent in zip(units, exponents(self.unit), strict=True):
            factor *= size**exponent
        return factor

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The type's own checks, then that of magnitudes, once the values are SI."""
        schema = handler(source)
        smallest, largest = magnitudes(self.unit)
        smallest = smallest if _has_bound(schema, ("gt", "ge") if self.unit in DIVISORS else ("gt",)) else 0.0

        def checked(value: Any, info: ValidationInfo) -> Any:
            if info.context != IN_FILE_UNITS:
                for number in _numbers(value):
                    check_magnitude(number, smallest, largest, self.unit)
            return value

        return with_info_after_validator_function(checked, schema)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Adds the unit and the largest magnitude [SI] to the JSON Schema."""
        return {**handler(schema), "unit": self.unit, "largest": magnitudes(self.unit)[1]}


def check_magnitude(number: float, smallest: float, largest: float, unit: str = "") -> None:
    """Raise InvalidValue for a magnitude above `largest`, or below `smallest` and not 0."""
    size, space = abs(number), " " if unit else ""
    if size > largest:
        rule = Message(
            "is {value:g}{space}{unit}, but at most {limit:g} can be computed with",
            value=number,
            space=space,
            unit=unit,
            limit=largest,
        )
        raise InvalidValue(rule, Message("give a number nearer to zero, or check [units]"))
    if 0.0 < size < smallest:
        rule = Message(
            "is {value:g}{space}{unit}, but at least {limit:g} can be computed with",
            value=number,
            space=space,
            unit=unit,
            limit=smallest,
        )
        raise InvalidValue(rule, Message("give a larger number, or check [units]"))


def _not_zero(vector: tuple[float, float, float]) -> tuple[float, float, float]:
    if not any(vector):
        raise InvalidValue(Message("is zero and has no direction"), Message("give any other vector"))
    return vector


def _not_tiny(number: float) -> float:
    check_magnitude(number, *PURE)
    return number


def _numbers(value: object) -> Iterator[float]:
    """All numbers in nested tuples; formulas are passed over."""
    if isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int | float):
        yield value


def _has_bound(schema: Any, bounds: tuple[str, ...]) -> bool:
    """Whether 0 is one of these bounds of the numbers of a core schema, those in tuples and unions too."""
    if isinstance(schema, list):
        return any(_has_bound(inner, bounds) for inner in schema)
    if not isinstance(schema, dict):
        return False
    return (
        any(schema.get(bound) == 0 for bound in bounds)
        or any(_has_bound(schema.get(inner), bounds) for inner in ("schema", "items_schema"))
        or _has_bound(list(dict(schema.get("choices") or {}).values()), bounds)
    )


# A TOML integer is a number too; a TOML string or boolean is not.
Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Number = Annotated[Finite, Field(ge=-PURE[1], le=PURE[1])]
Vector = tuple[Finite, Finite, Finite]
Direction = Annotated[Vector, AfterValidator(_not_zero)]
"""A vector of any length but 0; the magnitudes of all other vectors are checked by their Quantity."""
Positive = Annotated[Finite, Field(gt=0, le=PURE[1]), AfterValidator(_not_tiny)]
NotNegative = Annotated[Finite, Field(ge=0, le=PURE[1])]


def _is_list(data: object) -> str:
    return "(list)" if isinstance(data, list | tuple) else "(number)"


N = TypeVar("N", bound=float)
NumberOrList = Annotated[
    Annotated[N, Tag("(number)")] | Annotated[tuple[N, ...], Field(min_length=1), Tag("(list)")],
    Discriminator(_is_list),
]
"""The same number for all, or one for each: `NumberOrList[Positive]`."""
Name = Annotated[str, Field(pattern=r"^[^\s.,\x00-\x1f\x7f-\x9f]+$")]
Count = Annotated[int, Field(ge=1, le=100_000, strict=True)]
Index = Annotated[int, Field(ge=0, strict=True)]
Color = Annotated[str, AfterValidator(known_color)]


def _is_list_of_colors(data: object) -> str:
    return "(list)" if isinstance(data, list | tuple) else "(color)"


Colors = Annotated[
    Annotated[Color, Tag("(color)")] | Annotated[tuple[Color, ...], Tag("(list)")], Discriminator(_is_list_of_colors)
]
"""One colour for all, or a list that is used in turn."""
