"""Mass properties of meshes that are not part of a scene."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from polhode.mesh.mesh import Mesh, Request, check_mesh
from polhode.physics.bodies.mass.mass_report import WATER, MeshReport, finite_report
from polhode.scene.checks.arguments import PositiveNumber, check_array, checked
from polhode.scene.checks.validation_messages import shown
from polhode.scene.message import Message
from polhode.scene.problem import InputError

NAME = "mesh"  # of a mesh without a file, in messages


@checked
def mass_properties(
    mesh: object,
    density: PositiveNumber = WATER,
    mass: PositiveNumber | None = None,
    scale: PositiveNumber = 1.0,
) -> MeshReport:
    """Volume, mass, centre of mass and inertia tensor of a uniform solid, by surface integrals over its triangles.

        from polhode import mass_properties

        ring = mass_properties("meshes/torus_knot.stl", density=7800.0)
        print(ring.mass, ring.center, ring.inertia)  # kg, (3,) m, (3, 3) kg m^2 about the centre of mass

    mesh: a file, a `trimesh.Trimesh`, or vertices (n, 3) and faces (m, 3), counterclockwise seen from outside
    density: [kg/m^3], by default that of water, or mass: [kg] in its place
    scale: [m] unit of the mesh

    The triangles must be the closed surface of a solid; what is safe to repair is repaired, and named in `notes`.
    Raises InputError for other meshes, and for results beyond the range of numbers. (PEM eqs. 3.13 to 3.15)
    """
    try:
        report = finite_report(_solid(mesh), scale, None if mass is not None else density, mass)
    except ArithmeticError:
        report = None
    if report is None:
        rule = Message("its volume, mass or inertia is beyond the range of numbers")
        raise InputError.of("mass_properties", rule, Message("give another scale, density or mass"), "mesh")
    return report


def _solid(mesh: object) -> Mesh:
    """The mesh as the closed surface of a solid. Raises InputError."""
    if isinstance(mesh, Path | str):
        return Request(Path(mesh)).read()
    if isinstance(mesh, tuple | list) and len(mesh) == 2:
        given = _of_arrays(*mesh)
    elif hasattr(mesh, "vertices") and hasattr(mesh, "faces") and hasattr(mesh, "units"):
        given = _of_trimesh(mesh)
    else:
        rule = Message("must be a file, a trimesh.Trimesh, or vertices and faces, but is {value}", value=shown(mesh))
        raise InputError.of("mass_properties", rule, Message("see help(polhode.mass_properties)"), "mesh")
    solid, problems = check_mesh(given, NAME)
    if problems:
        raise InputError("mass_properties", [problem.at("mesh") for problem in problems])
    return solid


def _of_trimesh(mesh: Any) -> Mesh:
    """The mesh of a `trimesh.Trimesh` in its unit, if it states one. Raises InputError."""
    try:
        return replace(Mesh.from_trimesh(mesh), faces=_of_arrays(mesh.vertices, mesh.faces).faces)
    except ValueError:
        rule = Message("has the unit {unit}, whose length is unknown", unit=shown(mesh.units))
        raise InputError.of("mass_properties", rule, Message("give a scale in its place"), "mesh") from None


def _of_arrays(vertices: object, faces: object) -> Mesh:
    """A mesh of vertices (n, 3) and faces (m, 3). Raises InputError."""
    try:
        points, corners = np.array(vertices), np.array(faces)
        if points.dtype.kind not in "fiu":
            raise TypeError
    except (TypeError, ValueError):
        rule = Message("has no numbers as vertices and faces")
        raise InputError.of("mass_properties", rule, Message("give arrays (n, 3) and (m, 3)"), "mesh") from None
    check_array("mass_properties", "mesh[0]", points, (-1, 3))
    check_array("mass_properties", "mesh[1]", corners, (-1, 3))
    if corners.dtype.kind not in "iu" or not len(corners) or not 0 <= corners.min() <= corners.max() < len(points):
        rule = Message("has faces that are no indices of its {count} vertices", count=len(points))
        raise InputError.of("mass_properties", rule, Message("count vertices from 0"), "mesh[1]")
    return Mesh(points, corners)
