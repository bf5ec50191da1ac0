"""Mass properties of a mesh beside those that trimesh finds by its own formulas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.mesh.mesh import Mesh
from polhode.physics.bodies.mass.mass_report import MeshReport


@dataclass(frozen=True)
class MassComparison:
    """One quantity, SI units, frame of the mesh."""

    name: str
    unit: str
    ours: float
    theirs: float

    @property
    def difference(self) -> float:
        """Result of this program minus that of trimesh."""
        return self.ours - self.theirs


def compare(mesh: Mesh, scale: float, report: MeshReport) -> tuple[MassComparison, ...]:
    """Volume, mass, centre of mass and inertia about it, of a closed mesh, as in its report and by trimesh.

    scale: [m] unit of the mesh, as in `mesh_report`
    """
    other = mesh.scaled(scale).to_trimesh()
    other.density = report.density
    axes = "xyz"
    found = other.mass_properties
    return (
        MassComparison("volume", "m^3", float(report.volume), float(found.volume)),
        MassComparison("mass", "kg", float(report.mass), float(found.mass)),
        *(
            MassComparison(f"center.{axis}", "m", float(ours), float(theirs))
            for axis, ours, theirs in zip(axes, report.center, found.center_mass, strict=True)
        ),
        *(
            MassComparison(f"inertia.{axes[i]}{axes[k]}", "kg m^2", float(report.inertia[i, k]), float(theirs[i, k]))
            for theirs in (np.asarray(found.inertia),)
            for i, k in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
        ),
    )
