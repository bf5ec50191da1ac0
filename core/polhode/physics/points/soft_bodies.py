"""Points and springs of soft bodies at rest, and all springs of a scene one by one."""

from __future__ import annotations

import numpy as np

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.geometry.point_in_solid import inside_mesh
from polhode.physics.points.arrays import SpringRows, Springs
from polhode.physics.points.description import Chain, Lattice, SoftBody, SoftMesh, skin_shape
from polhode.physics.points.lattice import chain_points, chain_runs, grid, lattice_points, lattice_runs, pairs, runs
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene

FEWEST = 4  # points that make a soft mesh


def rest_of(soft: SoftBody, positions: np.ndarray, joined: np.ndarray) -> np.ndarray:
    """(r,) [m] natural lengths of the springs of each row: natural_length times the distance of the ends at rest.

    positions: (n, 3) [m] at rest; joined: (r, 3) int rows of springs, as of lattice.runs.
    """
    return np.asarray(soft.natural_length * np.linalg.norm(positions[joined[:, 1]] - positions[joined[:, 0]], axis=1))


def soft_runs(soft: Lattice | Chain | SoftMesh, scene: Scene, meshes: Meshes) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) [m] of a soft body at rest, laboratory frame, and its springs in rows (r, 3), see lattice.runs.

    Raises InputError if a fixed point does not exist.
    """
    positions, joined = _grown(soft, scene, meshes)
    if wrong := [index for index in soft.fixed if index >= len(positions)]:
        rule = Message("{wrong} is none of the points 0 to {last}", wrong=wrong[0], last=len(positions) - 1)
        raise InputError(soft.name, [Problem("fixed", rule, Message("take it out"))])
    return positions, joined


def _grown(soft: Lattice | Chain | SoftMesh, scene: Scene, meshes: Meshes) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) [m] and rows of springs (r, 3) of a soft body, without checks."""
    if isinstance(soft, Chain):
        return chain_points(soft), chain_runs(soft)
    if isinstance(soft, Lattice):
        return lattice_points(soft), lattice_runs(soft.counts)
    cells, local = _filled(soft, scene, meshes)
    return soft.position + local @ soft.orientation.matrix().T, runs(cells)


def skin_at_rest(soft: SoftMesh, scene: Scene, meshes: Meshes) -> np.ndarray:
    """(v, 3) [m] vertices of a soft mesh at rest, laboratory frame."""
    vertices = meshes.of(skin_shape(soft), scene.folder).scaled(soft.scale).vertices
    return np.asarray(soft.position + vertices @ soft.orientation.matrix().T)


def _filled(soft: SoftMesh, scene: Scene, meshes: Meshes) -> tuple[np.ndarray, np.ndarray]:
    """Lattice coordinates (n, 3) and positions (n, 3) [m] of the points of a grid inside a mesh, mesh frame.

    The grid is centred in the bounding box of the mesh. Raises InputError if it has too many points or too few inside.
    """
    try:
        mesh = meshes.of(skin_shape(soft), scene.folder).scaled(soft.scale)
    except InputError as error:
        raise InputError(error.source, [problem.at("file") for problem in error.problems]) from error
    low, high = mesh.box
    along = (high - low) / soft.spacing + 1  # number of points, not yet rounded
    if along.max() > 1e6 or np.prod(along) > 1e6:
        rule = Message(
            "{spacing:g} m makes more than a million points in '{file}'", spacing=soft.spacing, file=soft.file
        )
        raise InputError(soft.name, [Problem("spacing", rule, Message("make it larger"))])
    counts = np.floor(along).astype(int)
    cells = grid((int(counts[0]), int(counts[1]), int(counts[2])))
    local = (low + high) / 2 + (cells - (counts - 1) / 2) * soft.spacing
    within = inside_mesh(mesh, local)
    if within.sum() < FEWEST:
        size = " x ".join(f"{extent:.3g}" for extent in high - low)
        rule = Message(
            "{spacing:g} m leaves {points} of its points inside '{file}' ({size} m)",
            spacing=soft.spacing,
            points=int(within.sum()),
            file=soft.file,
            size=size,
        )
        raise InputError(soft.name, [Problem("spacing", rule, Message("make it smaller"))])
    return cells[within], local[within]


def all_springs(rows: SpringRows, others: Springs) -> Springs:
    """The springs of soft bodies one by one, in the order of their rows, then single springs; ends as in Springs."""
    ends = pairs(np.column_stack([rows.first, rows.second, rows.count])).T
    columns = {"first": ends[0], "second": ends[1]}
    columns |= {name: np.repeat(getattr(rows, name), rows.count) for name in ("rest", "stiffness", "damping", "full")}
    return Springs(**{name: np.concatenate([column, getattr(others, name)]) for name, column in columns.items()})
