"""Skins: the surface of a filled mesh, carried along by the points of the lattice inside it.

Each vertex is an affine combination of the points near it, by weights of moving least squares: whatever affine
motion the points make, the vertex makes it with them, also a little outside of the lattice. (Levin, Math. Comp. 67,
1517, 1998)
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

NEAR = 14  # points that carry a vertex: a cell's corners, and enough on every side of them
FLAT = 1e-6  # of the largest eigenvalue: below it the points near a vertex lie in a plane, which says nothing across it


def skin_weights(points: np.ndarray, vertices: np.ndarray) -> csr_array:
    """(v, n) weights W, rows that sum to 1: W @ points at rest are the vertices, W @ points the skin of any moment.

    `points` (n, 3) and `vertices` (v, 3) [m] are at rest. Where the points are all in one plane the skin keeps no
    distance from it.
    """
    count = min(NEAR, len(points))
    distance, near = (found.reshape(len(vertices), count) for found in cKDTree(points).query(vertices, count))
    farthest = distance[:, -1:].clip(min=1e-300)
    share = distance / (1.05 * farthest)
    falling = (1.0 - share**2) ** 2
    arms = (points[near] - vertices[:, None]) / farthest[:, :, None]
    terms = np.concatenate([np.ones((*near.shape, 1)), arms], axis=2)  # 1, x, y, z about the vertex
    moments = np.einsum("vki,vk,vkj->vij", terms, falling, terms)
    solved = np.linalg.pinv(moments, rcond=FLAT, hermitian=True)[:, :, 0]
    weights = falling * np.einsum("vki,vi->vk", terms, solved)
    weights /= weights.sum(axis=1, keepdims=True)
    starts = np.arange(0, near.size + 1, count)
    return csr_array((weights.ravel(), near.ravel(), starts), shape=(len(vertices), len(points)))
