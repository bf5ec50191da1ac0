"""Mass properties of bodies and meshes, part by part, for display. Nothing of a step depends on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.mesh.mesh import Mesh, Meshes
from polhode.mesh.volume_integrals import enclosed
from polhode.physics.bodies.geometry.equivalent_ellipsoid import equivalent_ellipsoid
from polhode.physics.bodies.geometry.overlap import overlaps
from polhode.physics.bodies.mass.mass_properties import (
    MassProperties,
    body_properties,
    mesh_properties,
    parts_of,
    steiner,
)
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Body, Scene

WATER = 1000.0  # [kg/m^3]


@dataclass(frozen=True, eq=False)
class MeshReport:
    """Mass properties of a mesh file, SI units, in the frame of the file."""

    triangles: int
    size: np.ndarray  # (3,) [m] of the bounding box
    volume: float  # [m^3]
    mass: float  # [kg]
    density: float  # [kg/m^3]
    center: np.ndarray  # (3,) [m] of mass
    inertia: np.ndarray  # (3, 3) [kg m^2] about the centre of mass
    principal_moments: np.ndarray  # (3,) [kg m^2], smallest first
    principal_axes: np.ndarray  # (3, 3), one axis per row
    equivalent_ellipsoid: np.ndarray  # (3,) [m] semi-axes along them
    notes: tuple[Message, ...]  # repairs

    def __repr__(self) -> str:
        return f"MeshReport: {self.mass:.6g} kg, {self.volume:.6g} m^3, {self.triangles} triangles"


@dataclass(frozen=True, eq=False)
class ShapeReport:
    """One shape in the frame of its body.

    The tensor of the body about its centre of mass is the sum of inertia and shift over all shapes, that about its
    origin the sum of inertia_about_origin (PEM figure 4.1 b).
    """

    kind: str
    mass: float  # [kg]
    center: np.ndarray  # (3,) [m] of mass
    inertia: np.ndarray  # (3, 3) [kg m^2] about its own centre of mass
    shift: np.ndarray  # (3, 3) [kg m^2] M (s^2 1 - ss), s from the body's centre of mass to its own
    inertia_about_origin: np.ndarray  # (3, 3) [kg m^2] about the body's origin


@dataclass(frozen=True, eq=False)
class BodyReport:
    """A body in its own frame."""

    name: str
    mass: float  # [kg]
    center: np.ndarray  # (3,) [m] of mass
    inertia: np.ndarray  # (3, 3) [kg m^2] about the centre of mass
    inertia_about_origin: np.ndarray  # (3, 3) [kg m^2] where a pivot or an axle holds it
    principal_moments: np.ndarray  # (3,) [kg m^2], smallest first
    principal_axes: np.ndarray  # (3, 3), one axis per row
    equivalent_ellipsoid: np.ndarray  # (3,) [m] semi-axes along them, about the centre of mass
    shapes: tuple[ShapeReport, ...]
    overlaps: tuple[Problem, ...]  # shapes that share space; field paths from the body


def mesh_report(mesh: Mesh, scale: float = 1.0, density: float | None = None, mass: float | None = None) -> MeshReport:
    """Report of a closed mesh in its own frame.

    scale: [m] unit of the file.
    density: [kg/m^3], or mass: [kg]; water if neither is given.
    """
    if density is None and mass is None:
        density = WATER
    whole = mesh_properties(mesh, scale, density, mass)
    volume = enclosed(mesh.vertices, mesh.faces)[0] * scale**3
    moments, axes = whole.principal()
    return MeshReport(
        triangles=len(mesh.faces),
        size=(mesh.box[1] - mesh.box[0]) * scale,
        volume=volume,
        mass=whole.mass,
        density=whole.mass / volume,
        center=whole.center,
        inertia=whole.inertia,
        principal_moments=moments,
        principal_axes=axes.T,
        equivalent_ellipsoid=equivalent_ellipsoid(whole.mass, moments),
        notes=mesh.notes,
    )


def finite_report(mesh: Mesh, scale: float, density: float | None, mass: float | None) -> MeshReport | None:
    """`mesh_report`, or None where its numbers leave the range of float64."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            report = mesh_report(mesh, scale, density, mass)
    except (ArithmeticError, np.linalg.LinAlgError):
        return None
    is_finite = np.isfinite([report.volume, report.mass, report.density, *report.inertia.flat]).all()
    return report if is_finite else None


def body_report(scene: Scene, body: Body, meshes: Meshes) -> BodyReport:
    """Report of a body of a scene. Raises InputError with field paths such as shape[0].file."""
    whole = body_properties(scene, body, meshes)
    moments, axes = whole.principal()
    parts = parts_of(scene, body, meshes)
    return BodyReport(
        name=body.name,
        mass=whole.mass,
        center=whole.center,
        inertia=whole.inertia,
        inertia_about_origin=whole.about(np.zeros(3)),
        principal_moments=moments,
        principal_axes=axes.T,
        equivalent_ellipsoid=equivalent_ellipsoid(whole.mass, moments),
        shapes=tuple(_shape(s.kind, part, whole.center) for s, part in zip(body.shape, parts, strict=True)),
        overlaps=tuple(overlap.problem(body) for overlap in overlaps(scene, body, meshes)),
    )


def _shape(kind: str, part: MassProperties, center: np.ndarray) -> ShapeReport:
    """Report of one shape, given its mass properties in the body frame and the body's centre of mass (3,) [m]."""
    return ShapeReport(
        kind=kind,
        mass=part.mass,
        center=part.center,
        inertia=part.inertia,
        shift=part.mass * steiner(part.center - center),
        inertia_about_origin=part.about(np.zeros(3)),
    )


def scene_report(scene: Scene, meshes: Meshes) -> list[BodyReport]:
    """Reports of all bodies. Raises InputError with the problems of all of them."""
    reports, problems = [], []
    for b, body in enumerate(scene.bodies):
        try:
            reports.append(body_report(scene, body, meshes))
        except InputError as error:
            problems += [problem.at(scene.place_of(b)) for problem in error.problems]
    if problems:
        raise InputError(scene.title or "scene", problems)
    return reports
