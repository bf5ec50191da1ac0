"""A bead: a sphere that a path holds. Description only."""

from __future__ import annotations

from typing import Annotated, Literal

from core.physics.bodies.shapes import Part
from core.physics.paths.description import Path
from core.physics.paths.path_motions import PathMotion, StillPath
from core.physics.points.description import Color, Contact, Name
from core.scene.quantity import NotNegative, Number, Positive, Quantity, Vector


class Bead(Part):
    """A sphere whose middle is on a path: it slides there, or it rolls; everything in the scene acts on it."""

    name: Name
    """Name, unique in the scene; it heads the columns of a CSV file."""
    mass: Annotated[Positive, Quantity("kg")] = 1.0
    """Mass."""
    radius: Annotated[Positive, Quantity("m")] = 0.05
    """Radius."""
    rolling: bool = False
    """Whether it rolls without slipping, as a solid sphere, instead of sliding without turning."""
    path: Path
    """Where its middle can be."""
    parameter: Number = 0.0
    """Where on its path it starts: the path's q."""
    speed: Annotated[Number, Quantity("m/s")] = 0.0
    """Speed along the path at the start, towards larger q, as seen from the path."""
    path_motion: PathMotion = StillPath()
    """How the path as a whole moves."""
    ends: Literal["bounce", "stop", "leave"] = "bounce"
    """What it does at an end of its path: it bounces without loss, stands there for good, or leaves and is free."""
    friction: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Resistance of the path per speed along it."""
    drag: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Resistance of the air per speed."""
    quadratic_drag: Annotated[NotNegative, Quantity("kg/m")] = 0.0
    """Resistance of the air per speed squared."""
    moment: Annotated[Vector, Quantity("A m^2")] | None = None
    """Magnetic moment of a magnet in its middle; a bead that slides keeps its direction."""
    contact: Contact | None = None
    """Lets it press on whatever else has a contact."""
    color: Color | None = None
    """Colour by name or #rrggbb; none takes the next of the palette."""
