"""Mesh files to triangles with merged vertices. A format is one file here and one line in READERS."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from core.mesh.files.damage import Damaged, counted
from core.mesh.files.obj import read_obj
from core.mesh.files.ply import read_ply
from core.mesh.files.stl import read_stl
from core.mesh.files.udf import read_udf
from core.mesh.files.weld import merged
from core.scene.file_io import NotRegular, TooLarge, all_bytes, regular
from core.scene.problem import InputError, Problem
from core.udf.meshes import container

# Each reads the corners (m, 3, 3) of the triangles of a file's content, float32 or float64; it raises Damaged.
READERS: dict[str, Callable[[bytes], np.ndarray]] = {".stl": read_stl, ".obj": read_obj, ".ply": read_ply}
IN_UDF = ".udf#"  # begins the ending of a mesh that is a part of a UDF file

SIZE_LIMIT = 2 * 10**9  # [bytes] corners are counted in 32 bits, and all of a file must fit in memory
LARGEST = 1e30  # the fifth power of a coordinate, which inertia needs, still is a number


def read_triangles(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) float64 and faces (m, 3) int32 of a file. Raises InputError."""
    try:
        corners = _corners(path)
        if len(corners) == 0:
            raise Damaged("has no triangles", "export it again, as triangles")
        vertices, faces = merged(corners.reshape(-1, 3))
        bad = len(vertices) - int((np.abs(vertices) < LARGEST).all(axis=1).sum())  # a comparison with NaN is false
        if bad:
            raise Damaged(f"has {counted(bad, 'vertex', 'vertices')} with NaN, infinite or too large coordinates")
    except Damaged as damage:
        raise InputError(str(path), [Problem("", f"'{path.name}' {damage.rule}", damage.remedy)]) from None
    return vertices, faces


def _corners(path: Path) -> np.ndarray:
    ending = path.suffix.lower()
    reader = READERS.get(ending)
    if reader is None and not ending.startswith(IN_UDF):
        raise Damaged(f"has the unknown ending '{path.suffix}'", f"give one of {' '.join(READERS)}")
    if "\0" in str(path):
        raise Damaged("has a name that no file can have", "check the name")
    try:
        if reader is None:
            regular(container(path)).close()
            return read_udf(path)
        content = all_bytes(path, SIZE_LIMIT - 1)
    except IsADirectoryError:
        raise Damaged("is a folder", "give a file") from None
    except NotRegular:
        raise Damaged("is a device, a pipe or a socket, not a file", "name a regular file") from None
    except TooLarge as large:
        size = large.size / 1e9
        raise Damaged(f"has {size:.1f} GB, the limit is {SIZE_LIMIT / 1e9:.0f} GB", "reduce its triangles") from None
    except FileNotFoundError:
        raise Damaged(f"is not in {path.parent.resolve()}", "check the name and the folder") from None
    except PermissionError:
        raise Damaged("may not be read (no permission)", "change its permissions") from None
    except OSError as error:
        raise Damaged(f"cannot be read ({os.strerror(error.errno or 0)})", "check the file and its disk") from None
    if not content:
        raise Damaged("is empty (0 bytes)", "export it again")
    return reader(content)
