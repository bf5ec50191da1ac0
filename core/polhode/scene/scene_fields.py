"""The fields of a scene: the models of the whole scene, and the checks that join its parts.

Models of items are in the description.py of their subjects. Three kinds of checks run when a scene is made: of each
field (type, bounds, unknown keys), of the fields of a part together (the validators below and in the descriptions), and
of names across parts (the validators of SceneFields). Checks of geometry, such as an open mesh, are in
core/polhode/engine/compile.py. The docstrings of models and of their fields are texts for users: the help of forms, the
descriptions in the JSON Schema, with translations.
"""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import AfterValidator, BaseModel, Field, GetCoreSchemaHandler, PrivateAttr, model_validator
from pydantic_core import CoreSchema

from polhode.physics.air.description import Wind
from polhode.physics.bodies.derived_bodies import bodies_of_spheres, body_of_bead
from polhode.physics.bodies.description import PRESSING, Body, check_shapes_press
from polhode.physics.bodies.shapes import kind_or
from polhode.physics.coils.description import Circuit, Coil
from polhode.physics.coils.wiring import check_wiring
from polhode.physics.contact.description import Contact, ContactShape, Wall
from polhode.physics.contact.spheres import SolidSphere
from polhode.physics.contact.surfaces import Surface
from polhode.physics.forces.description import Force
from polhode.physics.frame.description import STILL, Rotation
from polhode.physics.grab.description import GrabSettings
from polhode.physics.joints.description import AnyJoint
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.description import Formula, formula_in
from polhode.physics.plates.description import Plate
from polhode.physics.points.description import Chain, Lattice, Particle, Soft, Spring
from polhode.physics.sensor.description import Sensor
from polhode.scene.checks.arguments import Count, checked
from polhode.scene.display.colors import known_color
from polhode.scene.display.lesson import MOST_LESSONS, Lesson
from polhode.scene.display.story import Story
from polhode.scene.display.view import View
from polhode.scene.formula_vector import POSITION_AND_TIME, Component, VectorOfPosition
from polhode.scene.measured_input import FORMULA, OR_MEASURED, Measured, Measures
from polhode.scene.message import Message
from polhode.scene.part import ScenePart, mark_validated
from polhode.scene.problem import InputError, InvalidValue
from polhode.scene.quantity import NotNegative, Number, Positive, Quantity, Vector
from polhode.scene.units import Units
from polhode.scene.variants.sweep import SweepSettings

VACUUM = 1.25663706127e-6  # [T m/A] magnetic permeability mu0
MOST = {"bodies": 200_000, "points": 4_000_000, "dipoles": 1_000_000, "ghosts": 100}  # in one scene
SEEN_FROM = 2  # format of scenes from which on shapes press as they look, unless their contact states it
MOST_VALUES = 1000  # numbers that a ghost has otherwise


class UniformField(ScenePart):
    """The same field everywhere and always."""

    kind: Literal["uniform"] = "uniform"
    value: Annotated[Vector, Quantity("T")] = (0.0, 0.0, 0.0)
    """Flux density."""


class RotatingField(ScenePart):
    """A field that turns or swings: cosine * cos(w t) + sine * sin(w t)."""

    kind: Literal["rotating"] = Field(default=...)
    cosine: Annotated[Vector, Quantity("T")]
    """Flux density at the start."""
    sine: Annotated[Vector, Quantity("T")]
    """Flux density a quarter turn later."""
    angular_frequency: Annotated[Number, Quantity("rad/s")]
    """Angular frequency w."""


InPositionAndTime = Annotated[Annotated[Formula, formula_in(*POSITION_AND_TIME), FORMULA] | Measured, OR_MEASURED]


class FormulaField(ScenePart):
    """Formulas of x, y, z in metres and t in seconds, in teslas."""

    kind: Literal["formula"] = Field(default=...)
    x: Annotated[InPositionAndTime, Measures(("T",))] = "0"
    """Flux density [T] along x, such as '-0.5e-3*x'."""
    y: Annotated[InPositionAndTime, Measures(("T",))] = "0"
    """Flux density [T] along y."""
    z: Annotated[InPositionAndTime, Measures(("T",))] = "0"
    """Flux density [T] along z."""

    @property
    def components(self) -> tuple[Component, Component, Component]:
        """The three formulas, or measured data."""
        return self.x, self.y, self.z


MagneticField = Annotated[UniformField | RotatingField | FormulaField, Field(discriminator="kind"), kind_or("uniform")]


class World(ScenePart):
    """Environment of a scene: gravity, magnetic field, air, and rotation of the laboratory."""

    gravity: Annotated[VectorOfPosition, Quantity("m/s^2")] = (0.0, 0.0, -9.80665)
    """Acceleration of free fall: numbers, or formulas of x, y, z in metres and t in seconds."""
    permeability: Annotated[NotNegative, Quantity("T m/A")] = VACUUM
    """Magnetic permeability between the magnets; with 0 only the world's field acts on them."""
    magnetic_field: MagneticField = UniformField()
    """External magnetic field, added to that of the scene's magnets."""
    wind: Wind = Wind()
    """Velocity of the air, and its drag on points."""
    rotation: Rotation = STILL
    """Angular velocity of the laboratory about its axes: numbers, or formulas of t in seconds."""


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
    "euler_as_printed",
]


