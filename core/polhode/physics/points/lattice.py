"""Lattices of points with springs along edges, face diagonals and body diagonals, and their order in memory.

A lattice of nx x ny x nz points joins every point to its up to 26 neighbours, each pair once. The flat lattice of the
course has 8 x 8 points and 210 springs: edges and both diagonals (Imura section 7.1).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np

from polhode.physics.bodies.shapes import unit
from polhode.physics.points.description import Chain, Lattice, SoftBody

# From a point to its neighbours, each pair once: edges, diagonals of faces, diagonals of the body.
STEPS = tuple(
    sorted(
        (step for step in product((-1, 0, 1), repeat=3) if step[::-1] > (0, 0, 0)),
        key=lambda step: sum(map(abs, step)),
    )
)

BLOCK = 4096  # points whose positions, velocities and forces fit into the cache of a core


def grid(counts: tuple[int, int, int]) -> np.ndarray:
    """(n, 3) int lattice coordinates of nx x ny x nz points; point i + nx (j + ny k), so i along x is the fastest."""
    nx, ny, nz = counts
    k, j, i = np.meshgrid(np.arange(nz), np.arange(ny), np.arange(nx), indexing="ij")
    return np.column_stack([i.ravel(), j.ravel(), k.ravel()])


def lattice_points(lattice: Lattice) -> np.ndarray:
    """(n, 3) [m] points of a lattice at rest, laboratory frame: centred at its position, turned by its orientation."""
    local = (grid(lattice.counts) - (np.array(lattice.counts) - 1) / 2) * lattice.spacing
    return np.asarray(lattice.position + local @ lattice.orientation.matrix().T)


def chain_points(chain: Chain) -> np.ndarray:
    """(n, 3) [m] points of a chain at rest, laboratory frame: from its position on along its direction."""
    if isinstance(chain.spacing, tuple):
        along = np.cumsum([0.0, *chain.spacing])
    else:
        along = chain.spacing * np.arange(chain.count)
    return np.asarray(chain.position + along[:, None] * unit(chain.direction))


def chain_runs(chain: Chain) -> np.ndarray:
    """(r, 3) int64 first, second, count, as of `runs`: each row has neighbouring springs that are equal."""
    lists = [values for values in (chain.stiffness, chain.damping, chain.spacing) if isinstance(values, tuple)]
    differs = np.any([np.diff(values) != 0 for values in lists], axis=0) if lists else np.zeros(0, dtype=np.bool_)
    first = np.append(0, np.flatnonzero(differs) + 1)
    return np.column_stack([first, first + 1, np.diff(first, append=chain.count - 1)])


def spring_constants(soft: SoftBody, every: np.ndarray) -> np.ndarray:
    """(r, 2) stiffness [N/m] and damping [N s/m] of the springs of each row; lists have one for each first point."""
    columns = [
        np.array(values)[every[:, 0]] if isinstance(values, tuple) else np.full(len(every), values)
        for values in (soft.stiffness, soft.damping)
    ]
    return np.column_stack(columns)


def runs(cells: np.ndarray) -> np.ndarray:
    """(r, 3) int64 first, second, count: points first + k and second + k are neighbours for k < count.

    `cells` (n, 3) int are different lattice coordinates, whose neighbours are linked along edges, face diagonals and
    body diagonals. Rows are sorted by block of first points, so that the data in use fits into a cache; then by kind of
    step, so that a row does not read what the previous one has just written.
    """
    low = cells.min(axis=0)
    number = np.full(cells.max(axis=0) - low + 3, -1, dtype=np.int32)
    index = tuple((cells - low + 1).T)
    number[index] = np.arange(len(cells))
    joined = []
    for step in STEPS:
        other = number[tuple(along + by for along, by in zip(index, step, strict=True))]
        first = np.flatnonzero(other >= 0)
        joined.append((first, other[first].astype(np.int64)))
    size = block_size(max(int((second - first).max(initial=0)) for first, second in joined))
    found = []
    for first, second in joined:
        begins = (first % size == 0) | (np.diff(first, prepend=-2) != 1) | (np.diff(second, prepend=-2) != 1)
        at = np.flatnonzero(begins)
        found.append(np.column_stack([first[at], second[at], np.diff(at, append=len(first))]))
    every = np.concatenate(found)
    return every[np.argsort(every[:, 0] // size, kind="stable")]


@lru_cache(maxsize=8)
def lattice_runs(counts: tuple[int, int, int]) -> np.ndarray:
    """(r, 3) int64 read-only: the rows of a whole lattice, cached."""
    found = runs(grid(counts))
    found.flags.writeable = False
    return found


def block_size(reach: int) -> int:
    """Number of points of a block, so that springs that reach `reach` points further end in the next block."""
    return max(BLOCK, reach)


def first_of_blocks(every: np.ndarray, constants: np.ndarray) -> np.ndarray:
    """(b,) int64 indices of the rows (r, 3) that are the first of their blocks.

    constants: (r, 2) as of `spring_constants`; all rows of a block have the same
    """
    block = every[:, 0] // block_size(int((every[:, 1] - every[:, 0]).max(initial=0)))
    return np.flatnonzero((np.diff(block, prepend=-1) != 0) | np.diff(constants, axis=0, prepend=np.nan).any(axis=1))


def pairs(every: np.ndarray) -> np.ndarray:
    """(s, 2) int64 points that the springs of the rows (r, 3) join, one pair per spring in the order of the rows."""
    first, second, count = every.T
    along = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return np.column_stack([np.repeat(first, count) + along, np.repeat(second, count) + along])
