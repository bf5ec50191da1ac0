"""The rotation of the laboratory as a scene states it: three numbers, or formulas of t. Formulas count in SI."""

from __future__ import annotations

import re
from math import isfinite
from typing import Annotated

from pydantic import BeforeValidator, PlainValidator

from polhode.formulas.curve_checks import derivatives
from polhode.scene.formula_vector import COMPONENT_SCHEMA, VECTOR_SCHEMA, as_component, listed
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Quantity

DRIVEN = re.compile(r"world\.rotation\[[012]\]")
"""Places of its numbers."""


def _checked(value: object) -> float | str:
    """A finite number, or the text of a formula that can start; raises ValueError with rule and remedy."""
    component = as_component(value, ("t",))
    parts = derivatives(component, "t")[:2] if isinstance(component, str) else []
    if not all(isfinite(float(part({"t": 0.0}))) for part in parts):
        raise InvalidValue(Message("is not finite at t = 0, or its derivative is not"), Message("change the formula"))
    return component


Turn = Annotated[float | str, PlainValidator(_checked), COMPONENT_SCHEMA]
Rotation = Annotated[tuple[Turn, Turn, Turn], BeforeValidator(listed), VECTOR_SCHEMA, Quantity("rad/s")]
STILL: Rotation = (0.0, 0.0, 0.0)
