"""A mesh of the size that the mesh benchmarks use."""

from __future__ import annotations

import numpy as np
import trimesh


def wavy_sphere() -> trimesh.Trimesh:
    """1 310 720 triangles: a sphere with waves, so that no two vertices are alike by symmetry."""
    mesh = trimesh.creation.icosphere(subdivisions=8)
    waves = 1 + 0.05 * np.sin(9 * mesh.vertices[:, 0]) * np.cos(7 * mesh.vertices[:, 1] + mesh.vertices[:, 2])
    return trimesh.Trimesh(mesh.vertices * waves[:, None], mesh.faces, process=False)
