"""The surface on which a function has the value 0, as quadrangles: dual contouring of its sign on a grid.

Each cell of the grid that the surface crosses has a vertex, moved onto the surface; each edge of the grid that it
crosses has the quadrangle of its four cells. (Gibson, Constrained elastic surface nets, MICCAI, 1998)
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from polhode.mesh.distance.field import DistanceField

FLAT = 2e-3  # of a cell: distance of the diagonals of a quadrangle that is taken for a flat one
STEPS = 8  # of Newton's method towards the surface of a field


def surface_of_field(field: DistanceField) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) and faces (t, 3), outwards, of the surface of a field."""
    counts = field.coefficients.shape
    nodes = field.low + field.cell * np.indices(counts).reshape(3, -1).T
    values = field.at(nodes)[0].reshape(counts)  # nan at the sides, which are outside

    def moved(points: np.ndarray) -> np.ndarray:
        for _ in range(STEPS):
            values, gradients = field.at(points)
            square = np.maximum((gradients**2).sum(axis=1), 0.25)  # small at the middle of a wall
            points = points - (values / square)[:, None] * gradients
        return points

    points, quads = level_surface(field.low, field.cell, values, moved)
    return points, halves(quads)


def level_surface(
    low: np.ndarray, cell: float, values: np.ndarray, moved: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) and quadrangles (q, 4), outwards, of the surface around the nodes with negative values
    (nx, ny, nz).

    low: (3,) the first node; cell: distance of nodes; moved: takes points (n, 3) near the surface onto it
    """
    inside = values < 0.0
    corners = [inside[a : a + len(inside) - 1] for a in (0, 1)]
    corners = [part[:, b : b + inside.shape[1] - 1] for part, b in product(corners, (0, 1))]
    corners = [part[:, :, c : c + inside.shape[2] - 1] for part, c in product(corners, (0, 1))]
    crossed = np.any(corners, axis=0) & ~np.all(corners, axis=0)
    number = np.full(crossed.shape, -1)
    cells = np.argwhere(crossed)
    number[crossed] = np.arange(len(cells))
    points = moved(low + (cells + 0.5) * cell)
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
    return points, np.concatenate([np.zeros((0, 4), dtype=np.int64), *quadrangles])


def halves(quads: np.ndarray) -> np.ndarray:
    """Triangles (2 q, 3) of quadrangles (q, 4)."""
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def quarters(
    points: np.ndarray, quads: np.ndarray, cell: float, moved: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) and triangles (t, 3) of quadrangles (q, 4): those that are not flat become four around their
    middles, which are moved onto the surface. Unlike halves these are symmetric where the quadrangles are.

    cell: distance of nodes
    """
    a, b, c, d = np.moveaxis(points[quads], 1, 0)
    normal = np.cross(c - a, d - b)
    bent = np.abs(((b - a) * normal).sum(axis=1)) > FLAT * cell * np.linalg.norm(normal, axis=1)
    flat, quads = quads[~bent], quads[bent]
    middles = moved(points[quads].mean(axis=1))
    last = len(points) + np.arange(len(quads))
    sides = [np.column_stack([quads[:, k], quads[:, (k + 1) % 4], last]) for k in range(4)]
    return np.concatenate([points, middles]), np.concatenate([halves(flat), *sides])
