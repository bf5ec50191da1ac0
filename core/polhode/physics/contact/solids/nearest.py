"""Nearest point of the core of a solid: signed distance, normal, and how the normal turns; all in the solid's frame.

The distance of a point outside of a convex core is differentiable, and its gradient is the unit vector n from the
nearest point. Inside of a core the distance is minus the smallest depth below a face, which continues it.

As the point moves with the velocity w relative to the solid, the normal turns by

    dn/dt = c (w - (w.n) n - (w.e) e) + c' (w.e) e

with the curvature c = 0 over a face, and 1/distance over an edge of direction e and over a vertex, where e = 0. The
curvature c' along e is 0 of straight edges.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import NamedTuple

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, dot, row, scale, subtract
from polhode.mesh.triangles import nearest_on_triangle
from polhode.physics.contact.solids.arrays import BOX, CYLINDER, SEGMENT, Solids
from polhode.physics.contact.surface_contact import LEVEL, edge_through

ZERO = (0.0, 0.0, 0.0)


class Nearest(NamedTuple):
    """The nearest point of a core."""

    distance: float
    """[m] from the core; negative inside."""
    normal: Triple
    """Unit vector out of the core."""
    curvature: float
    """[1/m] c of the distance's level surface, across `straight`."""
    straight: Triple
    """e: unit vector along the edge or the rim that is nearest, or zero."""
    along: float
    """[1/m] c', the curvature along that vector."""


@kernel
def turning_by(near: Nearest, moved: Triple) -> Triple:
    """Change of the normal per displacement of the point, or its rate per velocity, relative to the solid."""
    straight, level = dot(moved, near.straight), subtract(moved, scale(dot(moved, near.normal), near.normal))
    bent = scale(near.curvature, subtract(level, scale(straight, near.straight)))
    return add(bent, scale(near.along * straight, near.straight))


@kernel
def excess(x: float, half: float) -> float:
    """How far x [m] lies outside of the interval from -half to half [m], with its sign."""
    return x - half if x > half else (x + half if x < -half else 0.0)


@kernel
def nearest_on_box(p: Triple, size: Triple) -> Nearest:
    """Of a box with the half-lengths `size` [m] to the point p [m]."""
    x, y, z = excess(p[0], size[0]), excess(p[1], size[1]), excess(p[2], size[2])
    square = x * x + y * y + z * z
    if square > 0.0:
        inverse = 1.0 / sqrt(square)
        normal = (inverse * x, inverse * y, inverse * z)
        outside = (x != 0.0) + (y != 0.0) + (z != 0.0)
        straight = ZERO
        if outside == 2:
            straight = (1.0 * (x == 0.0), 1.0 * (y == 0.0), 1.0 * (z == 0.0))
        return Nearest(square * inverse, normal, 0.0 if outside == 1 else inverse, straight, 0.0)
    depth = size[0] - abs(p[0]), size[1] - abs(p[1]), size[2] - abs(p[2])
    if depth[0] <= depth[1] and depth[0] <= depth[2]:
        return Nearest(-depth[0], (1.0 if p[0] >= 0.0 else -1.0, 0.0, 0.0), 0.0, ZERO, 0.0)
    if depth[1] <= depth[2]:
        return Nearest(-depth[1], (0.0, 1.0 if p[1] >= 0.0 else -1.0, 0.0), 0.0, ZERO, 0.0)
    return Nearest(-depth[2], (0.0, 0.0, 1.0 if p[2] >= 0.0 else -1.0), 0.0, ZERO, 0.0)


@kernel
def nearest_on_axis(p: Triple, half: float) -> Nearest:
    """Of the segment from -half to half [m] along z to the point p [m]; a point on it has a normal along x."""
    z = excess(p[2], half)
    square = p[0] * p[0] + p[1] * p[1] + z * z
    if square == 0.0:
        return Nearest(0.0, (1.0, 0.0, 0.0), 0.0, ZERO, 0.0)
    inverse = 1.0 / sqrt(square)
    straight = (0.0, 0.0, 1.0) if z == 0.0 else ZERO
    return Nearest(square * inverse, (inverse * p[0], inverse * p[1], inverse * z), inverse, straight, 0.0)


@kernel
def nearest_on_cylinder(p: Triple, radius: float, half: float) -> Nearest:
    """Of a cylinder with a radius and a half-length [m] along z to the point p [m]."""
    from_axis, up = sqrt(p[0] * p[0] + p[1] * p[1]), 1.0 if p[2] >= 0.0 else -1.0
    aside, above = from_axis - radius, abs(p[2]) - half
    x, y = (p[0] / from_axis, p[1] / from_axis) if from_axis > 0.0 else (1.0, 0.0)
    if aside > 0.0 and above > 0.0:
        distance = sqrt(aside * aside + above * above)
        across = aside / distance
        return Nearest(
            distance, (across * x, across * y, up * above / distance), 1.0 / distance, (-y, x, 0.0), across / from_axis
        )
    if above > aside:
        return Nearest(above, (0.0, 0.0, up), 0.0, ZERO, 0.0)
    return Nearest(aside, (x, y, 0.0), 1.0 / max(from_axis, 1e-300), (0.0, 0.0, 1.0), 0.0)


@kernel
def nearest_on_hull(solids: Solids, i: int, p: Triple, limit: float) -> Nearest:
    """Of hull i to the point p [m]; `limit` [m] or more where it is farther away than that.

    The largest distance from the plane of a face bounds the distance from below, and is it inside; outside, the nearest
    point lies on one of the faces that p is in front of.
    """
    highest, top = -inf, 0
    for f in range(solids.first_face[i], solids.first_face[i + 1]):
        height = dot(row(solids.normal, f), p) - solids.level[f]
        if height > highest:
            highest, top = height, f
    if highest <= 0.0 or highest >= limit:
        return Nearest(highest, row(solids.normal, top), 0.0, ZERO, 0.0)
    away, far, nearest = ZERO, inf, top
    for f in range(solids.first_face[i], solids.first_face[i + 1]):
        normal = row(solids.normal, f)
        height = dot(normal, p) - solids.level[f]
        if height <= 0.0 or height * height >= far:
            continue
        corners = solids.triangle[f]
        found = subtract(p, nearest_on_triangle(p, row(corners, 0), row(corners, 1), row(corners, 2)))
        square = dot(found, found)
        if square < far:
            away, far, nearest = found, square, f
    inverse = 1.0 / sqrt(far)
    unit, corners = scale(inverse, away), solids.triangle[nearest]
    if dot(unit, row(solids.normal, nearest)) >= LEVEL:
        return Nearest(far * inverse, unit, 0.0, ZERO, 0.0)
    distance = far * inverse
    straight = edge_through(subtract(p, away), row(corners, 0), row(corners, 1), row(corners, 2), distance)
    return Nearest(distance, unit, inverse, straight, 0.0)


@kernel
def nearest_on(solids: Solids, i: int, p: Triple, limit: float) -> Nearest:
    """Nearest point of the core of solid i to the point p [m]; a hull that is farther than `limit` [m] says less."""
    kind, size = solids.kind[i], row(solids.size, i)
    if kind == BOX:
        return nearest_on_box(p, size)
    if kind == SEGMENT:
        return nearest_on_axis(p, size[2])
    if kind == CYLINDER:
        return nearest_on_cylinder(p, size[0], size[2])
    return nearest_on_hull(solids, i, p, limit)
