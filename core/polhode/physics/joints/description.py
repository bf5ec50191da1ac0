"""Joints between two bodies, or a body and the laboratory. Description only."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import Field, model_validator

from polhode.physics.paths.description import InTOrData
from polhode.scene.measured_input import MeasuredInput, Measures
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Direction, Name, NotNegative, Number, Positive, Quantity, Vector

TURNS, SLIDES, WINDS = "turns", "slides", "winds"


class HingeSpring(ScenePart):
    """A spring and a damper about the axis: torque = -stiffness (angle - rest) - damping * angular speed."""

    stiffness: Annotated[NotNegative, Quantity("N m")] = 0.0
    """Spring constant: torque per angle."""
    damping: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Damping: torque per angular speed."""
    rest: Annotated[Number, Quantity("rad")] = 0.0
    """Angle at which the spring is relaxed."""


class SliderSpring(ScenePart):
    """A spring and a damper along the axis: force = -stiffness (displacement - rest) - damping * speed."""

    stiffness: Annotated[NotNegative, Quantity("N/m")] = 0.0
    """Spring constant: force per displacement."""
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Damping: force per speed."""
    rest: Annotated[Number, Quantity("m")] = 0.0
    """Displacement at which the spring is relaxed."""


class Motor(ScenePart):
    """A motor in a joint: a torque or force, or a speed that is enforced."""

    torque: Annotated[InTOrData | None, Measures(("N m", "N"))] = None
    """Torque [N m] of a hinge, or force [N] of a slider, on the second body; a number or a formula of t."""
    speed: Annotated[InTOrData | None, Measures(("rad/s", "m/s"))] = None
    """Speed [rad/s] of a hinge or [m/s] of a slider, whatever torque it takes; a number or a formula of t."""

    @model_validator(mode="after")
    def _has_one_law(self) -> Motor:
        if self.torque is not None and self.speed is not None:
            raise InvalidValue(Message("has both torque and speed"), Message("remove one of them"))
        return self

    @property
    def enforces_speed(self) -> bool:
        """Whether the motor takes whatever torque its speed needs."""
        return self.speed is not None

    @property
    def source(self) -> str | MeasuredInput:
        """Torque, force or speed; a motor that states nothing is off."""
        return self.speed or self.torque or "0"


class Limits(ScenePart):
    """Values between which the coordinate of a joint stays."""

    lower: Number | None = None
    upper: Number | None = None
    restitution: Annotated[Number, Field(ge=0, le=1)] = 0.0
    """Rate of the coordinate after an impact, in parts of that before."""

    @model_validator(mode="after")
    def _are_in_order(self) -> Limits:
        if self.lower is None and self.upper is None:
            raise InvalidValue(Message("has neither lower nor upper"), Message("give one of them, or remove limits"))
        if self.lower is not None and self.upper is not None and self.lower >= self.upper:
            rule = Message("is {upper:.6g}, not above lower, {lower:.6g}", upper=self.upper, lower=self.lower)
            raise InvalidValue(rule, Message("exchange the two, or take a weld"), "upper")
        return self


class HingeLimits(Limits):
    """Angles between which a hinge turns; at an end it bounces, or is held while forces press it there."""

    lower: Annotated[Number, Quantity("rad")] | None = None
    """Smallest angle; without it there is none."""
    upper: Annotated[Number, Quantity("rad")] | None = None
    """Largest angle; without it there is none."""


class SliderLimits(Limits):
    """Displacements between which a joint slides; at an end it bounces, or is held while forces press it there."""

    lower: Annotated[Number, Quantity("m")] | None = None
    """Smallest displacement; without it there is none."""
    upper: Annotated[Number, Quantity("m")] | None = None
    """Largest displacement; without it there is none."""


class Joint(ScenePart):
    """Fields of all joints."""

    coordinate: ClassVar[str] = ""
    """How the second body moves along the axis: it turns, slides, or neither; a tendon winds over others."""
    rows: ClassVar[int]
    """Number of equations that hold the bodies together."""
    lengths: ClassVar[int]
    """Number of these, the first ones, that state lengths; all others state directions or angles."""

    name: Name
    """Name, unique in the scene; it heads the columns of a CSV file."""
    first: Name
    """Name of the first body."""
    second: Name | None = None
    """Name of the second body; without it the laboratory."""
    anchor: Annotated[Vector, Quantity("m")] | None = None
    """Position of the joint at the start, laboratory frame, in place of both anchors."""
    anchor_first: Annotated[Vector, Quantity("m")] | None = None
    """Position of the joint in the frame of the first body."""
    anchor_second: Annotated[Vector, Quantity("m")] | None = None
    """Position of the joint in the frame of the second body, or of the laboratory."""
    breaks_at: Annotated[Positive, Quantity("N")] | None = None
    """Force at which the joint breaks and holds nothing from then on; without it never."""
    collide: bool = False
    """Whether the two bodies press on each other where both have a contact."""

    @property
    def has_status(self) -> bool:
        """Whether it has limits or dry friction, is a string, or may break, so that what it holds changes."""
        held = getattr(self, "limits", None) is not None or getattr(self, "dry_friction", 0.0) > 0.0
        return held or getattr(self, "pull_only", False) or self.breaks_at is not None

    @model_validator(mode="after")
    def _ties_two_bodies(self) -> Joint:
        if self.first == self.second:
            rule = Message("ties '{name}' to itself", name=self.first)
            raise InvalidValue(rule, Message("name another body, or leave second out for the laboratory"), "second")
        return self

    @model_validator(mode="after")
    def _has_one_place(self) -> Joint:
        if self.anchor is not None and (self.anchor_first is not None or self.anchor_second is not None):
            rule = Message("is stated beside anchor_first or anchor_second")
            raise InvalidValue(rule, Message("remove one of them"), "anchor")
        return self


class BallJoint(Joint):
    """Holds a point of each body together; they turn freely."""

    kind: Literal["ball"] = Field(default=...)
    rows: ClassVar[int] = 3
    lengths: ClassVar[int] = 3
    friction: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Viscous friction: torque = -friction * relative angular velocity."""


