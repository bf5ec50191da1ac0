"""Surfaces of all kinds of shapes in the frame of the shape: lengths are full lengths, the axis of symmetry is z."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np
import pyvista as pv
from vtkmodules.vtkFiltersCore import vtkCleanPolyData

from polhode.physics.bodies.shapes import (
    Capsule,
    Cone,
    Cuboid,
    Cylinder,
    Ellipsoid,
    MeshShape,
    Rod,
    Shape,
    ShapeBase,
    Sphere,
    Torus,
    Tube,
)
from polhode_app.viewport.base.mesh_preview_loader import Triangles
from polhode_app.viewport.base.polydata import filtered, placed, smooth, triangulated

AROUND = 64  # facets of a full turn
ON_AXIS = 1e-12  # distance from the axis below which a point of a profile is on it, relative to the largest one
POINT_SIZE = 0.005  # [m] least drawn radius of a point mass
POINT_SHARE = 0.06  # the same of one on an arm, in lengths of the arm: a pendulum of 1 m has a bob that is seen


def arc(radius: float, start: float, end: float, steps: int, center: float = 0.0) -> np.ndarray:
    """(steps + 1, 2) distances from the axis and heights of an arc about a point of the axis.

    `radius` and `center` are in m, the angles `start` and `end` in rad.
    """
    angle = np.linspace(start, end, steps + 1)
    return np.column_stack([radius * np.cos(angle), center + radius * np.sin(angle)])


def lathe(profile: np.ndarray, around: int = AROUND, closed: bool = False) -> pv.PolyData:
    """Surface of revolution of a profile (n, 2) of distances from z and heights, from bottom to top.

    `around` is the number of facets of a full turn. An open profile starts and ends on the axis; a `closed` one is a
    ring, counterclockwise.
    """
    if closed:
        profile = np.vstack([profile, profile[:1]])
    angle = np.linspace(0, 2 * np.pi, around, endpoint=False)
    across, along = np.abs(profile[:, :1]), np.broadcast_to(profile[:, 1:], (len(profile), around))
    across = np.where(across > ON_AXIS * across.max(), across, 0.0)
    points = np.stack([across * np.cos(angle), across * np.sin(angle), along], axis=-1).reshape(-1, 3)
    row, column = np.meshgrid(np.arange(len(profile) - 1), np.arange(around), indexing="ij")
    first, second = row * around + column, row * around + (column + 1) % around
    quads = np.stack([np.full_like(first, 4), first, second, second + around, first + around], axis=-1)
    # Degenerate quads at the poles become triangles.
    return filtered(pv.PolyData(points, faces=quads.ravel()), vtkCleanPolyData())


def ball(radius: float, around: int) -> pv.PolyData:
    """Sphere of a radius [m]."""
    return lathe(arc(radius, -np.pi / 2, np.pi / 2, around // 2), around)


@lru_cache(maxsize=16)
def unit_ball(around: int) -> pv.PolyData:
    """A ball of radius 1 with normals. Cached: callers must not modify it."""
    return smooth(ball(1.0, around))


def sphere(shape: Sphere, around: int) -> pv.PolyData:
    """Surface of a sphere."""
    return ball(shape.radius, around)


def cylinder(shape: Cylinder, around: int) -> pv.PolyData:
    """Surface of a cylinder."""
    return solid_bar(shape.radius, shape.length, around)


def solid_bar(radius: float, length: float, around: int) -> pv.PolyData:
    """Closed cylinder whose side is divided at half height, where the colour of a magnet changes."""
    half = length / 2
    return lathe(np.array([(0, -half), (radius, -half), (radius, 0), (radius, half), (0, half)]), around)


def tube(shape: Tube, around: int) -> pv.PolyData:
    """Surface of a hollow cylinder."""
    inner, outer, half = shape.inner_radius, shape.radius, shape.length / 2
    return lathe(np.array([(inner, -half), (outer, -half), (outer, half), (inner, half)]), around, closed=True)


def capsule(shape: Capsule, around: int) -> pv.PolyData:
    """Surface of a cylinder with hemispherical ends."""
    half, quarter = shape.length / 2, around // 4
    low = arc(shape.radius, -np.pi / 2, 0, quarter, -half)
    high = arc(shape.radius, 0, np.pi / 2, quarter, half)
    return lathe(np.vstack([low, [(shape.radius, 0)], high]), around)


def cone(shape: Cone, around: int) -> pv.PolyData:
    """Surface of a cone with its centre of mass at the origin."""
    base, apex = -shape.length / 4, 3 * shape.length / 4
    # Several rings along the side, otherwise the normal at the apex would shade all of it.
    share = np.linspace(0, 1, around // 4 + 1)
    side = np.column_stack([shape.radius * (1 - share), base + (apex - base) * share])
    return lathe(np.vstack([[(0, base)], side]), around)


def ellipsoid(shape: Ellipsoid, around: int) -> pv.PolyData:
    """Surface of an ellipsoid."""
    surface = ball(1.0, around)
    surface.points *= np.array(shape.semi_axes)
    return surface


def cuboid(shape: Cuboid, _: int) -> pv.PolyData:
    """Surface of a cuboid."""
    a, b, c = (side / 2 for side in shape.size)
    return pv.Box((-a, a, -b, b, -c, c), level=1)  # level 1: faces are divided in the middle


def torus(shape: Torus, around: int) -> pv.PolyData:
    """Surface of a torus."""
    ring = arc(shape.tube_radius, 0, 2 * np.pi, around // 2)[:-1]
    return lathe(ring + (shape.radius, 0), around, closed=True)


def rod(shape: Rod, around: int) -> pv.PolyData:
    """A thin cylinder that represents a rod without thickness."""
    return solid_bar(shape.radius, shape.length, around)


def point(_: Shape, around: int) -> pv.PolyData:
    """A small sphere that represents a point mass."""
    return ball(POINT_SIZE, around)


PRIMITIVES: Mapping[str, Callable[..., pv.PolyData]] = MappingProxyType(
    {
        "sphere": sphere,
        "cylinder": cylinder,
        "tube": tube,
        "capsule": capsule,
        "cone": cone,
        "ellipsoid": ellipsoid,
        "cuboid": cuboid,
        "torus": torus,
        "rod": rod,
        "point": point,
    }
)


def surface_of(shape: Shape, mesh: Triangles | None, around: int = AROUND, number: str = "") -> pv.PolyData:
    """Surface of a shape, as triangles with normals, body frame; `mesh` is that of a mesh shape.

    `around`, a multiple of 8, is the number of facets of a full turn. If `number` is given, the point array of that
    name maps each point of a mesh to its vertex in the file: at sharp edges several points share a vertex.
    """
    if isinstance(shape, MeshShape):
        assert mesh is not None
        surface = pv.PolyData.from_regular_faces(mesh.vertices * shape.scale, mesh.faces)
        if number:
            surface.point_data[number] = np.arange(surface.n_points)
        surface = smooth(surface)
    else:
        own = type(shape).model_fields.keys() - ShapeBase.model_fields.keys()
        surface = _primitive(type(shape).model_construct(**{name: getattr(shape, name) for name in own}), around)
        if shape.kind == "point" and (larger := POINT_SHARE * float(np.linalg.norm(shape.position)) / POINT_SIZE) > 1.0:
            surface = surface.scale(larger, inplace=False)
    return placed(surface, shape.orientation.matrix(), np.array(shape.position))


@lru_cache(maxsize=64)
def _primitive(shape: Shape, around: int) -> pv.PolyData:
    """Surface of a shape in its own frame. Cached, as many shapes of a scene differ in position only."""
    return triangulated(smooth(PRIMITIVES[shape.kind](shape, around)))
