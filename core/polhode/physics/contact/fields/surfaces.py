"""Closed triangle meshes of the shapes that bodies are made of, in their own frames."""

from __future__ import annotations

from itertools import product
from math import pi

import numpy as np

from polhode.mesh.mesh import Meshes, convex_hull
from polhode.physics.bodies import shapes
from polhode.physics.contact.solids.compile import Law, parts_of
from polhode.scene.scene import Scene

SECTIONS = 96  # around an axis: facets lie below the surface by 0.05 % of the radius
Surface = tuple[np.ndarray, np.ndarray]  # vertices (v, 3) [m] and faces (t, 3), outwards


def revolved(radii: np.ndarray, heights: np.ndarray, is_closed: bool = False) -> Surface:
    """The surface of revolution about z of a curve, counterclockwise as seen with r to the right and z up; (n,) each.

    It begins and ends on the axis, or is closed.
    """
    angles = 2 * pi * np.arange(SECTIONS) / SECTIONS
    count = len(radii)
    vertices = np.empty((count, SECTIONS, 3))
    vertices[:, :, 0], vertices[:, :, 1] = np.outer(radii, np.cos(angles)), np.outer(radii, np.sin(angles))
    vertices[:, :, 2] = heights[:, None]
    number = np.arange(count * SECTIONS).reshape(count, SECTIONS)
    if not is_closed:
        number[0], number[-1] = number[0, 0], number[-1, 0]  # all the same point
    below, above = (number, np.roll(number, -1, axis=0)) if is_closed else (number[:-1], number[1:])
    a, b, c, d = below, np.roll(below, -1, axis=1), np.roll(above, -1, axis=1), above
    faces = np.concatenate([np.stack([a, b, c], axis=-1).reshape(-1, 3), np.stack([a, c, d], axis=-1).reshape(-1, 3)])
    kept = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    used, faces = np.unique(faces[kept], return_inverse=True)
    return vertices.reshape(-1, 3)[used], faces.reshape(-1, 3)


def _arc(begin: float, end: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines (n,) of angles from `begin` to `end` [rad]."""
    angles = np.linspace(begin, end, count)
    return np.cos(angles), np.sin(angles)


def _ellipsoid(semi_axes: tuple[float, float, float]) -> Surface:
    cosines, sines = _arc(-pi / 2, pi / 2, SECTIONS // 2 + 1)
    vertices, faces = revolved(np.abs(cosines), sines)
    return vertices * semi_axes, faces


def _cuboid(size: tuple[float, float, float]) -> Surface:
    corners = np.array([*product((-0.5, 0.5), repeat=3)]) * size
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
    faces += [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    return corners, np.array(faces)


def _capsule(radius: float, length: float) -> Surface:
    cosines, sines = _arc(-pi / 2, pi / 2, SECTIONS // 2 + 2)
    half = len(sines) // 2
    lift = np.where(np.arange(len(sines)) < half, -length / 2, length / 2)
    return revolved(radius * np.abs(cosines), radius * sines + lift)


def surfaces_of(shape: shapes.ShapeBase, law: Law, scene: Scene, meshes: Meshes, detail: int) -> list[Surface]:
    """The surfaces with which a shape presses by a law: of convex solids one for each of them, in the same order.

    Raises InputError for a mesh that can't be read.
    """
    if isinstance(shape, shapes.MeshShape) and law == "parts":
        return list(parts_of(shape, scene, meshes, detail).made())
    surface = _surface_of(shape, scene, meshes, law == "solid")
    return [] if surface is None else [surface]


def _surface_of(shape: shapes.ShapeBase, scene: Scene, meshes: Meshes, is_hull: bool) -> Surface | None:
    """The surface of a shape, of a mesh its convex hull if `is_hull`; None of spheres and points."""
    match shape:
        case shapes.Cuboid(size=size):
            return _cuboid(size)
        case shapes.Cylinder(radius=radius, length=length):
            return revolved(np.array([0, radius, radius, 0]), np.array([-length, -length, length, length]) / 2)
        case shapes.Tube(radius=radius, inner_radius=inner, length=length):
            profile = np.array([inner, radius, radius, inner]), np.array([-length, -length, length, length]) / 2
            return revolved(*profile, is_closed=True)
        case shapes.Capsule(radius=radius, length=length):
            return _capsule(radius, length)
        case shapes.Rod(radius=radius, length=length):
            return _capsule(radius, length - 2 * radius)
        case shapes.Cone(radius=radius, length=length):
            return revolved(np.array([0.0, radius, 0.0]), np.array([-0.25, -0.25, 0.75]) * length)
        case shapes.Ellipsoid(semi_axes=semi_axes):
            return _ellipsoid(semi_axes)
        case shapes.Torus(radius=radius, tube_radius=tube_radius):
            cosines, sines = _arc(0.0, 2 * pi, SECTIONS // 2 + 1)
            return revolved(radius + tube_radius * cosines[:-1], tube_radius * sines[:-1], is_closed=True)
        case shapes.MeshShape():
            mesh = meshes.of(shape, scene.folder)
            mesh = convex_hull(mesh, shape.file) if is_hull else mesh
            return mesh.vertices * shape.scale, mesh.faces
    return None
