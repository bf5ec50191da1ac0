"""Mesh files: STL, OBJ and PLY to triangles with merged vertices. Every damage has its own message."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from core.kernel import kernel
from core.problem import InputError, Problem

SIZE_LIMIT = 2 * 10**9  # [bytes]; indices are 32-bit, and such a file would not fit beside its triangles in memory
STL_HEADER = 84
STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attributes", "<u2")])


class Damaged(Exception):
    """What is wrong with the content of a file, as (rule, remedy)."""


def read_triangles(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) float64 and faces (m, 3) int32 of a file. Raises InputError."""
    name = path.name
    try:
        vertices, faces = _read(path)
        if len(faces) == 0:
            raise Damaged("has no triangles", "give a mesh with triangles")
        bad = int((~np.isfinite(vertices)).any(axis=1).sum())
        if bad:
            raise Damaged(f"has {bad} vertices that are not finite numbers (NaN or infinite)", "export it again")
    except Damaged as damage:
        rule, remedy = damage.args
        raise InputError(str(path), [Problem("", f"'{name}' {rule}", remedy)]) from None
    return vertices, faces


def _read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        endings = " ".join(READERS)
        raise Damaged(f"has the unknown ending '{path.suffix}'", f"give one of {endings}")
    try:
        if path.is_dir():
            raise Damaged("is a folder", "give a file")
        size = path.stat().st_size
        if size == 0:
            raise Damaged("is empty (0 bytes)", "export it again")
        if size >= SIZE_LIMIT:
            raise Damaged(f"has {size / 1e9:.1f} GB; the limit is {SIZE_LIMIT / 1e9:.0f} GB", "reduce its triangles")
        return reader(path)
    except FileNotFoundError:
        raise Damaged(f"is not there ({path})", "check the name and the folder") from None
    except PermissionError:
        raise Damaged("may not be read (no permission)", "change its permissions") from None
    except OSError as error:
        raise Damaged(f"cannot be read ({os.strerror(error.errno or 0)})", "check the file and its disk") from None


def read_stl(path: Path) -> tuple[np.ndarray, np.ndarray]:
    with path.open("rb") as file:
        header = file.read(STL_HEADER)
    held, rest = divmod(path.stat().st_size - STL_HEADER, STL_TRIANGLE.itemsize)
    declared = int.from_bytes(header[80:84], "little") if len(header) == STL_HEADER else -1
    if held == declared and rest == 0:  # many binary files, too, begin with "solid"
        corners = np.fromfile(path, STL_TRIANGLE, offset=STL_HEADER)["corners"].astype(np.float32)
        return merged(corners.reshape(-1, 3))
    if header.lstrip()[:5].lower() == b"solid" and b"\0" not in header:
        return read_ascii_stl(path)
    if declared < 0:
        raise Damaged(f"is too short for an STL file ({len(header)} bytes)", "export it again")
    if declared > held:
        raise Damaged(f"is cut off: it declares {declared} triangles and holds {held}", "export it again")
    raise Damaged(f"declares {declared} triangles and holds {held}", "export it again")


def read_ascii_stl(path: Path) -> tuple[np.ndarray, np.ndarray]:
    text = path.read_bytes().lower()
    corners = numbers(re.findall(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", text))
    facets = text.count(b"endfacet")
    if len(corners) != 3 * facets or b"endsolid" not in text:
        raise Damaged(f"is cut off after {facets} triangles", "export it again")
    return merged(corners)


def numbers(words: list[tuple[bytes, ...]]) -> np.ndarray:
    """(n, 3) float64 of the words of a text file."""
    try:
        return np.array(words, dtype="S").astype(np.float64).reshape(-1, 3)
    except ValueError as error:
        raise Damaged(f"has a coordinate that is not a number ({error})", "export it again") from None


def read_obj(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces only; polygons are cut into fans."""
    words: list[tuple[bytes, ...]] = []
    faces: list[tuple[int, int, int]] = []
    for line in path.read_bytes().replace(b"\\\n", b" ").splitlines():
        key, *rest = line.split() or [b""]
        if key == b"v":
            words.append(tuple(rest[:3]))
            if len(rest) < 3:
                raise Damaged(f"has a vertex with {len(rest)} coordinates", "export it again")
        elif key == b"f":
            ring = [_obj_index(word, len(words)) for word in rest]
            faces += [(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)]
    if not words and not faces:
        raise Damaged("is not an OBJ file: it has neither vertices nor faces", "export it again")
    return indexed(numbers(words), np.array(faces, dtype=np.int64).reshape(-1, 3))


def _obj_index(word: bytes, count: int) -> int:
    """Index from 0 of 'v', 'v/vt' or 'v/vt/vn', which count from 1, or from the end if negative."""
    try:
        number = int(word.split(b"/")[0])
    except ValueError:
        raise Damaged(f"has the face corner '{word.decode(errors='replace')[:20]}'", "export it again") from None
    return number - 1 if number > 0 else number + count if number < 0 else -1


def indexed(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The merged triangles of vertices (n, 3) and faces (m, 3) that a file declares."""
    wrong = int(((faces < 0) | (faces >= len(vertices))).any(axis=1).sum())
    if wrong:
        raise Damaged(f"has {wrong} triangles with vertices beyond its {len(vertices)}", "export it again")
    return merged(vertices[faces].reshape(-1, 3))


def merged(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners (3 m, 3), float32 or float64, to vertices (n, 3) float64 and faces (m, 3) int32: equal ones are one."""
    corners = corners + corners.dtype.type(0)  # -0.0 becomes 0.0: equal numbers have equal bits
    bits = corners.view(np.uint32)
    table = np.full(1 << (2 * len(bits) + 1).bit_length(), -1, dtype=np.int32)
    label = np.empty(len(bits), dtype=np.int32)
    first = np.empty(len(bits), dtype=np.int32)
    count = merge_equal(bits, table, label, first)
    return corners[first[:count]].astype(np.float64), label.reshape(-1, 3)


@kernel
def merge_equal(bits, table, label, first):  # type: ignore[no-untyped-def]
    """Number the different rows of bits (n, w) uint32 in the order of their first appearance; returns how many.

    label (n,) becomes the number of each row, first (count,) the row where each number appeared. table, filled with -1,
    is an open-addressing hash table of a power of two of places, more than rows.
    """
    mask = np.uint64(table.shape[0] - 1)
    count = 0
    for row in range(bits.shape[0]):
        key = np.uint64(0)
        for k in range(bits.shape[1]):
            key = (key ^ np.uint64(bits[row, k])) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
        place = key & mask
        while True:
            known = table[place]
            if known < 0:
                table[place] = count
                first[count] = row
                label[row] = count
                count += 1
                break
            same = True
            for k in range(bits.shape[1]):
                same = same and bits[first[known], k] == bits[row, k]
            if same:
                label[row] = known
                break
            place = (place + np.uint64(1)) & mask
    return count


READERS: dict[str, Callable[[Path], tuple[np.ndarray, np.ndarray]]] = {".stl": read_stl, ".obj": read_obj}
