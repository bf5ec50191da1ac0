"""Binary trees over points in Morton order, whose neighbours are near in space.

A tree is complete, and its nodes are numbered as in a heap: node i has the children 2 i + 1 and 2 i + 2, and the leaves
are the last ones. (Morton, IBM technical report, 1966)
"""

from __future__ import annotations

import numpy as np

BITS = 20  # of each coordinate in a Morton code


def morton_order(points: np.ndarray) -> np.ndarray:
    """(n,) indices of points (n, 3) in the order of their Morton codes."""
    size = max(float(np.ptp(points, axis=0).max()), 1e-300)
    cells = ((points - points.min(axis=0)) * ((2**BITS - 1) / size)).astype(np.uint64)
    codes = np.zeros(len(points), dtype=np.uint64)
    for bit in range(BITS):
        for axis in range(3):
            codes |= (cells[:, axis] >> np.uint64(bit) & np.uint64(1)) << np.uint64(3 * bit + axis)
    return np.argsort(codes, kind="stable")


def spheres_around(points: np.ndarray, leaf: int) -> tuple[np.ndarray, np.ndarray]:
    """Centres (n, 3) and radii (n,) of spheres around the points of each node; negative radii of nodes without points.

    points: (p, 3) in Morton order; leaf: points of a leaf, at most
    """
    leaves = 1 << (max(1, -(-len(points) // leaf)) - 1).bit_length()
    begins, centers, radii = np.arange(leaves) * leaf, [], []
    span = leaf
    while True:
        used, center, radius = begins[begins < len(points)], np.zeros((len(begins), 3)), np.full(len(begins), -1.0)
        boxes = np.minimum.reduceat(points, used), np.maximum.reduceat(points, used)
        center[: len(used)] = (boxes[0] + boxes[1]) / 2
        away = np.linalg.norm(points - np.repeat(center, span, axis=0)[: len(points)], axis=1)
        radius[: len(used)] = np.maximum.reduceat(away, used)
        centers.append(center)
        radii.append(radius)
        if len(begins) == 1:
            return np.concatenate(centers[::-1]), np.concatenate(radii[::-1])
        begins, span = begins[::2], 2 * span
