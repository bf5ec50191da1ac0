"""Which points lie inside a shape, in the shape's own frame; for overlaps and for clouds of dipoles.

Each shape has a function that returns the half extents of its bounding box, the height of the middle of that box on the
z axis, and a test of points (n, 3) [m]; the docstring is the condition, a the radius, h the length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polhode.mesh.mesh import Mesh
from polhode.mesh.ray_crossings import count_crossings
from polhode.physics.bodies import shapes


def inside_mesh(mesh: Mesh, points: np.ndarray) -> np.ndarray:
    """(n,) bool: which points are inside a closed mesh, that is below an odd number of its faces.

    points: (n, 3) in the units of the mesh file.
    """
    order = np.argsort(points[:, 0])
    ordered = np.ascontiguousarray(points[order])
    above = np.zeros(len(points), dtype=np.int64)
    count_crossings(mesh.vertices, mesh.faces, np.ascontiguousarray(ordered[:, 0]), ordered, above)
    inside = np.empty(len(points), dtype=bool)
    inside[order] = above % 2 == 1
    return inside


# Half extents (3,) [m] of the bounding box, z of its centre [m], and the test of points (n, 3) [m].
Region = tuple[tuple[float, float, float], float, Callable[[np.ndarray], np.ndarray]]


def across(p: np.ndarray) -> np.ndarray:
    """(n,) [m] distance of points (n, 3) [m] from the z axis."""
    return np.hypot(p[:, 0], p[:, 1])


def sphere(shape: shapes.Sphere) -> Region:
    """x^2 + y^2 + z^2 < a^2."""
    a = shape.radius
    return (a, a, a), 0.0, lambda p: np.hypot(across(p), p[:, 2]) < a


def cylinder(shape: shapes.Cylinder) -> Region:
    """Distance from the axis below a, |z| < h/2."""
    a, h = shape.radius, shape.length / 2
    return (a, a, h), 0.0, lambda p: (across(p) < a) & (np.abs(p[:, 2]) < h)


def tube(shape: shapes.Tube) -> Region:
    """Distance from the axis between b and a, |z| < h/2."""
    a, b, h = shape.radius, shape.inner_radius, shape.length / 2
    return (a, a, h), 0.0, lambda p: (across(p) < a) & (across(p) > b) & (np.abs(p[:, 2]) < h)


def capsule(shape: shapes.Capsule) -> Region:
    """Distance from the segment |z| < h/2 of the axis below a."""
    a, h = shape.radius, shape.length / 2
    return (a, a, h + a), 0.0, lambda p: np.hypot(across(p), np.maximum(np.abs(p[:, 2]) - h, 0)) < a


def cone(shape: shapes.Cone) -> Region:
    """Base at z = -h/4, tip at z = 3h/4, radius a (3/4 - z/h)."""
    a, h = shape.radius, shape.length
    return (a, a, h / 2), h / 4, lambda p: (p[:, 2] > -h / 4) & (across(p) * h < a * (3 / 4 * h - p[:, 2]))


def ellipsoid(shape: shapes.Ellipsoid) -> Region:
    """(x/a)^2 + (y/b)^2 + (z/c)^2 < 1."""
    return shape.semi_axes, 0.0, lambda p: ((p / shape.semi_axes) ** 2).sum(axis=1) < 1


def cuboid(shape: shapes.Cuboid) -> Region:
    """|x| < a/2 and so on, full sides."""
    a, b, c = shape.size
    return (a / 2, b / 2, c / 2), 0.0, lambda p: (2 * np.abs(p) < (a, b, c)).all(axis=1)


def torus(shape: shapes.Torus) -> Region:
    """Distance from the circle of radius a about the axis below r."""
    a, r = shape.radius, shape.tube_radius
    return (a + r, a + r, r), 0.0, lambda p: np.hypot(across(p) - a, p[:, 2]) < r


# Rods and points have no inside.
REGIONS: dict[type[shapes.ShapeBase], Callable[[Any], Region]] = {
    shapes.Sphere: sphere,
    shapes.Cylinder: cylinder,
    shapes.Tube: tube,
    shapes.Capsule: capsule,
    shapes.Cone: cone,
    shapes.Ellipsoid: ellipsoid,
    shapes.Cuboid: cuboid,
    shapes.Torus: torus,
}
