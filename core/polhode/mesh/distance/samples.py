"""Sample points of a surface, with the area that each one has.

Triangles are halved along their longest edges until none is longer than the spacing; the pieces in one cell of a grid
that face the same way are then one point, and those in a larger cell where the surface is flat. So thin triangles and
coarse faces alike give about one point for each square of the spacing, and both sides of a thin wall have points.

The points are moved inwards to the depth r at which spheres of radius r around them touch the surface from inside: the
rounding of the solid. Areas are those of the surface itself, so the points of an edge have the areas of the strips of
both faces beside it, and edges keep a stiffness however fine the points are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.mesh.distance.triangle_tree import TriangleTree, lowered

NEAR = 0.05  # of the rounding: points that miss the depth by less are good
COARSE = 2  # times the spacing on flat faces
FLAT = 1e-6  # relative: what directions of normals may take from their sum there
FEWEST = 0.98  # share of the area whose points must be good
SLANTED = np.array([[2.0, -2, 1], [1, 2, 2], [-2, -1, 2]]) / 3 @ [[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]]


@dataclass(frozen=True, eq=False)
class Samples:
    """Sample points of a surface, at a depth below it; lengths in the unit of the mesh."""

    points: np.ndarray  # (n, 3)
    areas: np.ndarray  # (n,)
    rounding: float  # depth of the points


def halved(corners: np.ndarray, longest: float) -> np.ndarray:
    """Corners (n, 3, 3) of the pieces of triangles (t, 3, 3) without edges beyond `longest`.

    Triangles with one shorter edge are cut into strips along it, so that slivers do not become many more pieces than
    their length has; others are halved at their longest edges.
    """
    done = []
    while len(corners):
        edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
        is_long, is_thin = edges.max(axis=1) > longest, (edges > longest).sum(axis=1) == 2
        done.append(corners[~is_long])
        thin = _from(corners[is_thin], edges[is_thin].argmin(axis=1) + 2)
        wide = is_long & ~is_thin
        a, b, c = _from(corners[wide], edges[wide].argmax(axis=1)).swapaxes(0, 1)
        middle = (a + b) / 2
        halves = [np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)]
        corners = np.concatenate([*halves, _strips(thin, longest)])
    return np.concatenate([np.zeros((0, 3, 3)), *done])


def _from(corners: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Triangles (t, 3, 3) with their corners in the same order, from the ones numbered `first` (t,), modulo 3."""
    return corners[np.arange(len(corners))[:, None], (first[:, None] + np.arange(3)) % 3]


def _strips(corners: np.ndarray, longest: float) -> np.ndarray:
    """Pieces (n, 3, 3) of triangles (t, 3, 3), cut along the edges opposite to their first corners at most every
    `longest`.
    """
    a, b, c = corners.swapaxes(0, 1)
    counts = np.ceil(np.linalg.norm([b - a, c - a], axis=2).max(axis=0, initial=0.0) / longest).astype(np.int64)
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    near, far = ((number + k) / np.repeat(counts, counts) for k in (0, 1))
    apex, left, right = (np.repeat(each, counts, axis=0) for each in (a, b - a, c - a))
    here, there = ([apex + part[:, None] * side for side in (left, right)] for part in (near, far))
    inner = number > 0  # at the apex a strip is a triangle
    outwards, back = np.stack([here[0], there[0], there[1]], axis=1), np.stack([here[0], there[1], here[1]], axis=1)
    return np.concatenate([outwards, back[inner]])


def merged(corners: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and areas (n,) of triangles (t, 3, 3), one for those in one cell that face the same way.

    Cells are COARSE times as large where the surface is flat throughout.
    """
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas, middles = np.linalg.norm(normals, axis=1) / 2, corners.mean(axis=1)
    is_real = areas > 0.0
    normals, areas, middles = normals[is_real], areas[is_real], middles[is_real]
    places = middles @ SLANTED / spacing
    places -= places.min(axis=0)
    large = _groups(np.floor(places / COARSE))
    resultant = np.linalg.norm([np.bincount(large, normals[:, k]) for k in range(3)], axis=0) / 2
    is_flat = (resultant > (1 - FLAT) * np.bincount(large, areas))[large]
    steepest = np.abs(normals).argmax(axis=1)
    faces_back = normals[np.arange(len(normals)), steepest] < 0.0
    cells = np.where(is_flat[:, None], np.floor(places / COARSE) * COARSE, np.floor(places))
    group = _groups(np.column_stack([cells, 2 * steepest + faces_back, is_flat]))
    total = np.bincount(group, areas)
    return np.column_stack([np.bincount(group, areas * middles[:, k]) for k in range(3)]) / total[:, None], total


def _groups(keys: np.ndarray) -> np.ndarray:
    """(n,) number of the group of equal rows to which each row of keys (n, k) belongs."""
    whole = keys.astype(np.int64)
    whole -= whole.min(axis=0, initial=0)
    single = np.ravel_multi_index(tuple(whole.T), tuple((whole.max(axis=0, initial=0) + 1).tolist()))
    return np.unique(single, return_inverse=True)[1].reshape(-1)


def samples_of(vertices: np.ndarray, faces: np.ndarray, tree: TriangleTree, spacing: float, rounding: float) -> Samples:
    """Sample points of a mesh: vertices (v, 3), faces (t, 3) int, with the tree of its triangles.

    spacing: distance of the points, about; rounding: depth of the points, less where the mesh is too thin for it
    """
    points, areas = merged(halved(vertices[faces], spacing), spacing)
    while True:
        lower, missed = lowered(tree, points, rounding)
        good = missed < NEAR * rounding
        if areas[good].sum() >= FEWEST * areas.sum():
            return Samples(lower[good], areas[good], rounding)
        rounding /= 2
