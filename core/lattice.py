"""Grids of points with springs along edges, face and body diagonals: the shape of soft bodies."""

from __future__ import annotations

from itertools import product

import numpy as np

from core.shapes import unit
from core.soft import Chain, Lattice

# From a point to its neighbours, each pair once: edges, diagonals of faces, diagonals of the body.
STEPS = tuple(
    sorted(
        (step for step in product((-1, 0, 1), repeat=3) if step[::-1] > (0, 0, 0)),
        key=lambda step: sum(map(abs, step)),
    )
)


def grid(counts: tuple[int, int, int]) -> np.ndarray:
    """(n, 3) int whole coordinates of the points; number i + nx (j + ny k), so i along x is the fastest."""
    nx, ny, nz = counts
    k, j, i = np.meshgrid(np.arange(nz), np.arange(ny), np.arange(nx), indexing="ij")
    return np.column_stack([i.ravel(), j.ravel(), k.ravel()])


def lattice_points(lattice: Lattice) -> np.ndarray:
    """(n, 3) [m] points of a lattice at rest."""
    local = (grid(lattice.counts) - (np.array(lattice.counts) - 1) / 2) * lattice.spacing
    return np.asarray(lattice.position + local @ lattice.orientation.matrix().T)


def chain_points(chain: Chain) -> np.ndarray:
    """(n, 3) [m] points of a chain at rest."""
    return np.asarray(chain.position + chain.spacing * np.arange(chain.count)[:, None] * unit(chain.direction))


def links(cells: np.ndarray) -> np.ndarray:
    """(s, 2) int64 pairs of points that are neighbours along an edge, a face diagonal or a body diagonal.

    `cells` (n, 3) int are whole coordinates, each once. Sorted by kind of step, then by the first point.
    """
    low = cells.min(axis=0)
    shape = cells.max(axis=0) - low + 3
    number = np.full(shape, -1, dtype=np.int64)
    place = cells - low + 1
    number[tuple(place.T)] = np.arange(len(cells))
    found = []
    for step in STEPS:
        other = number[tuple((place + step).T)]
        first = np.flatnonzero(other >= 0)
        found.append(np.column_stack([first, other[first]]))
    return np.concatenate(found)
