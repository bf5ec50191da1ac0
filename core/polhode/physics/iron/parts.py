"""Shapes of iron as charges: on panels of their surface, or with one moment.

Beside panels and beside metal a shape with one moment (induced/shapes.py) is twelve charges about its middle, so that
one solution has all unknowns. With c the corners of an icosahedron of radius s, in rows of C, C'C = 4 s^2, and alpha
the polarisability of the shape with the volume V,

    q = C m/(4 s^2)      u = C m/V      A n = V c/(4 s^2)      N = C C'/V      g + N/chi = C alpha^-1 C'

so that charges and moments u A n have the moment m, and U is that of a dipole, -m.H + m.alpha^-1 m/2. The corners are
a spherical 5-design: the next multipoles are smaller by (s/r)^4, and s is a hundredth of the least semi-axis.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import pi

import numpy as np

from polhode.mesh.panels import Surface
from polhode.physics.iron.matrices import Panels, couplings, pieces_of
from polhode.physics.iron.surfaces import KeptIron

EQUILATERAL = 4.0 / 3.0**0.5  # square of an edge, relative to the area
CLOSE = 0.01  # s over the least semi-axis
GOLDEN = 0.5 * (1.0 + 5.0**0.5)
NO_PIECE = -1


def _icosahedron() -> np.ndarray:
    """(12, 3) corners on a sphere of radius 1."""
    pairs = np.array([(one, other * GOLDEN) for one in (1.0, -1.0) for other in (1.0, -1.0)])
    corners = np.concatenate([np.roll(np.insert(pairs, 0, 0.0, axis=1), k, axis=1) for k in range(3)])
    return np.asarray(corners / np.linalg.norm(corners[0]))


@dataclass(frozen=True, eq=False)
class Charges:
    """Places of the charges of a shape, or of several ones."""

    points: np.ndarray
    """(n, 3, 3) [m] those of thirds of each charge."""
    middles: np.ndarray
    """(n, 3) [m]."""
    areas: np.ndarray
    """(n, 3) [m^2] vector areas, outwards."""
    edges: np.ndarray
    """(n,) [m] of panels, if they had three equal ones; 0 without panels."""
    pieces: np.ndarray
    """(n,) int64 connected surface of each, on which charges have the sum 0; NO_PIECE: no such condition."""


@dataclass(frozen=True, eq=False)
class IronShape(ABC):
    """A shape of iron of a body, in the frame of the body, with lengths from its origin."""

    surface: Surface
    """Vertices (v, 3) [m] and faces (t, 3), frame of the shape."""
    position: np.ndarray
    """(3,) [m] of the shape's origin."""
    turn: np.ndarray
    """(3, 3) columns are the shape's axes."""
    volume: float
    """[m^3]."""
    susceptibility: float
    """chi in weak fields."""
    saturation: float
    """[T], inf without."""

    @cached_property
    def panels(self) -> Panels:
        """Its surface."""
        vertices, faces = self.surface
        return Panels((vertices @ self.turn.T + self.position)[faces])

    @abstractmethod
    def charges(self, origin: np.ndarray) -> Charges:
        """Its charges; origin: (3,) [m] of the body from its reference point, from which places are."""

    @abstractmethod
    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """g and N (n, n) [1/m]."""

    @property
    @abstractmethod
    def basis(self) -> np.ndarray:
        """(n, k) the charges for each of its unknowns."""


@dataclass(frozen=True, eq=False)
class PanelShape(IronShape):
    """Iron with a charge on each triangle of its surface."""

    kept: KeptIron

    def charges(self, origin: np.ndarray) -> Charges:
        """Those of the panels; origin: (3,) [m] of the body from its reference point."""
        panels, (vertices, faces) = Panels(self.panels.corners + origin), self.surface
        edges = np.sqrt(EQUILATERAL * panels.areas)
        return Charges(panels.points(), panels.centroids, panels.vector_areas, edges, pieces_of(faces, len(vertices)))

    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """From the cache, or computed."""
        return self.kept.made()

    @property
    def basis(self) -> np.ndarray:
        """(n, n): each charge is an unknown."""
        return np.eye(len(self.surface[1]))


@dataclass(frozen=True, eq=False)
class MomentShape(IronShape):
    """Iron with one moment, as charges about its middle."""

    polarisability: np.ndarray
    """(3, 3) [m^3] frame of the body."""
    size: float
    """[m] least semi-axis."""

    @property
    def corners(self) -> np.ndarray:
        """C (12, 3) [m]."""
        return CLOSE * self.size * _icosahedron()

    @property
    def basis(self) -> np.ndarray:
        """C/(4 s^2) (12, 3) [1/m]: charges for the components of the moment."""
        return np.asarray(self.corners / (4.0 * (CLOSE * self.size) ** 2))

    def charges(self, origin: np.ndarray) -> Charges:
        """Those about the middle, all thirds of a charge in one place.

        origin: (3,) [m] of the body from its reference point
        """
        middles = self.corners + self.position + origin
        count = len(middles)
        points = np.repeat(middles[:, None], 3, axis=1)
        return Charges(points, middles, self.volume * self.basis, np.zeros(count), np.full(count, NO_PIECE))

    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """Closed forms."""
        corners, chi = self.corners, self.susceptibility
        weak = 1.0 / (chi * self.volume) if chi > 0.0 else 0.0
        demagnetising = np.linalg.inv(self.polarisability) - weak * np.eye(3)
        return corners @ demagnetising @ corners.T, corners @ corners.T / self.volume


def potentials_between(one: IronShape, other: IronShape) -> np.ndarray:
    """g (n, m) [1/m] of the charges of two shapes of a body."""
    if isinstance(one, PanelShape) and isinstance(other, PanelShape):
        there, back = couplings(one.panels, other.panels)[0], couplings(other.panels, one.panels)[0]
        return np.asarray(0.5 * (there + back.T))
    first, second = one.charges(np.zeros(3)).points, other.charges(np.zeros(3)).points
    total = np.zeros((len(first), len(second)))
    for points in np.moveaxis(first, 1, 0):
        for others in np.moveaxis(second, 1, 0):
            total += 1.0 / np.linalg.norm(points[:, None] - others, axis=2)
    return total / (36.0 * pi)