class Solver(ScenePart):
    """Settings of the computation."""

    has_uncertain = False
    method: Method = "rk4"
    """Integration method."""
    time_step: Annotated[Positive, Quantity("s")] = 1e-3
    """Length of one step."""
    inertia: Literal["file", "shapes"] = "file"
    """Inertia of bodies with an inertia table: file, the stated values, or shapes, computed from the shapes."""
    dipole_sum: Literal["auto", "direct", "tree"] = "auto"
    """Sum of dipole forces: over all pairs (direct) or by a tree of distant groups; auto takes the faster."""
    dipole_tolerance: Annotated[Number, Field(ge=1e-9, le=1e-1)] = 1e-4
    """Relative root-mean-square error of fields and forces that the tree may have."""


class GhostValue(ScenePart):
    """A number of the scene that a ghost has otherwise."""

    has_uncertain = False
    parameter: Annotated[str, Field(min_length=1)]
    """Path of the number, such as world.gravity[2], body[0].friction or body[0].tilt[1]."""
    value: Number
    """Its value for the ghost, in SI; a tilt turns the start that the scene states."""


class Ghost(ScenePart):
    """A second run of the whole scene, drawn translucent: with another method, step or start, else the same values."""

    has_uncertain = False
    name: str = ""
    """Name in messages, by default of its method."""
    method: Method | None = None
    """Integration method in place of the scene's."""
    time_step: Annotated[Positive, Quantity("s")] | None = None
    """Time step in place of the scene's."""
    modes: Annotated[int, Field(ge=0, strict=True)] | None = None
    """Number of modes of every soft body, in place of its own; 0: all points move freely."""
    body: str | None = None
    """Name of the body whose initial state differs."""
    tilt: Annotated[Vector, Quantity("rad")] = (0.0, 0.0, 0.0)
    """Rotation vector that tilts this body at the start, laboratory frame; about the axle if it has one."""
    angular_velocity: Annotated[Vector, Quantity("rad/s")] | None = None
    """Initial angular velocity of this body, laboratory frame."""
    values: Annotated[tuple[GhostValue, ...], Field(max_length=MOST_VALUES)] = ()
    """Numbers of the scene that differ."""
    color: Annotated[str, AfterValidator(known_color)] | None = None
    """Colour of everything in the ghost."""

    @model_validator(mode="after")
    def _a_disturbance_has_a_body(self) -> Ghost:
        if self.body is None and (any(self.tilt) or self.angular_velocity is not None):
            raise InvalidValue(Message("starts otherwise, but no body is named"), Message("add body = ..."))
        return self


