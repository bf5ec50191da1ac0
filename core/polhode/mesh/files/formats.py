"""The formats of mesh files. A format is one line in FORMATS, and a file here that scans it.

STL, OBJ, PLY, OFF and COLLADA are read by trimesh. Before it sees a file, the structure of its bytes is checked, and
that it has no references to other files and no parts that multiply; trimesh gets its content, and no folder or resolver
by which it could reach another file.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import NamedTuple

import numpy as np

from polhode.mesh.files.collada import check_dae
from polhode.mesh.files.damage import Damaged, check_corners
from polhode.mesh.files.gltf import read_gltf
from polhode.mesh.files.obj import check_obj
from polhode.mesh.files.off import check_off
from polhode.mesh.files.ply import check_ply
from polhode.mesh.files.references import LARGEST_EXPANDED, TRIANGLE
from polhode.mesh.files.scanned import Scanned
from polhode.mesh.files.stl import check_stl
from polhode.mesh.files.threemf import read_3mf
from polhode.mesh.frame import NO_FRAME, FileFrame
from polhode.scene.message import Message

SIZE_LIMIT = 2 * 10**9 - 1  # [bytes] corners are counted in 32 bits, and all of a file must fit in memory
LARGEST = 256 * 10**6  # [bytes] of a file, and of the unpacked parts of an archive: a tree of XML takes ten times that

logging.getLogger("trimesh").addHandler(logging.NullHandler())  # else it writes to stderr of each picture it misses


class Read(NamedTuple):
    """Content of a mesh file."""

    corners: np.ndarray  # (m, 3, 3) float64 of the triangles of all parts, in the unit and the frame of the file
    frame: FileFrame = NO_FRAME
    notes: tuple[Message, ...] = ()  # for a sentence that begins with the name of the file


class Format(NamedTuple):
    """A format: the largest file [bytes], and the reader of its content, which may raise anything."""

    largest: int
    read: Callable[[bytes], Read]


def _by_trimesh(ending: str, scan: Callable[[bytes], Scanned]) -> Callable[[bytes], Read]:
    """The reader of a format that trimesh reads after its scan, which raises Damaged."""

    def read(content: bytes) -> Read:
        found = scan(content)
        return Read(_corners(found.content, ending), found.frame, found.notes)

    return read


FORMATS: Mapping[str, Format] = {
    ".stl": Format(SIZE_LIMIT, _by_trimesh("stl", check_stl)),
    ".obj": Format(SIZE_LIMIT, _by_trimesh("obj", check_obj)),
    ".ply": Format(SIZE_LIMIT, _by_trimesh("ply", check_ply)),
    ".glb": Format(LARGEST, lambda content: Read(*read_gltf(content))),
    ".gltf": Format(LARGEST, lambda content: Read(*read_gltf(content))),
    ".3mf": Format(LARGEST, lambda content: Read(*read_3mf(content, LARGEST))),
    ".dae": Format(LARGEST, _by_trimesh("dae", check_dae)),
    ".off": Format(LARGEST, _by_trimesh("off", check_off)),
}


def read_format(content: bytes, ending: str) -> Read:
    """The triangles of all parts of a file; mirrored parts keep their normals outward. Raises Damaged."""
    try:
        return FORMATS[ending].read(content)
    except Damaged:
        raise
    except Exception as error:  # trees of any form, and the boundary of a library whose readers raise anything
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise Damaged(Message("cannot be read as {kind} ({reason})", kind=ending[1:].upper(), reason=reason)) from error


@contextmanager
def _silence() -> Iterator[None]:
    """Without warnings and logs of the libraries about what is not read here, such as dates and pictures."""
    log = logging.getLogger("trimesh")
    before, log.disabled = log.disabled, True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.disabled = before


def _corners(content: bytes, ending: str) -> np.ndarray:
    """(m, 3, 3) corners of the triangles of all parts of a file that is checked, by trimesh.

    Raises Damaged, and whatever the reader of trimesh raises.
    """
    import trimesh  # noqa: PLC0415  # a slow import that few scenes need

    with _silence():
        scene = trimesh.load_scene(BytesIO(content), file_type=ending, process=False, skip_materials=True)
    placed = [scene.graph[node] for node in scene.graph.nodes_geometry]
    used = [scene.geometry[name] for _, name in placed]
    for part in used:
        if isinstance(part, trimesh.Trimesh) and len(part.faces):
            check_corners(part.faces, len(part.vertices))
    triangles = sum(len(part.faces) for part in used if isinstance(part, trimesh.Trimesh))
    if len(used) > 1 and triangles * TRIANGLE > LARGEST_EXPANDED:
        rule = Message(
            "has {count} triangles in all its parts, the limit is {most}",
            count=triangles,
            most=LARGEST_EXPANDED // TRIANGLE,
        )
        raise Damaged(rule, Message("reduce its triangles"))
    is_one = len(used) == 1 and isinstance(used[0], trimesh.Trimesh) and np.array_equal(placed[0][0], np.eye(4))
    mesh = used[0] if is_one else scene.to_mesh()
    return np.asarray(mesh.vertices, dtype=np.float64)[np.asarray(mesh.faces)].reshape(-1, 3, 3)
