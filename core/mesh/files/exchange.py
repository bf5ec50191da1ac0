"""Formats that trimesh reads: glTF, 3MF, COLLADA and OFF. A format is one line in CHECKS.

Before trimesh sees a file, it is checked for references to other files and for parts that multiply; trimesh gets its
content, and no folder or resolver by which it could reach another file.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from io import BytesIO

import numpy as np

from core.mesh.files.collada import check_dae
from core.mesh.files.damage import Damaged
from core.mesh.files.gltf import check_gltf
from core.mesh.files.off import check_off, without_comments
from core.mesh.files.references import LARGEST_EXPANDED
from core.mesh.files.threemf import check_3mf
from core.mesh.frame import FileFrame
from core.scene.message import Message

LARGEST = 256 * 10**6  # [bytes] of a file, and of the unpacked parts of an archive: a tree of XML takes ten times that
CORNERS = 72  # [bytes] of a triangle

# Each checks the content of a file and gives what it states about its frame; it raises Damaged.
CHECKS: Mapping[str, Callable[[bytes], FileFrame]] = {
    ".glb": check_gltf,
    ".gltf": check_gltf,
    ".3mf": lambda content: check_3mf(content, LARGEST),
    ".dae": check_dae,
    ".off": check_off,
}


def read_by_trimesh(content: bytes, ending: str) -> tuple[np.ndarray, FileFrame]:
    """(m, 3, 3) float64 corners of the triangles of all parts, in the units and the frame of the file, and that frame.

    Parts are placed as the file states; mirrored ones keep their normals outward. Raises Damaged.
    """
    try:
        frame = CHECKS[ending](content)
        content = without_comments(content) if ending == ".off" else content
        return _corners(content, ending), frame
    except Damaged:
        raise
    except Exception as error:  # the boundary of a library, whose readers raise anything on damaged files
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise Damaged(Message("cannot be read as {kind} ({reason})", kind=ending[1:].upper(), reason=reason)) from error


def _corners(content: bytes, ending: str) -> np.ndarray:
    """(m, 3, 3) corners of the triangles of all parts. Raises Damaged, and whatever the reader of trimesh raises."""
    import trimesh  # noqa: PLC0415  # a slow import that few scenes need

    with warnings.catch_warnings():  # of the libraries about what is not read here, such as dates
        warnings.simplefilter("ignore")
        scene = trimesh.load_scene(BytesIO(content), file_type=ending[1:], process=False)
    used = [scene.geometry[scene.graph[node][1]] for node in scene.graph.nodes_geometry]
    triangles = sum(len(part.faces) for part in used if isinstance(part, trimesh.Trimesh))
    if triangles * CORNERS > LARGEST_EXPANDED:
        rule = Message(
            "has {count} triangles in all its parts, the limit is {most}",
            count=triangles,
            most=LARGEST_EXPANDED // CORNERS,
        )
        raise Damaged(rule, Message("reduce its triangles"))
    mesh = scene.to_mesh()
    return np.asarray(mesh.vertices, dtype=np.float64)[np.asarray(mesh.faces)].reshape(-1, 3, 3)
