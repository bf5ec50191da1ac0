"""The rounded solid of a mesh, which presses as it looks: its field, and sample points below its surface.

The core is what remains of the mesh at a depth r below its surface; the solid is all within r of the core. Faces stay
where they are, convex edges and corners are rounded by r, and reentrant ones stay sharp. Since the distance from the
core has no kink at the surface of the solid, its spline is accurate there.

Where a sphere of radius r fits below the nearest point of the mesh, the solid has the surface of the mesh, and a node
its exact distance; elsewhere it has that from the core, whose triangles are as coarse as the grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import dot, row, scale, subtract
from polhode.mesh.distance.field import CELLS, DistanceField, grid_around, signed_distances
from polhode.mesh.distance.level_surface import level_surface, quarters
from polhode.mesh.distance.nodes import Progress, in_slabs
from polhode.mesh.distance.samples import Samples, samples_of
from polhode.mesh.distance.spline import coefficients
from polhode.mesh.distance.triangle_tree import TriangleTree, lowered, nearest_point, triangle_tree
from polhode.mesh.triangles import nearest_on_triangle

SPACING = 1.0  # of sample points, in cells
MESH, CORE = (
    0.5,
    0.6,
)  # parts of the time after which the distances from the mesh are known, and where the core is needed
FITS = 0.99  # of the radius: a sphere of it must fit below a point; edges of facets up to 16 degrees stay as they are


@dataclass(frozen=True, eq=False)
class RoundedSolid:
    """The field of a rounded solid, and points of its core; lengths in the unit of the mesh."""

    field: DistanceField
    samples: Samples


def rounded_solid(
    vertices: np.ndarray,
    faces: np.ndarray,
    rounding: float,
    cells: int = CELLS,
    reach: float = 0.0,
    progress: Progress = lambda part: None,
) -> RoundedSolid:
    """The rounded solid of a closed mesh with outward faces: vertices (v, 3), faces (t, 3) int.

    rounding: r, made smaller where a wall is too thin for it
    cells, reach, progress: as of `distance_field`
    """
    grid, tree = grid_around(vertices, cells, reach), triangle_tree(vertices[faces])
    sharp, nearest = signed_distances(tree, grid, lambda part: progress(MESH * part))
    samples = samples_of(vertices, faces, tree, SPACING * grid.cell, rounding)
    depth = samples.rounding

    def moved(points: np.ndarray) -> np.ndarray:
        return lowered(tree, points, depth)[0]

    core, core_faces = quarters(*level_surface(grid.low, grid.cell, sharp + depth, moved), grid.cell, moved)
    is_round = np.empty(grid.counts, dtype=np.bool_)

    def find(plane: int, _: int, stack: np.ndarray) -> None:
        find_round(tree, grid.low, grid.cell, plane, sharp, nearest, depth, is_round, stack)

    in_slabs(grid.counts[0], find, lambda part: progress(MESH + (CORE - MESH) * part))
    rounded, _ = signed_distances(
        triangle_tree(core[core_faces]), grid, lambda part: progress(CORE + (1 - CORE) * part), is_round
    )
    rounded = np.where(is_round & (rounded - depth > sharp), rounded - depth, sharp)
    return RoundedSolid(DistanceField(grid.low, grid.cell, coefficients(rounded)), samples)


@kernel
def find_round(
    tree: TriangleTree,
    low: np.ndarray,
    cell: float,
    plane: int,
    sharp: np.ndarray,
    nearest: np.ndarray,
    rounding: float,
    is_round: np.ndarray,
    stack: np.ndarray,
) -> None:
    """Write which nodes of a plane along x may have another distance from a rounded solid than that `sharp` (nx, ny,
    nz) from its mesh, to `is_round` (nx, ny, nz): those above points below which no sphere of the radius `rounding`
    fits. Less than from the mesh it never is.

    nearest: (nx, ny, nz) int32 numbers of the triangles nearest to the nodes
    low: (3,) the first node; cell: distance of nodes; stack: (DEEPEST,) int64, overwritten
    """
    most, i = (FITS * rounding) ** 2, plane
    for j in range(sharp.shape[1]):
        for k in range(sharp.shape[2]):
            value = sharp[i, j, k]
            is_round[i, j, k] = False
            if value > -rounding:
                p = (low[0] + i * cell, low[1] + j * cell, low[2] + k * cell)
                t = nearest[i, j, k]
                a, b, c = row(tree.corners[t], 0), row(tree.corners[t], 1), row(tree.corners[t], 2)
                near = nearest_on_triangle(p, a, b, c)
                away = subtract(p, near)
                length = sqrt(dot(away, away))
                is_round[i, j, k] = True
                if length > 0.0:
                    center = subtract(near, scale((rounding if value > 0.0 else -rounding) / length, away))
                    is_round[i, j, k] = nearest_point(tree, center, most, stack)[0] < most
