"""The rotation of the laboratory as a scene states it: three numbers, or formulas of t. Formulas count in SI."""

from __future__ import annotations

import re
from math import inf, isfinite
from typing import Annotated

from pydantic import PlainValidator, WithJsonSchema

from core.formulas.curve_checks import Texts, derivatives
from core.scene.message import Message
from core.scene.problem import InvalidValue
from core.scene.quantity import PURE, Quantity, check_magnitude

DRIVEN = re.compile(r"world\.rotation\[[012]\]")
"""Places of its numbers."""


def _checked(value: object) -> float | str:
    """A finite number, or the text of a formula that can start; raises ValueError with rule and remedy."""
    if isinstance(value, str):
        if not all(isfinite(float(part({"t": 0.0}))) for part in derivatives(value, "t")[:2]):
            raise InvalidValue(
                Message("is not finite at t = 0, or its derivative is not"), Message("change the formula")
            )
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidValue(
            Message("must be a number or a formula of t, but is {value!r}", value=value),
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


Turn = Annotated[
    float | str, PlainValidator(_checked), WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]})
]
Rotation = Annotated[tuple[Turn, Turn, Turn], Quantity("rad/s")]
STILL = (0.0, 0.0, 0.0)


def texts(rotation: tuple[float | str, float | str, float | str]) -> Texts:
    """Its components as formulas of t; a number is one, too."""
    x, y, z = (part if isinstance(part, str) else f"({part!r})" for part in rotation)
    return x, y, z


def turned_later(
    rotation: tuple[float | str, float | str, float | str], time: float
) -> tuple[float | str, float | str, float | str]:
    """The same rotation with t counted from `time` [s]."""
    x, y, z = (re.sub(r"\bt\b", f"(t + {time!r})", part) if isinstance(part, str) else part for part in rotation)
    return x, y, z
