"""What gives way: particles, springs, soft bodies made of both, and walls to press against. Descriptions only."""

from __future__ import annotations

from math import prod
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator

from core.physics.bodies.shapes import MeshShape, Part, Placed
from core.physics.contact.restitution import damping_ratio
from core.physics.sensor.description import WallFollows
from core.scene.colors import known_color
from core.scene.message import Message
from core.scene.problem import InvalidValue
from core.scene.quantity import NotNegative, Number, Positive, Quantity, Vector

Name = Annotated[str, Field(pattern=r"^[^\s.,\x00-\x1f\x7f-\x9f]+$")]
Count = Annotated[int, Field(ge=1, le=100_000, strict=True)]
Index = Annotated[int, Field(ge=0, strict=True)]
Color = Annotated[str, AfterValidator(known_color)]


class ContactMaterial(Part):
    """What a contact does beside its spring, in numbers without a unit."""

    kinetic_friction: NotNegative = 0.0
    """Coulomb's coefficient of what slides: friction is so many times the pressure."""
    static_friction: NotNegative | None = None
    """The same of what stands or rolls, and may be more; none takes kinetic_friction."""
    restitution: Annotated[Number, Field(ge=0.01, le=1)] | None = None
    """Speed after an impact in parts of that before, by the damper that does just this; instead of damping."""

    @model_validator(mode="after")
    def _stands_better_than_it_slides(self) -> ContactMaterial:
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
    def damping_ratio(self) -> float:
        """That of the damper with this restitution; 0 without one."""
        return 0.0 if self.restitution is None else damping_ratio(self.restitution)

    @property
    def holding_friction(self) -> float:
        """Coefficient up to which nothing slides."""
        return self.kinetic_friction if self.static_friction is None else self.static_friction


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

    stiffness: Annotated[Positive, Quantity("N/m")]
    """Force for each metre that two spheres overlap."""
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Resistance to approach and separation; it never pulls."""
    friction: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Resistance to sliding; two points, which do not turn, have none."""

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
    """Resistance to rolling and twisting on each other: torque = -rolling * relative angular velocity."""
    rolling_resistance: NotNegative = 0.0
    """Resistance to rolling as a coefficient: torque = so many times pressure and radius, at any speed."""
    rough: bool = False
    """Whether it neither slides nor loses energy on others that are rough: speed and spin are exchanged elastically."""

    @model_validator(mode="after")
    def _is_rough_or_rubs(self) -> Contact:
        return _check_rough_or_friction(self, self.rough)


class Particle(Part):
    """A point with a mass; with a radius it is a sphere to walls, to contacts and to the eye."""

    name: Name
    """Name, unique in the scene; it heads the columns of a CSV file."""
    mass: Annotated[Positive, Quantity("kg")]
    """Mass."""
    radius: Annotated[NotNegative, Quantity("m")] = 0.0
    """Radius."""
    position: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Place of its middle at the start."""
    velocity: Annotated[Vector, Quantity("m/s")] = (0.0, 0.0, 0.0)
    """Velocity at the start."""
    fixed: bool = False
    """Stays where it is."""
    color: Color | None = None
    """Colour by name or #rrggbb; none takes the next of the palette."""
    contact: PointContact | None = None
    """Lets it press on whatever else has a contact."""

    @model_validator(mode="after")
    def _a_contact_has_a_size(self) -> Particle:
        if self.contact is not None and self.radius == 0:
            raise InvalidValue(
                Message("has a contact, but no size to press with"), Message("give it a radius, or remove contact")
            )
        return self


