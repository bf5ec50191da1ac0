"""How far the contact points of a body yield to forces: singly, and where a whole face touches at once.

Points at arms r_i from the reference point that touch along the same normal n, each with the stiffness k, move by

    x'' = -k G x        G_ij = 1/m + (r_i x n).I^-1 (r_j x n)

so the fastest oscillation has w^2 = k L with the largest eigenvalue L of G. A ball has 1/m, a cube that lies on four
corners 6/m, as it tilts faster than it heaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

LEVEL = 0.005  # difference of height up to which points touch at once, relative to the distances of the body
DIRECTIONS = 60  # normals that are tried in addition to those of faces
MOST_FACES = 300  # of a hull; further ones are left out, they are small
FLAT = 1e-12  # squared sine of the tilt below which a disc lies flat
RIM = 8  # points by which a disc is represented in the hull whose faces are looked for


class Yielding(NamedTuple):
    """How far a body or a point yields at its contacts [1/kg], where it does so the most."""

    face: float
    """Largest eigenvalue L of all points that touch at once."""
    point: float
    """Acceleration per force of one of these points, the smallest."""
    slide: float = 0.0
    """The same as `face` across the normal, at most."""
    reach: float = 0.0
    """[m] largest distance of a contact point from the reference point."""


@dataclass(frozen=True, eq=False)
class Corners:
    """Contact points of a body: points, discs and ellipsoids, thickened by spheres, in the body frame."""

    position: np.ndarray  # (h, 3) [m] from the reference point
    square: np.ndarray  # (h, 3, 3) [m^2] A A^T with the semi-axes as columns of A
    axis: np.ndarray  # (h, 3) unit normal of a disc; zero of others
    radius: np.ndarray  # (h,) [m]

    def lowest(self, normal: np.ndarray) -> np.ndarray:
        """(k, 3) [m] the points that a plane with this normal (3,) touches at once, on the side of its normal."""
        arms = self.position - self.radius[:, None] * normal
        spread = np.flatnonzero(self.square.any(axis=(1, 2))).tolist()
        feet = [foot for i in spread for foot in self._feet(i, arms[i], normal)]
        arms = np.concatenate([np.delete(arms, spread, axis=0), np.reshape(feet, (-1, 3))])
        heights = arms @ normal
        return np.asarray(arms[heights <= heights.min() + LEVEL * self.reach])

    @property
    def reach(self) -> float:
        """[m] largest distance of a contact point from the reference point."""
        widths = np.sqrt(np.trace(self.square, axis1=1, axis2=2))
        return float((np.linalg.norm(self.position, axis=1) + widths + self.radius).max())

    def _feet(self, i: int, arm: np.ndarray, normal: np.ndarray) -> list[np.ndarray]:
        """Where corner i touches a plane: the lowest point of an ellipsoid, four points of the rim of a disc."""
        outward = -self.square[i] @ normal
        depth = -float(outward @ normal)
        if depth < FLAT * np.trace(self.square[i]):
            longest = int(np.argmax(np.diag(self.square[i])))
            outward, depth = self.square[i, longest], self.square[i, longest, longest]
        outward = outward / np.sqrt(depth)
        if not self.axis[i].any():
            return [arm + outward]
        across = np.cross(self.axis[i], outward)
        return [arm + outward, arm + across, arm - outward, arm - across]

    def normals(self) -> Iterator[np.ndarray]:
        """Unit vectors (3,) out of planes on which a face may lie, and others spread over all directions."""
        yield from np.concatenate([np.eye(3), -np.eye(3), spread_directions()])
        discs = self.axis[self.axis.any(axis=1)]
        yield from np.unique(np.round(np.concatenate([discs, -discs]), 12), axis=0)
        cloud = np.concatenate([self.position, *(self._rim(i) for i in np.flatnonzero(self.axis.any(axis=1)).tolist())])
        # slow import that few scenes need
        from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415

        try:
            faces = np.unique(np.round(ConvexHull(cloud).equations[:, :3], 9), axis=0)
        except (QhullError, ValueError):  # fewer than four points, or all in one plane
            return
        yield from -faces[:: len(faces) // MOST_FACES + 1]

    def _rim(self, i: int) -> np.ndarray:
        """(RIM, 3) [m] points of the rim of disc i."""
        _, axes = np.linalg.eigh(self.square[i])
        longest = np.sqrt(np.trace(self.square[i]) / 2)
        angles = np.linspace(0, 2 * np.pi, RIM, endpoint=False)
        circle = np.outer(np.cos(angles), axes[:, 2]) + np.outer(np.sin(angles), axes[:, 1])
        return np.asarray(self.position[i] + longest * circle)


def spread_directions() -> np.ndarray:
    """(DIRECTIONS, 3) unit vectors on a Fibonacci spiral."""
    k = np.arange(DIRECTIONS) + 0.5
    z, angle = 1 - 2 * k / DIRECTIONS, np.pi * (1 + 5**0.5) * k
    return np.stack([np.sqrt(1 - z**2) * np.cos(angle), np.sqrt(1 - z**2) * np.sin(angle), z], axis=1)


def yielding_of(corners: Corners, inverse_mass: float, inverse_inertia: np.ndarray, single: bool = False) -> Yielding:
    """How far a body yields at its corners, or at a `single` one of them.

    inverse_mass: 1/m [1/kg], 0 of a body that only turns; inverse_inertia: (3, 3) [1/(kg m^2)] about the reference
    point, body frame
    """
    arms = _cross_matrices(corners.position[~corners.square.any(axis=(1, 2))])
    turning = np.linalg.eigvalsh(arms @ inverse_inertia @ arms.transpose(0, 2, 1)) if len(arms) else np.zeros((1, 3))
    alone = inverse_mass + float(turning.max())
    rolling = corners.reach**2 * float(np.linalg.eigvalsh(inverse_inertia)[-1])
    found, slide = Yielding(alone, alone), inverse_mass + rolling
    for normal in () if single else corners.normals():
        lowest = corners.lowest(normal)
        slide = max(slide, len(lowest) * max(inverse_mass, rolling))
        turn = np.cross(lowest, normal)
        gram = inverse_mass + turn @ inverse_inertia @ turn.T
        face = float(np.linalg.eigvalsh(gram)[-1])
        if face > found.face:
            found = Yielding(face, max(float(np.diag(gram).min()), 1e-9 * face))
    return found._replace(slide=slide, reach=corners.reach)


def _cross_matrices(arms: np.ndarray) -> np.ndarray:
    """(h, 3, 3) matrices of the products r x, up to the sign, of arms (h, 3)."""
    return np.cross(np.eye(3)[None], arms[:, None])
