"""Interface of mesh sources for views, and a fast loader for the first frame.

The loader reads STL, OBJ and PLY by VTK without checking them, so that the first frame need not wait for numba.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import numpy as np
import pyvista as pv
from vtkmodules.vtkIOGeometry import vtkOBJReader, vtkSTLReader
from vtkmodules.vtkIOPLY import vtkPLYReader

from app.viewport.base.polydata import triangulated
from core.mesh.files.corners import corners_of
from core.mesh.files.damage import Damaged
from core.mesh.files.exchange import EXCHANGE
from core.mesh.frame import FileFrame
from core.physics.bodies.shapes import MeshFile, MeshShape
from core.scene.message import Message
from core.scene.problem import InputError, Problem

READERS = MappingProxyType({".stl": vtkSTLReader, ".obj": vtkOBJReader, ".ply": vtkPLYReader})
"""VTK readers by extension. pyvista.read searches for plugins first, which takes longer than reading most files."""

Content = tuple[np.ndarray, np.ndarray, FileFrame]  # vertices (n, 3) [file units], faces (m, 3), frame


class Triangles(Protocol):
    """A triangle mesh."""

    @property
    def vertices(self) -> np.ndarray:
        """(n, 3) coordinates in units of the file."""

    @property
    def faces(self) -> np.ndarray:
        """(m, 3) indices of vertices."""


class MeshSource(Protocol):
    """Source of the meshes of a scene."""

    def of(self, shape: MeshShape, folder: Path) -> Triangles:
        """The mesh of a shape. Raises InputError."""


@dataclass(frozen=True, eq=False)
class PreviewMesh:
    """Triangles that have not been checked."""

    vertices: np.ndarray  # (n, 3) coordinates [m], without the scale of the shape
    faces: np.ndarray  # (m, 3) indices of vertices


class PreviewLoader:
    """MeshSource for the frame that is shown before the physics is loaded."""

    def of(self, shape: MeshShape, folder: Path) -> PreviewMesh:
        """Read the mesh of a shape. Raises InputError for a file without triangles."""
        return sketched(shape, folder)


def sketched(file: MeshFile, folder: Path) -> PreviewMesh:
    """Read the triangles of a mesh file of a scene in `folder`. Raises InputError if there are none.

    Other defects of the mesh are found when the scene is compiled.
    """
    path = folder / file.file
    vertices, faces, frame = _as_compiled(path) if path.suffix.lower() in EXCHANGE else _by_vtk(path)
    if len(faces) == 0:
        raise InputError(
            str(path), [Problem("", Message("no triangles can be read from it"), Message("check the file"))]
        )
    return PreviewMesh(frame.given(file.unit, file.up).place(vertices), faces)


def _as_compiled(path: Path) -> Content:
    """The content of a file by the reader that compilation uses. Raises InputError."""
    try:
        corners, frame = corners_of(path)
    except Damaged as damage:
        raise InputError(str(path), [damage.of(path.name)]) from None
    return corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3), frame


def _by_vtk(path: Path) -> Content:
    """The content of a file by a reader of VTK."""
    surface = _triangles(path)
    return np.asarray(surface.points, dtype=np.float64), surface.regular_faces, FileFrame()


def _triangles(path: Path) -> pv.PolyData:
    """Triangles of a file; an empty mesh if VTK cannot read it."""
    if path.suffix.lower() not in READERS or not path.is_file():
        return pv.PolyData()
    reader = READERS[path.suffix.lower()]()
    reader.SetFileName(str(path))
    reader.Update()
    return triangulated(pv.PolyData(reader.GetOutput()))
