"""Mesh files on the scales: what `polhode inertia` prints."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from core.inertia import MeshReport, mesh_report
from core.mesh import Mesh, Meshes, guess_unit
from core.problem import InputError, Problem


def weigh(path: Path, scale: float, density: float | None, mass: float | None) -> tuple[MeshReport, list[str]]:
    """What a mesh weighs, and what its user should know. Raises InputError."""
    mesh = Meshes().mesh(path)
    warnings = list(mesh.notes)
    unit, size = guess_unit(mesh)
    if scale == 1.0 and size != 1.0:
        across = (mesh.box[1] - mesh.box[0]).max()
        warnings.append(f"the mesh is {across:.6g} m across; if its unit is {unit}, add --scale {size:g}")
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
    rule = f"its volume, mass or inertia at --scale {scale:g} is beyond the range of numbers"
    raise InputError(str(path), [Problem("", rule, "give another --scale, --density or --mass")])


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
            "warnings": warnings,
        },
        indent=2,
    )


def as_text(path: Path, report: MeshReport, warnings: list[str]) -> str:
    lines = [
        f"{path}: {report.triangles} triangles",
        f"size               {_row(report.size)} m",
        f"volume             {report.volume:.9g} m^3",
        f"density            {report.density:.9g} kg/m^3",
        f"mass               {report.mass:.9g} kg",
        f"centre of mass     {_row(report.center)} m",
        "inertia about the centre of mass, in the axes of the file",
        *(f"                   {_row(row)} kg m^2" for row in report.inertia),
        "principal moments and axes",
        *(
            f"                   {moment: .9e} kg m^2   {_row(axis)}"
            for moment, axis in zip(report.principal_moments, report.principal_axes, strict=True)
        ),
    ]
    return "\n".join(lines + [f"warning: {warning}" for warning in warnings])


def _row(numbers: np.ndarray) -> str:
    return " ".join(f"{number: .9e}" for number in numbers)
