"""Which nodes of a grid lie inside a closed mesh: by the crossings of vertical lines with its triangles."""

from __future__ import annotations

from math import ceil, floor

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, row


@kernel
def is_over(x: float, y: float, a: Triple, b: Triple) -> bool:
    """Whether the line from (x, y) along +x crosses the edge from a to b, seen along z.

    Both triangles of an edge evaluate it with the same numbers, so a line meets exactly one of them.
    """
    low, top = (b, a) if a[1] > b[1] else (a, b)
    return low[1] <= y < top[1] and x < low[0] + (y - low[1]) * ((top[0] - low[0]) / (top[1] - low[1]))


@kernel
def count_layers(corners: np.ndarray, low: np.ndarray, cell: float, layers: np.ndarray) -> None:
    """Add to `layers` (nx, ny, nz) int64, at the highest node below each crossing of a vertical line with a triangle,
    1 if the surface faces up there and -1 if down.

    The sum from a node up to the highest one is then the winding number of the surface around the node.

    corners: (t, 3, 3) of the triangles; low: (3,) the first node; cell: distance of nodes
    """
    nx, ny, nz = layers.shape
    for t in range(len(corners)):
        a, b, c = row(corners[t], 0), row(corners[t], 1), row(corners[t], 2)
        normal_x = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1])
        normal_y = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])
        normal_z = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if normal_z == 0.0:
            continue
        first_i = max(0, ceil((min(a[0], b[0], c[0]) - low[0]) / cell))
        first_j = max(0, ceil((min(a[1], b[1], c[1]) - low[1]) / cell))
        for i in range(first_i, min(nx, floor((max(a[0], b[0], c[0]) - low[0]) / cell) + 1)):
            x = low[0] + i * cell
            for j in range(first_j, min(ny, floor((max(a[1], b[1], c[1]) - low[1]) / cell) + 1)):
                y = low[1] + j * cell
                if is_over(x, y, a, b) ^ is_over(x, y, b, c) ^ is_over(x, y, c, a):
                    height = a[2] - (normal_x * (x - a[0]) + normal_y * (y - a[1])) / normal_z
                    k = min(nz - 1, floor((height - low[2]) / cell))
                    if k >= 0:
                        layers[i, j, k] += 1 if normal_z > 0.0 else -1


def inside(corners: np.ndarray, low: np.ndarray, cell: float, counts: tuple[int, int, int]) -> np.ndarray:
    """(nx, ny, nz) bool: whether the winding number of a closed mesh around each node is not 0.

    corners: (t, 3, 3) of the triangles; low: (3,) the first node; cell: distance of nodes, in the unit of the mesh
    """
    layers = np.zeros(counts, dtype=np.int64)
    count_layers(corners, low, cell, layers)
    return layers[:, :, ::-1].cumsum(axis=2)[:, :, ::-1] != 0
