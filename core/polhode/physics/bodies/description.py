"""A rigid body: what it is made of and how it is held. Description only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from polhode.physics.bodies.shapes import Placed, Shape, kind_or
from polhode.physics.contact.description import Contact
from polhode.physics.paths.description import InTOrData
from polhode.physics.sensor.description import BodyFollows
from polhode.scene.measured_input import MeasuredInput, Measures
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Direction, Name, NotNegative, Number, Quantity, Vector

PRESSING = ("sphere", "cuboid", "cylinder", "capsule", "mesh")  # kinds of shapes that press on others
PRESSING_AS_SEEN = (*PRESSING, "tube", "cone", "ellipsoid", "torus", "rod")


def check_shapes_press(body: Body, pressing: tuple[str, ...], place: str = "") -> None:
    """Raise InvalidValue, at a place, for a body with a contact but without a shape of the kinds that press."""
    if not any(shape.kind in pressing for shape in body.shape):
        raise InvalidValue(
            Message("has a contact, but no shape to press with"),
            Message("add a sphere, cuboid, cylinder, capsule or mesh to its shapes, or remove contact"),
            place,
        )


class StillMotion(ScenePart):
    """At rest."""

    kind: Literal["still"] = "still"


class UniformMotion(ScenePart):
    """Moves on at constant velocity."""

    kind: Literal["uniform"] = Field(default=...)
    velocity: Annotated[Vector, Quantity("m/s")]
    """Velocity."""


class EllipseMotion(ScenePart):
    """Goes round its position: position + r1 cos(w t + phase) + r2 sin(w t + phase)."""

    kind: Literal["ellipse"] = Field(default=...)
    r1: Annotated[Vector, Quantity("m")]
    """Radius vector at phase 0."""
    r2: Annotated[Vector, Quantity("m")]
    """Radius vector a quarter turn later."""
    angular_frequency: Annotated[Number, Quantity("rad/s")]
    """Angular frequency w."""
    phase: Annotated[Number, Quantity("rad")] = 0.0
    """Initial phase."""


class FormulaMotion(ScenePart):
    """Moved by formulas of t: position + (x, y, z), and turned about an axis or by a rotation vector; of a pivot or an
    axle its point.
    """

    kind: Literal["formula"] = Field(default=...)
    x: Annotated[InTOrData, Measures(("m",))] = "0"
    """x [m] of t [s], added to the position, such as '0.1*sin(3*t)'."""
    y: Annotated[InTOrData, Measures(("m",))] = "0"
    """y [m] of t."""
    z: Annotated[InTOrData, Measures(("m",))] = "0"
    """z [m] of t."""
    axis: Direction = (0.0, 0.0, 1.0)
    """Axis about which the orientation is turned, laboratory frame; driven only."""
    angle: Annotated[InTOrData, Measures(("rad",))] = "0"
    """Angle [rad] of t by which the orientation is turned about the axis; driven only."""
    turn_x: Annotated[InTOrData, Measures(("rad",))] = "0"
    """x [rad] of t of a rotation vector, laboratory frame, by which the orientation is turned; driven only."""
    turn_y: Annotated[InTOrData, Measures(("rad",))] = "0"
    """y [rad] of t of the rotation vector."""
    turn_z: Annotated[InTOrData, Measures(("rad",))] = "0"
    """z [rad] of t of the rotation vector."""

    @property
    def turns(self) -> bool:
        """Whether the orientation follows formulas."""
        return self.angle != "0" or self.turns_by_vector

    @property
    def turns_by_vector(self) -> bool:
        """Whether the orientation follows a rotation vector."""
        return any(each != "0" for each in (self.turn_x, self.turn_y, self.turn_z))

    @property
    def sources(self) -> dict[str, str | MeasuredInput]:
        """The formulas and measured data by their names."""
        return {name: getattr(self, name) for name in ("x", "y", "z", "angle", "turn_x", "turn_y", "turn_z")}


Motion = Annotated[
    StillMotion | UniformMotion | EllipseMotion | BodyFollows | FormulaMotion,
    Field(discriminator="kind"),
    kind_or("still"),
]


class Dipole(ScenePart):
    """A point magnet that is fixed in its body."""

    position: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Position in the body frame."""
    moment: Annotated[Vector, Quantity("A m^2")]
    """Magnetic moment in the body frame."""


