"""Parts of compiled bodies that can touch walls and other solids."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.physics.contact.arrays import HullCorners
from polhode.physics.contact.fields.arrays import Fields
from polhode.physics.contact.solids.arrays import CYLINDER, Solids
from polhode.physics.contact.yielding import Corners, spread_directions


def corners_of_hull(hulls: HullCorners, b: int) -> Corners | None:
    """Parts of body b that can touch walls."""
    rows = slice(hulls.first[b], hulls.first[b + 1])
    if rows.start == rows.stop:
        return None
    return Corners(hulls.position[rows], hulls.square[rows], hulls.axis[rows], hulls.radius[rows])


def corners_of_solids(solids: Solids, b: int) -> Corners | None:
    """Parts of body b that can touch other solids: vertices, and the discs of cylinders."""
    parts = [_corners_of_solid(solids, i) for i in np.flatnonzero(solids.body == b).tolist()]
    if not parts:
        return None
    position, square, axis, radius = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return Corners(position, square, axis, radius)


def corners_of_fields(fields: Fields, b: int) -> Corners | None:
    """Sample points of the shapes of body b that press as they look, the outermost ones along many directions."""
    parts = []
    for i in np.flatnonzero((fields.body == b) & (fields.solid == NOTHING)).tolist():
        points = fields.point[fields.first_point[i] : fields.first_point[i + 1]]
        outermost = np.unique((points @ spread_directions().T).argmax(axis=0))
        parts.append((fields.position[i] + points[outermost] @ fields.axes[i], fields.rounding[i]))
    if not parts:
        return None
    radius = np.concatenate([np.full(len(points), rounding) for points, rounding in parts])
    count = len(radius)
    position = np.concatenate([points for points, _ in parts])
    return Corners(position, np.zeros((count, 3, 3)), np.zeros((count, 3)), radius)


def _corners_of_solid(solids: Solids, i: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The arrays of Corners of one solid."""
    if solids.kind[i] == CYLINDER:
        radius, half, axes = solids.size[i, 0], solids.size[i, 2], solids.axes[i]
        position = solids.position[i] + np.outer([-half, half], axes[2])
        square = radius**2 * axes[:2].T @ axes[:2]
        return position, np.array([square] * 2), np.array([axes[2]] * 2), np.full(2, solids.radius[i])
    vertices = solids.vertex[solids.first_vertex[i] : solids.first_vertex[i + 1]]
    count = len(vertices)
    position = solids.position[i] + vertices @ solids.axes[i]
    return position, np.zeros((count, 3, 3)), np.zeros((count, 3)), np.full(count, solids.radius[i])
