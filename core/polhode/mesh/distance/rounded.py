"""The rounded solid of a mesh, which presses as it looks: its field, and sample points below its surface.

The core is what remains of the mesh at a depth r below its surface; the solid is all within r of the core. Faces stay
where they are, convex edges and corners are rounded by r, and reentrant ones stay sharp. Since the distance from the
core has no kink at the surface of the solid, its spline is accurate there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from polhode.mesh.distance.field import CELLS, NO_VALUES, DistanceField, Progress, distance_field
from polhode.mesh.distance.level_surface import level_surface
from polhode.mesh.distance.samples import Samples, samples_of

SPACING = 1.0  # of sample points, in cells


@dataclass(frozen=True, eq=False)
class RoundedSolid:
    """The field of a rounded solid, and points of its core; lengths in the unit of the mesh."""

    field: DistanceField
    samples: Samples


def rounded_solid(
    vertices: np.ndarray,
    faces: np.ndarray,
    rounding: float,
    cells: int = CELLS,
    reach: float = 0.0,
    progress: Progress = lambda part: None,
) -> RoundedSolid:
    """The rounded solid of a closed mesh with outward faces: vertices (v, 3), faces (t, 3) int.

    rounding: r, made smaller where a wall is too thin for it
    cells, reach, progress: as of `distance_field`
    """
    sharp = distance_field(vertices, faces, cells, progress=lambda part: progress(part / 2))
    samples = samples_of(vertices, faces, sharp, SPACING * sharp.cell, rounding)
    core = level_surface(sharp, sharp.values, samples.rounding)
    field = distance_field(
        *core, cells, reach + samples.rounding, samples.rounding, lambda part: progress((1 + part) / 2)
    )
    return RoundedSolid(replace(field, values=NO_VALUES), samples)
