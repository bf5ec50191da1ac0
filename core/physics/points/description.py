"""What gives way: particles, springs, soft bodies made of both, and walls to press against. Descriptions only."""

from __future__ import annotations

from math import prod
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator

from core.physics.bodies.shapes import MeshFile, MeshShape, Part, Placed
from core.physics.contact.restitution import damping_ratio
from core.physics.paths.description import Formula, formula_in
from core.physics.sensor.description import WallFollows
from core.scene.colors import known_color
from core.scene.message import Message
from core.scene.problem import InvalidValue
from core.scene.quantity import NotNegative, Number, NumberOrList, Positive, Quantity, Vector

Name = Annotated[str, Field(pattern=r"^[^\s.,\x00-\x1f\x7f-\x9f]+$")]
Count = Annotated[int, Field(ge=1, le=100_000, strict=True)]
Index = Annotated[int, Field(ge=0, strict=True)]
Color = Annotated[str, AfterValidator(known_color)]


class ContactMaterial(Part):
    """What a contact does beside its spring, in numbers without a unit."""

    kinetic_friction: NotNegative = 0.0
    """Coulomb's coefficient of kinetic friction: friction force over normal force."""
    static_friction: NotNegative | None = None
    """Coulomb's coefficient of static friction, at least kinetic_friction; none: the same."""
    restitution: Annotated[Number, Field(ge=0.01, le=1)] | None = None
    """Coefficient of restitution, which sets the damper; in place of damping."""

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
    """Stiffness: force per overlap of two spheres."""
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
    rough: bool = False
    """Perfectly rough: no slip against others that are rough; velocity and spin are exchanged elastically."""

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
    """Initial position of the centre."""
    velocity: Annotated[Vector, Quantity("m/s")] = (0.0, 0.0, 0.0)
    """Initial velocity."""
    fixed: bool = False
    """Whether it is fixed."""
    color: Color | None = None
    """Colour by name, #rrggbb, or #rrggbbaa with its opacity; none: the next colour of the palette."""
    contact: PointContact | None = None
    """Contact law with everything else that has a contact."""

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
    """What one end is attached to: a name, a point of a soft body as NAME.NUMBER, { body, point }, or [x, y, z]."""
    to: End
    """What the other end is attached to."""
    rest_length: Annotated[NotNegative, Quantity("m")] | None = None
    """Rest length; none: the initial distance."""
    stiffness: Annotated[Positive, Quantity("N/m")] | None = None
    """Spring constant: force per extension. Needed unless there is a force."""
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Damping: force per speed of extension, or per relative speed for a full damper."""
    force: Annotated[Formula, formula_in("l", "v")] | None = None
    """Pulling force [N] of the length l [m] and its rate v [m/s], in place of stiffness and damping."""
    damper: Damper = "axial"
    """Damping along the spring only (axial), or of all relative motion, which takes away angular momentum (full)."""
    look: Literal["coil", "line"] = "coil"
    """Drawn as a coil or as a straight line."""
    hidden: bool = False
    """Whether it is hidden in the view."""

    @model_validator(mode="after")
    def _has_one_law(self) -> Spring:
        if (self.stiffness is None) == (self.force is None) or (self.force is not None and self.damping > 0):
            rule = Message("needs either stiffness, with or without damping, or force")
            raise InvalidValue(rule, Message("give one of them, stiffness = ... [N/m] or force"))
        return self


class InitialState(Part):
    """How the points of a soft body start, one by one, in the order of their numbers: a moment of another run."""

    displacements: Annotated[tuple[Vector, ...], Quantity("m")] = ()
    """Initial displacement of each point from its rest position; none: undeformed."""
    velocities: Annotated[tuple[Vector, ...], Quantity("m/s")] = ()
    """Initial velocity of each point, added to that of the body; none: it moves as a whole."""


class SoftBody(Part):
    """Particles of one kind with springs between them."""

    name: Name
    """Name, unique in the scene; its points are NAME.0, NAME.1 and so on."""
    position: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Position of the centre of a lattice, the origin of a mesh file, or the first point of a chain."""
    velocity: Annotated[Vector, Quantity("m/s")] = (0.0, 0.0, 0.0)
    """Initial velocity of all points, added to that of the rotation."""
    angular_velocity: Annotated[Vector, Quantity("rad/s")] = (0.0, 0.0, 0.0)
    """Initial angular velocity of the body about its centre of mass."""
    initial_state: InitialState | None = None
    """Initial displacement and velocity of single points; none: it starts undeformed."""
    particle_mass: Annotated[Positive, Quantity("kg")]
    """Mass of each point."""
    particle_radius: Annotated[NotNegative, Quantity("m")] = 0.0
    """Radius of each point in contacts and in the view."""
    stiffness: Annotated[NumberOrList[Positive], Quantity("N/m")]
    """Stiffness of each spring: one number for all, or a list with one for each, from the first point on."""
    damping: Annotated[NumberOrList[NotNegative], Quantity("N s/m")] = 0.0
    """Damping of each spring: one number for all, or a list with one for each, from the first point on."""
    damper: Damper = "axial"
    """Damping along the springs only (axial), or of all relative motion (full)."""
    fixed: tuple[Index, ...] = ()
    """Indices of the points that are fixed."""
    natural_length: Positive = 1.0
    """Natural length of each spring relative to the initial distance of its ends; below 1 it is in tension."""
    modes: Annotated[int, Field(ge=0, strict=True)] = 0
    """Number of lowest modes that the body moves in; 0: all points move freely."""
    modal_damping: NumberOrList[NotNegative] = 0.0
    """Damping ratio h of each mode, beside the springs' damping. List: lowest mode first, the last for all further."""
    unstable_modes: Literal["drop", "clamp"] = "drop"
    """Modes with w^2 < 0 are left out (drop), or move with w = 0 (clamp)."""
    color: Color | None = None
    """Colour by name, #rrggbb, or #rrggbbaa with its opacity; none: the next colour of the palette."""
    contact: PointContact | None = None
    """Contact law of its points with everything else that has a contact, but not with each other."""

    @model_validator(mode="after")
    def _a_contact_has_a_size(self) -> SoftBody:
        if self.contact is not None and self.particle_radius == 0:
            raise InvalidValue(
                Message("has a contact, but its points have no size to press with"),
                Message("give particle_radius, or remove contact"),
            )
        return self


