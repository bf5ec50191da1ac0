"""Distances of the nodes of a grid from a mesh."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, dot, row, subtract
from polhode.mesh.distance.triangle_tree import NONE, TriangleTree, nearest_point
from polhode.mesh.triangles import nearest_on_triangle


@kernel
def measure_nodes(
    tree: TriangleTree,
    low: np.ndarray,
    cell: float,
    plane: int,
    distance: np.ndarray,
    nearest: np.ndarray,
    stack: np.ndarray,
) -> None:
    """Write the distances (nx, ny, nz) of the nodes of one plane along x from a mesh, and the numbers of the nearest
    triangles (nx, ny, nz) int32.

    The triangles of the nodes before bound the search: they are the nearest ones but for a few.

    low: (3,) the first node; cell: distance of nodes; stack: (DEEPEST,) int64, overwritten
    """
    i = plane
    for j in range(distance.shape[1]):
        for k in range(distance.shape[2]):
            p = (low[0] + i * cell, low[1] + j * cell, low[2] + k * cell)
            known, most = NONE, inf
            for before in range(3):
                at = (i - (before == 0), j - (before == 1), k - (before == 2))
                if min(at) >= 0:
                    t = nearest[at[0], at[1], at[2]]
                    square = square_to_triangle(tree, t, p)
                    if square < most:
                        known, most = t, square
            square, _, found = nearest_point(tree, p, most, stack)
            nearest[i, j, k] = known if found == NONE else found
            distance[i, j, k] = sqrt(square)


@kernel
def square_to_triangle(tree: TriangleTree, t: int, p: Triple) -> float:
    """Squared distance of p from triangle t."""
    a, b, c = row(tree.corners[t], 0), row(tree.corners[t], 1), row(tree.corners[t], 2)
    away = subtract(p, nearest_on_triangle(p, a, b, c))
    return dot(away, away)
