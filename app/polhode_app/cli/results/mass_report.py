"""Mass properties of meshes and of the bodies of scenes: the output of `polhode inertia`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from polhode.mesh.mesh import Mesh, Meshes, Request, guess_unit
from polhode.physics.bodies.mass.comparison import MassComparison, compare
from polhode.physics.bodies.mass.mass_report import BodyReport, MeshReport, finite_report, scene_report
from polhode.scene.message import Message, printable
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode_app.cli.options.mesh_options import MeshOptions


def weigh(path: Path, options: MeshOptions) -> tuple[MeshReport, list[str], tuple[MassComparison, ...]]:
    """Mass properties of a mesh, warnings for the user, and the comparison with trimesh unless --no-compare is given.

    Raises InputError if the mesh cannot be read or has no volume.
    """
    mesh, scale = Meshes().requested(Request(path, options.unit, options.up, options.repair)), options.scale
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
    elif (question := mesh.size_question(scale)) is not None:
        warnings.append(Message("{question}; --unit states another unit", question=question))
    report = _report(path, mesh, scale, options.density, options.mass)
    return report, warnings, () if options.compare is False else compare(mesh, scale, report)


def _report(path: Path, mesh: Mesh, scale: float, density: float | None, mass: float | None) -> MeshReport:
    """The report of a mesh. Raises InputError if the options lead to overflow."""
    report = finite_report(mesh, scale, density, mass)
    if report is not None:
        return report
    rule = Message("its volume, mass or inertia at --scale {scale:g} is beyond the range of numbers", scale=scale)
    raise InputError(str(path), [Problem("", rule, Message("give another --scale, --density or --mass"))])


PRINCIPAL = ("principal_moments", "principal_axes", "equivalent_ellipsoid")


def _numbers(report: object, *names: str) -> dict[str, Any]:
    """Numbers and arrays of a report by name, for JSON."""
    return {name: np.asarray(getattr(report, name)).tolist() for name in names}


def as_json(report: MeshReport, warnings: list[str], compared: tuple[MassComparison, ...]) -> str:
    """The report as JSON with full precision, in SI units; the rows of principal_axes are the axes."""
    comparison = {
        row.name: {"unit": row.unit, "polhode": row.ours, "trimesh": row.theirs, "difference": row.difference}
        for row in compared
    }
    return json.dumps(
        {
            "triangles": report.triangles,
            **_numbers(report, "size", "volume", "density", "mass", "center", "inertia", *PRINCIPAL),
            "warnings": warnings,
        }
        | ({"comparison": comparison} if compared else {}),
        indent=2,
    )


def as_text(path: Path, report: MeshReport, warnings: list[str], compared: tuple[MassComparison, ...]) -> str:
    """The report as text with nine digits; lengths in the axes and from the origin of the mesh file."""
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
        *_comparison(compared),
    ]
    return "\n".join(lines + [f"warning: {warning}" for warning in warnings])


def _comparison(compared: tuple[MassComparison, ...]) -> list[str]:
    """A table of the results beside those of trimesh, one quantity a line; no line without a comparison."""
    if not compared:
        return []
    heads = f"{'compared with trimesh':<24}{'polhode':>18}{'trimesh':>18}{'difference':>13}"
    rows = (
        f"{row.name + ' ' + row.unit:<24}{row.ours:>18.9e}{row.theirs:>18.9e}{row.difference:>13.2e}"
        for row in compared
    )
    return [heads, *rows]


def weigh_bodies(scene: Scene) -> tuple[list[BodyReport], list[str]]:
    """Mass properties of the bodies of a scene, and warnings about shapes that overlap. Raises InputError."""
    reports = scene_report(scene, Meshes())
    warnings = [str(found.at(f"body[{b}]")) for b, report in enumerate(reports) for found in report.overlaps]
    return reports, warnings


def bodies_as_json(reports: list[BodyReport], warnings: list[str]) -> str:
    """The reports as JSON with full precision, in SI units and in the body frame.

    The rows of principal_axes are the axes.
    """
    bodies = [
        {
            "name": report.name,
            **_numbers(report, "mass", "center", "inertia", "inertia_about_origin", *PRINCIPAL),
            "shapes": [
                {
                    "kind": shape.kind,
                    **_numbers(shape, "mass", "center", "inertia", "shift", "inertia_about_origin"),
                }
                for shape in report.shapes
            ],
        }
        for report in reports
    ]
    return json.dumps({"bodies": bodies, "warnings": warnings}, indent=2)


def bodies_as_text(reports: list[BodyReport], warnings: list[str]) -> str:
    """The reports as text, a paragraph for each body; contributions of the shapes add up to the tensor of the body."""
    paragraphs = ["\n".join(_body(report)) for report in reports]
    return "\n".join(["\n\n".join(paragraphs), *(f"warning: {warning}" for warning in warnings)])


def _body(report: BodyReport) -> list[str]:
    """Lines about one body: its totals, its principal axes, and the contribution of each shape."""
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
            "  adds to the inertia about the centre of mass its own, and that of its shift from there",
            *(
                f"                   {_row(own)}   {_row(shift)} kg m^2"
                for own, shift in zip(shape.inertia, shape.shift, strict=True)
            ),
            "  adds to the inertia about the body's origin",
            *(f"                   {_row(row)} kg m^2" for row in shape.inertia_about_origin),
        ]
    return lines


def _principal(report: MeshReport | BodyReport) -> list[str]:
    """A line for each principal moment [kg m^2], with its axis and the semi-axis [m] of the equivalent ellipsoid."""
    rows = zip(report.principal_moments, report.principal_axes, report.equivalent_ellipsoid, strict=True)
    return [
        "principal moments and axes, and semi-axes of the equivalent ellipsoid",
        *(f"                   {moment: .9e} kg m^2   {_row(axis)}   {half:.6g} m" for moment, axis, half in rows),
    ]


def _row(numbers: np.ndarray) -> str:
    """Components (3,) with ten significant digits, separated by spaces."""
    return " ".join(f"{number: .9e}" for number in numbers)
