"""Distances of the nodes of a grid from the nearest triangle of a mesh.

Nodes near a triangle are compared with it one by one, so that they are exact. The others take over the nearest
triangles of their neighbours, in sweeps along all diagonals of the grid: the closest point method for the eikonal
equation. (Tsai, Journal of Computational Physics 178, 175, 2002)
"""

from __future__ import annotations

from math import ceil, floor

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, dot, row, subtract
from polhode.mesh.triangles import nearest_on_triangle

NONE = -1  # no triangle is known
BAND = 2.5  # cells from a triangle within which nodes are exact
SWEEPS = 8  # along the diagonals of the grid; they are made twice


@kernel
def square_of(corners: np.ndarray, t: int, p: Triple) -> float:
    """Squared distance of p from triangle t of corners (t, 3, 3)."""
    a, b, c = row(corners[t], 0), row(corners[t], 1), row(corners[t], 2)
    away = subtract(p, nearest_on_triangle(p, a, b, c))
    return dot(away, away)


@kernel
def first_and_stop(corners: np.ndarray, t: int, axis: int, low: float, cell: float, count: int) -> tuple[int, int]:
    """Range of nodes along an axis that are within BAND cells of the box of triangle t of corners (t, 3, 3).

    low: of the first node; cell: distance of nodes; count: number of nodes
    """
    a, b, c = corners[t, 0, axis], corners[t, 1, axis], corners[t, 2, axis]
    first, last = (min(a, b, c) - low) / cell - BAND, (max(a, b, c) - low) / cell + BAND
    return max(0, ceil(first)), min(count, floor(last) + 1)


@kernel
def compare_near(
    corners: np.ndarray, low: np.ndarray, cell: float, begin: int, stop: int, square: np.ndarray, nearest: np.ndarray
) -> None:
    """Compare triangles begin ... stop - 1 with all nodes near them.

    corners: (t, 3, 3) of the triangles; low: (3,) the first node; cell: distance of nodes
    square: (nx, ny, nz) squared distances; nearest: (nx, ny, nz) int64 triangles; both are lowered
    """
    nx, ny, nz = square.shape
    for t in range(begin, stop):
        first_i, stop_i = first_and_stop(corners, t, 0, low[0], cell, nx)
        first_j, stop_j = first_and_stop(corners, t, 1, low[1], cell, ny)
        first_k, stop_k = first_and_stop(corners, t, 2, low[2], cell, nz)
        for i in range(first_i, stop_i):
            for j in range(first_j, stop_j):
                for k in range(first_k, stop_k):
                    p = (low[0] + i * cell, low[1] + j * cell, low[2] + k * cell)
                    found = square_of(corners, t, p)
                    if found < square[i, j, k]:
                        square[i, j, k], nearest[i, j, k] = found, t


@kernel
def take_over(
    corners: np.ndarray,
    low: np.ndarray,
    cell: float,
    place: tuple[int, int, int],
    of: tuple[int, int, int],
    square: np.ndarray,
    nearest: np.ndarray,
) -> None:
    """Compare the node at `place` with the nearest triangle of the node `of`, if there is such a node.

    Arrays as of `compare_near`: corners (t, 3, 3), low (3,), square and nearest (nx, ny, nz).
    """
    if not (0 <= of[0] < square.shape[0] and 0 <= of[1] < square.shape[1] and 0 <= of[2] < square.shape[2]):
        return
    t = nearest[of[0], of[1], of[2]]
    if t == NONE or t == nearest[place[0], place[1], place[2]]:
        return
    p = (low[0] + place[0] * cell, low[1] + place[1] * cell, low[2] + place[2] * cell)
    found = square_of(corners, t, p)
    if found < square[place[0], place[1], place[2]]:
        square[place[0], place[1], place[2]], nearest[place[0], place[1], place[2]] = found, t


@kernel
def sweep(corners: np.ndarray, low: np.ndarray, cell: float, way: int, square: np.ndarray, nearest: np.ndarray) -> None:
    """Visit all nodes along one of the SWEEPS diagonals; each takes over the triangles of its seven neighbours behind.

    way: number of the diagonal, by a bit for each axis that is visited backwards
    Arrays as of `compare_near`: corners (t, 3, 3), low (3,), square and nearest (nx, ny, nz).
    """
    nx, ny, nz = square.shape
    back_x, back_y, back_z = way & 1, way >> 1 & 1, way >> 2 & 1
    for m in range(nx):
        i = nx - 1 - m if back_x else m
        for n in range(ny):
            j = ny - 1 - n if back_y else n
            for o in range(nz):
                k = nz - 1 - o if back_z else o
                for of in range(1, 8):
                    behind = (
                        i + (2 * back_x - 1) * (of & 1),
                        j + (2 * back_y - 1) * (of >> 1 & 1),
                        k + (2 * back_z - 1) * (of >> 2),
                    )
                    take_over(corners, low, cell, (i, j, k), behind, square, nearest)
