"""A Snapshot: what viewers, plots and recordings see of a moment. Read-only, shared with nobody who writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

import numpy as np

from core.physics.grab.interactions import Grip


@dataclass(frozen=True)
class Energy:
    """Energies of a moment [J]; elastic is that of contacts, springs and walls, centrifugal only where all rotates."""

    kinetic: float
    gravity: float
    magnetic: float
    elastic: float
    centrifugal: float = 0.0

    @property
    def total(self) -> float:
        return self.kinetic + self.gravity + self.magnetic + self.elastic + self.centrifugal


@dataclass(frozen=True)
class Ledger:
    """Energy [J] that came in from outside since the start; total energy less its total is constant but for errors."""

    friction: float = 0.0  # of supports; negative, for it goes out
    drive: float = 0.0  # by what leads bodies and walls, turns the laboratory, and by numbers that the hand drives
    field: float = 0.0  # by the change of the world's magnetic field
    damping: float = 0.0  # of springs; negative
    contact: float = 0.0  # by the dampers of walls and of spheres that press on each other; negative
    air: float = 0.0  # by drag and wind
    hand: float = 0.0  # by what pulls and holds

    @property
    def total(self) -> float:
        return sum(getattr(self, line.name) for line in fields(self))


@dataclass(frozen=True)
class Bodies:
    """All rigid bodies of a moment, in scene order, laboratory frame."""

    position: np.ndarray  # (n, 3) [m] of each body's origin
    velocity: np.ndarray  # (n, 3) [m/s] of each body's origin
    basis: np.ndarray  # (n, 3, 3) basis[i] has rows u1, u2, u3; lab = body @ basis[i] + position[i]
    angular_velocity: np.ndarray  # (n, 3) [rad/s]
    angular_momentum: np.ndarray  # (n, 3) [kg m^2/s] about the support, or the centre of mass of a free body


@dataclass(frozen=True)
class Points:
    """All points of a moment: those of the soft bodies in scene order, then the particles."""

    position: np.ndarray  # (p, 3) [m]
    velocity: np.ndarray  # (p, 3) [m/s]


@dataclass(frozen=True, eq=False)
class Beads:
    """All beads of a moment, in scene order, laboratory frame. They are the last ones of the bodies, too.

    What has left its path keeps the parameter and the speed that it left with, and nothing holds it.
    """

    parameter: np.ndarray  # (c,) q, as the scene counts it
    speed: np.ndarray  # (c,) [m/s] dl/dt along the path
    constraint: np.ndarray  # (c, 3) [N] S, by the path on the bead
    is_held: np.ndarray  # (c,) bool: it is on its path
    shift: np.ndarray  # (c, 3) [m] how far its path has moved
    tangent: np.ndarray  # (c, 3) unit vector t along the path, towards larger q
    curvature: np.ndarray  # (c, 3) [1/m] dt/dl: towards the middle of the osculating circle, 1/its radius long
    normal: np.ndarray  # (c, 3) unit vector across the path, from a track on one side to the bead

    @property
    def pressure(self) -> np.ndarray:
        """(c,) [N] S.n on each: a track on one side, which cannot pull, loses a bead where this is negative."""
        return np.asarray((self.constraint * self.normal).sum(axis=1))


@dataclass(frozen=True, eq=False)
class Forces:
    """What one law does in a moment, laboratory frame."""

    on_bodies: np.ndarray  # (n, 3) [N]
    at_bodies: np.ndarray  # (n, 3) [m] centres of mass
    on_points: np.ndarray  # (p, 3) [N]
    torque: np.ndarray  # (n, 3) [N m] on bodies: about the support, of a free one about its centre of mass
    about: np.ndarray  # (n, 3) [m] those places


@dataclass(frozen=True, eq=False)
class Hand:
    """What a hand holds, and where."""

    grip: Grip
    place: np.ndarray  # (3,) [m] of the hand
    at: np.ndarray  # (3,) [m] of what it holds


def no_beads() -> Beads:
    none, vectors = np.zeros(0), np.zeros((0, 3))
    return Beads(none, none, vectors, none.astype(bool), vectors, vectors, vectors, vectors)


class Measured(Protocol):
    """What was measured of a moment: a method for each of the parts that a Snapshot makes late."""

    def bodies(self) -> Bodies: ...
    def points(self) -> Points: ...
    def energy(self) -> Energy: ...
    def ledger(self) -> Ledger: ...
    def momentum(self) -> np.ndarray: ...
    def angular_momentum(self) -> np.ndarray: ...
    def basis_drift(self) -> float: ...
    def distance(self) -> float: ...
    def walls(self) -> np.ndarray: ...
    def numbers(self) -> np.ndarray: ...


MEASURED = frozenset(name for name in vars(Measured) if not name.startswith("_"))


@dataclass(frozen=True)
class Snapshot:
    """A moment. Of one that `of` has made, a part becomes an object when it is asked for first."""

    time: float  # [s]
    step: int  # steps since the start
    bodies: Bodies
    points: Points
    energy: Energy
    ledger: Ledger
    momentum: np.ndarray  # (3,) [kg m/s] of everything together
    angular_momentum: np.ndarray  # (3,) [kg m^2/s] the same, about the laboratory's origin
    basis_drift: float  # largest |u_i.u_j - delta_ij| before repair in the last batch of steps
    beads: Beads = field(default_factory=no_beads)
    hand: Hand | None = None
    forces: Mapping[str, Forces] = field(default_factory=dict)  # law by law, if they were asked for
    walls: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (w,) [m] how far each has moved along its normal
    distance: float = field(default_factory=float)  # [m] of the hand over the sensor
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0))  # all that analysis.columns names, in its order

    @classmethod
    def of(cls, parts: dict[str, Any]) -> Snapshot:
        """What has these parts, by their names; the others are those of the `measured` one among them."""
        made = object.__new__(cls)
        made.__dict__.update(parts)
        return made

    def __getattr__(self, name: str) -> Any:
        """A part that nobody has asked for yet."""
        if name not in MEASURED or "measured" not in self.__dict__:
            raise AttributeError(name)
        part = self.__dict__[name] = getattr(self.__dict__["measured"], name)()
        return part
