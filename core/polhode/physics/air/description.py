"""Wind and air of the world. Description only."""

from __future__ import annotations

from typing import Annotated

from pydantic import PlainValidator, model_validator

from polhode.scene.formula_vector import COMPONENT_SCHEMA, VectorOfPosition, as_component, has_formulas
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import NotNegative, Quantity

SPACE = ("x", "y", "z")
DENSITY, VISCOSITY = 1.225, 1.7894e-5  # [kg/m^3], [N s/m^2] of air at sea level and 15 C, U.S. Standard Atmosphere 1976


def _of_space(value: object) -> float | str:
    """A number that is not negative, or the text of a formula of x, y and z; raises ValueError with rule and remedy."""
    component = as_component(value, SPACE)
    if isinstance(component, float) and component < 0.0:
        rule = Message("must be at least {limit:g}, but is {value}", limit=0.0, value=component)
        raise InvalidValue(rule, Message("give zero or a positive number"))
    return component


OfSpace = Annotated[float | str, PlainValidator(_of_space), COMPONENT_SCHEMA]


class Wind(ScenePart):
    """Air, which may move. It drags on points, and on bodies as far as they have a drag of their own."""

    velocity: Annotated[VectorOfPosition, Quantity("m/s")] = (0.0, 0.0, 0.0)
    """Velocity of the air, numbers or formulas of x, y, z in metres and t in seconds; its amplitude if period > 0."""
    period: Annotated[NotNegative, Quantity("s")] = 0.0
    """Period of the wind's oscillation; 0: steady wind."""
    drag: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Linear drag coefficient of each point."""
    density: Annotated[OfSpace, Quantity("kg/m^3")] = DENSITY
    """Density of the air, or a formula of x, y, z in metres; quadratic drag is as stated at 1.225 kg/m^3."""
    viscosity: Annotated[OfSpace, Quantity("N s/m^2")] = VISCOSITY
    """Viscosity of the air, or a formula of x, y, z in metres; linear drag is as stated at 1.7894e-5 N s/m^2."""

    @model_validator(mode="after")
    def _formulas_have_no_period(self) -> Wind:
        if self.period > 0 and has_formulas(self.velocity):
            rule = Message("has a period beside formulas of its velocity")
            raise InvalidValue(rule, Message("remove period, and let the formulas depend on t"))
        return self
