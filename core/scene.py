"""The Scene: what a person edits and a file holds. Frozen, checked, SI units throughout."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Field, PrivateAttr, model_validator

from core.colors import known_color
from core.quantity import NotNegative, Number, Positive, Quantity, Vector
from core.shapes import Part, Placed, Shape, Sphere
from core.soft import Contact, Name, Particle, Soft, Spring, Wall
from core.spheres import SolidSphere
from core.surfaces import Surface

VACUUM = 1.25663706127e-6  # [T m/A] magnetic permeability mu0
Size = Annotated[Number, Field(ge=1e-30, le=1e30)]  # their powers stay far from the ends of the numbers


class Units(Part):
    """Size of one unit of the file in SI. Inside the program everything is SI already."""

    length: Size = 1.0
    """Metres in one unit of length."""
    mass: Size = 1.0
    """Kilograms in one unit of mass."""
    time: Size = 1.0
    """Seconds in one unit of time."""
    current: Size = 1.0
    """Amperes in one unit of electric current."""


class UniformField(Part):
    """The same field everywhere and always."""

    kind: Literal["uniform"] = "uniform"
    value: Annotated[Vector, Quantity("T")] = (0.0, 0.0, 0.0)
    """Flux density."""


class RotatingField(Part):
    """A field that turns or swings: cosine * cos(w t) + sine * sin(w t)."""

    kind: Literal["rotating"]
    cosine: Annotated[Vector, Quantity("T")]
    """Flux density at the start."""
    sine: Annotated[Vector, Quantity("T")]
    """Flux density a quarter turn later."""
    angular_frequency: Annotated[Number, Quantity("rad/s")]
    """Angular frequency w."""


class StillMotion(Part):
    """Stays where it is."""

    kind: Literal["still"] = "still"


class UniformMotion(Part):
    """Moves on at constant velocity."""

    kind: Literal["uniform"]
    velocity: Annotated[Vector, Quantity("m/s")]
    """Velocity."""


class EllipseMotion(Part):
    """Goes round its position: position + r1 cos(w t + phase) + r2 sin(w t + phase)."""

    kind: Literal["ellipse"]
    r1: Annotated[Vector, Quantity("m")]
    """Radius vector at phase 0."""
    r2: Annotated[Vector, Quantity("m")]
    """Radius vector a quarter turn later."""
    angular_frequency: Annotated[Number, Quantity("rad/s")]
    """Angular frequency w."""
    phase: Annotated[Number, Quantity("rad")] = 0.0
    """Phase at the start."""


def _kind_or(usual: str) -> BeforeValidator:
    """A table that names no kind is of the usual one."""
    return BeforeValidator(lambda data: {"kind": usual, **data} if isinstance(data, dict) else data)


Motion = Annotated[StillMotion | UniformMotion | EllipseMotion, Field(discriminator="kind"), _kind_or("still")]
MagneticField = Annotated[UniformField | RotatingField, Field(discriminator="kind"), _kind_or("uniform")]


class Wind(Part):
    """Moving air. It drags on points, and on bodies as far as they have a drag of their own."""

    velocity: Annotated[Vector, Quantity("m/s")] = (0.0, 0.0, 0.0)
    """Velocity of the air; its amplitude where the wind has a period."""
    period: Annotated[NotNegative, Quantity("s")] = 0.0
    """Period of the swing of the wind; 0 for a steady one."""
    drag: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Drag of each point."""


class World(Part):
    gravity: Annotated[Vector, Quantity("m/s^2")] = (0.0, 0.0, -9.80665)
    """Acceleration of free fall."""
    permeability: Annotated[NotNegative, Quantity("T m/A")] = VACUUM
    """Magnetic permeability between the magnets; 0 lets them feel the world's field only."""
    magnetic_field: MagneticField = UniformField()
    """Field that is there without the scene's own magnets."""
    wind: Wind = Wind()
    """Wind that blows everywhere."""


Method = Literal[
    "euler",
    "semi_implicit_euler",
    "adams_bashforth_2",
    "rk4",
    "verlet",
    "splitting",
    "dormand_prince_8",
    "implicit",
    "rk4_as_printed",
    "adams_bashforth_2_as_printed",
]


class Solver(Part):
    method: Method = "rk4"
    """Integration method."""
    time_step: Annotated[Positive, Quantity("s")] = 1e-3
    """Length of one step."""
    inertia: Literal["file", "shapes"] = "file"
    """What a body that states an inertia turns by: file, what it states, or shapes, what it is made of."""
    dipole_sum: Literal["auto", "direct", "tree"] = "auto"
    """Magnets pair by pair, or distant groups of them as wholes; auto takes what is faster."""
    dipole_tolerance: Annotated[Number, Field(ge=1e-9, le=1e-1)] = 1e-4
    """Error of fields and forces by the tree, root mean square, as a part of these."""


