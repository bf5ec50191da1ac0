"""PLY, text and binary: its tables are walked row by row before trimesh reads it.

The header declares tables (elements) of rows with named properties, numbers or lists of numbers. Here `vertex` gives x,
y, z and `face` the list `vertex_indices` or `vertex_index`; other tables and properties are walked over by their sizes.
Numbers of a text file become an array of float64, which is walked like a binary one.

trimesh reads only rows of one length, by the length of the first one, and one row in a line, and makes a path of edges.
It gets the vertices and the triangles of a sound file as the tables of a plain one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from polhode.mesh.files.damage import Damaged, check_corners, check_numbers, fans, numbers
from polhode.mesh.files.scanned import Scanned, bytes_left_over
from polhode.scene.message import Message

TYPES = {
    **dict.fromkeys(("char", "int8"), "i1"),
    **dict.fromkeys(("uchar", "uint8"), "u1"),
    **dict.fromkeys(("short", "int16"), "i2"),
    **dict.fromkeys(("ushort", "uint16"), "u2"),
    **dict.fromkeys(("int", "int32"), "i4"),
    **dict.fromkeys(("uint", "uint32"), "u4"),
    **dict.fromkeys(("float", "float32"), "f4"),
    **dict.fromkeys(("double", "float64"), "f8"),
}
PADDING = b"\0\t\n\r\x1a "  # bytes that some programs write after the last row
WANTED = {"vertex": ("x", "y", "z"), "face": ("vertex_indices", "vertex_index")}  # properties that are kept, by table
ORDERS = {b"binary_little_endian": "<", b"binary_big_endian": ">"}


@dataclass(frozen=True)
class PlyElement:
    """One table of the file. A property is (name, type), a list property (name, type, type of its length)."""

    name: str
    count: int
    properties: list[tuple[str, ...]] = field(default_factory=list)


def check_ply(content: bytes) -> Scanned:
    """A PLY file as trimesh reads it, with a note on bytes after the last row. Raises Damaged."""
    header = re.search(rb"end_header[ \t]*\r?\n", content[:1_000_000])
    if not content.startswith(b"ply") or header is None:
        raise Damaged(Message("is not a PLY file, or its header is cut off"))
    form = re.search(rb"\nformat[ \t]+(\w+)", content[: header.start()])
    elements = _header(content[: header.start()])
    body = content[header.end() :]
    if form is not None and form[1] == b"ascii":
        words = check_numbers(body.split())
        plain, end = _plain(numbers(words).tobytes(), elements, "")
        return Scanned(plain, notes=bytes_left_over(len(b" ".join(words[end // 8 :]))))
    if form is not None and form[1] in ORDERS:
        plain, end = _plain(body, elements, ORDERS[form[1]])
        return Scanned(plain, notes=bytes_left_over(len(body[end:].strip(PADDING))))
    raise Damaged(Message("has an unknown format in its header"))


def _header(header: bytes) -> list[PlyElement]:
    """The tables that a header declares, in order. Raises Damaged for a line that it does not understand."""
    elements: list[PlyElement] = []
    for line in header.decode("ascii", errors="replace").splitlines():
        match line.split():
            case ["element", name, count] if count.isdecimal() and len(count) < 12:
                elements.append(PlyElement(name, int(count)))
            case ["property", "list", length, kind, name] if elements and length in TYPES and kind in TYPES:
                elements[-1].properties.append((name, TYPES[kind], TYPES[length]))
            case ["property", kind, name] if elements and kind in TYPES:
                elements[-1].properties.append((name, TYPES[kind]))
            case ["element" | "property", *_]:
                raise Damaged(Message("has a header line that cannot be understood: '{line}'", line=line[:60]))
    return elements


def _plain(body: bytes, elements: list[PlyElement], order: str) -> tuple[bytes, int]:
    """A file of the vertices and triangles of a body, and where the last row of that ends [bytes].

    order: "<", ">", or "" for a text file as float64
    """
    columns: dict[str, dict[str, list[np.ndarray]]] = {}
    offset = 0
    for element in elements:
        columns[element.name], offset = _table(body, offset, element, order)
    vertex, face = columns.get("vertex", {}), columns.get("face", {})
    polygons = face.get("vertex_indices", face.get("vertex_index"))
    if polygons is None or any(block.ndim != 2 for block in polygons):
        raise Damaged(Message("has no faces"))
    if any(name not in vertex or any(block.ndim != 1 for block in vertex[name]) for name in "xyz"):
        raise Damaged(Message("has no vertices with x, y and z"))
    vertices = np.stack([np.concatenate([[], *vertex[name]]) for name in "xyz"], axis=1)
    faces = np.concatenate([np.zeros((0, 3)), *map(fans, polygons)])
    check_corners(faces, len(vertices))
    return _written(vertices, faces), offset


def _written(vertices: np.ndarray, faces: np.ndarray) -> bytes:
    """A binary file of vertices (n, 3) and triangles (m, 3) alone."""
    header = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\nproperty double x\nproperty double y\n"
        f"property double z\nelement face {len(faces)}\nproperty list uchar uint vertex_indices\nend_header\n"
    )
    rows = np.empty(len(faces), dtype=[("count", "u1"), ("corners", "<u4", (3,))])
    rows["count"], rows["corners"] = 3, faces
    return header.encode() + vertices.astype("<f8").tobytes() + rows.tobytes()


def _table(body: bytes, offset: int, element: PlyElement, order: str) -> tuple[dict[str, list[np.ndarray]], int]:
    """The columns that are WANTED of a table, each in blocks (n,) or (n, length of the list), and where the next table
    begins [bytes].

    Rows whose lists have the lengths of the first one are read as one block: all of the table if it has triangles only.
    Polygons with fewer than three corners are left out.
    """
    names = {item[0] for item in element.properties}
    columns: dict[str, list[np.ndarray]] = {name: [] for name in WANTED.get(element.name, ()) if name in names}
    if len(names) < len(element.properties):
        raise Damaged(Message("has two properties of one name in its table '{name}'", name=element.name))
    left = element.count if names else 0
    window = 16  # rows to compare: comparing all of them for each new length would cost O(n^2)
    while left:
        row = _row(body, offset, element, order)
        rows = np.frombuffer(body, row, min(left, window, (len(body) - offset) // row.itemsize), offset)
        if len(rows) == 0:
            raise Damaged(
                Message(
                    "is cut off: {left} of {count} rows of its table '{name}' are missing",
                    left=left,
                    count=element.count,
                    name=element.name,
                )
            )
        alike = np.ones(len(rows), dtype=bool)
        for name in set(row.names or ()) - names:
            alike &= rows[name] == rows[name][0]
        taken = len(rows) if alike.all() else int(np.argmin(alike))
        for name, blocks in columns.items():
            block = rows[name][:taken]
            if element.name != "face" or block.ndim != 2 or block.shape[1] >= 3:
                blocks.append(block)
        window = 2 * window if taken == window else 16
        offset += taken * row.itemsize
        left -= taken
    return columns, offset


def _row(body: bytes, offset: int, element: PlyElement, order: str) -> np.dtype:
    """The type of the row at offset; the length of a list goes before it under a name that no property can have.

    Raises Damaged for a list that is longer than the file.
    """
    fields: list[tuple[str, str] | tuple[str, str, tuple[int]]] = []
    here = offset
    for name, kind, *length in element.properties:
        item = np.dtype(order + kind if order else "<f8")
        if not length:
            fields.append((name, item.str))
            here += item.itemsize
        else:
            counter = np.dtype(order + length[0] if order else "<f8")
            size = float(np.frombuffer(body[here : here + counter.itemsize].ljust(counter.itemsize, b"\0"), counter)[0])
            if not 0 <= size * item.itemsize <= len(body) or size != int(size):
                raise Damaged(
                    Message("has a list of {size:g} numbers in its table '{name}'", size=size, name=element.name)
                )
            fields += [(f" {name}", counter.str), (name, item.str, (int(size),))]
            here += counter.itemsize + int(size) * item.itemsize
    return np.dtype(fields)
