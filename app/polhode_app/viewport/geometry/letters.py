"""The letters N and S on the poles of magnets: thin surfaces on those of the shapes. Geometry only."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pyvista as pv
from vtkmodules.vtkFiltersModeling import vtkLinearSubdivisionFilter
from vtkmodules.vtkRenderingFreeType import vtkVectorText

from polhode.physics.bodies.shapes import Capsule, Cuboid, Cylinder, Shape, Sphere
from polhode_app.viewport.base.polydata import filtered, joined, placed, smooth, triangulated

ON_CAP, ON_SIDE = 0.55, 0.55  # height of a letter, in the width of the face that it is on
WIDEST = 0.9  # [rad] of a side that a letter covers at most
ABOVE = 0.006  # distance of a letter from its surface, in its height
DIVIDED = 2  # times that its triangles are divided, so that it follows round surfaces

Bend = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (n,) [m] to the right and upwards to (n, 3) [m]


def letters_of(shape: Shape, north: float) -> pv.PolyData | None:
    """Letters on a shape, body frame; None on one of another kind.

    `north` is positive if the north pole is where the shape's own z is, negative if it is at the other end.
    """
    bends = [(sign, height, bend) for sign in (-1, 1) for height, bend in _faces(shape, sign)]
    if not bends:
        return None
    made = joined([_bent("N" if sign * north > 0 else "S", height, bend) for sign, height, bend in bends])
    return placed(smooth(made), shape.orientation.matrix(), np.array(shape.position))


@lru_cache(maxsize=2)
def _letter(text: str) -> pv.PolyData:
    """A letter of height 1 about the origin, in the plane of x and y. Cached: callers must not modify it."""
    source = vtkVectorText()
    source.SetText(text)
    source.Update()
    finer = vtkLinearSubdivisionFilter()
    finer.SetNumberOfSubdivisions(DIVIDED)
    made = filtered(triangulated(pv.PolyData(source.GetOutput()).clean()), finer)
    low, high = made.points.min(axis=0), made.points.max(axis=0)
    made.points = (made.points - (low + high) / 2) / (high - low)[1]
    return made


def _bent(text: str, height: float, bend: Bend) -> pv.PolyData:
    """A letter of a height [m] on a face."""
    made = _letter(text).copy()
    made.points = bend(*(height * np.asarray(made.points, float)[:, :2].T))
    return made


def _faces(shape: Shape, sign: int) -> list[tuple[float, Bend]]:
    """Heights [m] of letters and the faces that they are on, at one end of a shape, in its own frame."""
    if isinstance(shape, Sphere):
        return [(ON_CAP * shape.radius, _dome(shape.radius, 0.0, sign))]
    if isinstance(shape, Capsule):
        half = shape.length / 2
        sides = _round_sides(shape.radius, shape.length, sign)
        return [(ON_CAP * shape.radius, _dome(shape.radius, half, sign)), *sides]
    if isinstance(shape, Cylinder):
        cap = (ON_CAP * 2 * shape.radius, _cap(shape.length / 2, sign))
        return [cap, *_round_sides(shape.radius, shape.length, sign)]
    if isinstance(shape, Cuboid):
        a, b, c = (side / 2 for side in shape.size)
        sides = []
        for axis, (beside, away) in enumerate(((b, a), (a, b))):
            height = ON_SIDE * min(2 * beside, c)
            sides += [(height, _flat_side(axis, away, turn, sign * c / 2)) for turn in (-1, 1)]
        return [(ON_CAP * 2 * min(a, b), _cap(c, sign)), *sides]
    return []


def _round_sides(radius: float, length: float, sign: int) -> list[tuple[float, Bend]]:
    """Four letters around the end of a cylinder."""
    height = min(ON_SIDE * length / 2, WIDEST * radius)
    return [(height, _round_side(radius, turn, sign * length / 4)) for turn in np.pi / 2 * np.arange(4)]


def _cap(half: float, sign: int) -> Bend:
    """The flat end of a shape at a height of `half` [m]."""
    return lambda u, v: np.column_stack([u, sign * v, np.full(len(u), sign * half * (1 + ABOVE))])


def _dome(radius: float, centre: float, sign: int) -> Bend:
    """The round end of a shape, about a point of its axis at a height `centre` [m]."""
    outer = radius * (1 + ABOVE)
    return lambda u, v: np.column_stack([u, sign * v, sign * (centre + np.sqrt(outer**2 - u**2 - v**2))])


def _round_side(radius: float, turn: float, height: float) -> Bend:
    """The side of a cylinder at an angle [rad] and a height [m]."""

    def bend(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        angle, outer = turn + u / radius, radius * (1 + ABOVE)
        return np.column_stack([outer * np.cos(angle), outer * np.sin(angle), height + v])

    return bend


def _flat_side(axis: int, away: float, turn: int, height: float) -> Bend:
    """The side of a cuboid across x or y, at a distance `away` [m] from its centre and a height [m]."""

    def bend(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        outward = np.full(len(u), turn * away * (1 + ABOVE))
        beside = turn * u if axis == 0 else -turn * u
        return np.column_stack([outward, beside, height + v] if axis == 0 else [beside, outward, height + v])

    return bend
