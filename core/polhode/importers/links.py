"""Model of both formats: links, their motion against their parents, and ties that close loops."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from polhode.importers.kinematics import HERE, IDENTITY, MassOf, RigidTransform, Tables, turned_about
from polhode.importers.options import Choice
from polhode.importers.reading import Element

Kind = Literal["fixed", "free", "ball", "universal", "hinge", "slider", "cylindrical"]


@dataclass(eq=False)
class JointMotion:
    """How a link moves against its parent. Point and axes are in the frame of the link."""

    kind: Kind
    element: Element
    name: str = ""
    anchor: np.ndarray = field(default_factory=lambda: np.zeros(3))  # (3,) [m]
    axis: np.ndarray = field(default_factory=lambda: IDENTITY[2])  # (3,) unit; of a universal joint: in the parent
    second_axis: np.ndarray = field(default_factory=lambda: IDENTITY[0])  # (3,) unit; of a universal joint only
    reference: float = 0.0  # [rad or m] coordinate in the pose that the file states
    start: float = 0.0  # [rad or m] coordinate at the start
    fields: Tables = field(default_factory=dict)  # friction, limits, spring ... as in a scene

    @property
    def displacement(self) -> RigidTransform:
        """Pose of the link at the start in that which the file states."""
        change = self.start - self.reference
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
    has_mass: bool = False  # stated, or from its shapes


@dataclass(eq=False)
class Tie:
    """A joint that closes a loop. The anchor is in the frame of the first link."""

    kind: Literal["ball", "weld"]
    name: str
    element: Element
    first: Link | None  # None: the laboratory
    second: Link | None
    anchor: np.ndarray  # (3,) [m] in the pose that the file states


@dataclass
class Gear:
    """Ties the coordinate of the second motion to `ratio` times that of the first."""

    name: str
    element: Element
    first: JointMotion
    second: JointMotion
    ratio: float


@dataclass
class RobotModel:
    """A whole file: links with parents first."""

    title: str
    folder: Path | None = None  # from which the names of meshes count; None: that of the model
    links: list[Link] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    gears: list[Gear] = field(default_factory=list)
    walls: list[tuple[Tables, Element]] = field(default_factory=list)
    world: Tables = field(default_factory=dict)
    solver: Tables = field(default_factory=dict)
    choices: list[Choice] = field(default_factory=list)
