"""Triangle meshes: reading, checking, convex hulls, and a cache of what was read.

Positions are in metres with z up where the file or the scene states the unit and the up axis of the file
(core/polhode/mesh/frame.py); else in units of the file until `scaled`, and in its axes. Before its integrals are taken
(core/polhode/mesh/volume_integrals.py) a mesh must be the closed surface of a solid with outward normals; `check_mesh`
repairs what is safe to repair and names the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from polhode.mesh.files.damage import Damaged
from polhode.mesh.frame import NO_FRAME, FileFrame, LengthUnit, UpAxis, size_question
from polhode.mesh.topology import solid
from polhode.mesh.volume_integrals import bounding_box
from polhode.physics.bodies.shapes import MeshShape, Repair
from polhode.scene.gallery import seen_as
from polhode.scene.message import Message, plural
from polhode.scene.problem import InputError, Problem
from polhode.scene.quantity import Vector

if TYPE_CHECKING:
    from trimesh import Trimesh

    from polhode.mesh.repair import Condition


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles, counterclockwise seen from outside; the arrays are read-only, so that caches and threads may share
    them.

    Arrays of other types are converted when it is made; those of the right type are not copied, and become read-only.
    """

    vertices: np.ndarray  # (n, 3) float64, in m with z up as far as the file or the scene states them
    faces: np.ndarray  # (m, 3) int32, indices of vertices
    notes: tuple[Message, ...] = ()  # repairs, each beginning with the file's name
    frame: FileFrame = NO_FRAME  # unit and up axis of the file, as far as they are known

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", np.ascontiguousarray(self.vertices, dtype=np.float64))
        object.__setattr__(self, "faces", np.ascontiguousarray(self.faces, dtype=np.int32))
        self.vertices.flags.writeable = False
        self.faces.flags.writeable = False

    @property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner, each (3,), of the box around all vertices."""
        return bounding_box(self.vertices)

    def changed(self, vertices: np.ndarray, faces: np.ndarray, notes: Iterable[Message], name: str) -> Mesh:
        """The mesh with other vertices (n, 3) and faces (m, 3); each note gets the `name` of the file in front."""
        return replace(self, vertices=vertices, faces=faces, notes=(*self.notes, *_named(notes, name)))

    def condition(self) -> Condition:
        """Counts of triangles, holes and parts, and the volume, by which a repair is judged."""
        # trimesh is a slow import that few scenes need
        from polhode.mesh.repair import condition  # noqa: PLC0415

        return condition(self.vertices, self.faces)

    def size_question(self, scale: float = 1.0) -> Message | None:
        """A question about the unit if the size of the mesh is unlikely; `scale` as in `scaled`."""
        low, high = self.box
        return size_question(float((high - low).max()) * scale, (self.frame.unit or 1.0) * scale)

    def part_count(self) -> int:
        """Number of parts of a checked mesh, each with its cavities."""
        return len(self._parts())

    def part(self, number: int, name: str) -> Mesh:
        """One part of a checked mesh, the largest first; `name` of the file for messages. Raises InputError."""
        parts = self._parts()
        if number >= len(parts):
            rule = plural(
                "'{name}' has no part {number}: it has {count} part",
                "'{name}' has no part {number}: it has {count} parts",
                name=name,
                number=number,
                count=len(parts),
            )
            raise InputError.of(name, rule, Message("give a smaller number; the first part is 0"))
        kept, renumbered = np.unique(self.faces[parts[number]], return_inverse=True)
        return replace(self, vertices=self.vertices[kept], faces=renumbered.reshape(-1, 3))

    def _parts(self) -> list[np.ndarray]:
        """Numbers of the faces of each part."""
        # trimesh is a slow import that few scenes need
        from polhode.mesh.repair import solid_parts  # noqa: PLC0415

        return solid_parts(self.vertices, self.faces)

    @cached_property
    def trimesh(self) -> Trimesh:
        """This mesh as a `trimesh.Trimesh`, for all that trimesh computes.

        It shares the read-only vertices (n, 3), and has faces (m, 3) int64.

        Its lengths are those of this mesh; its `units` are "meters" where the unit is known, else None. `to_trimesh`
        gives one that may be changed.
        """
        # a slow import that few scenes need
        from trimesh import Trimesh  # noqa: PLC0415

        other = Trimesh(self.vertices, self.faces, process=False)
        if self.frame.unit:
            other.units = "meters"
        return other

    def to_trimesh(self) -> Trimesh:
        """A `trimesh.Trimesh` with copies of the vertices (n, 3) float64 and faces (m, 3) int64, not processed."""
        return self.trimesh.copy()

    @classmethod
    def from_trimesh(cls, other: Trimesh) -> Mesh:
        """A mesh with copies of the vertices (n, 3) and faces (m, 3) of a `trimesh.Trimesh`.

        Its lengths are in m where `other.units` names a unit, else as they are; z is up. Raises ValueError for a unit
        that trimesh does not know.
        """
        # a slow import that few scenes need
        from trimesh.units import unit_conversion  # noqa: PLC0415

        if other.units in (None, "none"):  # trimesh makes a text of None
            return cls(np.array(other.vertices), np.array(other.faces))
        frame = FileFrame(unit_conversion(other.units, "meters"))
        return cls(frame.place(np.array(other.vertices)), np.array(other.faces), frame=frame)

    def scaled(self, factor: float) -> Mesh:
        """The mesh with all lengths multiplied by `factor` about the origin; the mesh itself for 1."""
        return self if factor == 1 else replace(self, vertices=self.vertices * factor)


def _named(notes: Iterable[Message], name: str) -> tuple[Message, ...]:
    """Notes with the `name` of the file in front."""
    return tuple(Message("'{file}': {note}", file=name, note=note) for note in notes)


def read_mesh(path: Path, unit: LengthUnit | None = None, up: UpAxis | None = None) -> Mesh:
    """The triangles of a mesh file, or of a mesh in a UDF file, with equal vertices merged.

    unit, up: of the file; None takes what the file states

    Whether they enclose a solid is not checked. Raises InputError if the file can't be read or is damaged.
    """
    from polhode.mesh.files.reading import read_triangles  # noqa: PLC0415  # readers that only scenes with meshes need

    vertices, faces, frame, notes = read_triangles(path)
    frame = frame.given(unit, up)
    return Mesh(frame.place(vertices), faces, _named(notes, path.name), frame)


def check_mesh(mesh: Mesh, name: str) -> tuple[Mesh, list[Problem]]:
    """The mesh as a closed surface with outward normals, repaired where that is safe; or unchanged, with its problems.

    name: of the file, with which notes and problems begin

    The problems are none or one; repairs are added to the notes. Cost: linear in the number of triangles (`solid`).
    """
    try:
        vertices, faces, notes = solid(mesh.vertices, mesh.faces)
    except Damaged as damage:
        return mesh, [damage.of(name)]
    return mesh.changed(vertices, faces, notes, name), []


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
        raise InputError.of(name, rule, Message("give it points that do not lie in one plane")) from error
    faces = hull.simplices.copy()
    a, b, c = (mesh.vertices[faces[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward][:, ::-1]
    kept, renumbered = np.unique(faces, return_inverse=True)
    return replace(mesh, vertices=mesh.vertices[kept], faces=renumbered.reshape(faces.shape))


def guess_unit(mesh: Mesh) -> tuple[str, float]:
    """Name and length [m] of the unit of the file that is likely from its size.

    The metre where the unit of the file is known. Most mesh files state none. Typical bodies are some centimetres to a
    metre across, and drawing programs write millimetres or metres: more than 10 units across counts as millimetres,
    less as metres.
    """
    low, high = mesh.box
    if mesh.frame.unit:
        return ("m", 1.0)
    return ("mm", 0.001) if (high - low).max() > 10 else ("m", 1.0)


@dataclass(frozen=True)
class Request:
    """A requested mesh: the file, and the steps for its content."""

    path: Path
    unit: LengthUnit | None = None  # of the file; None: as the file states
    up: UpAxis | None = None  # axis of the file that becomes z; None: as the file states
    repair: tuple[Repair, ...] = ()
    part: int | None = None  # of a mesh in several parts, the largest first; None: all of them
    hull: bool = False  # the convex hull instead of the mesh; needs no closed surface
    stretch: Vector = (1.0, 1.0, 1.0)  # factors along x, y and z; negative ones mirror
    vertices: tuple[Vector, ...] = ()  # in place of those of the file
    faces: tuple[int, ...] = ()  # indices of these vertices, three for each triangle

    def read(self) -> Mesh:
        """The mesh from the disk, or as it is stated, repaired and checked. Raises InputError."""
        mesh = self._given()
        if self.repair:
            # trimesh is a slow import that few scenes need
            from polhode.mesh.repair import repaired  # noqa: PLC0415

            try:
                vertices, faces, notes = repaired(mesh.vertices, mesh.faces, self.repair)
            except Damaged as damage:
                raise InputError(str(self.path), [damage.of(self.path.name)]) from None
            mesh = mesh.changed(vertices, faces, notes, self.path.name)
        if self.part is not None:
            mesh = self._checked(mesh).part(self.part, self.path.name)
        if self.hull:
            mesh = convex_hull(mesh, self.path.name)
        return self._checked(mesh)

    def _given(self) -> Mesh:
        """The mesh before it is repaired. Raises InputError."""
        if self.vertices:
            mesh = Mesh(np.array(self.vertices), np.array(self.faces).reshape(-1, 3))
        else:
            mesh = read_mesh(self.path, self.unit, self.up)
        if self.stretch == (1.0, 1.0, 1.0):
            return mesh
        faces = mesh.faces[:, ::-1] if np.prod(np.sign(self.stretch)) < 0 else mesh.faces
        return replace(mesh, vertices=mesh.vertices * np.array(self.stretch), faces=faces)

    def _checked(self, mesh: Mesh) -> Mesh:
        """The mesh after `check_mesh`. Raises InputError for problems."""
        mesh, problems = check_mesh(mesh, self.path.name)
        if problems:
            raise InputError(str(self.path), problems)
        return mesh


class Meshes:
    """Cache of meshes that reads each file once, and again when it has changed: another time of modification or size.

    Meshes are kept for the life of the cache, one for each request. Compilation reads through it, so a second
    compilation of a scene touches no file.
    """

    def __init__(self) -> None:
        self._known: dict[Request, tuple[tuple[int, int], Mesh]] = {}

    def mesh(self, path: Path, hull: bool = False) -> Mesh:
        """The checked mesh of a file, or its convex hull, with its stated unit and up axis. Raises InputError."""
        return self.requested(Request(path, hull=hull))

    def requested(self, request: Request) -> Mesh:
        """The checked mesh that a request describes. Raises InputError."""
        stamp = (0, 0) if request.vertices else _stamp(request.path)
        if stamp is not None and request in self._known:
            known_stamp, known = self._known[request]
            if known_stamp == stamp:
                return known
        mesh = request.read()
        if stamp is not None:
            self._known[request] = stamp, mesh
        return mesh

    def of(self, shape: MeshShape, folder: Path) -> Mesh:
        """The mesh of a mesh shape of a scene in `folder`, without `scale`. Raises InputError."""
        path = folder / shape.file
        if shape.has_file and seen_as(Path.is_dir, path):
            from polhode.mesh.files.corners import ENDINGS  # noqa: PLC0415  # as above

            rule = Message("'{file}' is a folder, not a mesh file", file=shape.file)
            raise InputError.of(
                str(path), rule, Message("name a file in it, one of {endings}", endings=" ".join(ENDINGS))
            )
        steps = (shape.unit, shape.up, shape.repair, shape.part, shape.convex_hull)
        return self.requested(Request(path, *steps, shape.stretch, shape.vertices, shape.faces))


def _stamp(path: Path) -> tuple[int, int] | None:
    """Time of modification [ns] and size [bytes] of a file or container; None if it can't be read."""
    try:
        from polhode.udf.meshes import container  # noqa: PLC0415  # as above

        status = container(path).stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size
