"""Deformable things: particles, springs, and soft bodies made of both. Descriptions only."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist, prod
from typing import Annotated, Literal, TypeVar

from pydantic import ConfigDict, Discriminator, Field, Tag, model_validator

from polhode.physics.bodies.shapes import MeshFile, MeshShape, Placed
from polhode.physics.contact.description import PointContact
from polhode.physics.paths.description import Formula, formula_in
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import (
    Color,
    Count,
    Direction,
    Index,
    Name,
    NotNegative,
    NumberOrList,
    Positive,
    Quantity,
    Vector,
)


class Particle(ScenePart):
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
        if self.contact is not None and float(self.radius) == 0.0:
            raise InvalidValue(
                Message("has a contact, but no size to press with"), Message("give it a radius, or remove contact")
            )
        return self


class BodyPoint(ScenePart):
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


class Spring(ScenePart):
    """A spring with a damper beside it, between any two of: particles, soft bodies' points, bodies, places in space."""

    model_config = ConfigDict(validate_by_name=True)

    from_: Annotated[End, Field(alias="from")]
    """Attachment of one end: a name, a point of a soft body as NAME.NUMBER, { body, point }, or [x, y, z]."""
    to: End
    """Attachment of the other end."""
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
    axis: Direction | None = None
    """Axis in the laboratory along which the length has a sign, from the first end; none: the distance of the ends."""
    pull_only: bool = False
    """A string: no force while it is shorter than its rest length, and none that pushes."""
    over: Annotated[tuple[Vector, ...], Quantity("m")] = ()
    """Positions of pulleys without friction or mass that it runs over, in order from the first end."""
    over_bodies: tuple[str, ...] = ()
    """Names of the bodies in whose frames these positions are, each for one; an empty text for the laboratory."""
    strands: tuple[NotNegative, ...] = ()
    """Number of parallel strands of each part from pulley to pulley, as of a tackle; none: 1 each. 0: no string."""
    breaks_at: Annotated[Positive, Quantity("N")] | None = None
    """Tension at which it breaks and pulls nothing from then on; without it never."""
    breaks_at_strain: Positive | None = None
    """Extension at which it breaks, relative to the rest length; without it never."""
    look: Literal["coil", "line"] = "coil"
    """Drawn as a coil or as a straight line; strings and what runs over pulleys are lines."""
    hidden: bool = False
    """Whether it is hidden in the view."""

    @property
    def has_tension_law(self) -> bool:
        """Whether its tension is a function of its length and rate (tension.py) instead of a plain spring's."""
        stated = self.force is not None or self.axis is not None
        return stated or self.pull_only or bool(self.over) or self.has_course or self.can_break

    @property
    def can_break(self) -> bool:
        """Whether it breaks at a tension or a strain."""
        return self.breaks_at is not None or self.breaks_at_strain is not None

    @property
    def has_course(self) -> bool:
        """Whether its pulleys move with bodies, or its parts have numbers of strands."""
        return any(self.over_bodies) or bool(self.strands)

    @property
    def course(self) -> list[tuple[str, Vector]]:
        """Body, empty for the laboratory, and position [m] of each pulley."""
        return [*zip(self.over_bodies or [""] * len(self.over), self.over, strict=True)]

    @property
    def is_string(self) -> bool:
        """Whether it is drawn as a string."""
        return self.pull_only or bool(self.over)

    @model_validator(mode="after")
    def _strings_damp_along_themselves(self) -> Spring:
        if (self.is_string or self.axis is not None or self.can_break) and self.damper == "full":
            rule = Message(
                "is full, but strings, and springs over pulleys, with an axis or that break, are damped along their "
                "length only"
            )
            raise InvalidValue(rule, Message('take damper = "axial"'), "damper")
        return self

    @model_validator(mode="after")
    def _only_springs_have_a_sign(self) -> Spring:
        if self.axis is not None and self.is_string:
            rule = Message("is for a spring, but strings and what runs over pulleys have a length without a sign")
            raise InvalidValue(rule, Message("remove it, or remove pull_only and over"), "axis")
        return self

    @model_validator(mode="after")
    def _pulleys_are_distinct(self) -> Spring:
        if len(self.over_bodies) not in (0, len(self.over)):
            rule = Message(
                "has {names} names for {pulleys} pulleys", names=len(self.over_bodies), pulleys=len(self.over)
            )
            raise InvalidValue(rule, Message("give one for each"), "over_bodies")
        if len(self.strands) not in (0, len(self.over) + 1):
            rule = Message(
                "has {numbers} numbers for the {parts} parts between its ends and pulleys",
                numbers=len(self.strands),
                parts=len(self.over) + 1,
            )
            raise InvalidValue(rule, Message("give one for each"), "strands")
        if self.strands and not any(self.strands):
            raise InvalidValue(Message("has zeros only"), Message("give one part a strand"), "strands")
        for number, (one, other) in enumerate(pairwise(self.course)):
            if one == other and not (self.strands and self.strands[number + 1] == 0.0):
                rule = Message("is at the same position as the pulley before it")
                raise InvalidValue(rule, Message("remove one of them"), f"over[{number + 1}]")
        return self

    @model_validator(mode="after")
    def _has_one_law(self) -> Spring:
        if (self.stiffness is None) == (self.force is None) or (self.force is not None and self.damping > 0):
            rule = Message("needs either stiffness, with or without damping, or force")
            raise InvalidValue(rule, Message("give one of them, stiffness = ... [N/m] or force"))
        return self


