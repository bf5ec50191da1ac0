"""Which closed pieces of a surface lie inside which others, whatever their orientation."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from polhode.mesh.ray_crossings import count_crossings

SAMPLES = 64  # points of a piece that are tested; all of them have to be inside
SHRINK = 1e-6  # by which these points move towards the middle of their piece: touching surfaces do not decide


@dataclass(frozen=True, eq=False)
class Nesting:
    """Nesting of the pieces of a closed surface."""

    depth: np.ndarray  # (c,) number of pieces around each piece; an odd one is a cavity
    parent: np.ndarray  # (c,) the innermost piece around each piece, -1 for none
    may_overlap: bool  # whether bounding boxes meet of two pieces of which none is in the other one


def nesting(vertices: np.ndarray, faces: np.ndarray, component: np.ndarray, count: int) -> Nesting:
    """The nesting of `count` pieces; `component` (m,) numbers the piece of each face from 0.

    vertices: (n, 3); faces: (m, 3) of closed pieces, of any orientation

    A piece is inside another one if its bounding box is, and each of its sampled vertices is by the number of
    crossings of a ray. Cost: O(m) for the rays and O(c^2) for the boxes.
    """
    depth, parent = np.zeros(count, dtype=int), np.full(count, -1)
    if count < 2:
        return Nesting(depth, parent, may_overlap=False)
    order = np.argsort(component, kind="stable")
    starts = np.searchsorted(component[order], np.arange(count + 1))
    pieces = [faces[order[a:b]] for a, b in pairwise(starts)]
    corners = vertices[faces[order]]
    low = np.minimum.reduceat(corners.min(axis=1), starts[:-1])
    high = np.maximum.reduceat(corners.max(axis=1), starts[:-1])
    size = np.prod(high - low, axis=1)
    around = np.full(count, np.inf)
    meeting = within = 0
    for outer in range(count):
        meeting += int(((low < high[outer]).all(axis=1) & (high > low[outer]).all(axis=1)).sum()) - 1
        boxed = (low >= low[outer]).all(axis=1) & (high <= high[outer]).all(axis=1)
        boxed[outer] = False
        inner = np.flatnonzero(boxed)
        if not len(inner):
            continue
        points = [_samples(vertices, pieces[k], (low[k] + high[k]) / 2) for k in inner]
        number = np.repeat(np.arange(len(inner)), [len(each) for each in points])
        outside = ~_inside(vertices, pieces[outer], np.concatenate(points))
        held = inner[np.bincount(number, outside, len(inner)) == 0]
        depth[held] += 1
        within += len(held)
        nearer = held[size[outer] < around[held]]
        around[nearer], parent[nearer] = size[outer], outer
    return Nesting(depth, parent, meeting > 2 * within)


def _samples(vertices: np.ndarray, faces: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Up to SAMPLES vertices (k, 3) of a piece, moved a little towards its middle (3,)."""
    corners = np.unique(faces)
    chosen = corners[np.linspace(0, len(corners) - 1, min(SAMPLES, len(corners))).astype(int)]
    return vertices[chosen] + SHRINK * (middle - vertices[chosen])


def _inside(vertices: np.ndarray, faces: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether each point (k, 3) is inside the closed surface of the faces."""
    order = np.argsort(points[:, 0], kind="stable")
    ordered = np.ascontiguousarray(points[order])
    above = np.zeros(len(points), dtype=np.int64)
    count_crossings(vertices, faces, ordered[:, 0].copy(), ordered, above)
    found = np.empty(len(points), dtype=bool)
    found[order] = above % 2 == 1
    return found
