"""The surface at a depth below a mesh, as triangles: dual contouring of a sign.

Each cell of the grid that the surface crosses has a vertex, moved to the depth; each edge of the grid that it crosses
has the quadrangle of its four cells. (Gibson, Constrained elastic surface nets, MICCAI, 1998)
"""

from __future__ import annotations

from itertools import product

import numpy as np

from polhode.mesh.distance.field import Grid
from polhode.mesh.distance.triangle_tree import TriangleTree, lowered


def level_surface(tree: TriangleTree, grid: Grid, values: np.ndarray, depth: float) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) and faces (t, 3), outwards, of the surface at a depth [unit of the mesh] below a mesh.

    values: (nx, ny, nz) signed distances of the nodes from the mesh
    """
    inside = values < -depth
    corners = [inside[a : a + len(inside) - 1] for a in (0, 1)]
    corners = [part[:, b : b + inside.shape[1] - 1] for part, b in product(corners, (0, 1))]
    corners = [part[:, :, c : c + inside.shape[2] - 1] for part, c in product(corners, (0, 1))]
    crossed = np.any(corners, axis=0) & ~np.all(corners, axis=0)
    number = np.full(crossed.shape, -1)
    cells = np.argwhere(crossed)
    number[crossed] = np.arange(len(cells))
    points, _ = lowered(tree, grid.low + (cells + 0.5) * grid.cell, depth)
    quadrangles = []
    for axis in range(3):
        along = np.moveaxis(inside, axis, 0)
        changes = along[1:] != along[:-1]
        around = np.moveaxis(number, axis, 0)
        one, two = np.meshgrid(*(np.arange(1, n) for n in around.shape[1:]), indexing="ij")
        for step in range(len(around)):
            found = changes[step][one, two]
            j, k = one[found], two[found]
            quad = np.stack(
                [around[step, j - 1, k - 1], around[step, j, k - 1], around[step, j, k], around[step, j - 1, k]]
            )
            leaves = along[step][j, k]  # the surface faces up
            if axis == 1:  # moveaxis has exchanged the other two: x, z in place of z, x
                leaves = ~leaves
            quadrangles.append(np.where(leaves, quad, quad[::-1]).T)
    quads = np.concatenate([np.zeros((0, 4), dtype=np.int64), *quadrangles])
    return points, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
