"""Wavefront OBJ: statements `v` and `f` alone are handed to trimesh, so it never leads to another file.

Polygons are cut into fans, and corners counted from the first vertex: trimesh counts negative ones from the last one of
the file, not from the newest one at the face. A backslash at the end of a line continues it.
"""

from __future__ import annotations

import re

import numpy as np

from polhode.mesh.files.damage import Damaged, check_corners, check_numbers
from polhode.mesh.files.scanned import Scanned
from polhode.scene.message import Message

# Possessive quantifiers keep no states to go back to: a file of many megabytes is matched in one pass.
NUMBER = rb"[-+]?(?:\d{1,40}+(?:\.\d{0,40}+)?+|\.\d{1,40}+)(?:[eE][-+]?\d{1,2}+)?+"
CORNER = rb"[1-9]\d{0,11}+(?:/\d*+){0,2}+"
PLAIN = re.compile(rb"(?:v(?: ++" + NUMBER + rb"){3} *+\n|f(?: ++" + CORNER + rb"){3} *+\n)*+")
OTHERS = re.compile(rb"(?:(?![ \t\v\f]*+[vf]\s)[^\n]*+\n)*+")  # lines of other statements
FURTHER = re.compile(rb"/[\d/]*+")  # numbers of texture and normal in a corner


def check_obj(content: bytes) -> Scanned:
    """The vertices and triangles of an OBJ file, one in a line.

    A fourth coordinate or colours after a vertex have no effect. Raises Damaged where it has no vertices, or a face
    names one that is not there.
    """
    return _plain(content.replace(b"\r\n", b"\n")) or _by_lines(content)


def _plain(content: bytes) -> Scanned | None:
    """As `check_obj`, of a file with three numbers for each vertex and three positive ones for each face, as most have.

    None for any other: this takes a tenth of the time of `_by_lines`. Corners beyond the vertices are left to the
    check of what trimesh has read.
    """
    if b"\\" in content or b"\r" in content:
        return None
    content, parts, at = content.removesuffix(b"\n") + b"\n", [], 0
    while at < len(content):
        end = _end(PLAIN, content, at)
        parts.append(content[at:end])
        before, at = at, _end(OTHERS, content, end)
        if at == before:
            return None
    statements = b"".join(parts)
    if not statements.startswith(b"v"):
        return None
    return Scanned(FURTHER.sub(b"", statements) if b"/" in statements else statements)


def _end(lines: re.Pattern[bytes], content: bytes, at: int) -> int:
    """Where the lines end that match from `at` on; `at` without one."""
    found = lines.match(content, at)
    return found.end() if found is not None else at


def _by_lines(content: bytes) -> Scanned:
    """As `check_obj`, statement by statement."""
    vertices: list[list[bytes]] = []
    faces: list[tuple[int, int, int]] = []
    for line in content.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ").splitlines():
        key, *rest = line.split() or [b""]
        if key == b"v":
            if len(rest) < 3:
                raise Damaged(Message("has a vertex with {count} coordinates", count=len(rest)))
            vertices.append(rest[:3])
        elif key == b"f":
            ring = [_number(word, len(vertices)) for word in rest]
            faces += [(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)]
    if not vertices:
        raise Damaged(Message("has no vertices"))
    check_numbers(word for vertex in vertices for word in vertex)
    check_corners(np.array(faces, dtype=np.int64).reshape(-1, 3) - 1, len(vertices))
    lines = [b"v %b %b %b" % tuple(vertex) for vertex in vertices] + [b"f %d %d %d" % face for face in faces]
    return Scanned(b"\n".join(lines) + b"\n")


def _number(word: bytes, count: int) -> int:
    """Number from 1 of 'v', 'v/vt' or 'v/vt/vn', which count from 1, or back from the newest vertex if negative.

    `count` vertices precede the face. The invalid number 0 stays 0. Raises Damaged for text.
    """
    try:
        number = int(word.split(b"/")[0][:12])
    except ValueError:
        raise Damaged(Message("has a face corner '{corner}'", corner=word[:20].decode(errors="replace"))) from None
    return number if number >= 0 else count + 1 + number
