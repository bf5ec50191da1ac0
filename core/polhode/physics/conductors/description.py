"""Shapes of metal, in which currents are induced."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from polhode.scene.part import ScenePart
from polhode.scene.quantity import Positive, Quantity


class Conductor(ScenePart):
    """Makes a shape a conductor, not magnetic, in which magnets that move or turn induce currents, which brake them."""

    conductivity: Annotated[Positive, Quantity("S/m")] = 5.9e7
    """Electric conductivity: copper 5.9e7, aluminium 3.7e7."""
    currents: Literal["sheet", "rings"] = "sheet"
    """Currents in the middle of a thin wall, or in rings about the axis of a tube or a cylinder: these are exact in a
    thick wall, without drag across the axis.
    """
    panels: Annotated[int, Field(strict=True, ge=1, le=2000)] = 400
    """Approximate number of triangles or rings."""
    thickness: Annotated[Positive, Quantity("m")] | None = None
    """Thickness of the wall of a hollow sphere, whose inside does not conduct; sheet only."""
