"""Dipoles: an arrow that comes out of the north pole of every magnet, longer for a stronger one."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkFiltersSources import vtkArrowSource
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkRenderer

from app.viewport.palette import rgb
from app.viewport.stage import Solid, Stage
from core.scene import Dipole
from core.snapshot import Bodies

LENGTH = 0.15  # of the strongest dipole's arrow, in radii of the stage
OWN_LENGTH = 1.2  # no arrow is longer than this, in sizes of its body


class DipoleView:
    def __init__(self, renderer: vtkRenderer):
        source = vtkArrowSource()
        source.SetTipResolution(24)
        source.SetShaftResolution(16)
        source.SetShaftRadius(0.045)
        source.SetTipRadius(0.13)
        source.SetTipLength(0.42)
        self._mapper = vtkGlyph3DMapper()
        self._mapper.SetSourceConnection(source.GetOutputPort())
        self._mapper.SetOrientationArray("moment")
        self._mapper.SetOrientationModeToDirection()
        self._mapper.SetScaleArray("length")
        self._mapper.SetScaleModeToScaleByMagnitude()
        self._mapper.ScalarVisibilityOff()
        self._actor = vtkActor()
        self._actor.SetMapper(self._mapper)
        self._actor.GetProperty().SetAmbient(0.45)
        self._actor.GetProperty().SetDiffuse(0.6)
        renderer.AddActor(self._actor)
        self._arrows = pv.PolyData()
        self._body = np.zeros(0, dtype=int)  # (n,) number of each dipole's body
        self._place = np.zeros((0, 1, 3))  # (n, 1, 3) body frame
        self._moment = np.zeros((0, 1, 3))

    def show(self, stage: Stage) -> None:
        rows = [(i, dipole) for i, body in enumerate(stage.scene.body) for dipole in body.dipole]
        self._body = np.array([i for i, _ in rows], dtype=int)
        self._place = np.array([north_pole(stage.solids[i], dipole) for i, dipole in rows]).reshape(-1, 1, 3)
        self._moment = np.array([dipole.moment for _, dipole in rows], dtype=float).reshape(-1, 1, 3)
        if not rows:
            self._mapper.SetInputData(pv.PolyData())
            return
        strength = np.linalg.norm(self._moment, axis=(1, 2))
        self._arrows = pv.PolyData(np.zeros((len(rows), 3), dtype=np.float32))
        self._arrows["moment"] = np.zeros((len(rows), 3), dtype=np.float32)
        # The cube root is the size of a magnet of that strength: a weak dipole beside a strong one stays visible.
        share = np.cbrt(strength / max(strength.max(), 1e-300))
        own = OWN_LENGTH * np.array([stage.solids[i].size for i, _ in rows])
        self._arrows["length"] = (share * np.minimum(LENGTH * stage.radius, own)).astype(np.float32)
        self._mapper.SetInputData(self._arrows)
        self._actor.GetProperty().SetColor(*rgb(stage.theme.arrow))

    def move(self, bodies: Bodies, time: float) -> None:
        if len(self._body) == 0:
            return
        basis = bodies.basis[self._body]
        self._arrows.points[:] = (self._place @ basis)[:, 0] + bodies.position[self._body]
        self._arrows["moment"][:] = (self._moment @ basis)[:, 0]
        self._arrows.GetPoints().Modified()
        self._arrows.Modified()

    def switch(self, on: bool) -> None:
        self._actor.SetVisibility(on)


def north_pole(solid: Solid, dipole: Dipole) -> np.ndarray:
    """(3,) [m] where a line from the dipole along its moment leaves the nearest shape, body frame."""
    start, moment = np.array(dipole.position), np.array(dipole.moment)
    strength = np.linalg.norm(moment)
    if strength == 0:
        return start
    nearest = min(solid.parts, key=lambda part: np.linalg.norm(np.array(part.surface.center) - start))
    crossed, _ = nearest.surface.ray_trace(start, start + moment / strength * 4 * solid.size)
    points = np.vstack([start, crossed])
    return np.array(points[np.linalg.norm(points - start, axis=1).argmax()])
