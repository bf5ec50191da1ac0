"""Wavefront OBJ: vertices and faces only, so it never leads to another file. Polygons are cut into fans.

Statements `v` and `f` count, all others are passed over; a backslash at the end of a line continues it.
"""

from __future__ import annotations

import numpy as np

from polhode.mesh.files.damage import Damaged, numbers, triangles
from polhode.scene.message import Message


def read_obj(content: bytes) -> np.ndarray:
    """(m, 3, 3) float64 corners of the triangles of an OBJ file, in its units.

    A fourth coordinate or colours after a vertex have no effect. Raises Damaged where it has no vertices, or a face
    names one that is not there.
    """
    words: list[bytes] = []
    faces: list[tuple[int, int, int]] = []
    for line in content.replace(b"\\\n", b" ").splitlines():
        key, *rest = line.split() or [b""]
        if key == b"v":
            if len(rest) < 3:
                raise Damaged(Message("has a vertex with {count} coordinates", count=len(rest)))
            words += rest[:3]
        elif key == b"f":
            ring = [_index(word, len(words) // 3) for word in rest]
            faces += [(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)]
    if not words:
        raise Damaged(Message("has no vertices"))
    return triangles(numbers(words).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3))


def _index(word: bytes, count: int) -> int:
    """Index from 0 of 'v', 'v/vt' or 'v/vt/vn', which count from 1, or back from the newest vertex if negative.

    `count` vertices precede the face. The invalid index 0 gives -1. Raises Damaged for text.
    """
    try:
        number = int(word.split(b"/")[0][:12])
    except ValueError:
        raise Damaged(Message("has a face corner '{corner}'", corner=word[:20].decode(errors="replace"))) from None
    return number - 1 if number > 0 else count + number if number < 0 else -1
