"""What makes a shape a conductor of electricity."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from polhode.scene.part import ScenePart
from polhode.scene.quantity import Positive, Quantity


class Conductor(ScenePart):
    """Makes a shape a conductor, not magnetic, in which magnets that move or turn induce currents, which brake them."""

    conductivity: Annotated[Positive, Quantity("S/m")] = 5.9e7
    """Electric conductivity: copper 5.9e7, aluminium 3.7e7."""
    currents: Literal["rings"] = "rings"
    """Currents about the axis of a tube or a cylinder: exact in the wall, without drag across the axis."""
    panels: Annotated[int, Field(strict=True, ge=1, le=4096)] = 200
    """Approximate number of rings."""