class Dipole(Part):
    """A point magnet that is fixed in its body."""

    position: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Place in the body frame."""
    moment: Annotated[Vector, Quantity("A m^2")]
    """Magnetic moment in the body frame."""


class Inertia(Part):
    """Mass properties of a body as somebody measured or computed them, instead of those of its shapes."""

    mass: Annotated[NotNegative, Quantity("kg")]
    """Mass of the whole body."""
    center: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Centre of mass in the body frame."""
    tensor: Annotated[tuple[Vector, Vector, Vector], Quantity("kg m^2")]
    """Inertia tensor about the body's origin, body frame."""

    @model_validator(mode="after")
    def _is_symmetric(self) -> Inertia:
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = self.tensor
        size = max(map(abs, (xx, xy, xz, yx, yy, yz, zx, zy, zz)))
        if max(abs(xy - yx), abs(xz - zx), abs(yz - zy)) > 1e-9 * size:  # of a file that rounds
            raise ValueError(f"tensor {[list(row) for row in self.tensor]} is not symmetric; make it so")
        return self


class Body(Placed):
    """A rigid body: shapes and magnets that move as one."""

    name: Name
    """Name, unique in the scene; it heads the columns of a CSV file."""
    support: Literal["pivot", "axle", "free", "fixed", "driven"] = "pivot"
    """How the body is held: at its origin, on an axis through it, not at all, quite still, or led by a motion."""
    axis: Vector | None = None
    """Direction of the axle, laboratory frame; axle only."""
    angular_velocity: Annotated[Vector, Quantity("rad/s")] = (0.0, 0.0, 0.0)
    """Angular velocity at the start, laboratory frame; a driven body keeps it."""
    velocity: Annotated[Vector, Quantity("m/s")] = (0.0, 0.0, 0.0)
    """Velocity of the origin at the start; free only."""
    motion: Motion = StillMotion()
    """How the origin is led; driven only."""
    friction: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Friction of the support: torque = -friction * angular velocity."""
    drag: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Resistance of the air per speed, at the centre of mass."""
    quadratic_drag: Annotated[NotNegative, Quantity("kg/m")] = 0.0
    """Resistance of the air per speed squared, at the centre of mass."""
    shape: Annotated[tuple[Shape, ...], Field(min_length=1)]
    """What the body is made of."""
    dipole: tuple[Dipole, ...] = ()
    """The body's magnets that are points; a shape can be a magnet, too."""
    inertia: Inertia | None = None
    """Mass properties that count instead of those of the shapes, unless solver.inertia says shapes."""

    contact: Contact | None = None
    """Lets the body's spheres press on whatever else has a contact."""

    @model_validator(mode="after")
    def _an_axle_has_an_axis(self) -> Body:
        if self.support == "axle" and not any(self.axis or ()):
            has = "no axis" if self.axis is None else "the axis [0, 0, 0], which is no direction"
            raise ValueError(f"is held by an axle, but has {has}; add axis = [x, y, z], the direction of the axle")
        return self

    @model_validator(mode="after")
    def _a_contact_has_a_sphere(self) -> Body:
        if self.contact is not None and not any(shape.kind == "sphere" for shape in self.shape):
            raise ValueError("has a contact, but no sphere to press with; add one to its shapes, or remove contact")
        return self


def _balls(sphere: SolidSphere) -> list[Body]:
    """Bodies of one solid sphere each."""
    shared = sphere.model_dump(include={"angular_velocity", "velocity", "drag", "quadratic_drag"})
    looks = {color: _ball(sphere, color) for color in map(sphere.color_of, range(len(sphere.names)))}
    return [
        Body.model_construct(
            name=name,
            support="fixed" if sphere.fixed else "free",
            position=tuple(place.tolist()),
            shape=(looks[sphere.color_of(number)],),
            contact=sphere.contact,
            **shared,
        )
        for number, (name, place) in enumerate(zip(sphere.names, sphere.places, strict=True))
    ]


def _ball(sphere: SolidSphere, color: str | None) -> Sphere:
    return Sphere(kind="sphere", radius=sphere.radius, mass=sphere.mass, color=color)


ViewName = Literal[
    "bodies",
    "points",
    "skins",
    "springs",
    "tension",
    "supports",
    "dipoles",
    "axes",
    "shadows",
    "ground",
    "walls",
    "surfaces",
    "trails",
    "hand",
    "forces",
    "ghosts",
    "field_slice",
    "field_lines",
    "polhode",
]


class View(Part):
    """What the scene wants to be seen with it; the switches of who looks at it have the last word."""

    show: tuple[ViewName, ...] = ()
    """Things that are drawn for this scene besides the usual ones."""


