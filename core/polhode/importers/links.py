"""Model of both formats: links, their motion against their parents, and ties that close loops."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np

from polhode.importers.kinematics import HERE, IDENTITY, MassOf, RigidTransform, Tables, turned_about
from polhode.importers.options import Choice
from polhode.scene.files.xml_tree import Element

Kind = Literal["fixed", "free", "ball", "hinge", "slider"]


@dataclass(eq=False)
class JointMotion:
    """How a link moves against its parent. Point and axes are in the frame of the link."""

    kind: Kind
    element: Element
    name: str = ""
    anchor: np.ndarray = field(default_factory=lambda: np.zeros(3))  # (3,) [m]
    axis: np.ndarray = field(default_factory=lambda: IDENTITY[2])  # (3,) unit
    reference: float = 0.0  # [rad or m] coordinate in the pose that the file states
    start: float = 0.0  # [rad or m] coordinate at the start
    spring_reference: float = 0.0  # [rad or m] coordinate at which tendons have their lengths of rest
    change: RigidTransform = HERE  # of a free joint or a ball: its start in the pose that the file states
    rates: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (n,) at the start (keyframes.py); (0,) at rest
    fields: Tables = field(default_factory=dict)  # friction, limits, spring ... as in a scene

    @property
    def displacement(self) -> RigidTransform:
        """Pose of the link at the start in that which the file states."""
        return self.change if self.kind in ("free", "ball") else self.displaced(self.start)

    def motion_at(self, pose: RigidTransform) -> tuple[np.ndarray, np.ndarray]:
        """(3,) [m/s] velocity and (3,) [rad/s] angular velocity that the rates give the origin of the link in `pose`
        against its parent, laboratory frame.
        """
        linear, angular = np.zeros(3), np.zeros(3)
        if len(self.rates) == 0:
            return linear, angular
        if self.kind == "slider":
            return self.rates[0] * (pose.turn @ self.axis), angular
        if self.kind == "hinge":
            angular = self.rates[0] * (pose.turn @ self.axis)
        elif self.kind in ("free", "ball"):
            angular = pose.turn @ self.rates[-3:]
        if self.kind == "free":
            return self.rates[:3], angular
        return np.cross(angular, -pose.turn @ self.anchor), angular

    def displaced(self, coordinate: float) -> RigidTransform:
        """Pose of the link at a coordinate [rad or m] in that which the file states."""
        change = coordinate - self.reference
        if self.kind == "hinge" and change:
            turn = turned_about(self.axis, change)
            return RigidTransform(turn, self.anchor - turn @ self.anchor)
        if self.kind == "slider" and change:
            return RigidTransform(IDENTITY, change * self.axis)
        return HERE


@dataclass
class Link:
    """A rigid part of a model."""

    name: str
    element: Element
    parent: Link | None  # None: the laboratory
    pose: RigidTransform  # in the frame of the parent, as the file states it
    motion: JointMotion
    shapes: list[Tables] = field(default_factory=list)
    stated: MassOf | None = None  # in the frame of the link
    parts: list[MassOf] = field(default_factory=list)  # of its meshes, whose shapes have none
    pressing: list[Pressing] = field(default_factory=list)  # of its shapes that press
    has_mass: bool = False  # stated, or from its shapes
    is_between: bool = False  # has no mass, but is between two joints of a body

    @property
    def at_start(self) -> RigidTransform:
        """Its pose in the laboratory at the start."""
        return self._unmoved @ self.motion.displacement

    def place(self, at: RigidTransform) -> None:
        """Let a free link start at a pose in the laboratory."""
        self.motion.change = self._unmoved.inverse() @ at

    @property
    def _unmoved(self) -> RigidTransform:
        return self.pose if self.parent is None else self.parent.at_start @ self.pose


@dataclass(eq=False)
class Tie:
    """A joint that closes a loop. The anchor is in the frame of the first link."""

    kind: Literal["ball", "weld"]
    name: str
    element: Element
    first: Link | None  # None: the laboratory
    second: Link | None
    anchor: np.ndarray  # (3,) [m] in the pose that the file states
    other_anchor: np.ndarray | None = None  # (3,) [m] in the frame of the second link; None: where the first one is


@dataclass(frozen=True, eq=False)
class Pressing:
    """How a shape of a link presses on others."""

    kinds: int  # bits of the kinds of things that it is
    partners: int  # bits of the kinds of things on which it presses
    friction: float  # Coulomb's coefficient
    hardness: float  # [1/s^2] stiffness over mass
    damping_ratio: float
    points: int  # at which it may press at the same time
    extent: np.ndarray | None = None  # (8, 3) [m] corners of the box around a mesh, in the frame of the link

    def moved(self, pose: RigidTransform) -> Pressing:
        """The same for a link in whose frame `pose` is that of this one."""
        return self if self.extent is None else replace(self, extent=self.extent @ pose.turn.T + pose.position)


@dataclass(eq=False)
class Cord:
    """A spring or a string over points of links."""

    name: str
    element: Element
    places: list[tuple[Link, np.ndarray]]  # links and points (3,) [m] in their frames
    strands: list[float]  # of each part between two of them, 0 where there is none
    fields: Tables  # of a spring; of a string its length [m] and pull_only
    hardness: tuple[float, float] = (0.0, 0.0)  # [N/m] stiffness and [N s/m] damping of a spring

    @property
    def is_straight(self) -> bool:
        """Whether it is a single strand between two points."""
        return self.strands == [1.0]


@dataclass(eq=False)
class Push:
    """A constant force on a point of a link."""

    link: Link
    point: np.ndarray  # (3,) [m] in the frame of the link
    force: np.ndarray  # (3,) [N] in the laboratory


@dataclass
class Gear:
    """Ties the coordinate of the second motion to `ratio` times that of the first."""

    name: str
    element: Element
    first: JointMotion
    second: JointMotion
    ratio: float


@dataclass(eq=False)
class Winding:
    """A tendon over hinges and sliders: its length is a sum of coefficients times coordinates."""

    name: str
    element: Element
    terms: list[tuple[JointMotion, float]]
    fields: Tables = field(default_factory=dict)  # spring, limits, motor ... as in a scene

    @property
    def kind(self) -> str:
        """Other than "tendon" where one of the joints has no coordinate."""
        return "tendon" if all(motion.kind in ("hinge", "slider") for motion, _ in self.terms) else "other"


@dataclass
class RobotModel:
    """A whole file: links with parents first."""

    title: str
    folder: Path | None = None  # from which the names of meshes count; None: that of the model
    links: list[Link] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    gears: list[Gear] = field(default_factory=list)
    cords: list[Cord] = field(default_factory=list)
    windings: list[Winding] = field(default_factory=list)
    pushes: list[Push] = field(default_factory=list)
    apart: list[tuple[Link, Link]] = field(default_factory=list)  # pairs that do not press on each other
    parents_press: bool = False  # whether links press on those that they hang on
    starts: tuple[str, ...] = ()  # names of starts that may be chosen
    walls: list[tuple[Tables, Element]] = field(default_factory=list)
    world: Tables = field(default_factory=dict)
    solver: Tables = field(default_factory=dict)
    choices: list[Choice] = field(default_factory=list)
