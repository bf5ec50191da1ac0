"""Contact laws of spheres and bodies, and walls. Descriptions only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import Field, model_validator

from polhode.physics.bodies.shapes import kind_or
from polhode.physics.contact.restitution import damping_ratio
from polhode.physics.paths.description import InTOrData
from polhode.physics.sensor.description import WallFollows
from polhode.scene.measured_input import Measures
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Direction, Index, Name, NotNegative, Number, Positive, Quantity, Vector

ContactShape = Literal["hull", "mesh", "parts"]


class CoulombFriction(ScenePart):
    """Base of items with the fields `kinetic_friction` and `static_friction`."""

    if TYPE_CHECKING:
        kinetic_friction: float
        static_friction: float | None

    @model_validator(mode="after")
    def _rests_better_than_it_slides(self) -> CoulombFriction:
        if self.static_friction is not None and self.static_friction < self.kinetic_friction:
            raise InvalidValue(
                Message(
                    "static_friction {static_friction:g} is less than kinetic_friction {kinetic_friction:g}",
                    static_friction=self.static_friction,
                    kinetic_friction=self.kinetic_friction,
                ),
                Message("make it as large, or leave it out"),
            )
        return self

    @property
    def holding_friction(self) -> float:
        """Coefficient up to which nothing slides."""
        return self.kinetic_friction if self.static_friction is None else self.static_friction


class ContactMaterial(CoulombFriction):
    """Coefficients of friction and restitution of a contact."""

    kinetic_friction: NotNegative = 0.0
    """Coulomb's coefficient of kinetic friction: friction force over normal force."""
    static_friction: NotNegative | None = None
    """Coulomb's coefficient of static friction, at least kinetic_friction; none: the same."""
    restitution: Annotated[Number, Field(ge=0, le=1)] | None = None
    """Coefficient of restitution, which sets the damper, in place of damping; below 0.01 the damper is that of 0.01."""

    @property
    def damping_ratio(self) -> float:
        """That of the damper with this restitution; 0 without one."""
        return 0.0 if self.restitution is None else damping_ratio(self.restitution)


D = TypeVar("D", bound=ContactMaterial)


def _check_rough_or_friction(law: D, rough: bool) -> D:
    if rough and law.holding_friction > 0:
        raise InvalidValue(
            Message("is rough and has friction as well, but what is rough does not slide"), Message("keep one of them")
        )
    return law


class PointContact(ContactMaterial):
    """How hard a sphere presses on those of others that have a contact.

    Two touch by the harmonic mean of both; what restitutions ask of dampers, by its mean.
    """

    stiffness: Annotated[Positive, Quantity("N/m")] | None = None
    """Stiffness: force per overlap of two spheres; none: its weight on earth would press it in by 0.2 % of its size."""
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Damping: force per speed of approach or separation; it never pulls."""
    friction: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Viscous friction: force per sliding speed; none between two points, which do not rotate."""

    @model_validator(mode="after")
    def _has_one_damper(self) -> PointContact:
        if self.restitution is not None and self.damping > 0:
            raise InvalidValue(
                Message("has both damping and restitution, which is a damping, too"), Message("keep one of them")
            )
        return self


class Contact(PointContact):
    """That of a body, which can also roll."""

    rolling: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Viscous resistance to rolling and twisting: torque = -rolling * relative angular velocity."""
    rolling_resistance: NotNegative = 0.0
    """Coefficient of rolling resistance: torque over normal force and radius, at any speed."""
    spinning_friction: Annotated[NotNegative, Quantity("m")] = 0.0
    """Spinning friction: largest torque about the normal over the normal force."""
    rough: bool = False
    """Perfectly rough: no slip against others that are rough; velocity and spin are exchanged elastically."""
    rounding: Annotated[Positive, Quantity("m")] | None = None
    """Radius by which edges and corners of solids are rounded; none: 2 % of the smallest width of each shape."""
    shape: ContactShape | None = None
    """Shape that presses on others: hull, the convex hull of each mesh; mesh, every shape as it is seen; parts, the
    same, but each mesh as convex parts; none: mesh in scenes of format 2, hull in those of format 1.
    """
    detail: Annotated[Index, Field(ge=8, le=256)] = 64
    """Cells along the longest side of a shape that presses as it is seen: more are more exact, and take longer. Of a
    mesh in convex parts, hollows that are deeper than a cell stay open.
    """
    ignores: tuple[Name, ...] = ()
    """Names of other bodies on which the body does not press, nor they on it."""

    @model_validator(mode="after")
    def _is_rough_or_rubs(self) -> Contact:
        return _check_rough_or_friction(self, self.rough)


class WallAtRest(ScenePart):
    """At rest."""

    kind: Literal["still"] = "still"


class SineMotion(ScenePart):
    """Swings along the normal: amplitude * sin(2 pi t / period)."""

    kind: Literal["sine"] = Field(default=...)
    amplitude: Annotated[Number, Quantity("m")]
    """Amplitude of the displacement from the wall's point."""
    period: Annotated[Positive, Quantity("s")]
    """Period of the oscillation."""


class WallFormulaMotion(ScenePart):
    """Moved along the normal by a formula of t, or by measured data."""

    kind: Literal["formula"] = Field(default=...)
    displacement: Annotated[InTOrData, Measures(("m",))] = "0"
    """Displacement [m] of t [s] from the wall's point, such as '0.01*sin(3*t)'."""


WallMotion = Annotated[
    WallAtRest | SineMotion | WallFormulaMotion | WallFollows, Field(discriminator="kind"), kind_or("still")
]


class Wall(ContactMaterial):
    """A plane that presses points and bodies that come behind it back to the side of its normal."""

    name: Name
    """Name, unique in the scene."""
    point: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Any point of the plane."""
    normal: Direction = (0.0, 0.0, 1.0)
    """Normal, towards the free side; need not be a unit vector."""
    stiffness: Annotated[Positive, Quantity("N/m")] | None = None
    """Force per penetration depth at each contact point: of a sphere, a corner, four points of a disc's rim; none: the
    wall is rigid, and what presses on it gives way by the stiffness of its own contact.
    """
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Damping: force per speed along the normal."""
    friction: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Viscous friction: force per speed along the wall."""
    rolling_resistance: NotNegative = 0.0
    """Coefficient of rolling resistance: torque over normal force and radius, at any speed."""
    spinning_friction: Annotated[NotNegative, Quantity("m")] = 0.0
    """Spinning friction: largest torque about the normal over the normal force."""
    rough: bool = False
    """Perfectly rough: spheres do not slip, and exchange velocity and spin elastically."""
    sticky: bool = False
    """Whether the damper may pull on a body that separates."""
    motion: WallMotion = WallAtRest()
    """Motion of the wall."""

    @model_validator(mode="after")
    def _is_rough_or_rubs(self) -> Wall:
        return _check_rough_or_friction(self, self.rough)

    @model_validator(mode="after")
    def _has_one_damper(self) -> Wall:
        if self.restitution is not None and (self.damping > 0 or self.sticky):
            other = "damping" if self.damping > 0 else "sticky"
            rule = Message("has both {other} and restitution, which do not go together", other=other)
            raise InvalidValue(rule, Message("keep one of them"))
        return self
