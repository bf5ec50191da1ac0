"""What views need of meshes, and meshes for the very first frame: read by VTK, unchecked, without the compiler."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import pyvista as pv

from core.physics.bodies.shapes import MeshShape
from core.scene.message import Message
from core.scene.problem import InputError, Problem


class Triangles(Protocol):
    """A mesh, as far as it is drawn."""

    @property
    def vertices(self) -> np.ndarray:
        """(n, 3) in units of the file."""

    @property
    def faces(self) -> np.ndarray:
        """(m, 3) indices of vertices."""


class MeshSource(Protocol):
    """Where the meshes of a scene come from."""

    def of(self, shape: MeshShape, folder: Path) -> Triangles:
        """The mesh of a shape. Raises InputError."""


@dataclass(frozen=True, eq=False)
class PreviewMesh:
    """Triangles that are not checked yet."""

    vertices: np.ndarray  # (n, 3) in units of the file
    faces: np.ndarray  # (m, 3)


class PreviewLoader:
    """A library for the frame that is seen before the physics is there."""

    def of(self, shape: MeshShape, folder: Path) -> PreviewMesh:
        """Raises InputError for a file without triangles."""
        return sketched(folder / shape.file)


def sketched(path: Path) -> PreviewMesh:
    """Triangles of a file. Raises InputError where there are none; what else is wrong, the checked library will say."""
    surface = pv.read(path).extract_surface(algorithm=None).triangulate() if path.is_file() else pv.PolyData()
    if surface.n_cells == 0:
        raise InputError(
            str(path), [Problem("", Message("no triangles can be read from it"), Message("check the file"))]
        )
    return PreviewMesh(np.asarray(surface.points, dtype=np.float64), surface.regular_faces)
