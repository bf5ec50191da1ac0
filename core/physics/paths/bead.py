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
    """Path of its centre."""
    parameter: Number = 0.0
    """Path parameter q at the start."""
    speed: Annotated[Number, Quantity("m/s")] = 0.0
    """Initial speed relative to the path, positive towards larger q."""
    path_motion: PathMotion = StillPath()
    """Motion of the whole path."""
    ends: Literal["bounce", "stop", "leave"] = "bounce"
    """At an end of its path the bead bounces without loss, stops for good, or leaves as a free body."""
    friction: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Friction of the path: force per speed along it."""
    drag: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Linear coefficient of air drag: force per speed."""
    quadratic_drag: Annotated[NotNegative, Quantity("kg/m")] = 0.0
    """Quadratic coefficient of air drag: force per speed squared."""
    moment: Annotated[Vector, Quantity("A m^2")] | None = None
    """Magnetic moment at its centre; on a sliding bead the direction is constant."""
    contact: Contact | None = None
    """Contact law with everything else that has a contact."""
    color: Color | None = None
    """Colour by name, #rrggbb, or #rrggbbaa with its opacity; none: the next colour of the palette."""
