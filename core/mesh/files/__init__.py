"""Mesh files to triangles with merged vertices. A format is one file here and one line in READERS.

A reader takes the whole content of a file and gives the corners of its triangles as they stand there, so that the
merging of equal corners, the limits on size and coordinates, and the messages are the same for all formats. Colours,
normals, textures and groups are passed over; the orientation is that of the corners.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from core.mesh.files.damage import Damaged
from core.mesh.files.obj import read_obj
from core.mesh.files.ply import read_ply
from core.mesh.files.stl import read_stl
from core.mesh.files.udf import read_udf
from core.mesh.files.weld import merged
from core.scene.file_io import NotRegular, TooLarge, all_bytes, regular
from core.scene.message import Message, plural
from core.scene.problem import InputError
from core.udf.meshes import container

# Each reads the corners (m, 3, 3) of the triangles of a file's content, float32 or float64; it raises Damaged.
READERS: dict[str, Callable[[bytes], np.ndarray]] = {".stl": read_stl, ".obj": read_obj, ".ply": read_ply}
IN_UDF = ".udf#"  # start of the ending of a mesh in a UDF file

SIZE_LIMIT = 2 * 10**9  # [bytes] corners are counted in 32 bits, and all of a file must fit in memory
LARGEST = 1e30  # the fifth power of a coordinate, which the inertia has, must be finite


def read_triangles(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) float64 [file units] and faces (m, 3) int32 of a file, chosen by its ending.

    Corners at bitwise equal coordinates become one vertex; -0.0 counts as 0.0. Raises InputError where the file is
    missing, unreadable, empty, at least SIZE_LIMIT large, damaged, or has coordinates that are not finite or at least
    LARGEST.
    """
    try:
        corners = _corners(path)
        if len(corners) == 0:
            raise Damaged(Message("has no triangles"), Message("export it again, as triangles"))
        vertices, faces = merged(corners.reshape(-1, 3))
        bad = len(vertices) - int((np.abs(vertices) < LARGEST).all(axis=1).sum())  # a comparison with NaN is false
        if bad:
            rule = plural(
                "has {count} vertex with NaN, infinite or too large coordinates",
                "has {count} vertices with NaN, infinite or too large coordinates",
                count=bad,
            )
            raise Damaged(rule)
    except Damaged as damage:
        raise InputError(str(path), [damage.of(path.name)]) from None
    return vertices, faces


def _corners(path: Path) -> np.ndarray:
    """Corners (m, 3, 3) of the triangles of a file. Raises Damaged with the remedy for each fault."""
    ending = path.suffix.lower()
    reader = READERS.get(ending)
    if reader is None and not ending.startswith(IN_UDF):
        raise Damaged(
            Message("has the unknown ending '{ending}'", ending=path.suffix),
            Message("give one of {endings}", endings=" ".join(READERS)),
        )
    if "\0" in str(path):
        raise Damaged(Message("has a name that no file can have"), Message("check the name"))
    try:
        if reader is None:
            regular(container(path)).close()
            return read_udf(path)
        content = all_bytes(path, SIZE_LIMIT - 1)
    except IsADirectoryError:
        raise Damaged(Message("is a folder"), Message("give a file")) from None
    except NotRegular:
        raise Damaged(Message("is a device, a pipe or a socket, not a file"), Message("name a regular file")) from None
    except TooLarge as large:
        size = large.size / 1e9
        raise Damaged(
            Message("has {size:.1f} GB, the limit is {most:.0f} GB", size=size, most=SIZE_LIMIT / 1e9),
            Message("reduce its triangles"),
        ) from None
    except FileNotFoundError:
        raise Damaged(
            Message("is not in {folder}", folder=path.parent.resolve()), Message("check the name and the folder")
        ) from None
    except PermissionError:
        raise Damaged(Message("may not be read (no permission)"), Message("change its permissions")) from None
    except OSError as error:
        raise Damaged(
            Message("cannot be read ({reason})", reason=Message(os.strerror(error.errno or 0))),
            Message("check the file and its disk"),
        ) from None
    if not content:
        raise Damaged(Message("is empty (0 bytes)"), Message("export it again"))
    return reader(content)
