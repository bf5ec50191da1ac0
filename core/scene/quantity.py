"""Units of scene fields, and conversion from the units of a file.

A field carries its unit as an annotation: `Annotated[Number, Quantity("kg")]`. The unit is a name in `EXPONENTS`, with
its exponents of length, mass, time and electric current; angles count as pure numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

# Exponents of (length, mass, time, current) of every unit that a field of a scene carries.
EXPONENTS: dict[str, tuple[int, int, int, int]] = {
    "": (0, 0, 0, 0),
    "rad": (0, 0, 0, 0),
    "m": (1, 0, 0, 0),
    "1/m": (-1, 0, 0, 0),
    "kg": (0, 1, 0, 0),
    "s": (0, 0, 1, 0),
    "kg/m": (-1, 1, 0, 0),
    "kg/m^3": (-3, 1, 0, 0),
    "kg m^2": (2, 1, 0, 0),
    "m/s": (1, 0, -1, 0),
    "m/s^2": (1, 0, -2, 0),
    "rad/s": (0, 0, -1, 0),
    "N m s": (2, 1, -1, 0),
    "N/m": (0, 1, -2, 0),
    "N s/m": (0, 1, -1, 0),
    "A m^2": (2, 0, 0, 1),
    "T": (0, 1, -2, -1),
    "T m/A": (1, 1, -2, -2),
}


@dataclass(frozen=True)
class Quantity:
    """The unit of a field, as an annotation that file, schema, check and form all read.

    A default counts in SI whatever units the file has, unless `in_file_units` is True.
    """

    unit: str
    in_file_units: bool = False  # the default, too, counts in the file's units (a mesh's scale)

    def factor(self, units: tuple[float, float, float, float]) -> float:
        """SI value of one file unit of this quantity; `units` are the file's units of (length, mass, time, current) in
        SI.

        In a file in centimetres and grams, (0.01, 0.001, 1, 1), it is 1000 for "kg/m^3".
        """
        factor = 1.0
        for size, exponent in zip(units, EXPONENTS[self.unit], strict=True):
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
