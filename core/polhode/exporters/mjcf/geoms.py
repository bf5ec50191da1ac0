"""Shapes of bodies as geoms. Forms that MJCF lacks, and meshes, are files beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from polhode.exporters.mjcf.numbers import add, position_or_none, quaternion
from polhode.mesh.mesh import Mesh, Meshes
from polhode.physics.bodies import shapes
from polhode.scene.display.colors import opacity, rgb
from polhode.scene.scene import Scene

PLACED = ("kind", "position", "orientation", "mass", "density", "color", "presses")
STATED = ("stretch", "vertices", "faces")
WRITTEN: dict[type, tuple[str, ...]] = {
    shapes.Sphere: (*PLACED, "radius"),
    shapes.Cylinder: (*PLACED, "radius", "length"),
    shapes.Tube: (*PLACED, "radius", "inner_radius", "length"),
    shapes.Capsule: (*PLACED, "radius", "length"),
    shapes.Cone: (*PLACED, "radius", "length"),
    shapes.Ellipsoid: (*PLACED, "semi_axes"),
    shapes.Cuboid: (*PLACED, "size"),
    shapes.Torus: (*PLACED, "radius", "tube_radius"),
    shapes.Rod: (*PLACED, "length"),
    shapes.Point: PLACED,
    shapes.MeshShape: (*PLACED, "file", "scale", "unit", "up", "repair", "part", "convex_hull", *STATED),
}
AROUND, TUBE = 48, 24  # corners of circles
THIN = 0.005  # radius of a rod in parts of its length
DOT = 0.005  # [m] radius of a point

Form = tuple[str, list[float]]  # type and size of a geom
_FORMS: dict[type, Callable[[Any], Form]] = {
    shapes.Sphere: lambda shape: ("sphere", [shape.radius]),
    shapes.Cylinder: lambda shape: ("cylinder", [shape.radius, shape.length / 2]),
    shapes.Capsule: lambda shape: ("capsule", [shape.radius, shape.length / 2]),
    shapes.Ellipsoid: lambda shape: ("ellipsoid", list(shape.semi_axes)),
    shapes.Cuboid: lambda shape: ("box", [edge / 2 for edge in shape.size]),
    shapes.Rod: lambda shape: ("capsule", [THIN * shape.length, shape.length / 2]),
    shapes.Point: lambda _shape: ("sphere", [DOT]),
}
WITHOUT_SIZE = (shapes.Rod, shapes.Point)
"""Shapes that nothing touches."""


class MeshFiles:
    """Files of meshes beside one document, each written once."""

    def __init__(self, scene: Scene, meshes: Meshes, stem: str, asset: Element):
        self._scene, self._meshes, self._stem, self._asset = scene, meshes, stem, asset
        self._names: dict[object, str] = {}
        self.contents: dict[str, bytes] = {}
        """By the names of files."""

    def name_of(self, shape: shapes.MeshShape | shapes.Cone | shapes.Torus | shapes.Tube) -> str:
        """The name of the asset with the form of a shape. Raises InputError for a mesh that can't be read."""
        form = shape.model_dump(include=set(WRITTEN[type(shape)]) - set(PLACED))
        key = (shape.kind, *(f"{name}={value}" for name, value in form.items()))
        if key not in self._names:
            name = self._names[key] = f"{self._stem}-mesh{len(self._names)}"
            self.contents[f"{name}.obj"] = _obj(_mesh_of(shape, self._scene, self._meshes))
            add(self._asset, "mesh", name=name, file=f"{name}.obj")
        return self._names[key]


def add_geom(parent: Element, shape: Any, files: MeshFiles, contact: dict[str, Any]) -> None:
    """Add the geom of a shape; `contact` are its attributes where it has a size."""
    attributes: dict[str, Any] = {}
    if type(shape) in _FORMS:
        attributes["type"], attributes["size"] = _FORMS[type(shape)](shape)
    else:
        attributes |= {"type": "mesh", "mesh": files.name_of(shape)}
    is_touched = shape.presses and not isinstance(shape, WITHOUT_SIZE)
    touches = contact if is_touched else {"contype": "0", "conaffinity": "0"}
    color = None if shape.color is None else (*rgb(shape.color), opacity(shape.color))
    place = position_or_none(np.array(shape.position))
    add(parent, "geom", **attributes, pos=place, quat=quaternion(shape.orientation.matrix()), rgba=color, **touches)


def _mesh_of(shape: Any, scene: Scene, meshes: Meshes) -> Mesh:
    if isinstance(shape, shapes.MeshShape):
        return meshes.of(shape, scene.folder).scaled(shape.scale)
    turns = 2 * np.pi * np.arange(AROUND) / AROUND
    if isinstance(shape, shapes.Cone):
        rim = np.stack(
            [shape.radius * np.cos(turns), shape.radius * np.sin(turns), np.full(AROUND, -shape.length / 4)], 1
        )
        vertices = np.vstack([rim, [[0, 0, -shape.length / 4], [0, 0, 3 * shape.length / 4]]])
        here, after = np.arange(AROUND), (np.arange(AROUND) + 1) % AROUND
        base = np.stack([after, here, np.full(AROUND, AROUND)], 1)
        side = np.stack([here, after, np.full(AROUND, AROUND + 1)], 1)
        return Mesh(vertices, np.vstack([base, side]))
    if isinstance(shape, shapes.Tube):
        inner, outer, half = shape.inner_radius, shape.radius, shape.length / 2
        profile = np.array([(inner, -half), (outer, -half), (outer, half), (inner, half)])
    else:
        across = 2 * np.pi * np.arange(TUBE) / TUBE
        profile = np.stack([shape.radius + shape.tube_radius * np.cos(across), shape.tube_radius * np.sin(across)], 1)
    return _ring(profile, turns)


def _ring(profile: np.ndarray, turns: np.ndarray) -> Mesh:
    """A profile (n, 2) of distances from z and heights, counterclockwise, turned by all angles `turns` (m,) [rad]."""
    count = len(profile)
    x, y = profile[:, 0] * np.cos(turns)[:, None], profile[:, 0] * np.sin(turns)[:, None]
    z = np.broadcast_to(profile[:, 1], x.shape)
    first, second = np.meshgrid(np.arange(AROUND), np.arange(count), indexing="ij")
    a, b = first * count + second, (first + 1) % AROUND * count + second
    c, d = (first + 1) % AROUND * count + (second + 1) % count, first * count + (second + 1) % count
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return Mesh(np.stack([x, y, z], -1).reshape(-1, 3), faces)


def _obj(mesh: Mesh) -> bytes:
    """The text of an OBJ file, with all digits."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.faces.tolist()]
    return "\n".join([*lines, ""]).encode()
