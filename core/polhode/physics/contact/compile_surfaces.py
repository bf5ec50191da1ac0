"""Surfaces as arrays: formulas as machine code, meshes as triangles in a grid of cells.

The grid makes the cost of a contact independent of the number of triangles.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.formulas.codegen import compile_expressions, joined
from polhode.mesh.mesh import read_mesh
from polhode.physics.contact.arrays import Surfaces
from polhode.physics.contact.compile import dry_numbers
from polhode.physics.contact.stiffness import table_of
from polhode.physics.contact.surfaces import FormulaSurface, MeshSurface, Surface, derivatives
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene

CELLS = 500_000  # of a mesh's grid, at most


def build_surfaces(scene: Scene, radii: Sequence[float], own: np.ndarray) -> Surfaces:
    """Surfaces of a scene as kernel arrays; `radii` [m] of all spheres that may touch them, for the size of grid cells.

    own: (n + p,) [N/m] contact stiffness of each body and point, for surfaces that state none

    Raises InputError for unreadable meshes.
    """
    surfaces, widest, problems = scene.surface, max(radii, default=0.0), []
    codes, meshes = [], []
    for number, surface in enumerate(surfaces):
        codes.append(
            compile_expressions(derivatives(surface.z if isinstance(surface, FormulaSurface) else "0"), ("x", "y"))
        )
        try:
            meshes.append(_triangles(surface, scene))
        except InputError as error:
            problems += [problem.at(f"surface[{number}].file") for problem in error.problems]
    if problems:
        raise InputError(scene.title or "scene", problems)
    address, first, numbers = joined(codes)
    grids = [_grid(triangles, widest) for triangles in meshes]
    starts = [np.cumsum([0, *(len(grid[3]) - 1 for grid in grids)]), np.cumsum([0, *(len(grid[4]) for grid in grids)])]
    lists = [start + at for (_, _, _, start, _), at in zip(grids, starts[1], strict=False)]
    firsts = np.cumsum([0, *map(len, meshes)])
    items = [grid[4] + at for grid, at in zip(grids, firsts, strict=False)]
    boxes = np.array([_box(surface) for surface in surfaces]).reshape(-1, 2, 2)
    return Surfaces(
        is_mesh=np.array([isinstance(surface, MeshSurface) for surface in surfaces], dtype=np.bool_),
        address=address,
        first=first,
        numbers=numbers,
        low=boxes[:, :, 0].copy(),
        high=boxes[:, :, 1].copy(),
        offset=np.array([surface.position for surface in surfaces]).reshape(-1, 3),
        triangles=np.concatenate([np.zeros((0, 3, 3)), *meshes]),
        corner=np.array([grid[0] for grid in grids]).reshape(-1, 3),
        cell=np.array([grid[1] for grid in grids], dtype=float),
        counts=np.array([grid[2] for grid in grids], dtype=np.int64).reshape(-1, 3),
        first_cell=starts[0][:-1].astype(np.int64) + np.arange(len(grids)),
        start=np.concatenate([np.zeros(0, dtype=np.int64), *lists]).astype(np.int64),
        items=np.concatenate([np.zeros(0, dtype=np.int64), *items]).astype(np.int64),
        stiffness=table_of(surfaces, own),
        damping=np.array([surface.damping for surface in surfaces], dtype=float),
        friction=np.array([surface.friction for surface in surfaces], dtype=float),
        dry=np.array([*map(dry_numbers, surfaces)]).reshape(-1, 5),
    )


def _box(surface: Surface) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ranges of x and y [m] of a formula; zeros for a mesh."""
    return (surface.x_range, surface.y_range) if isinstance(surface, FormulaSurface) else ((0.0, 0.0), (0.0, 0.0))


def _triangles(surface: Surface, scene: Scene) -> np.ndarray:
    """(t, 3, 3) [m] corners of the triangles of a mesh, laboratory frame; none of a formula."""
    if isinstance(surface, FormulaSurface):
        return np.zeros((0, 3, 3))
    mesh = read_mesh(scene.folder / surface.file, surface.unit, surface.up)
    return np.asarray(surface.placed(mesh.vertices)[mesh.faces])


Grid = tuple[np.ndarray, float, np.ndarray, np.ndarray, np.ndarray]


def _grid(triangles: np.ndarray, widest: float) -> Grid:
    """Lowest corner (3,) [m], side of the cells [m], their counts (3,), start of the list of each cell, and the lists.

    A triangle is in the list of every cell that its bounding box, extended by the largest radius `widest` [m],
    overlaps. So the list of a sphere's centre holds all triangles that it may touch.
    """
    if not len(triangles):
        return np.zeros(3), 1.0, np.zeros(3, dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
    low, high = triangles.min(axis=1) - widest, triangles.max(axis=1) + widest
    corner, size = low.min(axis=0), np.ptp([low.min(axis=0), high.max(axis=0)], axis=0)
    cell = max(2 * widest, float(np.prod(size.clip(1e-9)) / CELLS) ** (1 / 3), float(size.max()) / 1000)
    counts = (np.floor(size / cell) + 1).astype(np.int64)
    first, last = (((edge - corner) / cell).astype(np.int64) for edge in (low, high))
    cells, items = [], []
    for number, (a, b) in enumerate(zip(first, last, strict=True)):
        x, y, z = (np.arange(i, j + 1) for i, j in zip(a, b, strict=True))
        found = (x[:, None, None] + counts[0] * (y[:, None] + counts[1] * z)).ravel()
        cells.append(found)
        items.append(np.full(len(found), number))
    every, item = np.concatenate(cells), np.concatenate(items)
    order = np.argsort(every, kind="stable")
    start = np.searchsorted(every[order], np.arange(int(np.prod(counts)) + 1))
    return corner, cell, counts, start.astype(np.int64), item[order]
