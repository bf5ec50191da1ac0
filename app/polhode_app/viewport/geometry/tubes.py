"""Round tubes along moving polylines: wires of coil springs, strings, rods and ropes. Arrays are written in place."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.util.numpy_support import numpy_to_vtk

TINY = 1e-30


class Tubes:
    """Tubes of equal numbers of points as one mesh with normals, open at their ends."""

    def __init__(self, count: int, points: int, sides: int):
        """Make `count` tubes through `points` points each, with `sides` facets around."""
        self.shape = (count, points, sides)
        self.surface = _mesh(count, points, sides)
        self.surface.field_data["tube"] = [count, points, sides]  # read by app/polhode_app/export/motion
        angle = 2 * np.pi * np.arange(sides) / sides
        self._around = np.column_stack([np.cos(angle), np.sin(angle)]).astype(np.float32)
        self._points = np.asarray(self.surface.points).reshape(*self.shape, 3)
        self._normals = np.asarray(self.surface.point_data["Normals"]).reshape(*self.shape, 3)

    def write(self, lines: np.ndarray, radius: np.ndarray, across: np.ndarray | None = None) -> None:
        """Write tubes around `lines` (count, points, 3) [m].

        `radius` [m] broadcasts to (count, points); 0 hides a tube. `across` (count, points, 3) are unit vectors
        perpendicular to the lines, which must not turn abruptly along them; without it they are found here.
        """
        tangents = tangents_of(lines)
        first = transported(tangents) if across is None else across
        second = np.cross(tangents, first)
        frames = np.stack([first, second], axis=2)  # (count, points, 2, 3)
        self._normals[:] = self._around @ frames.astype(np.float32)
        np.multiply(self._normals, np.asarray(radius)[..., None, None], out=self._points)
        self._points += lines[:, :, None]
        self.surface.GetPoints().Modified()
        self.surface.GetPointData().GetNormals().Modified()


def tangents_of(lines: np.ndarray) -> np.ndarray:
    """(c, n, 3) unit tangents of polylines (c, n, 3); zero where neighbouring points coincide."""
    along = np.empty(lines.shape)
    along[:, 1:-1] = lines[:, 2:] - lines[:, :-2]
    along[:, 0], along[:, -1] = lines[:, 1] - lines[:, 0], lines[:, -1] - lines[:, -2]
    return np.asarray(along / (np.sqrt(np.einsum("cni,cni->cn", along, along))[..., None] + TINY))


def transported(tangents: np.ndarray) -> np.ndarray:
    """(c, n, 3) unit vectors perpendicular to unit tangents (c, n, 3), without torsion (parallel transport)."""
    vectors = np.empty(tangents.shape)
    start = tangents[:, 0]
    vector = np.cross(start, np.eye(3)[np.abs(start).argmin(axis=1)])
    for k in range(tangents.shape[1]):
        tangent = tangents[:, k]
        vector = vector - np.einsum("ci,ci->c", vector, tangent)[:, None] * tangent
        vector = vector / (np.sqrt(np.einsum("ci,ci->c", vector, vector))[:, None] + TINY)
        vectors[:, k] = vector
    return vectors


def _mesh(count: int, points: int, sides: int) -> pv.PolyData:
    """A mesh of quads between successive rings of `sides` points; all points are at the origin."""
    ring = np.arange(sides)
    corners = np.stack([ring, (ring + 1) % sides, (ring + 1) % sides + sides, ring + sides], axis=-1)
    first = sides * (points * np.arange(count)[:, None] + np.arange(points - 1)).reshape(-1, 1, 1)
    quads = (first + corners).reshape(-1, 4)
    surface = pv.PolyData()
    surface.points = np.zeros((count * points * sides, 3), np.float32)
    if len(quads):
        surface.faces = np.insert(quads, 0, 4, axis=1).ravel()
    add_normals(surface)
    return surface


def add_normals(surface: pv.PolyData) -> None:
    """Give a surface point normals, to be written in place in `point_data["Normals"]`."""
    normals = numpy_to_vtk(np.zeros((surface.n_points, 3), np.float32), deep=True)
    normals.SetName("Normals")
    surface.GetPointData().SetNormals(normals)
