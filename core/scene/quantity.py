"""Units of scene fields, and conversion from the units of a file.

A field carries its unit as an annotation: `Annotated[Number, Quantity("kg m^2/s")]`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

# Exponents of (length, mass, time, current) of the units that others are made of; angles count as pure numbers.
BASES: dict[str, tuple[int, int, int, int]] = {
    "1": (0, 0, 0, 0),
    "rad": (0, 0, 0, 0),
    "m": (1, 0, 0, 0),
    "kg": (0, 1, 0, 0),
    "s": (0, 0, 1, 0),
    "A": (0, 0, 0, 1),
    "N": (1, 1, -2, 0),
    "T": (0, 1, -2, -1),
}


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

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The unit stands in the JSON Schema beside the type."""
        return {**handler(schema), "unit": self.unit}


# A TOML integer is a number too; a TOML string or boolean is not.
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Vector = tuple[Number, Number, Number]
Positive = Annotated[Number, Field(gt=0)]
NotNegative = Annotated[Number, Field(ge=0)]
