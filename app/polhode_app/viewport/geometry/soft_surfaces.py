"""Surfaces of soft bodies that are lattices or chains: sheets, blocks and ropes through their points.

Between the points the surfaces follow cubic splines, so that a coarse lattice is drawn as smooth as a fine one; they
pass through all points.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import Protocol

import numpy as np
import pyvista as pv

from polhode.physics.points.description import Chain, Lattice, Particle, Soft, SoftMesh
from polhode_app.viewport.geometry.tubes import Tubes, add_normals, transported

VERTICES = 5000  # approximate number of vertices of a sheet, which determines its refinement
FEWEST = 6  # points of a lattice or a chain with a surface
FINEST = 4  # intervals at most between neighbouring points
ROPE = 0.16  # radius of a rope without a stated one, in distances of neighbours
SIDES = 12  # of a rope


class SoftSurface(Protocol):
    """A surface that follows the points of one soft body."""

    surface: pv.PolyData
    borders: list[np.ndarray]  # vertices along the edges of each sheet, in order

    def write(self, points: np.ndarray) -> None:
        """Write positions and normals for points (n, 3) [m] of the body."""


def surface_through(soft: Lattice | Chain) -> SoftSurface | None:
    """The surface of a soft body; None if it has none."""
    if not has_surface(soft):
        return None
    if isinstance(soft, Chain):
        return Rope(np.arange(soft.count), rope_radius(soft))
    number = np.arange(prod(soft.counts)).reshape(soft.counts[::-1])  # the first axis is the fastest
    match sum(count > 1 for count in soft.counts):
        case 1:
            return Rope(number.ravel(), rope_radius(soft))
        case 2:
            return Sheets([number.squeeze()])
    return Sheets(faces_of(number))


def has_surface(part: Soft | Particle) -> bool:
    """Whether an item is drawn as a surface; a few masses in a row are drawn as such, with the springs between them.

    So is what can break, since a surface would span the gaps between its pieces.
    """
    if isinstance(part, Lattice | Chain) and part.can_break:
        return False
    if isinstance(part, Lattice):
        return part.look == "surface" and max(part.counts) > 1 and prod(part.counts) >= FEWEST
    return isinstance(part, SoftMesh) or (isinstance(part, Chain) and (part.count >= FEWEST or part.bending > 0))


def rope_radius(soft: Lattice | Chain) -> float:
    """Radius [m] of the rope that shows a row of points."""
    return soft.particle_radius or ROPE * float(np.min(soft.spacing))


def faces_of(number: np.ndarray) -> list[np.ndarray]:
    """The six faces (rows, columns) of a block of numbered points (k, j, i), each seen from outside."""
    faces = []
    for axis in range(3):
        low, high = number.take(0, axis), number.take(-1, axis)
        faces += [low.T, high] if axis != 1 else [low, high.T]
    return faces


@lru_cache(maxsize=32)
def spline_matrix(count: int, finer: int) -> np.ndarray:
    """(m, n) weights of Catmull and Rom's cubic spline through n = `count` points, m = (n - 1) `finer` + 1.

    At the ends the spline continues with the reflected point. Cached: callers must not modify it.
    """
    parameter = np.arange((count - 1) * finer + 1) / finer
    first = np.minimum(parameter.astype(int), count - 2)
    s = parameter - first
    weights = np.zeros((len(parameter), count + 2))  # with one point more at both ends
    cubics = np.array([-s + 2 * s**2 - s**3, 2 - 5 * s**2 + 3 * s**3, s + 4 * s**2 - 3 * s**3, s**3 - s**2]) / 2
    for k, cubic in enumerate(cubics):
        weights[np.arange(len(parameter)), first + k] = cubic
    inner = weights[:, 1:-1].copy()
    for end, near, next_one in ((weights[:, 0], 0, 1), (weights[:, -1], count - 1, count - 2)):
        inner[:, near] += 2 * end
        inner[:, next_one] -= end
    return inner.astype(np.float32)


class Sheets:
    """Surfaces through rectangular arrays of points, which share points along their edges but no normals."""

    def __init__(self, arrays: list[np.ndarray]):
        """`arrays` (rows, columns) are indices of points; they are seen from the side of columns x rows."""
        finer = int(np.clip(np.sqrt(VERTICES / sum(array.size for array in arrays)), 1, FINEST))
        self._numbers = arrays
        self._weights = [tuple(spline_matrix(count, finer) for count in array.shape) for array in arrays]
        shapes = [(len(rows), len(columns)) for rows, columns in self._weights]
        first = np.cumsum([0, *(rows * columns for rows, columns in shapes)])
        self.surface = pv.PolyData()
        self.surface.points = np.zeros((first[-1], 3), np.float32)
        cells = [start + _quads(*shape) for start, shape in zip(first, shapes, strict=False)]
        self.surface.faces = np.insert(np.vstack(cells), 0, 4, axis=1).ravel()
        add_normals(self.surface)
        self.borders = [start + _border(*shape) for start, shape in zip(first, shapes, strict=False)]
        # read by app/polhode_app/export/motion
        self.surface.field_data["sheets"] = [(*array.shape, finer) for array in arrays]
        vertices, normals = np.asarray(self.surface.points), np.asarray(self.surface.point_data["Normals"])
        self._parts = [
            (vertices[a:b].reshape(*shape, 3), normals[a:b].reshape(*shape, 3))
            for (a, b), shape in zip(pairwise(first), shapes, strict=True)
        ]

    def write(self, points: np.ndarray) -> None:
        """Write positions and normals for points (n, 3) [m] of the body."""
        points = points.astype(np.float32)
        for (rows, columns), number, (vertices, normals) in zip(self._weights, self._numbers, self._parts, strict=True):
            wide = (rows @ points[number].reshape(len(number), -1)).reshape(len(rows), -1, 3)
            np.matmul(columns, wide, out=vertices)
            normals[:] = _grid_normals(vertices)
        self.surface.GetPoints().Modified()
        self.surface.GetPointData().GetNormals().Modified()


class Rope:
    """A tube through a row of points."""

    def __init__(self, number: np.ndarray, radius: float):
        """`number` (n,) are indices of the points, `radius` [m] is that of the tube."""
        finer = int(np.clip(VERTICES / SIDES / len(number), 1, FINEST))
        self._number, self._radius, self._finer = number, radius, finer
        self._weights = spline_matrix(len(number), finer)
        self._tubes = Tubes(1, len(self._weights), SIDES)
        self.surface = self._tubes.surface
        self.surface.field_data["finer"] = [finer]  # read by app/polhode_app/export/motion
        self.borders: list[np.ndarray] = []
        caps = [list(range(SIDES))[::-1], list(range(self.surface.n_points - SIDES, self.surface.n_points))]
        self.surface.faces = np.concatenate([self.surface.faces, *([SIDES, *cap] for cap in caps)])

    def write(self, points: np.ndarray) -> None:
        """Write positions and normals for points (n, 3) [m] of the body."""
        coarse = points[self._number]
        line = self._weights @ coarse
        tangents = np.gradient(line, axis=0)
        tangents /= np.linalg.norm(tangents, axis=1, keepdims=True).clip(min=1e-30)
        across = transported(tangents[None, :: self._finer])[0]  # the loop along the rope is over its own points
        across = np.repeat(across, self._finer, axis=0)[: len(line)]
        across -= np.einsum("ni,ni->n", across, tangents)[:, None] * tangents
        across /= np.linalg.norm(across, axis=1, keepdims=True).clip(min=1e-30)
        self._tubes.write(line[None], np.full((1, 1), self._radius), across[None])


def _quads(rows: int, columns: int) -> np.ndarray:
    """(n, 4) corners of the cells of a grid of vertices, counterclockwise as seen from the side of columns x rows."""
    first = (columns * np.arange(rows - 1)[:, None] + np.arange(columns - 1)).reshape(-1, 1)
    return np.asarray(first + [0, 1, columns + 1, columns])


def _border(rows: int, columns: int) -> np.ndarray:
    """Vertices along the edge of a grid, in order; the first one is repeated at the end."""
    number = np.arange(rows * columns).reshape(rows, columns)
    return np.concatenate([number[0], number[1:, -1], number[-1, -2::-1], number[-2::-1, 0]])


def _grid_normals(vertices: np.ndarray) -> np.ndarray:
    """(r, c, 3) unit normals at vertices (r, c, 3) of a grid, from the differences of their neighbours."""
    down, right = np.empty_like(vertices), np.empty_like(vertices)
    down[1:-1], down[0], down[-1] = vertices[2:] - vertices[:-2], vertices[1] - vertices[0], vertices[-1] - vertices[-2]
    right[:, 1:-1] = vertices[:, 2:] - vertices[:, :-2]
    right[:, 0], right[:, -1] = vertices[:, 1] - vertices[:, 0], vertices[:, -1] - vertices[:, -2]
    (rx, ry, rz), (dx, dy, dz) = right.transpose(2, 0, 1), down.transpose(2, 0, 1)
    normals = np.stack([ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx], axis=-1)  # faster than np.cross
    return np.asarray(normals / np.sqrt(np.einsum("rci,rci->rc", normals, normals)).clip(min=1e-30)[..., None])
