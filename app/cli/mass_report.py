"""Meshes and the bodies of scenes on the scales: what `polhode inertia` prints."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from core.mesh.mesh import Mesh, Meshes, guess_unit
from core.physics.bodies.mass_report import BodyReport, MeshReport, mesh_report, scene_report
from core.scene.message import Message
from core.scene.problem import InputError, Problem, printable
from core.scene.scene import Scene


def weigh(path: Path, scale: float, density: float | None, mass: float | None) -> tuple[MeshReport, list[str]]:
    """What a mesh weighs, and what its user should know. Raises InputError."""
    mesh = Meshes().mesh(path)
    warnings = list(mesh.notes)
    unit, size = guess_unit(mesh)
    if scale == 1.0 and size != 1.0:
        across = (mesh.box[1] - mesh.box[0]).max()
        warning = Message(
            "the mesh is {across:.6g} m across; if its unit is {unit}, add --scale {size:g}",
            across=across,
            unit=unit,
            size=size,
        )
        warnings.append(warning)
    return _report(path, mesh, scale, density, mass), warnings


def _report(path: Path, mesh: Mesh, scale: float, density: float | None, mass: float | None) -> MeshReport:
    """The report of a mesh. Raises InputError where the options take it out of the range of numbers."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            report = mesh_report(mesh, scale, density, mass)
        if np.isfinite([report.volume, report.mass, report.density, *report.inertia.flat]).all():
            return report
    except (ArithmeticError, np.linalg.LinAlgError):
        pass  # said below, as what is infinite is
    rule = Message("its volume, mass or inertia at --scale {scale:g} is beyond the range of numbers", scale=scale)
    raise InputError(str(path), [Problem("", rule, Message("give another --scale, --density or --mass"))])


def as_json(report: MeshReport, warnings: list[str]) -> str:
    """All numbers with all digits, SI; the rows of principal_axes are the axes."""
    return json.dumps(
        {
            "triangles": report.triangles,
            "size": report.size.tolist(),
            "volume": float(report.volume),
            "density": float(report.density),
            "mass": float(report.mass),
            "center": report.center.tolist(),
            "inertia": report.inertia.tolist(),
            "principal_moments": report.principal_moments.tolist(),
            "principal_axes": report.principal_axes.tolist(),
            "equivalent_ellipsoid": report.equivalent_ellipsoid.tolist(),
            "warnings": warnings,
        },
        indent=2,
    )


def as_text(path: Path, report: MeshReport, warnings: list[str]) -> str:
    lines = [
        f"{printable(str(path))}: {report.triangles} triangles",
        f"size               {_row(report.size)} m",
        f"volume             {report.volume:.9g} m^3",
        f"density            {report.density:.9g} kg/m^3",
        f"mass               {report.mass:.9g} kg",
        f"centre of mass     {_row(report.center)} m",
        "inertia about the centre of mass, in the axes of the file",
        *(f"                   {_row(row)} kg m^2" for row in report.inertia),
        *_principal(report),
    ]
    return "\n".join(lines + [f"warning: {warning}" for warning in warnings])


def weigh_bodies(scene: Scene) -> tuple[list[BodyReport], list[str]]:
    """What the bodies of a scene weigh, and which of their shapes overlap. Raises InputError."""
    reports = scene_report(scene, Meshes())
    warnings = [str(found.at(f"body[{b}]")) for b, report in enumerate(reports) for found in report.overlaps]
    return reports, warnings


def bodies_as_json(reports: list[BodyReport], warnings: list[str]) -> str:
    """All numbers with all digits, SI, in the frame of each body; the rows of principal_axes are the axes."""
    bodies = [
        {
            "name": report.name,
            "mass": float(report.mass),
            "center": report.center.tolist(),
            "inertia": report.inertia.tolist(),
            "inertia_about_origin": report.inertia_about_origin.tolist(),
            "principal_moments": report.principal_moments.tolist(),
            "principal_axes": report.principal_axes.tolist(),
            "equivalent_ellipsoid": report.equivalent_ellipsoid.tolist(),
            "shapes": [
                {
                    "kind": shape.kind,
                    "mass": float(shape.mass),
                    "center": shape.center.tolist(),
                    "inertia": shape.inertia.tolist(),
                    "shift": shape.shift.tolist(),
                }
                for shape in report.shapes
            ],
        }
        for report in reports
    ]
    return json.dumps({"bodies": bodies, "warnings": warnings}, indent=2)


def bodies_as_text(reports: list[BodyReport], warnings: list[str]) -> str:
    """A paragraph for each body; its tensor is the sum of what its shapes add."""
    paragraphs = ["\n".join(_body(report)) for report in reports]
    return "\n".join(["\n\n".join(paragraphs), *(f"warning: {warning}" for warning in warnings)])


def _body(report: BodyReport) -> list[str]:
    lines = [
        f"{report.name}: {len(report.shapes)} {'shape' if len(report.shapes) == 1 else 'shapes'}",
        f"mass               {report.mass:.9g} kg",
        f"centre of mass     {_row(report.center)} m",
        "inertia about the centre of mass, in the axes of the body",
        *(f"                   {_row(row)} kg m^2" for row in report.inertia),
        "inertia about the body's origin",
        *(f"                   {_row(row)} kg m^2" for row in report.inertia_about_origin),
        *_principal(report),
    ]
    for index, shape in enumerate(report.shapes):
        lines += [
            f"shape[{index}], {shape.kind}: {shape.mass:.9g} kg at {_row(shape.center)} m",
            "  adds its own inertia, and by its shift from the body's centre of mass",
            *(
                f"                   {_row(own)}   {_row(shift)} kg m^2"
                for own, shift in zip(shape.inertia, shape.shift, strict=True)
            ),
        ]
    return lines


def _principal(report: MeshReport | BodyReport) -> list[str]:
    rows = zip(report.principal_moments, report.principal_axes, report.equivalent_ellipsoid, strict=True)
    return [
        "principal moments and axes, and semi-axes of the equivalent ellipsoid",
        *(f"                   {moment: .9e} kg m^2   {_row(axis)}   {half:.6g} m" for moment, axis, half in rows),
    ]


def _row(numbers: np.ndarray) -> str:
    return " ".join(f"{number: .9e}" for number in numbers)
