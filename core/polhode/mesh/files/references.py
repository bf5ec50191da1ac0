"""Checks that files of several parts have in common: references out of the file are refused, repeated parts are counted
before they are placed, and XML is read without document types.

Such files are data from other people. A reader that followed their references would open other files or the network,
and a few lines in which parts name parts twice, level after level, describe more triangles than a computer can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from xml.parsers import expat

import numpy as np

from polhode.mesh.files.damage import Damaged, triangles
from polhode.scene.message import Message

LARGEST_EXPANDED = 10**9  # [bytes] of a file in which every part is written out wherever it occurs
PART = 1000  # [bytes] counted for the frame of each part
TRIANGLE = 72  # [bytes] of its corners
HERE = np.eye(4)  # transformation of a part that is not moved
ONE_FILE = Message("export it again with everything in one file")

Start = Callable[[Sequence[str], Mapping[str, str], int], None]
End = Callable[[Sequence[str], str, int], None]
Edge = tuple[str, np.ndarray]  # a part in another one, and its transformation there, (4, 4)
Piece = tuple[np.ndarray, np.ndarray]  # vertices (n, 3) and faces (m, 3)


def refuse_reference(name: str) -> None:
    """Raise Damaged for a reference to another file."""
    raise Damaged(Message("refers to another file, '{name}', which is not read", name=name[:80]), ONE_FILE)


def check_expansion(
    parts: Mapping[str, Sequence[Edge]],
    counts: Mapping[str, Sequence[int]],
    root: str,
    triangle: float = TRIANGLE,
    part: float = PART,
) -> None:
    """Check the size of a file with each part expanded wherever it occurs, before the expansion.

    parts: contents of each part, with repetitions
    counts: of the parts that have any, the number of triangles of each piece
    root: the part of the whole file
    triangle, part: [bytes] of one

    Raises Damaged beyond LARGEST_EXPANDED, or if a part contains itself. Cost: linear in the number of names.
    """
    total: dict[str, float] = {}
    try:
        inner = {name: {edge[0] for edge in edges} for name, edges in parts.items()}
        for name in TopologicalSorter(inner).static_order():
            own = sum(part + triangle * count for count in counts.get(name, ()))
            total[name] = part + own + sum(total[edge[0]] for edge in parts.get(name, ()))
    except CycleError:
        raise Damaged(Message("has a part that contains itself")) from None
    if total.get(root, 0.0) > LARGEST_EXPANDED:
        size = total[root] / 1e9
        rule = Message("has {size:.3g} GB with all its repeated parts, the limit is {most:.0f} GB", size=size, most=1)
        raise Damaged(rule, Message("reduce its parts or triangles"))


def placed(parts: Mapping[str, Sequence[Edge]], root: str) -> Iterator[Edge]:
    """Each part as often as it occurs in a file that `check_expansion` accepts, with its transformation (4, 4).

    Open parts are in a list, not on the stack: parts may be nested as deep as the file is long.
    """
    opened = [(iter([(root, HERE)]), HERE)]
    while opened:
        inner, around = opened[-1]
        if (edge := next(inner, None)) is None:
            opened.pop()
            continue
        transform = around @ edge[1]
        yield edge[0], transform
        opened.append((iter(parts.get(edge[0], ())), transform))


def placed_corners(parts: Mapping[str, Sequence[Edge]], root: str, pieces: Mapping[str, Sequence[Piece]]) -> np.ndarray:
    """(m, 3, 3) float64 corners of the triangles of all parts, as often as they occur; mirrored ones stay outward.

    pieces: the triangles of the parts that have any

    `check_expansion` must have accepted them. Raises Damaged for a triangle with a corner that is not there.
    """
    found = [np.zeros((0, 3, 3))]
    for name, transform in placed(parts, root):
        turned = np.linalg.det(transform[:3, :3]) < 0.0
        for vertices, faces in pieces.get(name, ()):
            corners = triangles(vertices, faces) @ transform[:3, :3].T + transform[:3, 3]
            found.append(corners[:, ::-1] if turned else corners)
    return np.concatenate(found)


def scan_xml(content: bytes, start: Start, end: End | None = None) -> None:
    """Call `start` and `end` for the elements of an XML document, without building a tree.

    start: of the path of local names down to the element, its attributes by local name, and where it begins [bytes]
    end: of the same path, the text directly before the end, and where the end begins [bytes]

    Raises Damaged for text that is not well-formed and for a document type: it could define entities, which name other
    files or multiply text.
    """
    path: list[str] = []
    text: list[str] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def opened(name: str, attributes: dict[str, str]) -> None:
        path.append(name.rpartition(":")[2])
        text.clear()
        start(path, {key.rpartition(":")[2]: value for key, value in attributes.items()}, parser.CurrentByteIndex)

    def closed(_name: str) -> None:
        if end is not None:
            end(path, "".join(text), parser.CurrentByteIndex)
        path.pop()
        text.clear()

    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.CharacterDataHandler = text.append if end is not None else None
    parser.StartDoctypeDeclHandler = _refuse_document_type
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError) as error:  # ValueError: an encoding that it does not know
        raise Damaged(Message("is no XML ({reason})", reason=str(error))) from None


def _refuse_document_type(*_of_the_document: object) -> None:
    """Raise Damaged for a document type declaration."""
    raise Damaged(Message("declares a document type, which may define entities"), Message("remove it from the file"))