class Inertia(ScenePart):
    """Stated mass properties of a body, in place of those of its shapes."""

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
            raise InvalidValue(
                Message("tensor {tensor} is not symmetric", tensor=[list(row) for row in self.tensor]),
                Message("make it so"),
            )
        return self


class Body(Placed):
    """A rigid body: shapes and magnets that move as one."""

    name: Name
    """Name, unique in the scene; it heads the columns of a CSV file."""
    support: Literal["pivot", "axle", "free", "fixed", "driven"] = "pivot"
    """Support: pivot at the origin, axle through the origin, free, fixed, or driven by a prescribed motion."""
    axis: Vector | None = None
    """Direction of the axle, laboratory frame; axle only."""
    angular_velocity: Annotated[Vector, Quantity("rad/s")] = (0.0, 0.0, 0.0)
    """Angular velocity at the start, laboratory frame; a driven body keeps it."""
    velocity: Annotated[Vector, Quantity("m/s")] = (0.0, 0.0, 0.0)
    """Velocity of the origin at the start; free only."""
    motion: Motion = StillMotion()
    """Prescribed motion of the origin: of a driven body, or by formulas of the point of a pivot or an axle."""
    friction: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Friction of the support: torque = -friction * angular velocity."""
    dry_friction: Annotated[NotNegative, Quantity("N m")] = 0.0
    """Coulomb friction of a pivot or an axle: largest torque, against the rotation or holding at rest."""
    drag: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Linear coefficient of air drag: force per speed, at the centre of mass."""
    quadratic_drag: Annotated[NotNegative, Quantity("kg/m")] = 0.0
    """Quadratic coefficient of air drag: force per speed squared, at the centre of mass."""
    shape: Annotated[tuple[Shape, ...], Field(min_length=1)]
    """Shapes that the body is made of."""
    dipole: tuple[Dipole, ...] = ()
    """Point dipoles of the body; a shape can be a magnet, too."""
    inertia: Inertia | None = None
    """Mass properties used in place of those of the shapes, unless solver.inertia is shapes."""

    contact: Contact | None = None
    """Contact law of the body's spheres, cuboids, cylinders, capsules and meshes, which press with their convex hulls,
    with everything else that has a contact.
    """

    @model_validator(mode="after")
    def _an_axle_has_an_axis(self) -> Body:
        if self.support == "axle" and not any(self.axis or ()):
            rule = (
                Message("is held by an axle, but has no axis")
                if self.axis is None
                else Message("is held by an axle, but has the axis [0, 0, 0], which is no direction")
            )
            raise InvalidValue(rule, Message("add axis = [x, y, z], the direction of the axle"))
        return self

    @model_validator(mode="after")
    def _dry_friction_has_a_support(self) -> Body:
        if self.dry_friction > 0 and self.support not in ("pivot", "axle"):
            rule = Message(
                "is {dry_friction:g} N m, but a {support} body has no pivot or axle that rubs",
                dry_friction=self.dry_friction,
                support=self.support,
            )
            raise InvalidValue(rule, Message('remove it, or choose support = "pivot" or "axle"'), "dry_friction")
        return self

    @model_validator(mode="after")
    def _formulas_move_what_is_held(self) -> Body:
        if not isinstance(self.motion, FormulaMotion):
            return self
        if self.support not in ("driven", "pivot", "axle"):
            rule = Message("is {support}, but has a motion by formulas", support=self.support)
            raise InvalidValue(rule, Message('remove the motion, or choose support = "driven"'))
        if self.motion.turns and self.support != "driven":
            rule = Message("turns on its {support}, but its motion has an angle", support=self.support)
            raise InvalidValue(rule, Message('give x, y and z alone, or choose support = "driven"'))
        if self.motion.turns and any(self.angular_velocity):
            rule = Message("has an angular velocity beside the angle of its motion")
            raise InvalidValue(rule, Message("remove one of them"))
        if self.motion.angle != "0" and self.motion.turns_by_vector:
            rule = Message("turns by an angle and by a rotation vector")
            raise InvalidValue(rule, Message("remove one of them"), "motion")
        return self

    @model_validator(mode="after")
    def _a_contact_has_a_shape(self) -> Body:
        if self.contact is not None:
            check_shapes_press(self, PRESSING if self.contact.shape == "hull" else PRESSING_AS_SEEN)
        return self
