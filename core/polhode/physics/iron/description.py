"""Soft iron: shapes that are magnetised by the fields of magnets and of the world, and lose it with them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Positive, Quantity

FEWEST, MOST = 20, 2400  # panels of a shape
IDEAL = 1e9  # permeability from which on it counts as infinite


class Iron(ScenePart):
    """Makes a shape soft iron, which becomes a magnet in the field of others."""

    permeability: Annotated[float, Field(strict=True, allow_inf_nan=True)] = 1000.0
    """Relative permeability: steel 200 to 5000, inf for an ideal iron."""
    saturation: Annotated[Positive, Quantity("T")] | None = None
    """Largest magnetisation, iron 2.1 T; none: the iron does not saturate."""
    panels: Annotated[int, Field(strict=True, ge=FEWEST, le=MOST)] = 500
    """Approximate number of triangles on the surface, each with one unknown."""
    induced: Literal["surface", "dipole"] | None = None
    """Unknowns of the magnetisation: panels of the surface, or one moment, of spheres and ellipsoids; none: panels, of
    more than twenty balls moments.
    """
    thickness: Annotated[Positive, Quantity("m")] | None = None
    """Thickness of the wall of a hollow sphere; mass and contact stay those of the ball."""

    @model_validator(mode="after")
    def _is_magnetic(self) -> Iron:
        if not self.permeability >= 1.0:
            rule = Message("is {value:g}, less than 1", value=self.permeability)
            remedy = Message("leave iron out for a material that is not magnetic")
            raise InvalidValue(rule, remedy, "permeability")
        return self

    @property
    def susceptibility(self) -> float:
        """chi = mu_r - 1; inf of an ideal iron."""
        return self.permeability - 1.0 if self.permeability < IDEAL else float("inf")
