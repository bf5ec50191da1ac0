"""Body axes u1, u2, u3 at the origin of each body, in the colours of x, y, z, with their names if there are few."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkTextActor

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import AXES, rgb
from polhode_app.viewport.base.polydata import arrow, joined
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import Symbols
from polhode_app.viewport.record import ViewBase

LENGTH = 0.6  # length of an axis, in radii of the stage
OWN_LENGTH = 1.25  # limit of the length, in sizes of the body, out of which it looks
SYMBOLS = ("u1", "u2", "u3")
COLORS = np.array([np.round(255 * np.array(rgb(color))) for color in AXES], dtype=np.uint8)
SHAPE = {"tip_length": 0.22, "tip_radius": 0.055, "tip_resolution": 20, "shaft_radius": 0.018, "shaft_resolution": 12}


class AxesView(ViewBase):
    """One actor for each body, sharing one mesh; created when the view is first shown."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._mapper = vtkPolyDataMapper()
        self._mapper.SetInputData(triad())
        self._mapper.SetScalarModeToUseCellData()
        self._mapper.SetColorModeToDirectScalars()
        self._mapper.StaticOn()
        self._shown: list[tuple[vtkActor, vtkMatrix4x4]] = []
        self._length = np.zeros((0, 1, 1))  # (n, 1, 1) [m]
        self._symbols = Symbols(renderer, SYMBOLS[0])
        self._on = False

    @property
    def symbols(self) -> list[vtkTextActor]:
        """The visible names."""
        return self._symbols.visible

    def rebuild(self, stage: Stage) -> None:
        """Compute the lengths of the axes for a new stage."""
        for actor, _ in self._shown:
            self._renderer.RemoveActor(actor)
        self._shown = []
        longest, larger = stage.long(LENGTH, "axes"), stage.sizes.get("axes", 1.0)
        own = [0.0 if i in stage.unseen else larger * OWN_LENGTH * solid.size for i, solid in enumerate(stage.solids)]
        self._length = np.minimum(longest, own).reshape(-1, 1, 1)
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Write the poses of all bodies."""
        if not self._on:
            return
        rows = np.tile(np.eye(4), (len(self._length), 1, 1))
        rows[:, :3, :3] = self._length * now.bodies.basis.transpose(0, 2, 1)
        rows[:, :3, 3] = now.bodies.position
        for (_, matrix), row in zip(self._shown, rows.reshape(-1, 16).tolist(), strict=True):
            matrix.DeepCopy(row)
        drawn = np.flatnonzero(self._length.ravel() > 0.0)
        tips = (now.bodies.position[:, None] + self._length * now.bodies.basis)[drawn]
        self._symbols.draw(tips.reshape(-1, 3), np.tile(COLORS, (len(drawn), 1)), SYMBOLS * len(drawn))

    def set_visible(self, on: bool) -> None:
        """Show or hide the axes."""
        self._on = on
        if on and len(self._shown) < len(self._length):
            self._shown = [self._raised() for _ in range(len(self._length))]
        for actor, _ in self._shown:
            actor.SetVisibility(on)
        if not on:
            self._symbols.draw(np.zeros((0, 3)), np.zeros((0, 3)))

    def _raised(self) -> tuple[vtkActor, vtkMatrix4x4]:
        """A new actor and its matrix."""
        actor, matrix = vtkActor(), vtkMatrix4x4()
        actor.SetMapper(self._mapper)
        actor.SetUserMatrix(matrix)
        actor.GetProperty().SetAmbient(0.45)
        actor.GetProperty().SetDiffuse(0.6)
        self._renderer.AddActor(actor)
        return actor, matrix


def triad() -> pv.PolyData:
    """Three coloured arrows of length 1 along x, y and z."""
    arrows = []
    for direction, color in zip(np.eye(3), AXES, strict=True):
        one = arrow(np.zeros(3), direction, 1.0, **SHAPE)
        one.cell_data["color"] = np.tile(np.round(255 * np.array(rgb(color))).astype(np.uint8), (one.n_cells, 1))
        arrows.append(one)
    merged = joined(arrows)
    merged.cell_data.active_scalars_name = "color"
    return merged
