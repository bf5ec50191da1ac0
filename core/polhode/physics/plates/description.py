"""Conducting plates."""

from __future__ import annotations

from typing import Annotated

from polhode.scene.part import ScenePart
from polhode.scene.quantity import Color, Direction, Name, Positive, Quantity, Vector


class Plate(ScenePart):
    """A plane plate of metal that is not magnetic, in which moving magnets induce eddy currents, which brake them."""

    name: Name = "plate"
    """Name, unique in the scene."""
    point: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Any point of the plane in the middle of the plate."""
    normal: Direction = (0.0, 0.0, 1.0)
    """Normal of the plate; need not be a unit vector."""
    conductivity: Annotated[Positive, Quantity("S/m")]
    """Electric conductivity: copper 5.9e7, aluminium 3.7e7."""
    thickness: Annotated[Positive, Quantity("m")]
    """Thickness, half of it on either side of the plane."""
    color: Color | None = None
    """Colour by name, #rrggbb, or #rrggbbaa with its opacity; none: that of copper."""
