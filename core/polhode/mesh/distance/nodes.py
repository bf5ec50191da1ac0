"""Distances of the nodes of a grid from a mesh, by several threads.

The planes of nodes along x are in a fixed number of slabs, so that results do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import inf, sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, dot, row, subtract
from polhode.mesh.distance.triangle_tree import DEEPEST, NONE, TriangleTree, nearest_point
from polhode.mesh.triangles import nearest_on_triangle
from polhode.process.cores import cores

SLABS = 8

Progress = Callable[[float], None]


def in_slabs(planes: int, do: Callable[[int, int, np.ndarray], None], progress: Progress) -> None:
    """Call do(plane, first plane of its slab, stack) for all planes, those of a slab in their order.

    do: releases the lock of the interpreter; stack: (DEEPEST,) int64 that no other slab uses
    progress: called with the part that is done, in (0, 1]; what it raises ends the work
    """
    edges = np.linspace(0, planes, SLABS + 1).astype(int).tolist()
    stacks = np.empty((SLABS, DEEPEST), dtype=np.int64)
    slabs = [(begin, end, stack) for (begin, end), stack in zip(pairwise(edges), stacks, strict=True)]

    def step(slab: tuple[int, int, np.ndarray], k: int) -> None:
        begin, end, stack = slab
        if begin + k < end:
            do(begin + k, begin, stack)

    longest = max(end - begin for begin, end, _ in slabs)
    with ThreadPoolExecutor(min(SLABS, cores()), "nodes") as pool:
        for k in range(longest):
            for _ in pool.map(step, slabs, [k] * SLABS):
                pass
            progress((k + 1) / longest)


@kernel
def measure_nodes(
    tree: TriangleTree,
    low: np.ndarray,
    cell: float,
    planes: tuple[int, int],
    wanted: np.ndarray,
    distance: np.ndarray,
    nearest: np.ndarray,
    stack: np.ndarray,
) -> None:
    """Write the distances (nx, ny, nz) of the wanted nodes of one plane along x from a mesh, and the numbers of the
    nearest triangles (nx, ny, nz) int32; infinity and NONE of other nodes.

    The triangles of the nodes before bound the search: they are the nearest ones but for a few.

    low: (3,) the first node; cell: distance of nodes
    planes: the plane, and the first one of those that are known before it
    wanted: (nx, ny, nz) bool
    stack: (DEEPEST,) int64, overwritten
    """
    (i, begin), last = planes, NONE
    for j in range(distance.shape[1]):
        for k in range(distance.shape[2]):
            distance[i, j, k], nearest[i, j, k] = inf, NONE
            if not wanted[i, j, k]:
                continue
            p = (low[0] + i * cell, low[1] + j * cell, low[2] + k * cell)
            known, most = NONE, inf
            for before in range(4):
                at = (i - (before == 0), j - (before == 1), k - (before == 2))
                t = NONE
                if before == 3:
                    t = last if known == NONE else NONE
                elif at[0] >= begin and min(at) >= 0:
                    t = nearest[at[0], at[1], at[2]]
                if t != NONE:
                    square = square_to_triangle(tree, t, p)
                    if square < most:
                        known, most = t, square
            square, _, found = nearest_point(tree, p, most, stack)
            last = known if found == NONE else found
            nearest[i, j, k] = last
            distance[i, j, k] = sqrt(square)


@kernel
def square_to_triangle(tree: TriangleTree, t: int, p: Triple) -> float:
    """Squared distance of p from triangle t."""
    a, b, c = row(tree.corners[t], 0), row(tree.corners[t], 1), row(tree.corners[t], 2)
    away = subtract(p, nearest_on_triangle(p, a, b, c))
    return dot(away, away)