class BodyPoint(Part):
    """A point that is fixed in a body."""

    body: Name
    """Name of the body."""
    point: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Place of the point in the body frame."""


def _kind_of_end(data: object) -> str:
    if isinstance(data, str):
        return "(name)"
    return "(point)" if isinstance(data, dict | BodyPoint) else "(place)"


# A particle "ball", the origin of a body "bob", a point of a soft body "jelly.12"; a point of a body; a place in space.
End = Annotated[
    Annotated[str, Tag("(name)")] | Annotated[BodyPoint, Tag("(point)")] | Annotated[Vector, Tag("(place)")],
    Discriminator(_kind_of_end),
    Quantity("m"),
]
Damper = Literal["axial", "full"]


class Spring(Part):
    """A spring with a damper beside it, between any two of: particles, soft bodies' points, bodies, places in space."""

    model_config = ConfigDict(validate_by_name=True)

    from_: Annotated[End, Field(alias="from")]
    """What one end holds: a name, a soft body's point as NAME.NUMBER, { body, point }, or [x, y, z]."""
    to: End
    """What the other end holds."""
    rest_length: Annotated[NotNegative, Quantity("m")] | None = None
    """Length without a force; none takes the distance at the start."""
    stiffness: Annotated[Positive, Quantity("N/m")]
    """Force per stretch."""
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Force per speed of stretching; of any relative motion for a full damper."""
    damper: Damper = "axial"
    """Whether the damper acts along the spring alone, or against all relative motion, which takes angular momentum."""
    look: Literal["coil", "line"] = "coil"
    """How it is drawn: wound, or straight as a string."""
    hidden: bool = False
    """Whether it is not drawn."""


class InitialState(Part):
    """How the points of a soft body start, one by one, in the order of their numbers: a moment of another run."""

    displacements: Annotated[tuple[Vector, ...], Quantity("m")] = ()
    """How far each point is from its place at rest at the start; none: it is not bent."""
    velocities: Annotated[tuple[Vector, ...], Quantity("m/s")] = ()
    """Velocity of each point at the start, beside that of the whole; none: it moves as a whole."""


class SoftBody(Part):
    """Particles of one kind with springs between them."""

    name: Name
    """Name, unique in the scene; its points are NAME.0, NAME.1 and so on."""
    position: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Place of the middle of a lattice, of the origin of a mesh file, of the first point of a chain."""
    velocity: Annotated[Vector, Quantity("m/s")] = (0.0, 0.0, 0.0)
    """Velocity of all points at the start, added to that of the rotation."""
    angular_velocity: Annotated[Vector, Quantity("rad/s")] = (0.0, 0.0, 0.0)
    """Angular velocity of the whole about its centre of mass at the start."""
    initial_state: InitialState | None = None
    """How its points start one by one; none: it starts unbent."""
    particle_mass: Annotated[Positive, Quantity("kg")]
    """Mass of each point."""
    particle_radius: Annotated[NotNegative, Quantity("m")] = 0.0
    """Radius of each point, to walls and to the eye."""
    stiffness: Annotated[Positive, Quantity("N/m")]
    """Stiffness of each spring."""
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Damping of each spring."""
    damper: Damper = "axial"
    """Whether the dampers act along the springs alone, or against all relative motion."""
    fixed: tuple[Index, ...] = ()
    """Numbers of the points that do not move."""
    natural_length: Positive = 1.0
    """Natural length of each spring, in parts of the distance of its ends at the start; below 1 it is taut."""
    modes: Annotated[int, Field(ge=0, strict=True)] = 0
    """How many of the lowest modes move; 0 lets all points move freely."""
    modal_damping: NotNegative = 0.0
    """Damping ratio h of each mode, beside the springs' own damping; used when modes > 0."""
    unstable_modes: Literal["drop", "clamp"] = "drop"
    """What becomes of modes whose w^2 is negative: they are left out, or move with their w taken as 0."""
    color: Color | None = None
    """Colour by name or #rrggbb; none takes the next of the palette."""
    contact: PointContact | None = None
    """Lets its points press on whatever else has a contact, but not on each other."""

    @model_validator(mode="after")
    def _a_contact_has_a_size(self) -> SoftBody:
        if self.contact is not None and self.particle_radius == 0:
            raise InvalidValue(
                Message("has a contact, but its points have no size to press with"),
                Message("give particle_radius, or remove contact"),
            )
        return self