class Ghost(Part):
    """A copy of the whole scene that runs beside it, drawn translucent: other numbers for the same motion, or a start
    that is a little off. What a ghost does not state it has from the scene."""

    name: str = ""
    """What it is called in messages; its method where it has no name."""
    method: Method | None = None
    """Integration method instead of the scene's."""
    time_step: Annotated[Positive, Quantity("s")] | None = None
    """Length of one step instead of the scene's."""
    modes: Annotated[int, Field(ge=0, strict=True)] | None = None
    """How many modes every soft body moves by, instead of its own number; 0 lets all points move freely."""
    body: str | None = None
    """Name of the body that starts otherwise."""
    tilt: Annotated[Vector, Quantity("rad")] = (0.0, 0.0, 0.0)
    """Rotation vector, laboratory frame, by which that body is turned at the start; about its axle where it has one."""
    angular_velocity: Annotated[Vector, Quantity("rad/s")] | None = None
    """Angular velocity of that body at the start, laboratory frame."""
    color: Annotated[str, AfterValidator(known_color)] | None = None
    """Colour of everything in it."""

    @model_validator(mode="after")
    def _a_disturbance_has_a_body(self) -> Ghost:
        if self.body is None and (any(self.tilt) or self.angular_velocity is not None):
            raise ValueError("starts otherwise, but no body is named; add body = ...")
        return self


class Scene(Part):
    """A whole experiment. To change it make a new one: `scene.model_copy(update=...)`."""

    format: Literal[1] = 1
    """Version of the scene format."""
    title: str = ""
    """One line that names the scene."""
    description: str = ""
    """What it shows and what to look for."""
    units: Units = Units()
    """Size of the file's units in SI."""
    world: World = World()
    solver: Solver = Solver()
    view: View = View()
    """What is drawn at first."""
    body: tuple[Body, ...] = ()
    """The rigid bodies."""
    sphere: tuple[SolidSphere, ...] = ()
    """Solid spheres, which are rigid bodies, too."""
    soft: tuple[Soft, ...] = ()
    """The soft bodies."""
    particle: tuple[Particle, ...] = ()
    """Single points and spheres."""
    spring: tuple[Spring, ...] = ()
    """Springs between anything."""
    wall: tuple[Wall, ...] = ()
    """Planes to press against."""
    surface: tuple[Surface, ...] = ()
    """Curved surfaces that spheres roll on."""
    ghost: tuple[Ghost, ...] = ()
    """Copies of the scene that run beside it; `polhode run` leaves them out."""

    _folder: Path = PrivateAttr(default=Path())
    _rows: tuple[tuple[Body, ...], tuple[SolidSphere, ...], tuple[Body, ...]] = PrivateAttr(default=((), (), ()))

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All rigid bodies in the order of the model: those of `body`, then the spheres."""
        if (
            self._rows[0] is not self.body or self._rows[1] is not self.sphere
        ):  # a changed copy has those of the old one
            made = (*self.body, *(ball for sphere in self.sphere for ball in _balls(sphere)))
            self._rows = self.body, self.sphere, made
        return self._rows[2]

    def place_of(self, number: int) -> str:
        """Where the file states the number-th of all rigid bodies."""
        if number < len(self.body):
            return f"body[{number}]"
        ends = np.cumsum([len(self.body), *(len(sphere.names) for sphere in self.sphere)])
        return f"sphere[{int(np.searchsorted(ends, number, 'right')) - 1}]"

    @property
    def folder(self) -> Path:
        """The folder that the scene's mesh files are relative to."""
        return self._folder

    def shares_all_but(self, other: Scene, *names: str) -> bool:
        """Whether nothing but the fields of these names is another in a scene that was made from this one."""
        return all(getattr(self, name) is getattr(other, name) for name in type(self).model_fields if name not in names)

    def in_folder(self, folder: Path) -> Scene:
        """The same scene with its files looked up in another folder."""
        scene = self.model_copy()
        scene._folder = folder  # noqa: SLF001  (private attributes are not frozen, and this copy is ours)
        return scene

    @model_validator(mode="after")
    def _names_are_unique(self) -> Scene:
        seen: set[str] = set()
        named = [part.name for part in (*self.body, *self.soft, *self.particle, *self.wall, *self.surface)]
        for name in (*named, *(name for sphere in self.sphere for name in sphere.names)):
            if name in seen:
                raise ValueError(f"two parts are named '{name}'; rename one")
            seen.add(name)
        return self

    @model_validator(mode="after")
    def _ghosts_know_their_bodies(self) -> Scene:
        names = [body.name for body in self.body]
        for ghost in self.ghost:
            if ghost.body is not None and ghost.body not in names:
                raise ValueError(f"a ghost changes '{ghost.body}', which is no body; name one of {', '.join(names)}")
        return self