def path_length(points: Sequence[Vector], strands: Sequence[float] = ()) -> float:
    """Length [m] of the line through points [m], from the first to the last; 0 for less than two.

    strands: multiples of its parts; none: 1 each
    """
    lengths = [dist(one, other) for one, other in pairwise(points)]
    return sum(lengths) if not strands else sum(part * length for part, length in zip(strands, lengths, strict=True))


class InitialState(ScenePart):
    """How the points of a soft body start, one by one, in the order of their numbers: a moment of another run."""

    displacements: Annotated[tuple[Vector, ...], Quantity("m")] = ()
    """Initial displacement of each point from its rest position; none: undeformed."""
    velocities: Annotated[tuple[Vector, ...], Quantity("m/s")] = ()
    """Initial velocity of each point, added to that of the body; none: it moves as a whole."""
    broken: tuple[Index, ...] = ()
    """Numbers of the springs that are broken at the start, row by row from 0 on; none: all are whole."""


class SoftBody(ScenePart):
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
    breaks_at: Annotated[Positive, Quantity("N")] | None = None
    """Tension at which a spring breaks and pulls nothing from then on; without it never."""
    breaks_at_strain: Positive | None = None
    """Extension at which a spring breaks, relative to its natural length; without it never."""
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

    @property
    def can_break(self) -> bool:
        """Whether its springs break at a tension or a strain, or some are broken at the start."""
        limits = self.breaks_at is not None or self.breaks_at_strain is not None
        return limits or (self.initial_state is not None and bool(self.initial_state.broken))

    @model_validator(mode="after")
    def _what_breaks_has_no_modes(self) -> SoftBody:
        return _without(self, "breaks_at") if self.can_break else self

    @model_validator(mode="after")
    def _a_contact_has_a_size(self) -> SoftBody:
        if self.contact is not None and float(self.particle_radius) == 0.0:
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


S = TypeVar("S", bound=SoftBody)


def _without(soft: S, field: str) -> S:
    """The soft body itself. Raises InvalidValue if it has modes, of which what a field states is no part, or bending
    of a body that breaks.
    """
    ratios = soft.modal_damping
    others = {
        "modes": bool(soft.modes),
        "modal_damping": any(ratios) if isinstance(ratios, tuple) else ratios > 0,
        "bending": field != "bending" and getattr(soft, "bending", 0.0) > 0,
    }
    for name in (name for name, given in others.items() if given):
        rule = Message("does not count in {name}", name=name)
        raise InvalidValue(rule, Message("remove {field} or {name}", field=field, name=name), field)
    return soft


class Lattice(UniformSoftBody, Placed):
    """Points on a grid, in one, two or three dimensions, with springs along edges, face and body diagonals."""

    kind: Literal["lattice"] = Field(default=...)
    counts: tuple[Count, Count, Count]
    """Number of points along each axis; 1 makes it flat."""
    spacing: Annotated[tuple[Positive, Positive, Positive], Quantity("m")]
    """Distance of neighbouring points along each axis."""
    bending: Annotated[NotNegative, Quantity("N m")] = 0.0
    """Flexural rigidity of a lattice that is one layer thick: bending moment per width and curvature."""
    look: Literal["surface", "net"] = "surface"
    """Drawn as a surface, or as a net of its points and springs."""

    @model_validator(mode="after")
    def _only_a_layer_bends(self) -> Lattice:
        if self.bending > 0 and (sum(count == 1 for count in self.counts) != 1):
            rule = Message("is for a lattice one layer thick, but counts are {counts}", counts=list(self.counts))
            raise InvalidValue(rule, Message("make one of the counts 1 and the others larger, or remove it"), "bending")
        return self

    @model_validator(mode="after")
    def _modes_do_not_bend(self) -> Lattice:
        return _without(self, "bending") if self.bending > 0 else self

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

    kind: Literal["chain"] = Field(default=...)
    count: Annotated[Count, Field(ge=2)]
    """Number of points."""
    spacing: Annotated[NumberOrList[Positive], Quantity("m")]
    """Distance of neighbouring points at rest: one number for all, or a list, from the first point on."""
    direction: Direction = (0.0, 0.0, -1.0)
    """Direction from the first point to the next; need not be a unit vector."""
    bending: Annotated[NotNegative, Quantity("N m")] = 0.0
    """Bending stiffness: moment per angle [N m/rad] between neighbouring edges."""

    @model_validator(mode="after")
    def _modes_do_not_bend(self) -> Chain:
        return _without(self, "bending") if self.bending > 0 else self

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

    kind: Literal["mesh"] = Field(default=...)
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