class Lattice(SoftBody, Placed):
    """Points on a grid, in one, two or three dimensions, with springs along edges, face and body diagonals."""

    kind: Literal["lattice"]
    counts: tuple[Count, Count, Count]
    """Points along each axis; 1 makes it flat."""
    spacing: Annotated[tuple[Positive, Positive, Positive], Quantity("m")]
    """Distance of neighbours along each axis."""

    @model_validator(mode="after")
    def _not_too_many(self) -> Lattice:
        points = prod(self.counts)
        if points > 4_000_000:
            raise InvalidValue(
                Message(
                    "counts {counts} make {points} points, more than 4000000", counts=list(self.counts), points=points
                ),
                Message("take fewer"),
            )
        return self


class Chain(SoftBody):
    """Points in a row, each joined to the next."""

    kind: Literal["chain"]
    count: Annotated[Count, Field(ge=2)]
    """How many points."""
    spacing: Annotated[Positive, Quantity("m")]
    """Distance of neighbours at rest."""
    direction: Vector = (0.0, 0.0, -1.0)
    """From the first point to the next, of any length but zero."""

    @model_validator(mode="after")
    def _has_a_direction(self) -> Chain:
        if not any(self.direction):
            raise InvalidValue(Message("direction is zero"), Message("give any other vector"))
        return self


class SoftMesh(SoftBody, Placed):
    """A closed mesh filled with a lattice; its surface is the skin that is seen."""

    kind: Literal["mesh"]
    file: Annotated[str, Field(min_length=1)]
    """STL, OBJ or PLY file, relative to the scene's folder."""
    scale: Annotated[Positive, Quantity("m", in_file_units=True)] = 1.0
    """Length of one unit of the mesh file (0.001 for millimetres)."""
    spacing: Annotated[Positive, Quantity("m")]
    """Distance of neighbouring points of the lattice."""


def skin_shape(soft: SoftMesh) -> MeshShape:
    """A soft mesh as the shape that its file has at rest."""
    return MeshShape(
        kind="mesh", file=soft.file, scale=soft.scale, mass=1.0, position=soft.position, orientation=soft.orientation
    )


Soft = Annotated[Lattice | Chain | SoftMesh, Field(discriminator="kind")]


class WallAtRest(Part):
    """Stays where it is."""

    kind: Literal["still"] = "still"


class SineMotion(Part):
    """Swings along the normal: amplitude * sin(2 pi t / period)."""

    kind: Literal["sine"]
    amplitude: Annotated[Number, Quantity("m")]
    """Farthest way from the wall's point."""
    period: Annotated[Positive, Quantity("s")]
    """Time of one swing to and fro."""


def _or_still(data: object) -> object:
    return {"kind": "still", **data} if isinstance(data, dict) else data


WallMotion = Annotated[WallAtRest | SineMotion | WallFollows, Field(discriminator="kind"), BeforeValidator(_or_still)]


class Wall(ContactMaterial):
    """A plane that presses points and bodies that come behind it back to the side of its normal."""

    name: Name
    """Name, unique in the scene."""
    point: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Any point of the plane."""
    normal: Vector = (0.0, 0.0, 1.0)
    """Direction to the side where things may be, of any length but zero."""
    stiffness: Annotated[Positive, Quantity("N/m")]
    """Force per depth on each place that touches: a sphere, a corner, a disc's rim at four of its points."""
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Force per speed along the normal."""
    friction: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Force per speed along the wall."""
    rolling_resistance: NotNegative = 0.0
    """Resistance to the rolling of spheres: torque = so many times pressure and radius, at any speed."""
    rough: bool = False
    """Whether spheres neither slide nor lose energy along it: speed and spin are exchanged elastically."""
    sticky: bool = False
    """Whether the damper may pull on what leaves."""
    motion: WallMotion = WallAtRest()
    """How the wall moves."""

    @model_validator(mode="after")
    def _has_a_normal(self) -> Wall:
        if not any(self.normal):
            raise InvalidValue(Message("normal is zero and has no direction"), Message("give any other vector"))
        return self

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
