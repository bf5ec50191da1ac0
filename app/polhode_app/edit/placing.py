"""Free places: shifts by which the box of a new item clears the ground, walls and the boxes of other items. No Qt.

A box is (2, 3) [m], lower and upper corner along the axes of the laboratory; boxes are (n, 2, 3).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from polhode.physics.bodies.shapes import unit
from polhode.physics.contact.description import Wall
from polhode.physics.contact.surfaces import FormulaSurface
from polhode.scene.scene import Scene

GAP = 0.02  # least distance of a new item from others, relative to its size
ROUNDS = 8  # walls and items may push one after the other
SIDES = 8  # directions in which a free place on the ground is looked for
RINGS = 40  # distances at which it is, in sizes of the item
SAMPLES = 5  # points along each side of a box at which a surface below it is evaluated


def lifted(box: np.ndarray, others: np.ndarray, scene: Scene, ground: float) -> np.ndarray:
    """Shift (3,) [m] by which a box is above the ground and other items, and on the free side of all walls.

    others: boxes of other items; ground: height [m] without walls and surfaces
    """
    shift, gap = np.zeros(3), GAP * float(np.ptp(box, axis=0).max())
    shift[2] = max(ground - box[0, 2], 0.0)
    for _ in range(ROUNDS):
        before = shift.copy()
        shift += _out_of_walls(box + shift, scene.wall)
        shift[2] += _above_surfaces(box + shift, scene, gap)
        shift[2] += _above_others(box + shift, others, gap)
        if np.array_equal(shift, before):
            break
    return shift


def beside(box: np.ndarray, others: np.ndarray, scene: Scene, ground: float) -> np.ndarray:
    """Shift (3,) [m] to the nearest place, at the same height or on the ground, where a box overlaps nothing.

    others, ground: as of `lifted`
    """
    extent = np.ptp(box, axis=0)
    for ring in range(RINGS):
        angles = np.linspace(0, 2 * np.pi, SIDES * max(ring, 1), endpoint=False) if ring else [0.0]
        for angle in angles:
            aside = 0.5 * ring * extent.max() * np.array([np.cos(angle), np.sin(angle), 0.0])
            level = lifted(box + aside, np.zeros((0, 2, 3)), scene, ground)
            moved = box + aside + level
            if not overlapping(moved, others, GAP * float(extent.max())).any():
                return aside + level
    return lifted(box, others, scene, ground)


def overlapping(box: np.ndarray, others: np.ndarray, gap: float = 0.0) -> np.ndarray:
    """(n,) whether a box is nearer than `gap` [m] to each of the others, along all axes."""
    return np.asarray(((box[0] < others[:, 1] + gap) & (others[:, 0] - gap < box[1])).all(axis=1))


def _above_others(box: np.ndarray, others: np.ndarray, gap: float) -> float:
    """Height [m] by which a box is to be raised to be above all that it overlaps, one after the other."""
    height = 0.0
    for other in others[np.argsort(others[:, 1, 2])]:
        raised = box + [0.0, 0.0, height]
        if overlapping(raised, other[None], 0.99 * gap).any():
            height += float(other[1, 2] - raised[0, 2]) + gap
    return height


def _out_of_walls(box: np.ndarray, walls: Iterable[Wall]) -> np.ndarray:
    """Shift (3,) [m] along the normals of the walls that a box is behind."""
    corners = np.array([[box[i, 0], box[j, 1], box[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    shift = np.zeros(3)
    for wall in walls:
        normal = unit(wall.normal)
        depth = float(((corners + shift - wall.point) @ normal).min())
        if depth < 0:
            shift -= depth * normal
    return shift


def _above_surfaces(box: np.ndarray, scene: Scene, gap: float) -> float:
    """Height [m] by which a box is to be raised to be above the surfaces by formulas below it."""
    height = 0.0
    x, y = np.meshgrid(*(np.linspace(box[0, axis], box[1, axis], SAMPLES) for axis in (0, 1)))
    for surface in scene.surface:
        if isinstance(surface, FormulaSurface):
            inside = _within(x - surface.position[0], surface.x_range) & _within(
                y - surface.position[1], surface.y_range
            )
            if inside.any():
                at = surface.heights(x[inside] - surface.position[0], y[inside] - surface.position[1])
                low = float(np.max(at)) + surface.position[2]
                height = max(height, low - float(box[0, 2]) + gap if low > box[0, 2] else 0.0)
    return height


def _within(numbers: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    """Whether numbers are within limits."""
    return (limits[0] <= numbers) & (numbers <= limits[1])
