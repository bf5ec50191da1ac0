"""Magnetic field at soft iron by colour: the normal component of B on its surface, orange where lines leave it.

B.n is continuous at a surface. Inside it is mu0 (H + M).n with H = M/chi, and M.n is the charge per area.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.color_scale import ColorScale
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.painted.painted_surface import PaintedSurface, ScaledView

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene  # imports numba, which the first frame does not wait for
    from polhode.physics.iron.arrays import Iron

LEAST = 1e-6  # [T] end of the scale at least
SAME = 1e-6  # distance of corners that are one, in sizes of the body
EVEN = 0.8  # cosine between normals of panels of one smooth surface at least
ABOVE = 0.01  # distance of the paint from the iron, in sizes of the body


class IronFieldView(ScaledView):
    """The surfaces of all iron with panels in the colours of B.n, with a colour bar."""

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer, ColorScale(renderer, "T", LEAST, signed=True, relaxed=0.0))
        self._compiled: CompiledScene | None = None
        self._drawn: list[_Panels] = []

    def _made(self, stage: Stage) -> Iterator[PaintedSurface]:
        assert stage.compiled is not None
        compiled = stage.compiled
        iron, origin = compiled.model.iron, compiled.model.bodies.origin
        self._compiled, self._drawn = compiled, []
        for k, b in enumerate(iron.body.tolist()):
            shapes = range(iron.first_shape[k], iron.first_shape[k + 1])
            if b in stage.unseen or not iron.susceptibility[shapes].any():  # no magnetisation, and no charges
                continue
            if not iron.edge[iron.first[k] : iron.first[k + 1]].any():  # dipoles
                continue
            panels = _Panels(iron, k, origin[b])
            self._drawn.append(panels)
            yield PaintedSurface(b, panels.points, np.arange(len(panels.points)).reshape(-1, 3), panels.normals)

    def _values(self, now: Snapshot) -> list[np.ndarray]:
        return [self._normal_field(now, panels) for panels in self._drawn]

    def _normal_field(self, now: Snapshot, panels: _Panels) -> np.ndarray:
        """(p,) [T] at the points of the panels of a body."""
        assert self._compiled is not None
        model, k = self._compiled.model, panels.iron
        iron = model.iron
        if len(now.charges) != len(iron.edge):
            return np.zeros(0)
        density = now.charges.copy()
        for j in range(iron.first_shape[k], iron.first_shape[k + 1]):
            chi = iron.susceptibility[j]
            if chi > 0.0 and np.isfinite(iron.saturation[j]):
                chi *= 1.0 - iron.magnetisation_of(j, now.charges) / iron.saturation[j]
            density[iron.shape_first[j] : iron.shape_end[j]] *= 1.0 + 1.0 / chi if chi > 0.0 else 0.0
        return np.asarray(model.permeability * (panels.mean @ density[panels.at]))


class _Panels:
    """The panels of one body, with a point for each corner of each of them."""

    def __init__(self, iron: Iron, k: int, origin: np.ndarray):
        from scipy.sparse import csr_array  # noqa: PLC0415

        self.iron = k
        self.at = iron.first[k] + np.flatnonzero(iron.edge[iron.first[k] : iron.first[k + 1]] > 0.0)
        """(f,) indices of the panels."""
        each = iron.point[:, self.at].T.reshape(-1, 3, 3)
        corners = 2.0 * each - each.mean(axis=1, keepdims=True)  # of thirds of charge at 2/3, 1/6, 1/6
        flat = corners.reshape(-1, 3) - origin
        areas = np.linalg.norm(iron.area[:, self.at], axis=0)
        across = iron.area[:, self.at].T / areas[:, None]
        size = float(np.abs(flat - flat.mean(axis=0)).max())
        _, place = np.unique(np.round(flat / (SAME * size)), axis=0, return_inverse=True)
        of_vertex = csr_array((np.ones(len(flat)), (place.ravel(), np.arange(len(flat)) // 3)))
        beside = (of_vertex[place.ravel()]).tocoo()
        even = np.einsum("px,px->p", across[beside.coords[0] // 3], across[beside.coords[1]]) > EVEN
        rows, columns = (coordinates[even] for coordinates in beside.coords)
        weights = csr_array((areas[columns], (rows, columns)), shape=(len(flat), len(areas)))
        normals = weights @ across
        long = np.linalg.norm(normals, axis=1)
        self.normals = (normals / long[:, None]).astype(np.float32)
        """(p, 3) at the points: means over the panels that meet there in a smooth surface."""
        tilt = np.sqrt(1.0 - np.clip(long / weights.sum(axis=1), 0.0, 1.0) ** 2)
        chord = np.repeat(np.linalg.norm(corners - corners.mean(axis=1, keepdims=True), axis=2).max(axis=1), 3)
        self.points = flat + (ABOVE * size + 0.5 * tilt * chord)[:, None] * self.normals
        """(p, 3) [m], p = 3f, body frame: panels are chords of a round surface, which is to stay inside of them."""
        self.mean = csr_array((np.ones(len(rows)) / np.bincount(rows)[rows], (rows, columns))).multiply(1.0 / areas)
        """(p, f) [1/m^2] from the charges of panels to means of charges per area at the points."""
