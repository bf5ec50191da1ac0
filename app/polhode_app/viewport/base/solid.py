"""Appearance of a rigid body: surfaces and magnets in the body frame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyvista as pv

from polhode.mesh.circles import Circle, circles_of
from polhode.scene.scene import VACUUM, Body, Dipole
from polhode_app.viewport.base.palette import RGB
from polhode_app.viewport.base.polydata import box, corners


@dataclass(frozen=True)
class SolidPart:
    """Surface of one shape, body frame."""

    surface: pv.PolyData  # triangles only
    color: RGB | None  # None: the colours are cell data of the surface
    opacity: float = 1.0
    finish: str = "plastic"  # in viewport/geometry/finishes.py
    letters: pv.PolyData | None = None  # of its poles, body frame

    @cached_property
    def points(self) -> np.ndarray:
        """(n, 3) [m] vertices, body frame."""
        return np.asarray(self.surface.points)

    @cached_property
    def reach(self) -> float:
        """Largest distance [m] of a vertex from the origin of the body."""
        return float(np.sqrt(np.einsum("ni,ni->n", self.points, self.points).max()))

    @cached_property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """(3,) and (3,) [m] lower and upper corner of the bounding box, body frame."""
        return box(self.points)

    @cached_property
    def corners(self) -> np.ndarray:
        """(3, t, 3) [m] first, second and third corner of each triangle, body frame."""
        return corners(self.surface)

    @cached_property
    def areas(self) -> np.ndarray:
        """(t,) [m^2] areas of the triangles."""
        a, b, c = self.corners
        return np.asarray(np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2)


def is_ball(body: Body) -> bool:
    """Whether a body is a free single sphere."""
    return body.support == "free" and len(body.shape) == 1 and body.shape[0].kind == "sphere"


@dataclass(frozen=True)
class Solid:
    """A rigid body with the surfaces of its shapes."""

    body: Body
    parts: tuple[SolidPart, ...]

    @cached_property
    def magnets(self) -> tuple[Dipole, ...]:
        """Dipoles of the body, and one at the centre of each magnetic shape, body frame."""
        found = list(self.body.dipole)
        for shape, part in zip(self.body.shape, self.parts, strict=True):
            if shape.magnet is not None:
                # The volume of the drawn surface is accurate enough here, and needs no numba.
                strength = part.surface.volume / VACUUM if shape.magnet.moment is None else 1.0
                moment = shape.orientation.matrix() @ (shape.magnet.moment or shape.magnet.remanence) * strength
                found.append(Dipole(position=tuple(map(float, part.surface.center)), moment=tuple(map(float, moment))))
        return tuple(found)

    @cached_property
    def points(self) -> np.ndarray:
        """(n, 3) [m] vertices of all shapes, body frame."""
        return self.parts[0].points if len(self.parts) == 1 else np.vstack([part.points for part in self.parts])

    @property
    def reach(self) -> float:
        """Largest distance [m] of a vertex from the origin of the body."""
        return max(part.reach for part in self.parts)

    @cached_property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """(3,) and (3,) [m] lower and upper corner of the bounding box, body frame."""
        lows, highs = zip(*(part.box for part in self.parts), strict=True)
        return np.min(lows, axis=0), np.max(highs, axis=0)

    @cached_property
    def middle(self) -> np.ndarray:
        """(3,) [m] centre of the bounding box, body frame."""
        low, high = self.box
        return np.asarray(low + high) / 2

    @cached_property
    def size(self) -> float:
        """Half the diagonal [m] of the bounding box."""
        low, high = self.box
        return float(np.linalg.norm(high - low)) / 2


def circles_of_solid(solid: Solid) -> list[Circle]:
    """Circles and holes of the meshes of a body, body frame."""
    from polhode.mesh.mesh import Mesh  # noqa: PLC0415  (readers of meshes, for which the first frame does not wait)

    found: list[Circle] = []
    for shape, part in zip(solid.body.shape, solid.parts, strict=True):
        if shape.kind == "mesh":
            surface = part.surface.clean().triangulate()  # shared corners, which are drawn once for each face
            found += circles_of(Mesh(np.array(surface.points, dtype=float), surface.faces.reshape(-1, 4)[:, 1:]))
    return found
