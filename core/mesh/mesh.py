"""Triangle meshes: reading, checking, convex hulls, and a cache of what was read.

A mesh file states neither a unit nor a frame: lengths here are in units of the file until `scaled`, positions in the
frame of the file. Before its integrals are taken (core/mesh/volume_integrals.py) a mesh must be the closed surface of a
solid with outward normals; `check_mesh` repairs what is safe to repair and names the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.mesh.files import READERS, read_triangles
from core.mesh.files.damage import Damaged
from core.mesh.topology import solid
from core.mesh.volume_integrals import bounding_box
from core.physics.bodies.shapes import MeshShape
from core.scene.gallery import seen_as
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.udf.meshes import container


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles, counterclockwise seen from outside; the arrays are read-only, so that caches and threads may share
    them.

    Arrays of other types are converted when it is made; those of the right type are not copied, and become read-only.
    """

    vertices: np.ndarray  # (n, 3) float64, in the units and the frame of the file
    faces: np.ndarray  # (m, 3) int32, indices of vertices
    notes: tuple[Message, ...] = ()  # repairs, each beginning with the file's name

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", np.ascontiguousarray(self.vertices, dtype=np.float64))
        object.__setattr__(self, "faces", np.ascontiguousarray(self.faces, dtype=np.int32))
        self.vertices.flags.writeable = False
        self.faces.flags.writeable = False

    @property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner, each (3,) [file units], of the box around all vertices."""
        return bounding_box(self.vertices)

    def scaled(self, factor: float) -> Mesh:
        """The mesh with all lengths multiplied by `factor` about the origin; the mesh itself for 1."""
        return self if factor == 1 else replace(self, vertices=self.vertices * factor)


def read_mesh(path: Path) -> Mesh:
    """The triangles of an STL, OBJ or PLY file, or of a mesh in a UDF file, with equal vertices merged.

    Whether they enclose a solid is not checked. Raises InputError where the file can't be read or is damaged.
    """
    return Mesh(*read_triangles(path))


def check_mesh(mesh: Mesh, name: str) -> tuple[Mesh, list[Problem]]:
    """The mesh as a closed surface with outward normals, repaired where that is safe; or unchanged, with its problems.

    name: of the file, with which notes and problems begin

    The problems are none or one; repairs are added to the notes. Cost: linear in the number of triangles (`solid`).
    """
    try:
        vertices, faces, notes = solid(mesh.vertices, mesh.faces)
    except Damaged as damage:
        return mesh, [damage.of(name)]
    return Mesh(
        vertices, faces, (*mesh.notes, *(Message("'{file}': {note}", file=name, note=note) for note in notes))
    ), []


def convex_hull(mesh: Mesh, name: str) -> Mesh:
    """Convex hull of all vertices, with outward normals and only the vertices that lie on it (Qhull, by scipy).

    Raises InputError if the vertices are coplanar or too few. O(n log n) for n vertices.
    """
    # a slow import that few scenes need
    from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415

    try:
        hull = ConvexHull(mesh.vertices)
    except (QhullError, ValueError) as error:
        rule = Message("'{name}' has no convex hull with a volume", name=name)
        raise InputError(name, [Problem("", rule, Message("give it points that do not lie in one plane"))]) from error
    faces = hull.simplices.copy()
    a, b, c = (mesh.vertices[faces[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward][:, ::-1]
    kept, renumbered = np.unique(faces, return_inverse=True)
    return Mesh(mesh.vertices[kept], renumbered.reshape(faces.shape), mesh.notes)


def guess_unit(mesh: Mesh) -> tuple[str, float]:
    """Name and length [m] of the unit of the file that is likely from its size.

    Mesh files do not state a unit. Typical bodies are some centimetres to a metre across, and drawing programs write
    millimetres or metres: more than 10 units across counts as millimetres, less as metres.
    """
    low, high = mesh.box
    return ("mm", 0.001) if (high - low).max() > 10 else ("m", 1.0)


class Meshes:
    """Cache of meshes that reads each file once, and again when it has changed: another time of modification or size.

    Meshes are kept for the life of the cache, a file and its convex hull separately. Compilation reads through it, so a
    second compilation of a scene touches no file.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Path, bool], tuple[tuple[int, int], Mesh]] = {}

    def mesh(self, path: Path, hull: bool = False) -> Mesh:
        """The checked mesh of a file, or its convex hull, in file units. Raises InputError.

        A hull needs no closed surface: it is taken before the check.
        """
        stamp = _stamp(path)
        if stamp is not None and (path, hull) in self._known:
            known_stamp, known = self._known[path, hull]
            if known_stamp == stamp:
                return known
        mesh = read_mesh(path)
        if hull:
            mesh = convex_hull(mesh, path.name)
        mesh, problems = check_mesh(mesh, path.name)
        if problems:
            raise InputError(str(path), problems)
        if stamp is not None:
            self._known[path, hull] = stamp, mesh
        return mesh

    def of(self, shape: MeshShape, folder: Path) -> Mesh:
        """The mesh of a mesh shape of a scene in `folder`, in the units of its file, without `scale`. Raises
        InputError.
        """
        path = folder / shape.file
        if seen_as(Path.is_dir, path):
            rule = Message("'{file}' is a folder, not a mesh file", file=shape.file)
            raise InputError(
                str(path),
                [Problem("", rule, Message("name a file in it, one of {endings}", endings=" ".join(READERS)))],
            )
        return self.mesh(path, shape.convex_hull)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Time of modification [ns] and size [bytes] of a file or container; None if it can't be read."""
    try:
        status = container(path).stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size
