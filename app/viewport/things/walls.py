"""Walls: translucent planes with tiles, as large as the room. They are visible from their front only."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.base.bounds import LEVEL
from app.viewport.base.palette import RGB, rgb
from app.viewport.base.polydata import box
from app.viewport.base.stage import Stage
from core.physics.bodies.shapes import unit
from core.physics.contact.description import Wall
from core.simulation.snapshot import Snapshot

MARGIN = 0.08  # margin around the room, in radii of the stage
FLOOR_MARGIN = 0.3  # the same for horizontal walls, on which shadows fall
FILL, TILE, EDGE = 0.10, 0.22, 0.65  # opacity of the plane, of the lines between tiles, and of the border


class WallView:
    """One actor for each wall."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._shown: list[tuple[Wall, vtkActor]] = []
        self._hidden: set[str] = set()
        self._on = True

    def rebuild(self, stage: Stage) -> None:
        """Build all walls."""
        for _, actor in self._shown:
            self._renderer.RemoveActor(actor)
        color = rgb(stage.theme.support)
        self._shown = [(wall, _actor(surface(wall, stage, color))) for wall in stage.scene.wall]
        self._hidden = set(stage.scene.view.hide)
        for _, actor in self._shown:
            self._renderer.AddActor(actor)
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Move the walls to their current displacements."""
        for (wall, actor), way in zip(self._shown, now.walls, strict=False):
            if wall.motion.kind != "still":
                actor.SetPosition(*(way * unit(wall.normal)))

    def set_visible(self, on: bool) -> None:
        """Show or hide the walls."""
        self._on = on
        for wall, actor in self._shown:
            actor.SetVisibility(on and wall.name not in self._hidden)


def surface(wall: Wall, stage: Stage, color: RGB) -> pv.PolyData:
    """Plane, border and tiles of a wall at rest; a wall at the ground has no tiles of its own."""
    point, normal = np.array(wall.point), unit(wall.normal)
    level = abs(normal[2]) > LEVEL
    across = np.array([1.0, 0.0, 0.0]) if level else np.cross([0.0, 0.0, 1.0], normal)
    across /= np.linalg.norm(across)
    up = np.cross(normal, across)
    extent = np.column_stack([(stage.room - point) @ across, (stage.room - point) @ up])
    margin = (FLOOR_MARGIN if level else MARGIN) * stage.radius
    low, high = box(extent)
    low, high = low - margin, high + margin
    if not level:
        low[1] = max(low[1], (stage.ground - point[2]) / up[2])  # nothing is drawn below the ground
    corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    tiles = (
        np.zeros((0, 2)) if is_ground(wall, stage) else _tiles(low, high, point @ np.array([across, up]).T, stage.cell)
    )
    flat = np.vstack([corners, tiles])
    places = point + flat @ np.array([across, up])
    pairs = 4 + np.arange(len(tiles)).reshape(-1, 2)
    lines = np.concatenate([[5, 0, 1, 2, 3, 0], np.insert(pairs, 0, 2, axis=1).ravel()])
    plane = pv.PolyData(places, faces=[4, 0, 1, 2, 3], lines=lines)
    opacity = np.array([EDGE, *[TILE] * len(pairs), FILL])  # VTK counts lines before faces
    plane.cell_data.set_scalars(
        np.round(255 * np.insert(opacity[:, None], 0, np.transpose([color]), 1)).astype(np.uint8), "color"
    )
    return plane


def is_ground(wall: Wall, stage: Stage) -> bool:
    """Whether a wall coincides with the grid of the ground."""
    upright = abs(unit(wall.normal)[2]) > LEVEL
    return bool(upright and wall.motion.kind == "still" and abs(wall.point[2] - stage.ground) < 1e-6 * stage.radius)


def _tiles(low: np.ndarray, high: np.ndarray, origin: np.ndarray, cell: float) -> np.ndarray:
    """(2 n, 2) [m] ends of the lines between tiles, at multiples of `cell` [m] from the origin of the laboratory."""
    ends = []
    for axis in (0, 1):
        first, last = np.ceil((low[axis] + origin[axis]) / cell), np.floor((high[axis] + origin[axis]) / cell)
        for number in np.arange(first, last + 1):
            for end in (low, high):
                place = np.array(end)
                place[axis] = number * cell - origin[axis]
                ends.append(place)
    return np.array(ends).reshape(-1, 2)


def _actor(plane: pv.PolyData) -> vtkActor:
    """A translucent actor without shading, visible from the front."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(plane)
    mapper.SetScalarModeToUseCellData()
    mapper.SetColorModeToDirectScalars()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    actor.ForceTranslucentOn()
    actor.GetProperty().LightingOff()
    actor.GetProperty().BackfaceCullingOn()
    actor.GetProperty().SetLineWidth(1.5)
    return actor
