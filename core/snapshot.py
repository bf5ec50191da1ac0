"""A Snapshot: what viewers, plots and recordings see of a moment. Read-only, shared with nobody who writes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Energy:
    """Energies of a moment [J]; elastic is that of springs and walls."""

    kinetic: float
    gravity: float
    magnetic: float
    elastic: float

    @property
    def total(self) -> float:
        return self.kinetic + self.gravity + self.magnetic + self.elastic


@dataclass(frozen=True)
class Ledger:
    """Energy [J] that came in from outside since the start; total energy less its total is constant but for errors."""

    friction: float  # of supports; negative, for it goes out
    drive: float  # by what leads the driven bodies
    field: float  # by the change of the world's magnetic field

    @property
    def total(self) -> float:
        return self.friction + self.drive + self.field


@dataclass(frozen=True)
class Bodies:
    """All rigid bodies of a moment, in scene order, laboratory frame."""

    position: np.ndarray  # (n, 3) [m] of each body's origin
    velocity: np.ndarray  # (n, 3) [m/s] of each body's origin
    basis: np.ndarray  # (n, 3, 3) basis[i] has rows u1, u2, u3; lab = body @ basis[i] + position[i]
    angular_velocity: np.ndarray  # (n, 3) [rad/s]
    angular_momentum: np.ndarray  # (n, 3) [kg m^2/s] about the support, or the centre of mass of a free body


@dataclass(frozen=True)
class Snapshot:
    time: float  # [s]
    step: int  # steps since the start
    bodies: Bodies
    energy: Energy
    ledger: Ledger
    momentum: np.ndarray  # (3,) [kg m/s] of all bodies together
    angular_momentum: np.ndarray  # (3,) [kg m^2/s] the same, about the laboratory's origin
    basis_drift: float  # largest |u_i.u_j - delta_ij| before repair in the last batch of steps
