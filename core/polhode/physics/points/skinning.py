"""Skinning: the surface of a filled mesh moves with the points of the lattice inside it.

Each vertex is an affine combination of nearby points with weights of moving least squares: it follows every affine
motion of the points exactly, also a little outside the lattice. (Levin, Math. Comp. 67, 1517, 1998)
"""

from __future__ import annotations

import numpy as np
import scipy

NEAR = 14  # number of points per vertex
FLAT = 1e-6  # relative eigenvalue below which the points near a vertex are coplanar


def skin_weights(points: np.ndarray, vertices: np.ndarray) -> scipy.sparse.csr_array:
    """(v, n) weights W with row sums 1: W @ rest points are the vertices, W @ points the skin at any time.

    Weights of moving least squares: with b = (1, x, y, z) about a vertex and the falling weight w_i = (1 - (d_i/(1.05
    d))^2)^2 of its NEAR nearest points, d the farthest, W_i = w_i b_i.A^-1 (1, 0, 0, 0), A = sum w_i b_i b_i^T. A is
    inverted without eigenvalues below FLAT: if all points are in one plane the skin loses its distance from it.

    points: (n, 3) [m] at rest; vertices: (v, 3) [m] of the skin at rest; both in the same frame.
    """
    count = min(NEAR, len(points))
    distance, near = (
        found.reshape(len(vertices), count) for found in scipy.spatial.cKDTree(points).query(vertices, count)
    )
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
    return scipy.sparse.csr_array((weights.ravel(), near.ravel(), starts), shape=(len(vertices), len(points)))