class SceneFields(ScenePart):
    """The tables of a scene file, and the rules that join them."""

    format: Literal[1, 2] = 1
    """Version of the scene format: in 1 meshes press with their hull, in 2 as they look, unless a contact states it."""
    title: str = ""
    """Title of the scene, on one line."""
    description: str = ""
    """Description of the scene, and notable features."""
    story: Story = Story()
    """Card that introduces the scene: one sentence, and what to try."""
    lesson: Annotated[tuple[Lesson, ...], Field(max_length=MOST_LESSONS)] = ()
    """Lessons: predict, run, measure, compare, explain and check, step by step."""
    units: Units = Units()
    """Size of the file's units in SI."""
    world: World = World()
    """Environment: gravity, magnetic field, wind, rotation of the laboratory."""
    solver: Solver = Solver()
    """Integration method, time step and other settings of the computation."""
    view: View = View()
    """Views and camera when the scene is opened."""
    body: tuple[Body, ...] = ()
    """Rigid bodies."""
    sphere: tuple[SolidSphere, ...] = ()
    """Solid spheres: rigid bodies in a short form."""
    bead: tuple[Bead, ...] = ()
    """Spheres that slide or roll along paths."""
    soft: tuple[Soft, ...] = ()
    """Soft bodies: points and springs."""
    particle: tuple[Particle, ...] = ()
    """Single point masses, with a radius for contacts."""
    spring: tuple[Spring, ...] = ()
    """Springs between any two of particles, points of soft bodies, bodies and fixed positions."""
    joint: tuple[AnyJoint, ...] = ()
    """Joints between two bodies, or a body and the laboratory."""
    force: tuple[Force, ...] = ()
    """Forces and torques by formulas on single things."""
    wall: tuple[Wall, ...] = ()
    """Planes that bodies and points press against."""
    surface: tuple[Surface, ...] = ()
    """Curved surfaces that spheres roll on."""
    plate: tuple[Plate, ...] = ()
    """Conducting plates in which moving magnets induce eddy currents."""
    coil: tuple[Coil, ...] = ()
    """Windings of wire: magnets and other coils induce currents in them, sources drive currents through them."""
    circuit: tuple[Circuit, ...] = ()
    """Coils in series, with a source of voltage, a capacitor and a switch."""
    sensor: Sensor = Sensor()
    """Distance sensor, and driven items."""
    grab: GrabSettings = GrabSettings()
    """Spring by which the mouse pulls everything to the pointer."""
    ghost: tuple[Ghost, ...] = ()
    """Copies of the scene with another method, step or initial state that run with it; not in `polhode run`."""
    sweep: tuple[SweepSettings, ...] = ()
    """Many runs over values of the scene's numbers: `polhode sweep`."""

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
                *(body_of_bead(bead, self.sensor, self.body) for bead in self.bead),
            )
        return self._rows

    @checked
    def place_of(self, number: Count) -> str:
        """Where the file states body `number` of `bodies`, for messages: "body[0]", "sphere[1]", "bead[0]".

        All spheres of an arrangement have the same place. Raises InputError for a body that the scene does not have.
        """
        if number >= len(self.bodies):
            rule = Message("the scene has {count} bodies, and none {number}", count=len(self.bodies), number=number)
            raise InputError.of("place_of", rule, Message("count from 0"), "number")
        if number < len(self.body):
            return f"body[{number}]"
        first_bead = len(self.bodies) - len(self.bead)
        if number >= first_bead:
            return f"bead[{number - first_bead}]"
        ends = np.cumsum([len(self.body), *(len(sphere.names) for sphere in self.sphere)])
        return f"sphere[{int(np.searchsorted(ends, number, 'right')) - 1}]"

    @checked
    def contact_shape(self, contact: Contact) -> ContactShape:
        """Shape with which the meshes of a body with this contact press: that of the contact or of the format."""
        return contact.shape or ("mesh" if self.format == SEEN_FROM else "hull")

    @property
    def folder(self) -> Path:
        """The folder that the scene's mesh files are relative to."""
        return self._folder

    def __eq__(self, other: object) -> bool:
        """Whether all fields and the folder are equal. Fast if most parts of both scenes are the same objects."""
        return isinstance(other, SceneFields) and self.__dict__ == other.__dict__ and self._folder == other._folder

    @checked
    def in_folder(self, folder: Path | str) -> Self:
        """A copy with `folder` as its folder, in which its files are looked up; their names stay as they are."""
        scene = self.model_copy()
        scene._folder = Path(folder)  # noqa: SLF001  (private attributes are not frozen, and this copy is ours)
        if getattr(self, "is_validated", False):  # no rule of fields reads files
            mark_validated(scene)
        return scene

    @property
    def _count_of_spheres(self) -> int:
        return sum(1 if each.arrangement is None else each.arrangement.count for each in self.sphere)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        """The schema of a part; that of bodies, which buttons of a story validate alone, is made once for both."""
        Body.model_rebuild()
        return super().__get_pydantic_core_schema__(source, handler)

    @model_validator(mode="after")
    def _is_not_too_large(self) -> Self:
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
    def _contacts_press(self) -> Self:
        for number, body in enumerate(self.body):
            if body.contact is not None and self.contact_shape(body.contact) == "hull":
                check_shapes_press(body, PRESSING, f"body[{number}]")
        return self

    @model_validator(mode="after")
    def _what_is_hidden_is_there(self) -> Self:
        planes = (*self.wall, *self.surface, *self.plate)
        named = (*self.body, *self.sphere, *self.bead, *self.soft, *self.particle, *planes, *self.joint, *self.coil)
        if unknown := set(self.view.hide) - {part.name for part in named}:
            raise InvalidValue(
                Message("view.hide names '{name}', which is no part", name=min(unknown)), Message("remove it")
            )
        return self

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        if self._count_of_spheres > MOST["bodies"]:
            return self  # too many to make their names
        seen: set[str] = set()
        planes = (*self.wall, *self.surface, *self.plate)
        items = (*self.body, *self.bead, *self.soft, *self.particle, *planes, *self.joint, *self.coil, *self.circuit)
        named = [part.name for part in items]
        for name in (*named, *(name for sphere in self.sphere for name in sphere.names)):
            if name in seen:
                raise InvalidValue(Message("two parts are named '{name}'", name=name), Message("rename one"))
            seen.add(name)
        return self

    @model_validator(mode="after")
    def _coils_know_their_bodies(self) -> Self:
        names = {body.name for body in self.bodies} if self.coil else set()
        for number, coil in enumerate(self.coil):
            if coil.body is not None and coil.body not in names:
                rule = Message("names '{body}', which is no body", body=coil.body)
                remedy = Message("name one, or leave it out for the laboratory")
                raise InvalidValue(rule, remedy, f"coil[{number}].body")
        check_wiring(self.coil, self.circuit)
        return self

    @model_validator(mode="after")
    def _ghosts_know_their_bodies(self) -> Self:
        names = [body.name for body in self.body]
        for ghost in self.ghost:
            if ghost.body is not None and ghost.body not in names:
                raise InvalidValue(
                    Message("a ghost changes '{body}', which is no body", body=ghost.body),
                    Message("name one of {names}", names=", ".join(names)),
                )
        return self
