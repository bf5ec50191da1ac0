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
from core.scene.problem import InputError, Problem
from core.udf.meshes import container

# Each reads the corners (m, 3, 3) of the triangles, float32 or float64; it raises Damaged or OSError.
READERS: dict[str, Callable[[Path], np.ndarray]] = {".stl": read_stl, ".obj": read_obj, ".ply": read_ply}
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
    reader = read_udf if ending.startswith(IN_UDF) else READERS.get(ending)
    if reader is None:
        raise Damaged(f"has the unknown ending '{path.suffix}'", f"give one of {' '.join(READERS)}")
    if "\0" in str(path):
        raise Damaged("has a name that no file can have", "check the name")
    try:
        if path.is_dir():
            raise Damaged("is a folder", "give a file")
        size = container(path).stat().st_size
        if size == 0:
            raise Damaged("is empty (0 bytes)", "export it again")
        if size >= SIZE_LIMIT:
            raise Damaged(f"has {size / 1e9:.1f} GB, the limit is {SIZE_LIMIT / 1e9:.0f} GB", "reduce its triangles")
        return reader(path)
    except FileNotFoundError:
        raise Damaged(f"is not in {path.parent.resolve()}", "check the name and the folder") from None
    except PermissionError:
        raise Damaged("may not be read (no permission)", "change its permissions") from None
    except OSError as error:
        raise Damaged(f"cannot be read ({os.strerror(error.errno or 0)})", "check the file and its disk") from None
