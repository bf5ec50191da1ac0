"""Formats with several parts or of other programs: glTF, 3MF, COLLADA and OFF. A format is one line in EXCHANGE.

COLLADA and OFF are read by trimesh. Before it sees a file, that is checked for references to other files and for parts
that multiply; trimesh gets its content, and no folder or resolver by which it could reach another file.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Mapping
from io import BytesIO

import numpy as np

from polhode.mesh.files.collada import check_dae
from polhode.mesh.files.damage import Damaged
from polhode.mesh.files.gltf import read_gltf
from polhode.mesh.files.off import check_off, without_comments
from polhode.mesh.files.references import LARGEST_EXPANDED, TRIANGLE
from polhode.mesh.files.threemf import read_3mf
from polhode.mesh.frame import FileFrame
from polhode.scene.message import Message

LARGEST = 256 * 10**6  # [bytes] of a file, and of the unpacked parts of an archive: a tree of XML takes ten times that

logging.getLogger("trimesh").addHandler(logging.NullHandler())  # else it writes to stderr of each picture it misses

Read = tuple[np.ndarray, FileFrame]
# Each reads the content of a file: corners of its triangles, and its frame. It may raise anything.
EXCHANGE: Mapping[str, Callable[[bytes], Read]] = {
    ".glb": read_gltf,
    ".gltf": read_gltf,
    ".3mf": lambda content: read_3mf(content, LARGEST),
    ".dae": lambda content: _read_checked(content, ".dae", check_dae(content)),
    ".off": lambda content: _read_checked(without_comments(content), ".off", check_off(content)),
}


def read_exchange(content: bytes, ending: str) -> Read:
    """(m, 3, 3) float64 corners of the triangles of all parts, in the units and the frame of the file, and that frame.

    Parts are placed as the file states; mirrored ones keep their normals outward. Raises Damaged.
    """
    try:
        return EXCHANGE[ending](content)
    except Damaged:
        raise
    except Exception as error:  # trees of any form, and the boundary of a library whose readers raise anything
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise Damaged(Message("cannot be read as {kind} ({reason})", kind=ending[1:].upper(), reason=reason)) from error


def _read_checked(content: bytes, ending: str, frame: FileFrame) -> Read:
    """(m, 3, 3) corners of the triangles of all parts of a file that is checked, by trimesh, and its frame.

    Raises Damaged, and whatever the reader of trimesh raises.
    """
    import trimesh  # noqa: PLC0415  # a slow import that few scenes need

    with warnings.catch_warnings():  # of the libraries about parts that are not read here, such as dates
        warnings.simplefilter("ignore")
        scene = trimesh.load_scene(BytesIO(content), file_type=ending[1:], process=False)
    used = [scene.geometry[scene.graph[node][1]] for node in scene.graph.nodes_geometry]
    triangles = sum(len(part.faces) for part in used if isinstance(part, trimesh.Trimesh))
    if triangles * TRIANGLE > LARGEST_EXPANDED:
        rule = Message(
            "has {count} triangles in all its parts, the limit is {most}",
            count=triangles,
            most=LARGEST_EXPANDED // TRIANGLE,
        )
        raise Damaged(rule, Message("reduce its triangles"))
    mesh = scene.to_mesh()
    corners = np.asarray(mesh.vertices, dtype=np.float64)[np.asarray(mesh.faces)].reshape(-1, 3, 3)
    return corners, frame
