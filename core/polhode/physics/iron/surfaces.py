"""Surfaces of shapes of iron as panels, with matrices that are computed once for each shape and kept."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, pi
from typing import Any, ClassVar

import numpy as np

from polhode.mesh.kept import KeptShape, Progress
from polhode.mesh.mesh import Mesh
from polhode.mesh.panels import (
    ProfilePart,
    Surface,
    cuboid_panels,
    mesh_panels,
    revolved_panels,
    scaled_to,
    sphere_panels,
    torus_panels,
    tube_panels,
)
from polhode.physics.bodies import shapes
from polhode.physics.iron.matrices import Panels, matrices
from polhode.physics.magnets.dipole_cloud import volume_moments

ON_ARC = 64  # points of half a circle
FROM_AXIS, TO_AXIS = (False, True), (True, False)
HEAD = struct.Struct("<8sq")  # mark, number of triangles
MARK = b"POLIRON\1"


def sphere(shape: shapes.Sphere, count: int) -> Surface:
    """A sphere; a hollow one also has its inner surface, both with their exact volumes."""
    assert shape.iron is not None
    if shape.iron.thickness is None:
        return sphere_panels(count)
    radii = shape.radius, shape.radius - shape.iron.thickness
    share = radii[0] ** 2 / (radii[0] ** 2 + radii[1] ** 2)
    (out, faces), (within, back) = (
        scaled_to(sphere_panels(ceil(count * part)), 4.0 / 3.0 * pi * radius**3)
        for part, radius in zip((share, 1.0 - share), radii, strict=True)
    )
    return np.concatenate([out, within]), np.concatenate([faces, back[:, ::-1] + len(out)])


def ellipsoid(shape: shapes.Ellipsoid, count: int) -> Surface:
    """A sphere, stretched."""
    vertices, faces = sphere_panels(count)
    return vertices * np.array(shape.semi_axes), faces


def cuboid(shape: shapes.Cuboid, count: int) -> Surface:
    """Six grids."""
    return cuboid_panels(shape.size, count)


def cylinder(shape: shapes.Cylinder, count: int) -> Surface:
    """Base, side and top."""
    a, h = shape.radius, 0.5 * shape.length
    parts = ([(0.0, -h), (a, -h)], FROM_AXIS), ([(a, -h), (a, h)], (True, True)), ([(a, h), (0.0, h)], TO_AXIS)
    return revolved_panels([ProfilePart(np.array(points), ends) for points, ends in parts], count)


def cone(shape: shapes.Cone, count: int) -> Surface:
    """Base and side."""
    a, h = shape.radius, shape.length
    parts = ([(0.0, -h / 4), (a, -h / 4)], FROM_AXIS), ([(a, -h / 4), (0.0, 3 * h / 4)], TO_AXIS)
    return revolved_panels([ProfilePart(np.array(points), ends) for points, ends in parts], count)


def capsule(shape: shapes.Capsule, count: int) -> Surface:
    """Half spheres and a side between them, without edges."""
    a, h = shape.radius, 0.5 * shape.length
    angle = np.linspace(-0.5 * pi, 0.5 * pi, 2 * ON_ARC + 1)
    arc = a * np.column_stack([np.cos(angle), np.sin(angle)])
    arc[0, 0] = arc[-1, 0] = 0.0
    profile = np.concatenate([arc[: ON_ARC + 1] - (0.0, h), arc[ON_ARC:] + (0.0, h)])
    return revolved_panels([ProfilePart(profile, (False, False))], count)


def torus(shape: shapes.Torus, count: int) -> Surface:
    """A grid around the ring and its section."""
    return torus_panels(shape.radius, shape.tube_radius, count)


def tube(shape: shapes.Tube, count: int) -> Surface:
    """Grids outside, inside and on both ends, around the axis."""
    return tube_panels(shape.inner_radius, shape.radius, shape.length, count)


SURFACES: dict[type, Callable[[Any, int], Surface]] = {
    shapes.Sphere: sphere,
    shapes.Ellipsoid: ellipsoid,
    shapes.Cuboid: cuboid,
    shapes.Cylinder: cylinder,
    shapes.Cone: cone,
    shapes.Capsule: capsule,
    shapes.Torus: torus,
    shapes.Tube: tube,
}


def iron_volume(shape: shapes.ShapeBase, mesh: Mesh | None) -> float:
    """Volume [m^3] of a shape of iron, without the hollow of a sphere."""
    assert shape.iron is not None
    volume = volume_moments(shape, mesh)[0]
    if isinstance(shape, shapes.Sphere) and shape.iron.thickness is not None:
        volume *= 1.0 - (1.0 - shape.iron.thickness / shape.radius) ** 3
    return volume


def surface_of(shape: shapes.ShapeBase, mesh: Mesh | None) -> Surface:
    """The surface [m] of a shape of iron in its own frame, with the volume of the shape."""
    assert shape.iron is not None
    volume = iron_volume(shape, mesh)
    if mesh is not None:
        assert isinstance(shape, shapes.MeshShape)
        return scaled_to(mesh_panels((mesh.vertices * shape.scale, mesh.faces), shape.iron.panels), volume)
    return scaled_to(SURFACES[type(shape)](shape, shape.iron.panels), volume)


@dataclass(frozen=True)
class KeptIron(KeptShape[tuple[np.ndarray, np.ndarray]]):
    """The matrices g and N (n, n) [1/m] of a surface [m]."""

    KIND: ClassVar[str] = "iron"

    def make(self, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Compute them."""
        vertices, faces = self.surface
        return matrices(Panels(vertices[faces]), progress)

    @staticmethod
    def packed(made: tuple[np.ndarray, np.ndarray]) -> bytes:
        """Content of the file of a surface."""
        return HEAD.pack(MARK, len(made[0])) + b"".join(array.astype("<f8").tobytes() for array in made)

    @staticmethod
    def unpacked(content: bytes) -> tuple[np.ndarray, np.ndarray] | None:
        """The matrices of a file, read-only; None for a content that is not one."""
        if len(content) < HEAD.size:
            return None
        mark, count = HEAD.unpack_from(content)
        if mark != MARK or count < 4 or len(content) != HEAD.size + 16 * count**2:
            return None
        both = np.frombuffer(content, "<f8", offset=HEAD.size).astype(float).reshape(2, count, count)
        both.flags.writeable = False
        return (both[0], both[1]) if np.isfinite(both).all() else None
