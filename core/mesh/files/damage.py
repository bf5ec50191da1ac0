"""The one exception of the readers, and what text formats share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

LONGEST_NUMBER = 64  # [characters]; an array of words is as wide as its longest


class Damaged(Exception):
    """What is wrong with the content of a file; the sentence begins with the file's name."""

    def __init__(self, rule: str, remedy: str = "export it again"):
        super().__init__(rule)
        self.rule = rule
        self.remedy = remedy


def counted(count: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{count} {one if count == 1 else many}"


def numbers(words: Sequence[bytes]) -> np.ndarray:
    """The words of a text file as float64."""
    if max(map(len, words), default=0) > LONGEST_NUMBER:
        raise Damaged("has text where numbers belong")
    try:
        return np.array(words, dtype="S").astype(np.float64)
    except ValueError:
        raise Damaged("has text where numbers belong") from None


def triangles(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Corners (m, 3, 3) of vertices (n, 3) and of faces (m, 3) as the file declares them, not yet trusted."""
    wrong = int((~((faces >= 0) & (faces < len(vertices)))).any(axis=1).sum())
    if wrong:
        many = counted(wrong, "triangle", "triangles")
        raise Damaged(f"has {many} with a corner beyond its {len(vertices)} vertices")
    return vertices[faces.astype(np.int64)]


def fans(polygons: np.ndarray) -> np.ndarray:
    """Polygons (m, k), all of k corners, cut into triangles (m (k - 2), 3) around their first corner."""
    k = polygons.shape[1]
    return np.concatenate([np.zeros((0, 3)), *(polygons[:, [0, i, i + 1]] for i in range(1, k - 1))])
