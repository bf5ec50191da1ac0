"""Rounded solids that were computed before: in memory, and as files of the user's cache folder.

A file has a head, the coefficients of the spline, and the sample points with their areas, as little-endian numbers
without pickling; behind them is the SHA-256 of all (`CodeFolder`). Its name is the hash of the mesh and of all
settings, its folder that of the sources that compute it, so that a file never outlives the method that made it. A file
that is damaged, or that others may have written, is computed again.
"""

from __future__ import annotations

import hashlib
import struct
from functools import lru_cache
from importlib.metadata import version
from itertools import pairwise
from math import isfinite, prod

import numpy as np

from polhode.jit.storage.code_folder import CodeFolder, cache_folder
from polhode.jit.storage.kept import VERSION
from polhode.mesh.distance.field import NO_VALUES, DistanceField
from polhode.mesh.distance.rounded import RoundedSolid, rounded_solid
from polhode.mesh.distance.samples import Samples

FOLDER = "fields"  # of all versions, in the program's cache folder
LARGEST = 500_000_000  # [bytes] of all files together; beyond it those that were not used for longest are deleted
IN_MEMORY = 64  # solids of the shapes that were asked for last
HEAD = struct.Struct("<8s4q5d")  # mark; nodes along x, y, z; points; first node, cell, rounding
MARK = b"POLHODE\1"


@lru_cache(maxsize=1)
def solids_folder() -> CodeFolder:
    """The files of this version."""
    return CodeFolder(cache_folder() / FOLDER / VERSION)


@lru_cache(maxsize=IN_MEMORY)
def kept_solid(
    vertices: bytes, faces: bytes, rounding: float, cells: int, reach: float, folder: CodeFolder
) -> RoundedSolid:
    """The rounded solid of vertices (v, 3) float64 and faces (t, 3) int64 as bytes, from the folder if it is there.

    rounding, cells, reach: as of `rounded_solid`; lengths in the unit of the mesh
    """
    name = name_of(vertices, faces, rounding, cells, reach)
    if (content := folder.read(name)) is not None and (found := unpacked(content)) is not None:
        folder.touch(name)
        return found
    corners = np.frombuffer(vertices).reshape(-1, 3)
    made = rounded_solid(corners, np.frombuffer(faces, dtype=np.int64).reshape(-1, 3), rounding, cells, reach)
    folder.write(name, packed(made))
    folder.limit(LARGEST)
    return made


def name_of(vertices: bytes, faces: bytes, rounding: float, cells: int, reach: float) -> str:
    """Name of a file: hash of all that its content depends on, beside the sources. Arguments as of `kept_solid`."""
    libraries = f"{version('numpy')} {version('scipy')}".encode()
    digest = hashlib.sha256(struct.pack("<2q2dq", len(vertices), len(faces), rounding, reach, cells) + libraries)
    for part in (vertices, faces):
        digest.update(part)
    return digest.hexdigest()


def packed(solid: RoundedSolid) -> bytes:
    """Content of the file of a solid."""
    field, samples = solid.field, solid.samples
    head = HEAD.pack(
        MARK, *field.coefficients.shape, len(samples.points), *field.low.tolist(), field.cell, samples.rounding
    )
    arrays = [(field.coefficients, "<f4"), (samples.points, "<f8"), (samples.areas, "<f8")]
    return b"".join([head, *(array.astype(kind).tobytes() for array, kind in arrays)])


def unpacked(content: bytes) -> RoundedSolid | None:
    """The solid of a file, its arrays read-only; None for a content that is not one."""
    if len(content) < HEAD.size:
        return None
    mark, *counts, x, y, z, cell, rounding = HEAD.unpack_from(content)
    nodes, points = tuple(counts[:3]), counts[3]
    if mark != MARK or min(counts) < 1 or not (isfinite(cell) and isfinite(rounding) and cell > 0 and rounding > 0):
        return None
    edges = np.cumsum([HEAD.size, 4 * prod(nodes), 24 * points, 8 * points], dtype=object).tolist()
    if edges[-1] != len(content):
        return None
    kinds = ("<f4", "<f8", "<f8")
    arrays = [
        np.frombuffer(content, kind, (stop - begin) // int(kind[-1]), begin)
        for kind, (begin, stop) in zip(kinds, pairwise(edges), strict=True)
    ]
    low = np.array([x, y, z])
    if not all(np.isfinite(array).all() for array in (low, *arrays)):
        return None
    # copies: numbers begin at multiples of their size
    numbers, places, areas = (array.astype(array.dtype.newbyteorder("=")) for array in arrays)
    field = DistanceField(low, cell, numbers.reshape(nodes), NO_VALUES)
    return RoundedSolid(field, Samples(places.reshape(-1, 3), areas, rounding))