class UniversalJoint(Joint):
    """Holds a point together, and an axis of the first body across one of the second: Cardan's joint."""

    kind: Literal["universal"] = Field(default=...)
    rows: ClassVar[int] = 4
    lengths: ClassVar[int] = 3
    axis: Direction
    """Axis in the frame of the first body."""
    second_axis: Direction
    """Axis in the frame of the second body, perpendicular to the other at the start."""
    friction: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Viscous friction: torque = -friction * relative angular velocity."""


class WeldJoint(Joint):
    """Makes two bodies move as one."""

    kind: Literal["weld"] = Field(default=...)
    rows: ClassVar[int] = 6
    lengths: ClassVar[int] = 3


class DistanceJoint(Joint):
    """A rod without mass that holds two points at a constant distance, or a string that becomes slack."""

    kind: Literal["distance"] = Field(default=...)
    rows: ClassVar[int] = 1
    lengths: ClassVar[int] = 1
    length: Annotated[Positive, Quantity("m")] | None = None
    """Length of the rod or string; without it the distance at the start."""
    pull_only: bool = False
    """A string: its ends may come closer than its length."""
    restitution: Annotated[Number, Field(ge=0, le=1)] = 0.0
    """Of a string that becomes taut: speed of its ends towards each other, in parts of that before."""

    @model_validator(mode="after")
    def _bounces_as_a_string(self) -> DistanceJoint:
        if self.restitution > 0.0 and not self.pull_only:
            rule = Message("is stated for a rod, which never becomes taut")
            raise InvalidValue(rule, Message("set pull_only = true, or remove it"), "restitution")
        return self


P = TypeVar("P", bound=ScenePart)


def _gives_way(joint: P) -> P:
    """A motor that enforces the speed against all forces has neither limits nor dry friction beside it."""
    motor = getattr(joint, "motor", None)
    for key in ("limits", "dry_friction"):
        if motor is not None and motor.enforces_speed and getattr(joint, key):
            rule = Message("is stated beside a motor that enforces the speed, whatever torque it takes")
            raise InvalidValue(rule, Message("remove it, or give the motor a torque"), key)
    return joint


class AxisJoint(Joint):
    """Fields of joints along an axis."""

    axis: Direction
    """Axis in the frame of the first body."""

    _gives_way = model_validator(mode="after")(_gives_way)


class CylindricalJoint(AxisJoint):
    """The second body turns about and slides along an axis of the first."""

    kind: Literal["cylindrical"] = Field(default=...)
    coordinate: ClassVar[str] = TURNS
    rows: ClassVar[int] = 4
    lengths: ClassVar[int] = 2
    angle: Annotated[Number, Quantity("rad")] = 0.0
    """Reading of the angle at the start, from which it is counted; the bodies are where their orientations put them."""
    limits: SliderLimits | None = None
    """Displacements between which it slides; it turns freely."""


class HingeJoint(AxisJoint):
    """The second body turns about an axis of the first."""

    kind: Literal["hinge"] = Field(default=...)
    coordinate: ClassVar[str] = TURNS
    rows: ClassVar[int] = 5
    lengths: ClassVar[int] = 3
    angle: Annotated[Number, Quantity("rad")] = 0.0
    """Reading of the angle at the start, from which it is counted; the bodies are where their orientations put them."""
    friction: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Viscous friction: torque = -friction * angular speed."""
    dry_friction: Annotated[NotNegative, Quantity("N m")] = 0.0
    """Coulomb friction: torque against the motion, which holds the hinge up to this torque."""
    armature: Annotated[NotNegative, Quantity("kg m^2")] = 0.0
    """Moment of inertia of a rotor that turns with the angle, as seen behind its gear."""
    limits: HingeLimits | None = None
    """Angles between which it turns."""
    spring: HingeSpring | None = None
    """Spring and damper about the axis."""
    motor: Motor | None = None
    """Motor about the axis; its torque acts on the second body."""


