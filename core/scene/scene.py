"""The Scene: what a person edits and a file holds. Frozen, checked, SI units throughout.

The models here are those of the whole scene; those of its items stand in the description.py of their subjects. Three
kinds of checks run when a scene is made: of each field (type, bounds, unknown keys), of the fields of a part together
(the validators below and in the descriptions), and of names across parts (the validators of Scene). What needs
geometry, such as a mesh that is open, is found by core/engine/compile.py. The docstrings of models and of their fields
are texts for users: the help of forms, the descriptions in the JSON Schema, with translations.
"""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import AfterValidator, Field, PrivateAttr, model_validator

from core.physics.bodies.derived_bodies import bodies_of_spheres, body_of_bead
from core.physics.bodies.description import Body as Body
from core.physics.bodies.description import Dipole as Dipole
from core.physics.bodies.description import EllipseMotion as EllipseMotion
from core.physics.bodies.description import Inertia as Inertia
from core.physics.bodies.description import StillMotion as StillMotion
from core.physics.bodies.description import UniformMotion as UniformMotion
from core.physics.bodies.shapes import Part, kind_or, unit
from core.physics.contact.spheres import SolidSphere
from core.physics.contact.surfaces import Surface
from core.physics.frame.description import STILL, Rotation
from core.physics.paths.bead import Bead
from core.physics.points.description import Chain, Lattice, Name, Particle, Soft, Spring, Wall
from core.physics.sensor.description import Sensor
from core.scene.colors import known_color
from core.scene.message import Message
from core.scene.problem import InvalidValue
from core.scene.quantity import NotNegative, Number, Positive, Quantity, Vector

VACUUM = 1.25663706127e-6  # [T m/A] magnetic permeability mu0
MOST = {"bodies": 200_000, "points": 4_000_000, "dipoles": 1_000_000, "ghosts": 100}  # in one scene
Size = Annotated[Number, Field(ge=1e-30, le=1e30)]  # their powers stay within the range of float64


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


MagneticField = Annotated[UniformField | RotatingField, Field(discriminator="kind"), kind_or("uniform")]


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
    rotation: Rotation = STILL
    """Angular velocity of the laboratory itself about its axes: numbers, or formulas of t in seconds."""


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


ViewName = Literal[
    "bodies",
    "points",
    "skins",
    "springs",
    "tension",
    "supports",
    "paths",
    "path_speed",
    "lift_off",
    "dipoles",
    "axes",
    "shadows",
    "ground",
    "walls",
    "surfaces",
    "trails",
    "hand",
    "velocities",
    "forces",
    "torques",
    "path_force",
    "tangents",
    "curvature",
    "ghosts",
    "field_slice",
    "field_lines",
    "inertia",
    "polhode",
]


