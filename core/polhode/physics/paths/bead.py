"""A bead: a sphere that a path holds. Description only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from polhode.physics.contact.description import Contact, CoulombFriction
from polhode.physics.paths.description import Path
from polhode.physics.paths.path_motions import CarriedPath, PathMotion, StillPath
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Color, Name, NotNegative, Number, Positive, Quantity, Vector

OneSided = Literal["below", "above", "inside", "outside"]


class Bead(CoulombFriction):
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
    kinetic_friction: NotNegative = 0.0
    """Coulomb's coefficient of kinetic friction: friction over the force of the path across it."""
    static_friction: NotNegative | None = None
    """Coulomb's coefficient of static friction, at least kinetic_friction; none: the same."""
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

    one_sided: OneSided | None = None
    """Side of the bead on which its track is, or side of a bent track on which the bead is; the track can push the bead
    away but not pull it. None: it holds the bead from both sides.
    """

    @model_validator(mode="after")
    def _rolls_or_slides(self) -> Bead:
        if self.rolling and self.holding_friction > 0:
            raise InvalidValue(
                Message("rolls without slipping and has Coulomb friction, which acts where it slides"),
                Message("leave out rolling, or kinetic_friction and static_friction"),
            )
        return self

    @model_validator(mode="after")
    def _can_be_carried(self) -> Bead:
        if not isinstance(self.path_motion, CarriedPath):
            return self
        if self.one_sided is not None:
            raise InvalidValue(
                Message("is on a path that moves with a body, which can't be one-sided"),
                Message("leave out one_sided"),
            )
        if self.moment is not None and any(self.moment) and not self.rolling:
            raise InvalidValue(
                Message("slides without turning on a path that turns with a body, and has a magnetic moment"),
                Message("make rolling = true, or leave out the moment"),
            )
        return self
