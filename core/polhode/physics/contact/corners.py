"""Corners of the convex hulls of shapes, in their own frames: points, discs and ellipsoids, thickened by spheres."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from polhode.physics.bodies import shapes


class Corner(NamedTuple):
    """An ellipsoid with its own axes along those of the shape, thickened by a sphere."""

    position: tuple[float, float, float]  # [m]
    semi_axes: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [m]
    radius: float = 0.0  # [m] of the sphere


def _ends(length: float, low: float, **more: Any) -> list[Corner]:
    """Two equal corners at the ends of a length [m] along z, the lower one at `low` [m]."""
    return [Corner((0.0, 0.0, low), **more), Corner((0.0, 0.0, low + length), **more)]


CORNERS: dict[type[shapes.ShapeBase], Callable[[Any], list[Corner]]] = {
    shapes.Sphere: lambda s: [Corner((0.0, 0.0, 0.0), radius=s.radius)],
    shapes.Cylinder: lambda s: _ends(s.length, -s.length / 2, semi_axes=(s.radius, s.radius, 0.0)),
    shapes.Tube: lambda s: _ends(s.length, -s.length / 2, semi_axes=(s.radius, s.radius, 0.0)),
    shapes.Capsule: lambda s: _ends(s.length, -s.length / 2, radius=s.radius),
    shapes.Cone: lambda s: [
        Corner((0.0, 0.0, -s.length / 4), (s.radius, s.radius, 0.0)),
        Corner((0.0, 0.0, 3 * s.length / 4)),
    ],
    shapes.Ellipsoid: lambda s: [Corner((0.0, 0.0, 0.0), s.semi_axes)],
    shapes.Cuboid: lambda s: [Corner(at) for at in product(*((-a / 2, a / 2) for a in s.size))],
    shapes.Torus: lambda s: [Corner((0.0, 0.0, 0.0), (s.radius, s.radius, 0.0), s.tube_radius)],
    shapes.Rod: lambda s: _ends(s.length, -s.length / 2),
    shapes.Point: lambda _: [Corner((0.0, 0.0, 0.0))],
}