class SliderJoint(AxisJoint):
    """The second body slides along an axis of the first, and does not turn against it."""

    kind: Literal["slider"] = Field(default=...)
    coordinate: ClassVar[str] = SLIDES
    rows: ClassVar[int] = 5
    lengths: ClassVar[int] = 2
    friction: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Viscous friction: force = -friction * speed."""
    dry_friction: Annotated[NotNegative, Quantity("N")] = 0.0
    """Coulomb friction: force against the motion, which holds the slider up to this force."""
    armature: Annotated[NotNegative, Quantity("kg")] = 0.0
    """Inertia of a rotor that turns with the displacement, as a mass."""
    limits: SliderLimits | None = None
    """Displacements between which it moves."""
    spring: SliderSpring | None = None
    """Spring and damper along the axis."""
    motor: Motor | None = None
    """Motor along the axis; its force acts on the second body."""


class GearJoint(ScenePart):
    """Ties two hinges or sliders: the coordinate of the second changes by `ratio` times that of the first."""

    coordinate: ClassVar[str] = ""
    has_status: ClassVar[bool] = False
    rows: ClassVar[int] = 1
    lengths: ClassVar[int] = 0

    kind: Literal["gear"] = Field(default=...)
    name: Name
    """Name, unique in the scene; it heads the columns of a CSV file."""
    first: Name
    """Name of the first hinge or slider."""
    second: Name
    """Name of the second hinge or slider."""
    ratio: Number = 1.0
    """Angle or displacement of the second per that of the first, in rad and m; negative where they are opposite."""

    @model_validator(mode="after")
    def _ties_two_joints(self) -> GearJoint:
        if self.first == self.second:
            rule = Message("ties '{name}' to itself", name=self.first)
            raise InvalidValue(rule, Message("name another hinge or slider"), "second")
        if float(self.ratio) == 0.0:
            rule = Message("is 0, so that the second joint could not move")
            raise InvalidValue(rule, Message("take another number, or a weld"), "ratio")
        return self


class TendonJoint(ScenePart):
    """A tendon without mass that winds over hinges and sliders: its length is a sum of coefficients times coordinates.

    A coefficient is the radius of a pulley on a hinge, or the number of strands along a slider.
    """

    coordinate: ClassVar[str] = WINDS
    rows: ClassVar[int] = 0
    lengths: ClassVar[int] = 0

    kind: Literal["tendon"] = Field(default=...)
    name: Name
    """Name, unique in the scene; it heads the columns of a CSV file."""
    joints: Annotated[tuple[Name, ...], Field(min_length=1)]
    """Names of the hinges and sliders, each once."""
    coefficients: Annotated[tuple[Number, ...], Field(min_length=1)]
    """Change of the length per angle [m/rad] or displacement of each of them; negative where it becomes shorter."""
    dry_friction: Annotated[NotNegative, Quantity("N")] = 0.0
    """Coulomb friction: tension against the motion, which holds the tendon up to this tension."""
    armature: Annotated[NotNegative, Quantity("kg")] = 0.0
    """Inertia of a rotor that turns with the length, as a mass."""
    limits: SliderLimits | None = None
    """Lengths between which it stays."""
    spring: SliderSpring | None = None
    """Spring and damper along the tendon."""
    motor: Motor | None = None
    """Motor; its force makes the tendon longer."""

    @property
    def first(self) -> str:
        """Name of the first hinge or slider."""
        return self.joints[0]

    @property
    def second(self) -> str:
        """Name of the last hinge or slider."""
        return self.joints[-1]

    @property
    def has_status(self) -> bool:
        """Whether it has limits or dry friction, so that what it holds changes."""
        return self.limits is not None or self.dry_friction > 0.0

    @property
    def has_equations(self) -> bool:
        """Whether it may hold the length, so that its joints are no tree."""
        return self.has_status or self.armature > 0.0 or (self.motor is not None and self.motor.enforces_speed)

    @model_validator(mode="after")
    def _has_a_coefficient_for_each(self) -> TendonJoint:
        if len(self.joints) != len(self.coefficients):
            rule = Message(
                "has {numbers} numbers for {joints} joints", numbers=len(self.coefficients), joints=len(self.joints)
            )
            raise InvalidValue(rule, Message("give one for each"), "coefficients")
        if len(set(self.joints)) < len(self.joints):
            raise InvalidValue(Message("names a joint twice"), Message("add their coefficients"), "joints")
        if 0.0 in self.coefficients:
            rule = Message("has a 0, so that the joint would not count")
            raise InvalidValue(rule, Message("remove the joint, or take another number"), "coefficients")
        return self

    _gives_way = model_validator(mode="after")(_gives_way)


OfJoints = GearJoint | TendonJoint
"""Joints that tie coordinates of others, not bodies."""

AnyJoint = Annotated[
    BallJoint
    | HingeJoint
    | SliderJoint
    | CylindricalJoint
    | UniversalJoint
    | WeldJoint
    | DistanceJoint
    | GearJoint
    | TendonJoint,
    Field(discriminator="kind"),
]
