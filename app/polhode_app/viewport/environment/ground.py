"""The ground: a grid of round lengths that fades out, and a label with the length of a cell.

There is no filled plane: a translucent one across the picture would take half of the time of a frame with software
rendering, and is invisible against the background.
"""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import (
    vtkActor,
    vtkPolyDataMapper,
    vtkRenderer,
)

from polhode_app.i18n.language import tr
from polhode_app.viewport.base.glyph_arrows import RIGHT
from polhode_app.viewport.base.palette import RGB, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import back, set_text, text_actor
from polhode_app.viewport.environment.legend_column import BOTTOM
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.walls import is_ground, thickness

EXTENT = 5.0  # radius of the grid, in radii of the stage
FULL = 0.3  # fraction of the radius up to which nothing fades
PIECES = 33  # points of a grid line, between which opacity is interpolated
STRONG, WEAK = 0.40, 0.17  # opacity of every fifth line, and of the others


class GroundView(ViewBase):
    """The grid and its label."""

    def __init__(self, renderer: vtkRenderer):
        self._grid = _flat(renderer)
        self._label = text_actor(16)
        self._label.SetPosition(RIGHT, BOTTOM)
        text = self._label.GetTextProperty()
        text.SetJustificationToRight()
        back(renderer, text)
        renderer.AddActor(self._label)
        self._has_label = True

    def rebuild(self, stage: Stage) -> None:
        """Rebuild grid and label for the size of the stage."""
        extent = EXTENT * stage.radius
        color = rgb(stage.theme.grid)
        floors = [wall for wall in stage.scene.wall if is_ground(wall, stage)]
        height = stage.ground - max((thickness(wall, stage) for wall in floors), default=0.0)  # below a slab
        self._grid.GetMapper().SetInputData(grid(stage.center, extent, height, stage.cell, color))
        set_text(self._label, tr("grid {length}").format(length=length_text(stage.cell)))
        self._label.GetTextProperty().SetColor(*rgb(stage.theme.text))

    def hide_annotations(self) -> None:
        """Leave out the label."""
        self._has_label = False
        self._label.SetVisibility(False)

    def set_visible(self, on: bool) -> None:
        """Show or hide grid and label."""
        self._grid.SetVisibility(on)
        self._label.SetVisibility(on and self._has_label)


def length_text(length: float) -> str:
    """A length [m] as text with a suitable unit."""
    for unit, size in (("km", 1e3), ("m", 1.0), ("cm", 1e-2), ("mm", 1e-3)):
        if length >= 0.999 * size:
            return f"{length / size:g} {unit}"
    return f"{length * 1e6:g} µm"


def grid(center: np.ndarray, extent: float, height: float, cell: float, color: RGB) -> pv.PolyData:
    """Lines at multiples of `cell` [m], every fifth stronger, fading out towards the radius `extent` [m].

    The grid is at height `height` [m] about `center` (3,) [m].
    """
    points, strength = [], []
    for axis in (0, 1):
        number = np.arange(np.ceil((center[axis] - extent) / cell), np.floor((center[axis] + extent) / cell) + 1)
        offset = number * cell - center[axis]
        half = np.sqrt(np.maximum(extent**2 - offset**2, 0.0))
        lines = np.full((len(number), PIECES, 3), height)
        lines[:, :, axis] = center[axis] + offset[:, None]
        lines[:, :, 1 - axis] = center[1 - axis] + half[:, None] * np.linspace(-1, 1, PIECES)
        points.append(lines)
        strength.append(np.where(number % 5 == 0, STRONG, WEAK).repeat(PIECES))
    flat = np.concatenate(points).reshape(-1, 3)
    cells = np.arange(len(flat)).reshape(-1, PIECES)
    mesh = pv.PolyData(flat, lines=np.insert(cells, 0, PIECES, axis=1).ravel())
    mesh.point_data.set_scalars(_faded(flat, center, extent, color, np.concatenate(strength)), "color")
    return mesh


def _faded(
    points: np.ndarray, center: np.ndarray, extent: float, color: RGB, strength: float | np.ndarray
) -> np.ndarray:
    """(n, 4) uint8 colours whose opacity decreases smoothly with the distance of points (n, 3) from the centre."""
    share = np.linalg.norm(points[:, :2] - center[:2], axis=1) / extent
    opacity = strength * np.clip((1 - share) / (1 - FULL), 0, 1) ** 1.7
    return np.round(255 * np.column_stack([np.tile(color, (len(points), 1)), opacity])).astype(np.uint8)


def _flat(renderer: vtkRenderer) -> vtkActor:
    """A translucent actor without shading, coloured by its points."""
    mapper = vtkPolyDataMapper()
    mapper.SetColorModeToDirectScalars()
    mapper.StaticOn()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    actor.ForceTranslucentOn()
    actor.PickableOff()
    renderer.AddActor(actor)
    return actor
