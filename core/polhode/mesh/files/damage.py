"""The one exception of the readers of mesh files, and what text formats share: numbers, corners, polygons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from polhode.scene.message import Message, plural
from polhode.scene.problem import Problem

LONGEST_NUMBER = 64  # [characters]; an array of words is as wide as its longest
EXPORT_AGAIN = Message("export it again")


class Damaged(Exception):
    """Fault of the content of a file, for a sentence that begins with the name of the file."""

    def __init__(self, rule: Message, remedy: Message = EXPORT_AGAIN):
        super().__init__(rule)
        self.rule = rule
        self.remedy = remedy

    def of(self, name: str) -> Problem:
        """The fault of the file of this name, as a Problem without a place."""
        return Problem("", Message("'{file}' {fault}", file=name, fault=self.rule), self.remedy)


def numbers(words: Sequence[bytes]) -> np.ndarray:
    """(n,) float64 values of the words of a text file.

    Raises Damaged where one is not a number, or longer than LONGEST_NUMBER.

    NaN and infinity are numbers here; `read_triangles` refuses them as coordinates.
    """
    if max(map(len, words), default=0) > LONGEST_NUMBER:
        raise Damaged(Message("has text where numbers belong"))
    try:
        return np.array(words, dtype="S").astype(np.float64)
    except ValueError:
        raise Damaged(Message("has text where numbers belong")) from None


def check_numbers(words: Iterable[bytes]) -> list[bytes]:
    """The words. Raises Damaged where `numbers` does, or where one has an underscore, at which trimesh stops."""
    given = list(words)
    numbers(given)
    if any(b"_" in word for word in given):
        raise Damaged(Message("has text where numbers belong"))
    return given


def check_corners(faces: np.ndarray, vertices: int) -> None:
    """Raises Damaged for faces (m, 3) of which a corner, NaN included, is none of the `vertices`."""
    wrong = int((~((faces >= 0) & (faces < vertices))).any(axis=1).sum())
    if wrong:
        rule = plural(
            "has {count} triangle with a corner beyond its {vertices} vertices",
            "has {count} triangles with a corner beyond its {vertices} vertices",
            count=wrong,
            vertices=vertices,
        )
        raise Damaged(rule)


def triangles(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Corners (m, 3, 3) of vertices (n, 3) and of faces (m, 3) as the file declares them, not yet trusted.

    Raises Damaged for faces with missing vertices, NaN included.
    """
    check_corners(faces, len(vertices))
    return vertices[faces.astype(np.int64)]


def fans(polygons: np.ndarray) -> np.ndarray:
    """Polygons (m, k), all of k corners, cut into triangles (m (k - 2), 3) around their first corner.

    Exact for flat convex polygons. Those with fewer than three corners give none.
    """
    k = polygons.shape[1]
    return np.concatenate([np.zeros((0, 3)), *(polygons[:, [0, i, i + 1]] for i in range(1, k - 1))])
