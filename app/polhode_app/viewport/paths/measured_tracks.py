"""Measured places in the view: points, and a thin line through them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkPolyDataMapper, vtkRenderer

from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.things.springs import line_actor

COLOR = PALETTE[3]
WIDTH = 1.5  # [pixel] of the line
POINT = 0.006  # radius of a point, in radii of the stage
MOST = 4000  # points of one track that are drawn as spheres
OPACITY = 0.55  # of the line


class MeasuredTracks:
    """Two actors, hidden without tracks."""

    def __init__(self, renderer: vtkRenderer):
        self._lines, self._points = vtkPolyDataMapper(), vtkGlyph3DMapper()
        self._line = line_actor(self._lines, WIDTH)
        self._line.GetProperty().SetOpacity(OPACITY)
        self._dots = vtkActor()
        self._dots.SetMapper(self._points)
        self._dots.GetProperty().SetAmbient(0.4)
        self._points.SetSourceData(pv.Sphere(radius=1.0, theta_resolution=10, phi_resolution=8))
        self._points.ScalingOn()
        self._points.OrientOff()
        self._points.ScalarVisibilityOff()
        for actor in (self._line, self._dots):
            actor.PickableOff()
            actor.VisibilityOff()
            actor.GetProperty().SetColor(*rgb(COLOR))
            renderer.AddActor(actor)

    @property
    def is_shown(self) -> bool:
        """Whether there is a track."""
        return bool(self._dots.GetVisibility())

    def draw(self, tracks: Sequence[np.ndarray], size: float) -> None:
        """Draw tracks, each (n, 3) [m] in the order of time; `size` is the radius of the stage [m]."""
        tracks = [track for track in tracks if len(track)]
        for actor in (self._line, self._dots):
            actor.SetVisibility(bool(tracks))
        if not tracks:
            return
        cells, at = [], 0
        for track in tracks:
            cells += [len(track), *range(at, at + len(track))]
            at += len(track)
        self._lines.SetInputData(pv.PolyData(np.concatenate(tracks), lines=cells))
        seen = [track[:: -(-len(track) // MOST)] for track in tracks]
        self._points.SetInputData(pv.PolyData(np.concatenate(seen).astype(np.float32)))
        self._points.SetScaleFactor(POINT * size)
