"""The ground: a grid of round lengths that fades out, where there is no place and no floor, and a scale bar.

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

from polhode_app.viewport.base.palette import RGB, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.environment.scale_bar import ScaleBar
from polhode_app.viewport.places.place import place_of
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.walls import is_endless, is_ground, thickness

EXTENT = 5.0  # radius of the grid, in radii of the stage
FULL = 0.3  # fraction of the radius up to which nothing fades
PIECES = 33  # points of a grid line, between which opacity is interpolated
STRONG, WEAK = 0.40, 0.17  # opacity of every fifth line, and of the others


class GroundView(ViewBase):
    """The grid, where there is neither a place nor a floor, and the scale bar."""

    def __init__(self, renderer: vtkRenderer):
        self._grid = _flat(renderer)
        self._bar = ScaleBar(renderer)
        self._has_bar, self._has_place = True, True
        self._stage: Stage | None = None

    def rebuild(self, stage: Stage) -> None:
        """Rebuild the grid for the size of the stage."""
        self._stage = stage
        self._bar.set_color(rgb(stage.theme.text))
        self._grid.GetMapper().SetInputData(pv.PolyData() if self._is_covered(stage) else _grid_of(stage))

    def hide_annotations(self) -> None:
        """Leave out the scale bar."""
        self._has_bar = False
        self._bar.set_visible(False)

    def other_switched(self, on: bool) -> None:
        """Draw the grid in place of what covers it once that is not drawn."""
        if on != self._has_place:
            self._has_place = on
            if self._stage is not None:
                self.rebuild(self._stage)

    def set_visible(self, on: bool) -> None:
        """Show or hide grid and scale bar."""
        self._grid.SetVisibility(on)
        self._bar.set_visible(on and self._has_bar)

    def _is_covered(self, stage: Stage) -> bool:
        """Whether a place or a floor is at the height of the ground."""
        shown = [wall for wall in stage.scene.wall if wall.name not in stage.scene.view.hide]
        has_floor = any(is_endless(wall) and is_ground(wall, stage) for wall in shown)
        return has_floor or (self._has_place and place_of(stage) is not None)


def _grid_of(stage: Stage) -> pv.PolyData:
    """The grid of a stage, below slabs at the height of the ground."""
    floors = [wall for wall in stage.scene.wall if is_ground(wall, stage)]
    height = stage.ground - max((thickness(wall, stage) for wall in floors), default=0.0)
    return grid(stage.center, EXTENT * stage.radius, height, stage.cell, rgb(stage.theme.grid))


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
