"""Interface of mesh sources for views, and a fast loader for the first frame.

The loader reads files as compilation does, and without its checks of meshes, so that the first frame need not wait for
numba. Readers of VTK are no choice: they believe what the header of a file states, and end the program.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from polhode.mesh.files.corners import ENDINGS, corners_of
from polhode.mesh.files.damage import Damaged
from polhode.physics.bodies.shapes import MeshFile, MeshShape
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem


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
        if shape.has_file:
            mesh = sketched(shape, folder)
        else:
            mesh = PreviewMesh(np.array(shape.vertices), np.array(shape.faces).reshape(-1, 3))
        mirrors = np.prod(np.sign(shape.stretch)) < 0
        return PreviewMesh(mesh.vertices * np.array(shape.stretch), mesh.faces[:, ::-1] if mirrors else mesh.faces)


def sketched(file: MeshFile, folder: Path) -> PreviewMesh:
    """Read the triangles of a mesh file of a scene in `folder`. Raises InputError if there are none.

    Other defects of the mesh are found when the scene is compiled.
    """
    path = folder / file.file
    if path.suffix.lower() not in ENDINGS:
        raise _empty(path)
    try:
        with np.errstate(all="ignore"):
            corners, frame, _ = corners_of(path)
    except Damaged as damage:
        raise InputError(str(path), [damage.of(path.name)]) from None
    if len(corners) == 0:
        raise _empty(path)
    vertices, faces = _merged(corners)
    return PreviewMesh(frame.given(file.unit, file.up).place(vertices), faces)


def _empty(path: Path) -> InputError:
    """The error for a file without triangles."""
    rule = Message("no triangles can be read from it")
    return InputError(str(path), [Problem("", rule, Message("check the file"))])


def _merged(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and faces (m, 3) of corners (m, 3, 3): those with one hash of their 192 bits are one vertex."""
    rows = np.ascontiguousarray(corners.reshape(-1, 3), dtype=np.float64) + 0.0  # -0.0 becomes 0.0
    key = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.view(np.uint64).T:
        key = (key ^ column) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    _, first, label = np.unique(key, return_index=True, return_inverse=True)
    return rows[first], label.reshape(-1, 3)
