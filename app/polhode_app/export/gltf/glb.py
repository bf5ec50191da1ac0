"""A binary glTF 2.0 file (.glb): one buffer, accessors into it, and the JSON that names them.

https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

Table = dict[str, Any]
MAGIC, VERSION, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
COMPONENTS = {"uint8": 5121, "uint32": 5125, "float32": 5126}
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
VERTICES, INDICES = 34962, 34963  # targets of buffer views


class Glb:
    """A file that is put together piece by piece."""

    def __init__(self, generator: str):
        self.json: Table = {"asset": {"version": "2.0", "generator": generator}}
        self._bytes = bytearray()
        self._known: dict[bytes, int] = {}

    def add(self, kind: str, table: Table) -> int:
        """Add a table to one of the lists of the file, such as "nodes". Returns its index."""
        tables = self.json.setdefault(kind, [])
        tables.append(table)
        return len(tables) - 1

    def add_once(self, kind: str, table: Table) -> int:
        """Index of an equal table, which is added if there is none."""
        tables = self.json.setdefault(kind, [])
        return tables.index(table) if table in tables else self.add(kind, table)

    def accessor(self, values: np.ndarray, target: int | None = None, bounds: bool = False) -> int:
        """Add an array (n,) or (n, 2 ... 4) of uint8, uint32 or float32; with `bounds`, its least and largest values.

        Equal arrays are kept once. Returns the index of the accessor.
        """
        values = np.ascontiguousarray(values)
        key = repr((values.dtype.name, values.shape, target, bounds)).encode() + values.tobytes()
        if key in self._known:
            return self._known[key]
        columns = values.shape[1] if values.ndim > 1 else 1
        table: Table = {
            "bufferView": self.view(values.tobytes(), target),
            "componentType": COMPONENTS[values.dtype.name],
            "count": len(values),
            "type": TYPES[columns],
        }
        if bounds:
            flat = values.reshape(len(values), columns)
            table |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        self._known[key] = self.add("accessors", table)
        return self._known[key]

    def view(self, data: bytes, target: int | None = None) -> int:
        """Add bytes to the buffer. Returns the index of the view of them."""
        self._bytes += bytes(-len(self._bytes) % 4)
        table: Table = {"buffer": 0, "byteOffset": len(self._bytes), "byteLength": len(data)}
        self._bytes += data
        return self.add("bufferViews", table if target is None else {**table, "target": target})

    def packed(self) -> bytes:
        """The bytes of the file."""
        self._bytes += bytes(-len(self._bytes) % 4)
        tables = {**self.json, "buffers": [{"byteLength": len(self._bytes)}]} if self._bytes else self.json
        text = json.dumps(tables, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), JSON_CHUNK) + text
        if self._bytes:
            chunks += struct.pack("<II", len(self._bytes), BINARY_CHUNK) + bytes(self._bytes)
        return struct.pack("<III", MAGIC, VERSION, 12 + len(chunks)) + chunks
