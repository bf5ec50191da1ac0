"""Snapshot: the read-only state and measured quantities of a simulation at one time, for views, plots and
recordings.

Arrays are in the laboratory frame and in the order of the scene. They are not changed by later steps, so that other
threads may read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

import numpy as np

from polhode.engine.ledger import sum_in_order
from polhode.physics.grab.interactions import Interaction


@dataclass(frozen=True)
class Energy:
    """Energies [J], in the order of core/polhode/engine/ledger.py; elastic is that of contacts, springs and walls,
    centrifugal only in a rotating laboratory, force only of forces by formulas that have a potential.

    Velocities are relative to the laboratory; the potential of gravity is zero at its origin.
    """

    kinetic: float
    gravity: float
    magnetic: float
    elastic: float
    centrifugal: float = 0.0
    force: float = 0.0

    @property
    def total(self) -> float:
        """Sum of all energies [J]."""
        return sum_in_order(getattr(self, kind.name) for kind in fields(self))


@dataclass(frozen=True)
class Ledger:
    """Energy [J] that entered since the start; energy minus ledger is constant up to integration errors."""

    friction: float = 0.0  # of supports; negative
    drive: float = 0.0  # driven bodies and walls, rotation of the laboratory, driven parameters, forces by formulas
    field: float = 0.0  # change of the world's magnetic field; gravity by formulas that has no potential
    damping: float = 0.0  # of springs, modes and eddy currents; negative
    contact: float = 0.0  # dampers of contacts; negative
    air: float = 0.0  # drag and wind
    hand: float = 0.0  # mouse interactions and excited modes
    joint_friction: float = 0.0  # in joints; negative
    motor: float = 0.0  # of joints
    projection: float = 0.0  # onto the equations of joints after every step; of the size of the method's error
    source: float = 0.0  # of voltage, of coils
    joule: float = 0.0  # heat of the resistances of coils; negative

    @property
    def total(self) -> float:
        """Sum of all lines [J]."""
        return sum_in_order(getattr(self, line.name) for line in fields(self))


@dataclass(frozen=True, eq=False)
class BodyStates:
    """All rigid bodies, in scene order, laboratory frame."""

    position: np.ndarray  # (n, 3) [m] of each body's origin
    velocity: np.ndarray  # (n, 3) [m/s] of each body's origin
    basis: np.ndarray  # (n, 3, 3) basis[i] has rows u1, u2, u3; lab = body @ basis[i] + position[i]
    angular_velocity: np.ndarray  # (n, 3) [rad/s]
    angular_momentum: np.ndarray  # (n, 3) [kg m^2/s] about the support, or the centre of mass of a free body


@dataclass(frozen=True, eq=False)
class PointStates:
    """All points, laboratory frame: those of the soft bodies in scene order, then the particles."""

    position: np.ndarray  # (p, 3) [m]
    velocity: np.ndarray  # (p, 3) [m/s]


@dataclass(frozen=True, eq=False)
class BeadStates:
    """All beads, in scene order, laboratory frame. They are also the last ones of the bodies.

    A bead that has left its path keeps the parameter and the speed of that moment.
    """

    parameter: np.ndarray  # (c,) user parameter q
    speed: np.ndarray  # (c,) [m/s] dl/dt along the path
    constraint: np.ndarray  # (c, 3) [N] constraint force S of the path on the bead
    is_held: np.ndarray  # (c,) bool: on its path
    shift: np.ndarray  # (c, 3) [m] displacement of its path
    tangent: np.ndarray  # (c, 3) unit vector t along the path, towards larger q
    curvature: np.ndarray  # (c, 3) [1/m] curvature vector dt/dl, towards the centre of the osculating circle
    normal: np.ndarray  # (c, 3) unit vector across the path, from a one-sided track to the bead

    @property
    def pressure(self) -> np.ndarray:
        """(c,) [N] S.n; a one-sided track, which cannot pull, loses a bead where this is negative."""
        return np.asarray((self.constraint * self.normal).sum(axis=1))


@dataclass(frozen=True, eq=False)
class JointStates:
    """Forces and torques of joints on their second bodies, in scene order, laboratory frame."""

    force: np.ndarray  # (j, 3) [N]
    torque: np.ndarray  # (j, 3) [N m] about the anchor
    coordinate: np.ndarray  # (j,) angle [rad] or displacement [m] along the axis; nan of joints without one
    largest_force: np.ndarray  # (j,) [N] since the start
    largest_torque: np.ndarray  # (j,) [N m]
    status: np.ndarray  # (j,) int64 FREE ... BROKEN of core/polhode/physics/joints/arrays.py
    is_broken: np.ndarray  # (j,) bool


@dataclass(frozen=True, eq=False)
class ForceStates:
    """Forces of one law at the time of a snapshot, laboratory frame. The sum of all laws moves the scene."""

    on_bodies: np.ndarray  # (n, 3) [N]
    at_bodies: np.ndarray  # (n, 3) [m] centres of mass
    on_points: np.ndarray  # (p, 3) [N]
    torque: np.ndarray  # (n, 3) [N m] on bodies, about the support or the centre of mass of a free body
    about: np.ndarray  # (n, 3) [m] reference points of the torques


@dataclass(frozen=True, eq=False)
class InteractionMarker:
    """An interaction, and the two ends of its spring."""

    interaction: Interaction
    pointer: np.ndarray  # (3,) [m] position of the pointer, laboratory frame
    attachment: np.ndarray  # (3,) [m] position of the held point, laboratory frame


def no_beads() -> BeadStates:
    """Beads of a scene without beads: empty arrays of shapes (0,) and (0, 3)."""
    none, vectors = np.zeros(0), np.zeros((0, 3))
    return BeadStates(none, none, vectors, none.astype(bool), vectors, vectors, vectors, vectors)


def no_joints() -> JointStates:
    """Joints of a scene without joints: empty arrays."""
    none, vectors = np.zeros(0), np.zeros((0, 3))
    return JointStates(vectors, vectors, none, none, none, none.astype(np.int64), none.astype(bool))


class Measured(Protocol):
    """Measured quantities of a snapshot that become objects on first access; `Moment` of take_snapshot.py has them."""

    def bodies(self) -> BodyStates: ...
    def points(self) -> PointStates: ...
    def energy(self) -> Energy: ...
    def ledger(self) -> Ledger: ...
    def momentum(self) -> np.ndarray: ...  # (3,) [kg m/s], total.
    def angular_momentum(self) -> np.ndarray: ...  # (3,) [kg m^2/s], total, about the laboratory's origin.
    def basis_drift(self) -> float: ...
    def distance(self) -> float: ...
    def joints(self) -> JointStates: ...
    def walls(self) -> np.ndarray: ...  # (w,) [m] displacements along the normals.
    def numbers(self) -> np.ndarray: ...  # (c,) columns of polhode.analysis.columns.


MEASURED = frozenset(name for name in vars(Measured) if not name.startswith("_"))


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The state of a simulation at one time. Parts of a snapshot from `of` are created on first access.

        moment = simulation.snapshot()
        tip = [0.0, 0.0, 0.1] @ moment.bodies.basis[0] + moment.bodies.position[0]  # from the body frame [m]
        lost = moment.energy.total - moment.ledger.total  # [J] constant but for errors of the method

    `numbers` are the values of the table's columns, whose names polhode.analysis.columns has.
    """

    time: float  # [s]
    step: int  # steps since the start
    bodies: BodyStates
    points: PointStates
    energy: Energy
    ledger: Ledger
    momentum: np.ndarray  # (3,) [kg m/s] total momentum, laboratory frame
    angular_momentum: np.ndarray  # (3,) [kg m^2/s] total angular momentum about the laboratory's origin
    basis_drift: float  # largest |u_i.u_j - delta_ij| before repair in the last batch of steps
    beads: BeadStates = field(default_factory=no_beads)
    interaction_marker: InteractionMarker | None = None
    forces: Mapping[str, ForceStates] = field(default_factory=dict)  # by law, if requested
    angular_acceleration: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (n, 3) [rad/s^2], with forces
    walls: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (w,) [m] displacements along the normals
    joints: JointStates = field(default_factory=no_joints)
    broken_springs: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))  # (b,) of those that can break
    currents: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (k,) [A] of the coils
    in_metal: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (n,) [A] of the nodes of conductors
    charges: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (p,) [A m] of the panels of iron
    distance: float = field(default_factory=float)  # [m] of the sensor's target
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (c,) columns of polhode.analysis.columns

    @classmethod
    def of(cls, parts: dict[str, Any]) -> Snapshot:
        """A snapshot with these parts by field; missing ones come from `measured` (Measured) among them."""
        made = object.__new__(cls)
        made.__dict__.update(parts)
        return made

    def __dir__(self) -> list[str]:
        """All attributes, also those that are not made yet: notebooks complete them."""
        return sorted({*super().__dir__(), *(part.name for part in fields(self))} - {"measured"})

    def __repr__(self) -> str:
        things = {"bodies": self.bodies.position, "points": self.points.position, "beads": self.beads.parameter}
        counts = ", ".join(f"{name}: {len(rows)}" for name, rows in things.items() if len(rows))
        return f"Snapshot at t = {self.time:g} s, step {self.step} ({counts or 'empty'}), {self.energy.total:g} J"

    def __getattr__(self, name: str) -> Any:
        """Create a part from the measured quantities on first access."""
        if name not in MEASURED or "measured" not in self.__dict__:
            raise AttributeError(name)
        part = self.__dict__[name] = getattr(self.__dict__["measured"], name)()
        return part