class Camera(Part):
    position: Annotated[Vector, Quantity("m")] = (1.0, -2.0, 0.8)
    """Where the camera stands."""
    target: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Point in the middle of the picture."""
    up: Vector = (0.0, 0.0, 1.0)
    """Direction that is up in the picture."""
    height: Annotated[NotNegative, Quantity("m")] = 0.0
    """Height of what a picture in parallel projection shows; 0 for one in perspective."""

    @model_validator(mode="after")
    def _it_looks_somewhere(self) -> Camera:
        ahead = np.array(self.target) - np.array(self.position)
        if not np.any(ahead):
            raise InvalidValue(Message("the camera stands at its target"), Message("move one of them"))
        if not any(self.up) or not np.any(np.cross(ahead, unit(self.up))):
            raise InvalidValue(
                Message("up is no direction across the camera's line of sight"), Message("choose another")
            )
        return self


class View(Part):
    """Display settings that are stored with the scene; the user's own switches override them."""

    show: tuple[ViewName, ...] = ()
    """Things that are drawn for this scene besides the usual ones."""
    hide: tuple[Name, ...] = ()
    """Names of parts that are not drawn; they move and act as before."""
    camera: Camera | None = None
    """From where the scene is seen at first; without it, so that everything is in the picture."""


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
            raise InvalidValue(Message("starts otherwise, but no body is named"), Message("add body = ..."))
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
    """What is there besides the parts: gravity, a field, wind."""
    solver: Solver = Solver()
    """How the motion is computed."""
    view: View = View()
    """What is drawn at first."""
    body: tuple[Body, ...] = ()
    """The rigid bodies."""
    sphere: tuple[SolidSphere, ...] = ()
    """Solid spheres, which are rigid bodies, too."""
    bead: tuple[Bead, ...] = ()
    """Spheres on paths."""
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
    sensor: Sensor = Sensor()
    """The hand over the distance sensor."""
    ghost: tuple[Ghost, ...] = ()
    """Copies of the scene that run beside it; `polhode run` leaves them out."""

    _folder: Path = PrivateAttr(default=Path())
    _stated: tuple[tuple[object, ...], ...] = PrivateAttr(default=((), (), ()))
    _rows: tuple[Body, ...] = PrivateAttr(default=())

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All rigid bodies in the order of the model: those of `body`, then the spheres, then the beads.

        A row of spheres gives one body each. Cached; every copy with other bodies, spheres or beads makes its own.
        """
        stated = self.body, self.sphere, self.bead
        if any(one is not other for one, other in zip(self._stated, stated, strict=True)):
            self._stated = stated  # a changed copy has the cache of the original
            self._rows = (
                *self.body,
                *bodies_of_spheres(self.sphere),
                *(body_of_bead(bead, self.sensor) for bead in self.bead),
            )
        return self._rows

    def place_of(self, number: int) -> str:
        """Where the file states body `number` of `bodies`, for messages: "body[0]", "sphere[1]", "bead[0]".

        All spheres of an arrangement have the same place.
        """
        if number < len(self.body):
            return f"body[{number}]"
        first_bead = len(self.bodies) - len(self.bead)
        if number >= first_bead:
            return f"bead[{number - first_bead}]"
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
        """A copy with `folder` as its folder, in which its files are looked up; their names stay as they are."""
        scene = self.model_copy()
        scene._folder = folder  # noqa: SLF001  (private attributes are not frozen, and this copy is ours)
        return scene

    @property
    def _count_of_spheres(self) -> int:
        return sum(1 if each.arrangement is None else each.arrangement.count for each in self.sphere)

    @model_validator(mode="after")
    def _is_not_too_large(self) -> Scene:
        lattices = [prod(soft.counts) for soft in self.soft if isinstance(soft, Lattice)]
        chains = [soft.count for soft in self.soft if isinstance(soft, Chain)]
        magnets = [shape.magnet for body in self.body for shape in body.shape if shape.magnet is not None]
        counts = {
            "bodies": len(self.body) + len(self.bead) + self._count_of_spheres,
            "points": len(self.particle) + sum(lattices) + sum(chains),
            "dipoles": sum(len(body.dipole) for body in self.body) + sum(magnet.dipoles for magnet in magnets),
            "ghosts": len(self.ghost),
        }
        for name, count in counts.items():
            if count > MOST[name]:
                rule = Message("has {count} {things}, more than {most}", count=count, things=name, most=MOST[name])
                raise InvalidValue(rule, Message("take fewer"))
        return self

    @model_validator(mode="after")
    def _what_is_hidden_is_there(self) -> Scene:
        named = (*self.body, *self.sphere, *self.bead, *self.soft, *self.particle, *self.wall, *self.surface)
        if unknown := set(self.view.hide) - {part.name for part in named}:
            raise InvalidValue(
                Message("view.hide names '{name}', which is no part", name=min(unknown)), Message("remove it")
            )
        return self

    @model_validator(mode="after")
    def _names_are_unique(self) -> Scene:
        if self._count_of_spheres > MOST["bodies"]:
            return self  # too many to make their names
        seen: set[str] = set()
        named = [part.name for part in (*self.body, *self.bead, *self.soft, *self.particle, *self.wall, *self.surface)]
        for name in (*named, *(name for sphere in self.sphere for name in sphere.names)):
            if name in seen:
                raise InvalidValue(Message("two parts are named '{name}'", name=name), Message("rename one"))
            seen.add(name)
        return self

    @model_validator(mode="after")
    def _ghosts_know_their_bodies(self) -> Scene:
        names = [body.name for body in self.body]
        for ghost in self.ghost:
            if ghost.body is not None and ghost.body not in names:
                raise InvalidValue(
                    Message("a ghost changes '{body}', which is no body", body=ghost.body),
                    Message("name one of {names}", names=", ".join(names)),
                )
        return self
