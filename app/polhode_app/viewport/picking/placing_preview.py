"""Graphics of an item that is about to be added: its translucent surface, its foot on the ground, or a line."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.things.springs import line_actor

COLOR = PALETTE[1]
OPACITY = 0.55
WIDTH = 2.0  # [pixel]
AROUND = 48  # segments of the ring on the ground


class PlacingPreview:
    """Draws what a release of the mouse button would add."""

    def __init__(self, renderer: vtkRenderer):
        self._surface = vtkPolyDataMapper()
        self._actor = vtkActor()
        self._actor.SetMapper(self._surface)
        look = self._actor.GetProperty()
        look.SetColor(*rgb(COLOR))
        look.SetOpacity(OPACITY)
        look.SetAmbient(0.3)
        self._lines = vtkPolyDataMapper()
        self._line = line_actor(self._lines, WIDTH)
        self._line.GetProperty().SetColor(*rgb(COLOR))
        for actor in (self._actor, self._line):
            actor.PickableOff()
            renderer.AddActor(actor)
        self.hide()

    def hide(self) -> None:
        """Draw nothing."""
        self._actor.VisibilityOff()
        self._line.VisibilityOff()

    def draw_item(self, surface: pv.PolyData, middle: np.ndarray, position: np.ndarray, factor: float) -> None:
        """Draw a surface with its middle (3,) [m] moved to a position (3,) [m], enlarged by a factor."""
        self._surface.SetInputData(surface)
        self._actor.SetScale(factor)
        self._actor.SetPosition(*(position - factor * middle))
        self._actor.VisibilityOn()

    def draw_foot(self, low: np.ndarray, ground: float, radius: float) -> None:
        """Draw a line from the lowest point (3,) [m] of an item down to the ground, and a ring [m] there."""
        angle = np.linspace(0.0, 2 * np.pi, AROUND + 1)
        ring = np.column_stack([low[0] + radius * np.cos(angle), low[1] + radius * np.sin(angle), 0 * angle + ground])
        points = np.vstack([ring, low, [low[0], low[1], ground]])
        self._draw_lines(points, [AROUND + 1, *range(AROUND + 1), 2, AROUND + 1, AROUND + 2])

    def draw_line(self, start: np.ndarray, end: np.ndarray) -> None:
        """Draw a line between two points (3,) [m]."""
        self._actor.VisibilityOff()
        self._draw_lines(np.array([start, end]), [2, 0, 1])

    def _draw_lines(self, points: np.ndarray, lines: list[int]) -> None:
        self._lines.SetInputData(pv.PolyData(points.astype(np.float32), lines=lines))
        self._line.VisibilityOn()
