"""Operations on surfaces by numpy and plain VTK filters, which cost a fraction of those of pyvista."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pyvista as pv
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray
from vtkmodules.vtkCommonExecutionModel import vtkPolyDataAlgorithm
from vtkmodules.vtkFiltersCore import vtkAppendPolyData, vtkPolyDataNormals, vtkTriangleFilter

FEATURE_ANGLE = 35.0  # [degrees] edges with larger angles are not smoothed
EDGE = 1e-6  # tolerance in barycentric coordinates, so that no ray passes between adjacent triangles


def filtered(surface: pv.PolyData, algorithm: vtkPolyDataAlgorithm) -> pv.PolyData:
    """Output of a VTK filter for a surface."""
    algorithm.SetInputData(surface)
    algorithm.Update()
    return pv.PolyData(algorithm.GetOutput())


def smooth(surface: pv.PolyData) -> pv.PolyData:
    """A surface with point normals; points are split at sharp edges."""
    algorithm = vtkPolyDataNormals()
    algorithm.ConsistencyOff()
    algorithm.NonManifoldTraversalOff()
    algorithm.SetFeatureAngle(FEATURE_ANGLE)
    return filtered(surface, algorithm)


def triangulated(surface: pv.PolyData) -> pv.PolyData:
    """A surface with all faces divided into triangles."""
    return filtered(surface, vtkTriangleFilter())


def box(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(3,) least and (3,) largest components of points (n, 3).

    Reducing columns is many times as fast as reducing rows.
    """
    columns = points.T
    return np.array([column.min() for column in columns]), np.array([column.max() for column in columns])


def corners(surface: pv.PolyData) -> np.ndarray:
    """(3, t, 3) [m] first, second and third corner of each triangle; the surface must consist of triangles."""
    triangles = vtk_to_numpy(surface.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    return np.asarray(surface.points, dtype=float)[triangles.T]


def placed(surface: pv.PolyData, turn: np.ndarray, position: np.ndarray, scale: float = 1.0) -> pv.PolyData:
    """A surface with normals, scaled, rotated by `turn` (3, 3) and moved by `position` (3,) [m]; cells are shared."""
    made = pv.PolyData(surface)  # it shares the cells
    _set_points(made, np.asarray(surface.points) @ (scale * turn.T) + position, _normals(surface) @ turn.T)
    return made


def repeated(surface: pv.PolyData, positions: np.ndarray) -> pv.PolyData:
    """A surface with normals, repeated at positions (n, 3) [m], as one mesh."""
    made, count, faces = pv.PolyData(), len(positions), surface.GetPolys()
    points = (positions[:, None] + np.asarray(surface.points)).reshape(-1, 3)
    _set_points(made, points, np.tile(_normals(surface), (count, 1)))
    ends, indices = vtk_to_numpy(faces.GetOffsetsArray()), vtk_to_numpy(faces.GetConnectivityArray())
    number = np.arange(count)[:, None]
    offsets = np.append(0, (ends[1:] + number * len(indices)).ravel())
    cells = vtkCellArray()
    cells.SetData(
        numpy_to_vtk(offsets, deep=True), numpy_to_vtk((indices + number * surface.n_points).ravel(), deep=True)
    )
    made.SetPolys(cells)
    return made


def joined(pieces: Sequence[pv.PolyData]) -> pv.PolyData:
    """One surface of all pieces; coincident points are not merged."""
    if not pieces:
        return pv.PolyData()
    algorithm = vtkAppendPolyData()
    for piece in pieces:
        algorithm.AddInputData(piece)
    algorithm.Update()
    return pv.PolyData(algorithm.GetOutput())


def crossings(corners: np.ndarray, start: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """(n,) [m] distances at which a ray from `start` (3,) [m] along a unit vector `ahead` (3,) intersects triangles.

    `corners` (3, t, 3) [m] are those of the function of this name. Möller and Trumbore, Fast, minimum storage
    ray/triangle intersection, 1997.
    """
    a, ab, ac = corners[0], corners[1] - corners[0], corners[2] - corners[0]
    with np.errstate(divide="ignore", invalid="ignore"):  # a triangle parallel to the ray is not intersected
        p, t = np.cross(ahead, ac), start - a
        q, volume = np.cross(t, ab), np.einsum("ni,ni->n", ab, p)
        u, v = np.einsum("ni,ni->n", t, p) / volume, q @ ahead / volume
        distance = np.einsum("ni,ni->n", ac, q) / volume
        hit = (u >= -EDGE) & (v >= -EDGE) & (u + v <= 1 + EDGE) & (distance >= 0)
    return np.asarray(distance[hit])


def turn_from_x(direction: np.ndarray) -> np.ndarray:
    """(3, 3) a rotation matrix that maps the x axis to a direction (3,) of any length."""
    x = direction / np.linalg.norm(direction)
    across = np.cross(x, np.eye(3)[np.abs(x).argmin()])
    across /= np.linalg.norm(across)
    return np.column_stack([x, across, np.cross(x, across)])


@lru_cache(maxsize=16)
def unit_arrow(**shape: float) -> pv.PolyData:
    """An arrow of length 1 along x, with the proportions of `pyvista.Arrow`. Cached: callers must not modify it."""
    return smooth(pv.Arrow(direction=(1, 0, 0), **shape))


def arrow(start: np.ndarray, direction: np.ndarray, length: float, **shape: float) -> pv.PolyData:
    """An arrow of `length` [m] from `start` (3,) [m], with the proportions of `pyvista.Arrow`."""
    return placed(unit_arrow(**shape), turn_from_x(direction), start, length)


def bar(start: np.ndarray, end: np.ndarray, radius: float, sides: int) -> pv.PolyData:
    """A closed cylinder of `radius` [m] between two points (3,) [m]."""
    axis = end - start
    unit = _unit_bar(sides)
    made = pv.PolyData(unit)  # normals are along or across the axis, so stretching does not change them
    turn = turn_from_x(axis)
    stretch = np.array([np.linalg.norm(axis), radius, radius])
    _set_points(made, np.asarray(unit.points) * stretch @ turn.T + start, _normals(unit) @ turn.T)
    return made


@lru_cache(maxsize=16)
def _unit_bar(sides: int) -> pv.PolyData:
    """A closed cylinder along x, of length and radius 1. Cached: callers must not modify it."""
    return smooth(pv.Cylinder(center=(0.5, 0, 0), direction=(1, 0, 0), radius=1.0, height=1.0, resolution=sides))


def _normals(surface: pv.PolyData) -> np.ndarray:
    """(n, 3) point normals, a view of those of the surface."""
    return vtk_to_numpy(surface.GetPointData().GetNormals())


def _set_points(surface: pv.PolyData, points: np.ndarray, normals: np.ndarray) -> None:
    """Replace points and normals of a surface by copies of these arrays (n, 3)."""
    made = vtkPoints()
    made.SetData(numpy_to_vtk(points, deep=True))
    surface.SetPoints(made)
    set_normals(surface, normals)


def set_normals(surface: pv.PolyData, normals: np.ndarray) -> None:
    """Set the normals of the points of a surface to (n, 3) unit vectors."""
    array = numpy_to_vtk(normals.astype(np.float32), deep=True)  # the type of VTK's own normals
    array.SetName("Normals")
    surface.GetPointData().SetNormals(array)
