"""The signed distance of a closed mesh on a grid, as a spline.

Distances at the nodes are exact; between them the surface of the spline differs from that of the mesh by a few
hundredths of a cell where it is smooth, and by up to a sixth of a cell at sharp edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, inf

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import row
from polhode.mesh.distance.inside import inside
from polhode.mesh.distance.nodes import NONE, SWEEPS, compare_near, sweep
from polhode.mesh.distance.spline import MARGIN, coefficients, is_within, spline

CELLS = 64  # along the longest side of the mesh, unless stated
AROUND = 3  # cells around the mesh, beside the reach
PARTS = 64  # of the triangles, after each of which progress is reported

NO_VALUES = np.zeros((0, 0, 0))

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class DistanceField:
    """The spline of a signed distance, negative inside; lengths in the unit of the mesh."""

    low: np.ndarray  # (3,) the first node
    cell: float  # distance of nodes
    coefficients: np.ndarray  # (nx, ny, nz) float32
    values: np.ndarray  # (nx, ny, nz) at the nodes, or NO_VALUES where they are not kept

    def at(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances (n,) and gradients (n, 3) at points (n, 3); nan where the spline is not known."""
        values, gradients = np.empty(len(points)), np.empty((len(points), 3))
        evaluate(self.coefficients, self.low, self.cell, np.ascontiguousarray(points, np.float64), values, gradients)
        return values, gradients


@kernel
def evaluate(
    numbers: np.ndarray, low: np.ndarray, cell: float, points: np.ndarray, values: np.ndarray, gradients: np.ndarray
) -> None:
    """Write value (n,) and gradient (n, 3) of a spline (nx, ny, nz) at points (n, 3); nan where it is not known."""
    nx, ny, nz = numbers.shape
    flat = numbers.reshape(-1)
    for n in range(len(points)):
        p = row(points, n)
        at = ((p[0] - low[0]) / cell, (p[1] - low[1]) / cell, (p[2] - low[2]) / cell)
        if is_within((float(nx), float(ny), float(nz)), at):
            values[n], slope = spline(flat, 0, ny, nz, at)
            for axis in range(3):
                gradients[n, axis] = slope[axis] / cell
        else:
            values[n], gradients[n, :] = np.nan, np.nan


def distance_field(
    vertices: np.ndarray,
    faces: np.ndarray,
    cells: int = CELLS,
    reach: float = 0.0,
    outwards: float = 0.0,
    progress: Progress = lambda part: None,
) -> DistanceField:
    """The field of a closed mesh with outward faces: vertices (v, 3), faces (t, 3) int.

    cells: along the longest side of the mesh
    reach: distance from the mesh up to which the field is known
    outwards: the field is that of the mesh and all within this distance of it
    progress: called with the part that is done, in (0, 1]; what it raises ends the work
    """
    lowest, highest = vertices.min(axis=0), vertices.max(axis=0)
    cell = float((highest - lowest).max()) / cells
    around = AROUND + MARGIN + ceil(reach / cell)
    # half a cell: no plane of nodes lies in a face of a mesh whose size is a multiple of the cell
    low = lowest - (around + 0.5) * cell
    counts = np.ceil((highest - low) / cell + around + 1).astype(np.int64)
    corners, square = np.ascontiguousarray(vertices[faces], np.float64), np.full(counts, inf)
    nearest = np.full(counts, NONE)
    edges = np.unique(np.linspace(0, len(corners), PARTS + 1).astype(int)).tolist()
    steps = len(edges) - 1 + 2 * SWEEPS
    for number, (begin, stop) in enumerate(pairwise(edges)):
        compare_near(corners, low, cell, begin, stop, square, nearest)
        progress((number + 1) / steps)
    for number in range(2 * SWEEPS):
        sweep(corners, low, cell, number % SWEEPS, square, nearest)
        progress((len(edges) + number) / steps)
    signs = np.where(inside(corners, low, cell, tuple(counts.tolist())), -1.0, 1.0)
    values = signs * np.sqrt(square) - outwards
    return DistanceField(low, cell, coefficients(values), values)
