"""STL, binary and text. The stated normals are not used: the corners determine the orientation."""

from __future__ import annotations

import re

import numpy as np

from polhode.mesh.files.damage import Damaged, numbers
from polhode.scene.message import Message

HEADER = 84  # [bytes] 80 free ones and the number of triangles
TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attributes", "<u2")])


def read_stl(content: bytes) -> np.ndarray:
    """(m, 3, 3) corners of the triangles of a binary or text STL file, in its units: float32 or float64.

    A file counts as binary if its size fits the number of triangles that it declares, whatever it begins with. Raises
    Damaged where it is cut off, or has bytes left over.
    """
    header = content[:HEADER]
    declared = int.from_bytes(header[80:], "little")
    held, rest = divmod(len(content) - HEADER, TRIANGLE.itemsize)
    if (
        len(header) == HEADER and declared == held and rest == 0
    ):  # not by the first word: many binary files begin with "solid"
        return np.frombuffer(content, TRIANGLE, offset=HEADER)["corners"]
    if header.lstrip()[:5].lower() == b"solid" and b"\0" not in header:
        return read_text(content)
    if len(header) < HEADER:
        raise Damaged(Message("is too short for an STL file ({count} bytes)", count=len(header)))
    counts = {"declared": declared, "held": held + rest / TRIANGLE.itemsize}
    if declared > held:
        raise Damaged(Message("is cut off: it declares {declared} triangles and has {held:g}", **counts))
    raise Damaged(Message("is not whole: it declares {declared} triangles and has {held:g}", **counts))


def read_text(content: bytes) -> np.ndarray:
    """(m, 3, 3) float64 corners of the triangles of a text STL file, in its units. Keywords in small or capital
    letters.

    Raises Damaged where it does not end with endsolid, or the vertices are not three for each facet.
    """
    text = content.lower().rstrip()
    words = [word for corner in re.findall(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", text) for word in corner]
    facets = text.count(b"endfacet")
    if len(words) != 9 * facets or b"endsolid" not in text[text.rfind(b"\n") + 1 :]:
        raise Damaged(Message("is cut off or not made of triangles, after {facets} of them", facets=facets))
    return numbers(words).reshape(-1, 3, 3)
