"""Volume and moments of inertia of the solids that bodies are made of, in closed form."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

from polhode.physics.bodies import shapes

# Each solid: its volume [m^3] and its principal moments per mass about the centre of mass, local x, y, z [m^2].
Solid = tuple[float, tuple[float, float, float]]


def sphere(shape: shapes.Sphere) -> Solid:
    """M 2/5 a^2 1, radius a (PEM eq. 3.8)."""
    a = shape.radius
    return 4 / 3 * pi * a**3, (0.4 * a**2,) * 3


def cylinder(shape: shapes.Cylinder) -> Solid:
    """M (a^2/4 + h^2/12) across the axis, M a^2/2 along it; radius a, full length h.

    PEM eq. 3.9 misprints the factor of h^2.
    """
    a, h = shape.radius, shape.length
    across = a**2 / 4 + h**2 / 12
    return pi * a**2 * h, (across, across, a**2 / 2)


def tube(shape: shapes.Tube) -> Solid:
    """M ((a^2 + b^2)/4 + h^2/12) across the axis, M (a^2 + b^2)/2 along it; radii a and b, length h."""
    a, b, h = shape.radius, shape.inner_radius, shape.length
    squares = a**2 + b**2
    across = squares / 4 + h**2 / 12
    return pi * (a**2 - b**2) * h, (across, across, squares / 2)


def capsule(shape: shapes.Capsule) -> Solid:
    """A cylinder of length h and two half spheres of radius a, whose centres of mass are 3a/8 from their flat sides."""
    a, h = shape.radius, shape.length
    tube, ends = pi * a**2 * h, 4 / 3 * pi * a**3
    # a half sphere has its centre of mass 3a/8 from its flat side
    across = tube * (a**2 / 4 + h**2 / 12) + ends * (0.4 * a**2 + h**2 / 4 + 3 / 8 * a * h)
    along = tube * a**2 / 2 + ends * 0.4 * a**2
    volume = tube + ends
    return volume, (across / volume, across / volume, along / volume)


def cone(shape: shapes.Cone) -> Solid:
    """M (3/20 a^2 + 3/80 h^2) across the axis, 3/10 M a^2 along it, about the centre of mass h/4 above the base."""
    a, h = shape.radius, shape.length
    across = 3 / 20 * a**2 + 3 / 80 * h**2
    return pi * a**2 * h / 3, (across, across, 0.3 * a**2)


def ellipsoid(shape: shapes.Ellipsoid) -> Solid:
    """M/5 (b^2 + c^2) about a and so on, semi-axes a, b, c (PEM eq. 3.10)."""
    a, b, c = shape.semi_axes
    return 4 / 3 * pi * a * b * c, ((b**2 + c**2) / 5, (a**2 + c**2) / 5, (a**2 + b**2) / 5)


def cuboid(shape: shapes.Cuboid) -> Solid:
    """M/12 (b^2 + c^2) about a and so on, full sides a, b, c (PEM eq. 3.11 has half sides)."""
    a, b, c = shape.size
    return a * b * c, ((b**2 + c**2) / 12, (a**2 + c**2) / 12, (a**2 + b**2) / 12)


def torus(shape: shapes.Torus) -> Solid:
    """M (a^2/2 + 5/8 r^2) across the axis, M (a^2 + 3/4 r^2) along it; radius a of the circle, r of the tube."""
    a, r = shape.radius, shape.tube_radius
    across = a**2 / 2 + 5 / 8 * r**2
    return 2 * pi**2 * a * r**2, (across, across, a**2 + 3 / 4 * r**2)


def rod(shape: shapes.Rod) -> Solid:
    """M l^2/12 across the axis, 0 along it; l the full length (PEM eq. 3.12 misprints the factor)."""
    across = shape.length**2 / 12
    return 0.0, (across, across, 0.0)


def point(_: shapes.Point) -> Solid:
    """No volume, no moments: a point has mass alone."""
    return 0.0, (0.0, 0.0, 0.0)


SOLIDS: dict[type[shapes.ShapeBase], Callable[[Any], Solid]] = {
    shapes.Sphere: sphere,
    shapes.Cylinder: cylinder,
    shapes.Tube: tube,
    shapes.Capsule: capsule,
    shapes.Cone: cone,
    shapes.Ellipsoid: ellipsoid,
    shapes.Cuboid: cuboid,
    shapes.Torus: torus,
    shapes.Rod: rod,
    shapes.Point: point,
}
