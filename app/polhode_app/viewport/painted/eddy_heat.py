"""Heat of eddy currents by colour: the power per volume j^2/sigma [W/m^3] on the surface of the metal.

The scale is that of the largest power so far: the heat of alternating currents is 0 twice in each period.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.color_scale import ColorScale
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.painted.metal_surfaces import Painted, drawn_metals
from polhode_app.viewport.painted.painted_surface import PaintedSurface, ScaledView

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LEAST = 1e-3  # [W/m^3] end of the scale at least


class EddyHeatView(ScaledView):
    """The metal of all bodies in the colours of its heating, with a colour bar."""

    fading = 0.4

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer, ColorScale(renderer, "W/m³", LEAST, signed=False, relaxed=0.0))
        self._heated: list[_Heated] = []

    def _made(self, stage: Stage) -> Iterator[PaintedSurface]:
        metals = [*drawn_metals(stage)]
        self._heated = [_Heated(of_body) for _, of_body in metals]
        for b, of_body in metals:
            yield PaintedSurface(b, of_body.points, of_body.faces)

    def _values(self, now: Snapshot) -> list[np.ndarray]:
        return [metal.heat(now.in_metal) for metal in self._heated]


class _Heated:
    """Power per volume at the points of painted metal, from the currents of its nodes."""

    def __init__(self, painted: Painted):
        self._painted = painted
        self._slope = slopes(painted.points, painted.faces) if painted.has_lines else None

    def heat(self, currents: np.ndarray) -> np.ndarray:
        """(p,) [W/m^3] for the currents (n,) [A] of all nodes; (0,) of too few, from before an edit."""
        values = self._painted.at_points(currents)
        if self._slope is None or not len(values):
            return np.asarray((values * self._painted.density) ** 2)
        along = (self._slope @ values).reshape(-1, 3)
        return np.asarray((along**2).sum(axis=1) * self._painted.density**2)


def slopes(points: np.ndarray, faces: np.ndarray) -> csr_array:
    """(3p, p) [1/m] gradients at points (p, 3) [m] of a function that is linear in each triangle (f, 3), means over the
    areas of the triangles; rows are x, y, z of the first point, then of the second.
    """
    from scipy.sparse import coo_array, csr_array  # noqa: PLC0415

    corners = points[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    double = np.linalg.norm(normals, axis=1)
    area = np.zeros(len(points))
    rows, columns, values = list[np.ndarray](), list[np.ndarray](), list[np.ndarray]()
    for k in range(3):
        np.add.at(area, faces[:, k], double)
        # The gradient of the function that is 1 at corner k, times twice the area.
        rise = np.cross(normals / double[:, None], corners[:, k - 1] - corners[:, k - 2])
        for at in range(3):
            for axis in range(3):
                rows.append(3 * faces[:, at] + axis)
                columns.append(faces[:, k])
                values.append(rise[:, axis])
    of = np.concatenate(rows), np.concatenate(columns)
    total = coo_array((np.concatenate(values), of), shape=(3 * len(points), len(points)))
    return csr_array(total.multiply(np.repeat(1.0 / area, 3)[:, None]))
