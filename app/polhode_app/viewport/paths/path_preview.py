"""Preview of the path being edited: a translucent curve, and cubes at the points of a spline."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkPolyDataMapper, vtkRenderer

from polhode_app.viewport.base.palette import PALETTE, rgb

CURVE, CHOSEN = PALETTE[4], PALETTE[1]
OPACITY = 0.55
THICK = 0.009  # radius of the curve, in radii of the stage
POINT = 0.021  # radius of a point, in the same
SIDE = 1.5  # side of its cube, in radii of a point
LARGER = 1.4  # scale of the selected point


class PathPreview:
    """Two actors, hidden unless a path is being edited."""

    def __init__(self, renderer: vtkRenderer):
        self._curve, self._cubes = vtkPolyDataMapper(), vtkGlyph3DMapper()
        self._cubes.SetSourceData(pv.Cube(x_length=SIDE, y_length=SIDE, z_length=SIDE))  # cubes differ from beads
        self._cubes.OrientOff()
        self._cubes.SetScaleArray("radius")
        self._cubes.SetScaleModeToScaleByMagnitude()
        self._cubes.SetScalarModeToUsePointFieldData()
        self._cubes.SelectColorArray("color")
        self._cubes.SetColorModeToDirectScalars()
        self._actors = []
        for mapper in (self._curve, self._cubes):
            actor = vtkActor()
            actor.SetMapper(mapper)
            actor.PickableOff()
            actor.VisibilityOff()
            actor.GetProperty().SetAmbient(0.5)
            actor.GetProperty().SetDiffuse(0.6)
            renderer.AddActor(actor)
            self._actors.append(actor)
        self._curve.ScalarVisibilityOff()
        self._actors[0].GetProperty().SetColor(*rgb(CURVE))
        self._actors[0].GetProperty().SetOpacity(OPACITY)

    def draw_curve(self, line: np.ndarray | None, size: float) -> None:
        """Show a curve through points (n, 3) [m], or hide it; `size` is the radius of the stage [m]."""
        self._actors[0].SetVisibility(line is not None)
        if line is not None:
            wire = pv.PolyData(line, lines=[len(line), *range(len(line))])
            self._curve.SetInputData(wire.tube(radius=THICK * size, n_sides=12, capping=True))

    def draw_points(self, points: np.ndarray, chosen: int | None, size: float) -> None:
        """Show points (n, 3) [m], one of them selected; `size` is the radius of the stage [m]."""
        self._actors[1].SetVisibility(len(points) > 0)
        if len(points) == 0:
            return
        cubes = pv.PolyData(np.asarray(points, dtype=np.float32))
        radius = np.full(len(points), POINT * size, dtype=np.float32)
        colors = np.tile(np.round(255 * np.array(rgb(CURVE))).astype(np.uint8), (len(points), 1))
        if chosen is not None:
            radius[chosen] *= LARGER
            colors[chosen] = np.round(255 * np.array(rgb(CHOSEN)))
        cubes.point_data["radius"] = radius
        cubes.point_data["color"] = colors
        self._cubes.SetInputData(cubes)
