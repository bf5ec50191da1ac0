"""The signed distance of a closed mesh on a grid, as a spline.

Distances at the nodes are exact; between them the surface of the spline differs from that of the mesh by a few
hundredths of a cell where it is smooth, and by up to half a cell at sharp edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import row
from polhode.mesh.distance.inside import inside
from polhode.mesh.distance.nodes import Progress, in_slabs, measure_nodes
from polhode.mesh.distance.spline import MARGIN, coefficients, is_within, spline
from polhode.mesh.distance.triangle_tree import TriangleTree, triangle_tree

CELLS = 64  # along the longest side of the mesh, unless stated
AROUND = 3  # cells around the mesh, beside the reach


@dataclass(frozen=True, eq=False)
class DistanceField:
    """The spline of a signed distance, negative inside; lengths in the unit of the mesh."""

    low: np.ndarray  # (3,) the first node
    cell: float  # distance of nodes
    coefficients: np.ndarray  # (nx, ny, nz) float32

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


@dataclass(frozen=True, eq=False)
class Grid:
    """Nodes around a mesh; lengths in its unit."""

    low: np.ndarray  # (3,) the first node
    cell: float  # distance of nodes
    counts: tuple[int, int, int]  # nodes along each axis


def grid_around(vertices: np.ndarray, cells: int, reach: float = 0.0) -> Grid:
    """The grid around vertices (v, 3): `cells` along the longest side, and nodes up to a distance `reach`.

    Its middle is that of the box of the vertices, so that the field of a symmetric mesh is symmetric.
    """
    lowest, highest = vertices.min(axis=0), vertices.max(axis=0)
    cell = float((highest - lowest).max()) / cells
    around = AROUND + MARGIN + ceil(reach / cell)
    half = np.round((highest - lowest) / (2 * cell), 6)
    # a node in the middle or none: no plane of nodes is nearer to a face of the box than a quarter of a cell
    offset = np.where(np.abs(half % 1.0 - 0.5) >= 0.25, 0.5, 0.0)
    steps = np.ceil(half + around - offset) + offset  # from the middle to the last node
    return Grid((lowest + highest) / 2 - steps * cell, cell, tuple((2 * steps + 1).astype(np.int64).tolist()))


def signed_distances(
    tree: TriangleTree, grid: Grid, progress: Progress, wanted: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Signed distances (nx, ny, nz) of the nodes of a grid from a closed mesh with outward faces, and the numbers
    (nx, ny, nz) int32 of the nearest triangles; infinite, with NONE, of nodes that are not wanted (nx, ny, nz).
    """
    distance, nearest = np.empty(grid.counts), np.empty(grid.counts, dtype=np.int32)
    asked = np.ones(grid.counts, dtype=np.bool_) if wanted is None else wanted

    def measure(plane: int, begin: int, stack: np.ndarray) -> None:
        measure_nodes(tree, grid.low, grid.cell, (plane, begin), asked, distance, nearest, stack)

    in_slabs(grid.counts[0], measure, progress)
    signs = np.where(inside(tree.corners, grid.low, grid.cell, grid.counts), -1.0, 1.0)
    return signs * distance, nearest


def distance_field(
    vertices: np.ndarray,
    faces: np.ndarray,
    cells: int = CELLS,
    reach: float = 0.0,
    progress: Progress = lambda part: None,
) -> DistanceField:
    """The field of a closed mesh with outward faces: vertices (v, 3), faces (t, 3) int.

    cells: along the longest side of the mesh
    reach: distance from the mesh up to which the field is known
    progress: called with the part that is done, in (0, 1]; what it raises ends the work
    """
    grid = grid_around(vertices, cells, reach)
    values, _ = signed_distances(triangle_tree(vertices[faces]), grid, progress)
    return DistanceField(grid.low, grid.cell, coefficients(values))
