"""STL, binary and text: what its bytes declare is compared with what they hold, before trimesh reads it.

trimesh reads a file whose counts are wrong as text, and a text as far as it goes.
"""

from __future__ import annotations

import re

from polhode.mesh.files.damage import Damaged, check_numbers
from polhode.mesh.files.scanned import Scanned, bytes_left_over
from polhode.scene.message import Message

HEADER = 84  # [bytes] 80 free ones and the number of triangles
TRIANGLE = 50  # [bytes] normal and three corners of 12, and 2 of attributes
NAMES = re.compile(rb"^([ \t]*(?:end)?solid)\b[^\r\n]*", re.MULTILINE)
FACET = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)")


def check_stl(content: bytes) -> Scanned:
    """A binary file up to its last triangle, or the corners of a text file, with a note on bytes after them.

    A file counts as binary if its size fits the number of triangles that it declares, whatever it begins with. Raises
    Damaged where it is cut off.
    """
    header = content[:HEADER]
    declared = int.from_bytes(header[80:], "little")
    held, rest = divmod(len(content) - HEADER, TRIANGLE)
    if len(header) == HEADER and declared == held and rest == 0:  # not by the first word: many begin with "solid"
        return Scanned(content)
    if header.lstrip()[:5].lower() == b"solid" and b"\0" not in header:
        return _text(content)
    if len(header) < HEADER:
        raise Damaged(Message("is too short for an STL file ({count} bytes)", count=len(header)))
    if 0 < declared <= held:
        end = HEADER + declared * TRIANGLE
        return Scanned(content[:end], notes=bytes_left_over(len(content) - end))
    counts = {"declared": declared, "held": held + rest / TRIANGLE}
    if declared > held:
        raise Damaged(Message("is cut off: it declares {declared} triangles and has {held:g}", **counts))
    raise Damaged(Message("is not whole: it declares {declared} triangles and has {held:g}", **counts))


def _text(content: bytes) -> Scanned:
    """The corners of all solids of a text file as those of one solid; keywords in small or capital letters.

    Names, which may contain keywords, and normals, which may be no numbers, are left out. Raises Damaged where it does
    not end with endsolid, or the vertices are not three for each facet.
    """
    text = NAMES.sub(rb"\1", content.lower())
    end = text.rfind(b"endsolid")
    facets = text.count(b"endfacet")
    corners = FACET.findall(text)
    if len(corners) != 3 * facets or end < text.rfind(b"endfacet"):
        raise Damaged(Message("is cut off or not made of triangles, after {facets} of them", facets=facets))
    check_numbers(word for corner in corners for word in corner)
    lines = b"\n".join(b"vertex %b %b %b" % corner for corner in corners)
    _, _, after = text[end:].partition(b"\n")
    return Scanned(b"solid\n" + lines + b"\nendsolid\n", notes=bytes_left_over(len(after.strip())))
