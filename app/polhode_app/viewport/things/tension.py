"""Tension of springs by colour: orange for tension, blue for compression, grey at rest."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.color_scale import ColorScale
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.springs import SpringLines, line_actor, tube_actors

WIDTH = 2.4  # [pixel]
THICKER = 1.25  # thickness of the tubes, in that of the springs that they enclose
FLAT = 0.6  # part of the colour of a tube that does not depend on the light
SPREAD = 2.5  # end of the colour scale, in root mean squares of the tensions
WEAKEST = 1e-9  # [N] end of the scale at least


class TensionView(ViewBase):
    """Springs in the colours of their tensions, with a colour bar."""

    def __init__(self, renderer: vtkRenderer):
        self._scale = ColorScale(renderer, "N", WEAKEST, signed=True)
        self._mapper = vtkPolyDataMapper()
        self._mapper.SetScalarModeToUseCellData()
        self._mapper.SetColorModeToDirectScalars()
        self._actor = line_actor(self._mapper, WIDTH)
        renderer.AddActor(self._actor)
        self._renderer = renderer
        self._tubes: list[vtkActor] = []
        self._springs: SpringLines | None = None
        self._stage: Stage | None = None
        self._covers = True
        self._written = np.zeros((0, 3), dtype=np.uint8)
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Discard the springs of the previous scene."""
        self._stage, self._springs = stage, None
        for actor in self._tubes:
            self._renderer.RemoveActor(actor)
        self._tubes = []
        self._scale.reset(rgb(stage.theme.text))
        self.set_visible(self._on)

    def _raise(self, stage: Stage) -> None:
        """Build the springs."""
        springs = SpringLines(stage, self._covers, THICKER)
        self._springs = springs if springs.count else None
        if self._springs is not None and len(self._springs.drawn):
            self._springs.lines.cell_data.set_scalars(np.zeros((len(springs.drawn), 3), dtype=np.uint8), "tension")
            self._written = np.asarray(self._springs.lines.cell_data["tension"])
        self._mapper.SetInputData(self._springs.lines if self._springs else pv.PolyData())
        self._tubes = tube_actors(self._springs)
        for actor in self._tubes:
            actor.GetProperty().SetAmbient(FLAT)
            actor.GetProperty().SetDiffuse(1.0 - FLAT)
            actor.GetProperty().SetMetallic(0.0)  # reflections would change the colours
            actor.GetMapper().ScalarVisibilityOn()
            actor.GetMapper().SetScalarModeToUseCellData()
            actor.GetMapper().SetColorModeToDirectScalars()
            self._renderer.AddActor(actor)

    def update(self, now: Snapshot) -> None:
        """Write positions and colours of the springs."""
        if not self._on or self._springs is None or not self._springs.update(now):
            return
        tension = self._springs.tension()
        self._scale.fit(SPREAD * float(np.sqrt(tension @ tension / len(tension))))
        index = self._scale.index(tension)
        if len(self._springs.drawn):
            np.take(self._scale.colors, index[self._springs.drawn], axis=0, out=self._written)
            self._springs.lines.GetCellData().GetScalars().Modified()
        if self._springs.tubes is not None:
            self._springs.tubes.paint(self._scale.colors[index[self._springs.tubed]])

    def other_switched(self, on: bool) -> None:
        """Leave out springs inside of skins while these are on."""
        if on != self._covers:
            self._covers = on
            if self._stage is not None:
                self.rebuild(self._stage)

    def set_visible(self, on: bool) -> None:
        """Show or hide springs and colour bar."""
        self._on = on
        if on and self._springs is None and self._stage is not None and self._stage.compiled is not None:
            self._raise(self._stage)
        drawn = on and self._springs is not None
        for actor in (self._actor, *self._tubes):
            actor.SetVisibility(drawn)
        self._scale.switch(drawn)
