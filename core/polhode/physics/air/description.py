"""Wind of the world. Description only."""

from __future__ import annotations

from typing import Annotated

from pydantic import model_validator

from polhode.physics.bodies.shapes import Part
from polhode.scene.formula_vector import VectorOfPlace, has_formulas
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import NotNegative, Quantity


class Wind(Part):
    """Moving air. It drags on points, and on bodies as far as they have a drag of their own."""

    velocity: Annotated[VectorOfPlace, Quantity("m/s")] = (0.0, 0.0, 0.0)
    """Velocity of the air, numbers or formulas of x, y, z in metres and t in seconds; its amplitude if period > 0."""
    period: Annotated[NotNegative, Quantity("s")] = 0.0
    """Period of the wind's oscillation; 0: steady wind."""
    drag: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Linear drag coefficient of each point."""

    @model_validator(mode="after")
    def _formulas_have_no_period(self) -> Wind:
        if self.period > 0 and has_formulas(self.velocity):
            rule = Message("has a period beside formulas of its velocity")
            raise InvalidValue(rule, Message("remove period, and let the formulas depend on t"))
        return self
