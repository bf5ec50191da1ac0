"""Forces and torques by formulas on single things. Formulas count in SI."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, PlainValidator, model_validator

from polhode.physics.paths.description import Formula, formula_in
from polhode.scene.formula_vector import (
    COMPONENT_SCHEMA,
    POSITION_AND_TIME,
    VECTOR_SCHEMA,
    Components,
    as_component,
    listed,
)
from polhode.scene.measured_input import FORMULA, OR_MEASURED, Measured
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Quantity, Vector

VARIABLES = ("x", "y", "z", "vx", "vy", "vz", "t")
"""Of a force: position [m] and velocity [m/s] of the point on which it acts, laboratory frame, and time [s]."""
NONE: Components = (0.0, 0.0, 0.0)


def _of_motion(value: object) -> float | str:
    return as_component(value, VARIABLES)


OfMotion = Annotated[
    Annotated[float | str, PlainValidator(_of_motion), COMPONENT_SCHEMA, FORMULA] | Measured, OR_MEASURED
]
VectorOfMotion = Annotated[tuple[OfMotion, OfMotion, OfMotion], BeforeValidator(listed), VECTOR_SCHEMA]


class Force(ScenePart):
    """A force or a torque by formulas, on a body, a particle or a point of a soft body."""

    on: str
    """Name of a body, sphere, bead or particle, or a point of a soft body as NAME.NUMBER."""
    point: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Point of the body at which the force acts, body frame."""
    force: Annotated[VectorOfMotion, Quantity("N")] = NONE
    """Force, laboratory frame: numbers, or formulas of x, y, z, vx, vy, vz of the point and of t, in SI."""
    torque: Annotated[VectorOfMotion, Quantity("N m")] = NONE
    """Torque on a body, laboratory frame: numbers, or formulas as for the force."""
    energy: Annotated[Formula, formula_in(*POSITION_AND_TIME)] | None = None
    """Potential energy [J] of x, y, z and t; the force is its negative gradient, and may be left out."""

    @model_validator(mode="after")
    def _does_something(self) -> Force:
        if self.force == NONE and self.torque == NONE and self.energy is None:
            raise InvalidValue(Message("has neither force nor torque nor energy"), Message("add one of them"))
        return self
