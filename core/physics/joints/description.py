"""Joints between two bodies, or a body and the laboratory. Description only."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from core.physics.bodies.shapes import Part
from core.physics.paths.description import Formula, formula_in
from core.scene.message import Message
from core.scene.problem import InvalidValue
from core.scene.quantity import Name, NotNegative, Number, Positive, Quantity, Vector

InT = Annotated[Formula, formula_in("t")]
TURNS, SLIDES = "turns", "slides"


class HingeSpring(Part):
    """A spring and a damper about the axis: torque = -stiffness (angle - rest) - damping * angular speed."""

    stiffness: Annotated[NotNegative, Quantity("N m")] = 0.0
    """Spring constant: torque per angle."""
    damping: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Damping: torque per angular speed."""
    rest: Annotated[Number, Quantity("rad")] = 0.0
    """Angle at which the spring is relaxed."""


class SliderSpring(Part):
    """A spring and a damper along the axis: force = -stiffness (displacement - rest) - damping * speed."""

    stiffness: Annotated[NotNegative, Quantity("N/m")] = 0.0
    """Spring constant: force per displacement."""
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Damping: force per speed."""
    rest: Annotated[Number, Quantity("m")] = 0.0
    """Displacement at which the spring is relaxed."""


class Motor(Part):
    """A motor in a joint: a torque or force, or a speed that is enforced."""

    torque: InT | None = None
    """Torque [N m] of a hinge, or force [N] of a slider, on the second body; a number or a formula of t."""
    speed: InT | None = None
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
    def formula(self) -> str:
        """Torque, force or speed; a motor that states nothing is off."""
        return self.speed or self.torque or "0"


class Joint(Part):
    """What all joints have."""

    coordinate: ClassVar[str] = ""
    """How the second body moves along the axis: it turns, slides, or neither."""
    rows: ClassVar[int]
    """Number of equations that hold the bodies together."""

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

    kind: Literal["ball"]
    rows: ClassVar[int] = 3
    friction: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Viscous friction: torque = -friction * relative angular velocity."""


class UniversalJoint(Joint):
    """Holds a point together, and an axis of the first body across one of the second: Cardan's joint."""

    kind: Literal["universal"]
    rows: ClassVar[int] = 4
    axis: Vector
    """Axis in the frame of the first body."""
    second_axis: Vector
    """Axis in the frame of the second body, perpendicular to the other at the start."""
    friction: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Viscous friction: torque = -friction * relative angular velocity."""

    @model_validator(mode="after")
    def _has_axes(self) -> UniversalJoint:
        for key in ("axis", "second_axis"):
            _check_axis(getattr(self, key), key)
        return self


class WeldJoint(Joint):
    """Makes two bodies move as one."""

    kind: Literal["weld"]
    rows: ClassVar[int] = 6


class DistanceJoint(Joint):
    """A rod without mass: holds two points at a constant distance."""

    kind: Literal["distance"]
    rows: ClassVar[int] = 1
    length: Annotated[Positive, Quantity("m")] | None = None
    """Length of the rod; without it the distance at the start."""


class AxisJoint(Joint):
    """What joints along an axis have."""

    axis: Vector
    """Axis in the frame of the first body."""

    @model_validator(mode="after")
    def _has_an_axis(self) -> AxisJoint:
        _check_axis(self.axis, "axis")
        return self


class CylindricalJoint(AxisJoint):
    """The second body turns about and slides along an axis of the first."""

    kind: Literal["cylindrical"]
    coordinate: ClassVar[str] = TURNS
    rows: ClassVar[int] = 4
    angle: Annotated[Number, Quantity("rad")] = 0.0
    """Angle at the start, from which it is counted."""


class HingeJoint(AxisJoint):
    """The second body turns about an axis of the first."""

    kind: Literal["hinge"]
    coordinate: ClassVar[str] = TURNS
    rows: ClassVar[int] = 5
    angle: Annotated[Number, Quantity("rad")] = 0.0
    """Angle at the start, from which it is counted."""
    friction: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Viscous friction: torque = -friction * angular speed."""
    spring: HingeSpring | None = None
    """Spring and damper about the axis."""
    motor: Motor | None = None
    """Motor about the axis; its torque acts on the second body."""


class SliderJoint(AxisJoint):
    """The second body slides along an axis of the first, and does not turn against it."""

    kind: Literal["slider"]
    coordinate: ClassVar[str] = SLIDES
    rows: ClassVar[int] = 5
    friction: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Viscous friction: force = -friction * speed."""
    spring: SliderSpring | None = None
    """Spring and damper along the axis."""
    motor: Motor | None = None
    """Motor along the axis; its force acts on the second body."""


class GearJoint(Part):
    """Ties the angles of two hinges: that of the second is `ratio` times that of the first, from the start on."""

    coordinate: ClassVar[str] = ""
    rows: ClassVar[int] = 1

    kind: Literal["gear"]
    name: Name
    """Name, unique in the scene; it heads the columns of a CSV file."""
    first: Name
    """Name of the first hinge."""
    second: Name
    """Name of the second hinge."""
    ratio: Number = 1.0
    """Angle of the second hinge per angle of the first; negative where they turn against each other."""

    @model_validator(mode="after")
    def _ties_two_hinges(self) -> GearJoint:
        if self.first == self.second:
            rule = Message("ties '{name}' to itself", name=self.first)
            raise InvalidValue(rule, Message("name another hinge"), "second")
        if self.ratio == 0.0:
            rule = Message("is 0, so that the second hinge could not turn")
            raise InvalidValue(rule, Message("take another number, or a weld"), "ratio")
        return self


AnyJoint = Annotated[
    BallJoint | HingeJoint | SliderJoint | CylindricalJoint | UniversalJoint | WeldJoint | DistanceJoint | GearJoint,
    Field(discriminator="kind"),
]


def _check_axis(axis: Vector, key: str) -> None:
    """Raise InvalidValue for an axis without direction."""
    if not any(axis):
        raise InvalidValue(Message("is zero and has no direction"), Message("give any other vector"), key)