class UniformSoftBody(SoftBody):
    """A soft body whose springs are all alike but for their lengths."""

    stiffness: Annotated[Positive, Quantity("N/m")]
    """Stiffness of each spring."""
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Damping of each spring."""


class Lattice(UniformSoftBody, Placed):
    """Points on a grid, in one, two or three dimensions, with springs along edges, face and body diagonals."""

    kind: Literal["lattice"]
    counts: tuple[Count, Count, Count]
    """Number of points along each axis; 1 makes it flat."""
    spacing: Annotated[tuple[Positive, Positive, Positive], Quantity("m")]
    """Distance of neighbouring points along each axis."""

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
    """Number of points."""
    spacing: Annotated[NumberOrList[Positive], Quantity("m")]
    """Distance of neighbouring points at rest: one number for all, or a list, from the first point on."""
    direction: Vector = (0.0, 0.0, -1.0)
    """Direction from the first point to the next; need not be a unit vector."""

    @model_validator(mode="after")
    def _has_a_direction(self) -> Chain:
        if not any(self.direction):
            raise InvalidValue(Message("direction is zero"), Message("give any other vector"))
        return self

    @model_validator(mode="after")
    def _lists_have_a_number_for_each_edge(self) -> Chain:
        lists = {"stiffness": self.stiffness, "damping": self.damping, "spacing": self.spacing}
        for name, numbers in lists.items():
            if isinstance(numbers, tuple) and len(numbers) not in (0, self.count - 1):  # the field itself refuses 0
                rule = Message(
                    "the list has length {numbers}, but the number of springs is {edges}",
                    numbers=len(numbers),
                    edges=self.count - 1,
                )
                raise InvalidValue(rule, Message("give one number for each spring, or a single one for all"), name)
        return self


class SoftMesh(UniformSoftBody, Placed, MeshFile):
    """A closed mesh filled with a lattice; its surface is the skin that is seen."""

    kind: Literal["mesh"]
    spacing: Annotated[Positive, Quantity("m")]
    """Distance of neighbouring points of the lattice."""


def skin_shape(soft: SoftMesh) -> MeshShape:
    """A soft mesh as the shape that its file has at rest."""
    return MeshShape(
        kind="mesh",
        file=soft.file,
        scale=soft.scale,
        unit=soft.unit,
        up=soft.up,
        mass=1.0,
        position=soft.position,
        orientation=soft.orientation,
    )


Soft = Annotated[Lattice | Chain | SoftMesh, Field(discriminator="kind")]


class WallAtRest(Part):
    """At rest."""

    kind: Literal["still"] = "still"


class SineMotion(Part):
    """Swings along the normal: amplitude * sin(2 pi t / period)."""

    kind: Literal["sine"]
    amplitude: Annotated[Number, Quantity("m")]
    """Amplitude of the displacement from the wall's point."""
    period: Annotated[Positive, Quantity("s")]
    """Period of the oscillation."""


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
    """Normal, towards the free side; need not be a unit vector."""
    stiffness: Annotated[Positive, Quantity("N/m")]
    """Force per penetration depth at each contact point: of a sphere, a corner, four points of a disc's rim."""
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Damping: force per speed along the normal."""
    friction: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Viscous friction: force per speed along the wall."""
    rolling_resistance: NotNegative = 0.0
    """Coefficient of rolling resistance of spheres: torque over normal force and radius, at any speed."""
    rough: bool = False
    """Perfectly rough: spheres do not slip, and exchange velocity and spin elastically."""
    sticky: bool = False
    """Whether the damper may pull on a body that separates."""
    motion: WallMotion = WallAtRest()
    """Motion of the wall."""

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
