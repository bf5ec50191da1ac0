"""Contents of VTK actors as arrays: triangles and lines with their colours, and how surfaces reflect."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import pyvista as pv
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import reference
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import VTK_FLAT, vtkAbstractMapper, vtkActor, vtkPolyDataMapper

from polhode_app.viewport.base.palette import RGB
from polhode_app.viewport.base.polydata import triangulated

OF_POINTS, OF_CELLS = 0, 1  # what scalars belong to


@dataclass(frozen=True, eq=False)
class ActorMesh:
    """Triangles and lines with common vertices."""

    points: np.ndarray  # (n, 3) float32 [m]
    normals: np.ndarray | None  # (n, 3) float32 unit vectors; None: each triangle has its own
    triangles: np.ndarray  # (m, 3) int32 indices of points
    lines: np.ndarray  # (k, 2) int32 ends of pieces of lines
    colors: np.ndarray | None = None  # (n, 4) uint8 of the points; None: those of the look
    texture: np.ndarray | None = None  # (n, 2) float32 texture coordinates

    @property
    def digest(self) -> bytes:
        """A hash of all arrays: equal for equal meshes."""
        arrays = (self.points, self.normals, self.triangles, self.lines, self.colors, self.texture)
        made = sha256()
        for array in arrays:
            made.update(b"-" if array is None else str(array.shape).encode() + np.ascontiguousarray(array).tobytes())
        return made.digest()


@dataclass(frozen=True)
class Look:
    """How the surface of an actor reflects light, and how its lines are drawn."""

    color: RGB
    opacity: float = 1.0
    is_lit: bool = True
    ambient: float = 0.2  # share of the colour that needs no light
    specular: float = 0.25  # strength of the highlight
    power: float = 30.0  # exponent of the highlight (Phong)
    metallic: float = 0.0
    roughness: float = 0.5
    culls: str = ""  # "back", "front": faces that are not drawn
    is_flat: bool = False
    width: float = 1.0  # [pixel] of lines


def look_of(actor: vtkActor) -> Look:
    """The look of an actor."""
    seen = actor.GetProperty()
    culls = "back" if seen.GetBackfaceCulling() else "front" if seen.GetFrontfaceCulling() else ""
    return Look(
        color=tuple(seen.GetColor()),
        opacity=seen.GetOpacity(),
        is_lit=bool(seen.GetLighting()),
        ambient=seen.GetAmbient(),
        specular=seen.GetSpecular(),
        power=seen.GetSpecularPower(),
        metallic=seen.GetMetallic(),
        roughness=seen.GetRoughness(),
        culls=culls,
        is_flat=seen.GetInterpolation() == VTK_FLAT,
        width=seen.GetLineWidth(),
    )


def meshes_of(data: vtkPolyData, mapper: vtkPolyDataMapper | None = None) -> list[tuple[ActorMesh, RGB | None]]:
    """The meshes that a mapper draws of `data`, each with its colour, None for that of the look.

    Without a mapper the colours of `data` are ignored. Cells of different colours become different meshes.
    """
    surface = pv.wrap(data)
    if surface.GetNumberOfStrips():
        surface = triangulated(surface)
    scalars, belongs = _scalars(surface, mapper)
    points, normals = np.asarray(surface.points, np.float32), surface.GetPointData().GetNormals()
    arrays = {
        "normals": None if normals is None else vtk_to_numpy(normals).astype(np.float32),
        "texture": _texture_coordinates(surface),
    }
    triangles, of_triangles = _triangles(surface.GetPolys())
    lines, of_lines = _lines(surface.GetLines())
    if scalars is None or belongs != OF_CELLS:
        colors = None if scalars is None else _rgba(scalars)
        return [(ActorMesh(points, arrays["normals"], triangles, lines, colors, arrays["texture"]), None)]
    cells_before = surface.GetNumberOfVerts(), surface.GetNumberOfVerts() + surface.GetNumberOfLines()
    colors = _rgba(scalars)
    kinds, numbers = np.unique(colors, axis=0, return_inverse=True)
    numbers = numbers.ravel()
    found = []
    for kind, color in enumerate(kinds):
        mine = triangles[numbers[of_triangles + cells_before[1]] == kind]
        edges = lines[numbers[of_lines + cells_before[0]] == kind]
        if len(mine) or len(edges):
            red, green, blue = (color[:3] / 255).tolist()
            found.append((_compacted(points, arrays, mine, edges), (red, green, blue)))
    return found


def _compacted(
    points: np.ndarray, arrays: dict[str, np.ndarray | None], triangles: np.ndarray, lines: np.ndarray
) -> ActorMesh:
    """A mesh with the vertices that are used."""
    used, numbers = np.unique(np.concatenate([triangles.ravel(), lines.ravel()]), return_inverse=True)
    numbers = numbers.ravel().astype(np.int32)
    corners = numbers[: triangles.size].reshape(-1, 3)
    ends = numbers[triangles.size :].reshape(-1, 2)
    of_used = {name: None if array is None else array[used] for name, array in arrays.items()}
    return ActorMesh(points[used], of_used["normals"], corners, ends, None, of_used["texture"])


def _scalars(surface: pv.PolyData, mapper: vtkPolyDataMapper | None) -> tuple[np.ndarray | None, int]:
    """(n, 3 or 4) uint8 colours that a mapper draws, and whether they belong to points or cells."""
    if mapper is None or not mapper.GetScalarVisibility():
        return None, OF_POINTS
    belongs = reference(0)
    mode, access = mapper.GetScalarMode(), mapper.GetArrayAccessMode()
    array = vtkAbstractMapper.GetScalars(
        surface, mode, access, mapper.GetArrayId(), mapper.GetArrayName() or "", belongs
    )
    if array is None or array.GetNumberOfComponents() < 3:
        return None, OF_POINTS
    return vtk_to_numpy(array), int(belongs)


def _rgba(colors: np.ndarray) -> np.ndarray:
    """(n, 4) uint8 colours; those of three components are opaque."""
    if colors.shape[1] == 4:
        return np.array(colors)
    return np.column_stack([colors, np.full(len(colors), 255, np.uint8)])


def _texture_coordinates(surface: pv.PolyData) -> np.ndarray | None:
    found = surface.GetPointData().GetTCoords()
    return None if found is None else vtk_to_numpy(found).astype(np.float32)


def _triangles(cells: vtkCellArray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 3) int32 corners of the triangles of convex polygons, and (m,) the polygon of each."""
    ends, corners = vtk_to_numpy(cells.GetOffsetsArray()), vtk_to_numpy(cells.GetConnectivityArray())
    sizes = np.diff(ends)
    found, numbers = [np.zeros((0, 3), np.int64)], [np.zeros(0, np.int64)]
    for size in np.unique(sizes[sizes > 2]):
        these = np.flatnonzero(sizes == size)
        fan = corners[ends[these][:, None] + np.arange(size)]
        for k in range(1, size - 1):
            found.append(fan[:, [0, k, k + 1]])
            numbers.append(these)
    return np.concatenate(found).astype(np.int32), np.concatenate(numbers)


def _lines(cells: vtkCellArray) -> tuple[np.ndarray, np.ndarray]:
    """(k, 2) int32 ends of the pieces of polylines, and (k,) the polyline of each."""
    ends, points = vtk_to_numpy(cells.GetOffsetsArray()), vtk_to_numpy(cells.GetConnectivityArray())
    if len(points) < 2:
        return np.zeros((0, 2), np.int32), np.zeros(0, np.int64)
    numbers = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    inside = numbers[:-1] == numbers[1:]
    return np.column_stack([points[:-1], points[1:]])[inside].astype(np.int32), numbers[:-1][inside]
