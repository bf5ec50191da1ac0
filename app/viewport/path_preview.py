"""A path that is being edited: see-through beside the one that runs, with the points of a spline to drag."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLSphereMapper

from app.viewport.palette import PALETTE, rgb

CURVE, CHOSEN = PALETTE[4], PALETTE[1]
OPACITY = 0.55
THICK = 0.009  # radius of the curve, in radii of the stage
POINT = 0.021  # radius of a point, in the same
LARGER = 1.4  # the chosen one


class PathPreview:
    """Two actors that stay hidden until somebody edits a path."""

    def __init__(self, renderer: vtkRenderer):
        self._curve, self._balls = vtkPolyDataMapper(), vtkOpenGLSphereMapper()
        self._balls.SetScaleArray("radius")
        self._balls.SetScalarModeToUsePointFieldData()
        self._balls.SelectColorArray("color")
        self._balls.SetColorModeToDirectScalars()
        self._actors = []
        for mapper in (self._curve, self._balls):
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
        """A curve through places (n, 3) [m] in a stage of a radius `size` [m], or none."""
        self._actors[0].SetVisibility(line is not None)
        if line is not None:
            wire = pv.PolyData(line, lines=[len(line), *range(len(line))])
            self._curve.SetInputData(wire.tube(radius=THICK * size, n_sides=12, capping=True))

    def draw_points(self, points: np.ndarray, chosen: int | None, size: float) -> None:
        """Points (n, 3) [m], one of them chosen."""
        self._actors[1].SetVisibility(len(points) > 0)
        if len(points) == 0:
            return
        balls = pv.PolyData(np.asarray(points, dtype=np.float32))
        radius = np.full(len(points), POINT * size, dtype=np.float32)
        colors = np.tile(np.round(255 * np.array(rgb(CURVE))).astype(np.uint8), (len(points), 1))
        if chosen is not None:
            radius[chosen] *= LARGER
            colors[chosen] = np.round(255 * np.array(rgb(CHOSEN)))
        balls.point_data["radius"] = radius
        balls.point_data["color"] = colors
        self._balls.SetInputData(balls)
