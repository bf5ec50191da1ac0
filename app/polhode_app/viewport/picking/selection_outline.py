"""Outline of the selection: a hull a few pixels larger than the selected item, of which the far side is drawn.

Flat items have a line along their edges. What has no surface of its own, such as a spring, a force or a joint, has a
translucent box around it instead.
"""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkFiltersCore import vtkCleanPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.physics.bodies.shapes import unit
from polhode.scene.fields import FieldPath
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.camera import height_at
from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.base.polydata import filtered, triangulated
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.environment import plates
from polhode_app.viewport.picking.bounding_boxes import Box, numbers_of
from polhode_app.viewport.things import walls
from polhode_app.viewport.things.shape_surfaces import unit_ball
from polhode_app.viewport.things.skins import SkinView
from polhode_app.viewport.things.springs import line_actor

COLOR = PALETTE[1]
WIDTH = 3.0  # [pixel]
MOST = 60  # bodies whose hulls are drawn; more have a box
CHANGE = 0.05  # relative change of the size of a pixel from which on a hull is computed again
FILL = 0.16  # opacity of a box
SIDES = 32  # of the ball of a particle


class Hull:
    """A closed surface displaced outwards, of which only the far side is drawn."""

    def __init__(self, surface: pv.PolyData, number: int = -1):
        """`number` is the index of the body in whose frame the surface is; -1: laboratory frame."""
        self.number = number
        self._surface = filtered(triangulated(surface), vtkCleanPolyData())  # sharp edges stay closed
        self._points = np.asarray(self._surface.points, float).copy()
        self._normals = _average_normals(self._surface, self._points)
        self._thick = 0.0
        mapper, self.actor, self._matrix = vtkPolyDataMapper(), vtkActor(), vtkMatrix4x4()
        mapper.SetInputData(self._surface)
        mapper.ScalarVisibilityOff()
        self.actor.SetMapper(mapper)
        self.actor.SetUserMatrix(self._matrix)
        self.actor.PickableOff()
        self.actor.GetProperty().LightingOff()
        self.actor.GetProperty().FrontfaceCullingOn()
        self.actor.GetProperty().SetColor(*rgb(COLOR))

    def write(self, turn: np.ndarray, position: np.ndarray, thick: float) -> None:
        """Place the hull, a linear map (3, 3) and a translation (3,) [m], as thick [m] as stated."""
        rows = np.eye(4)
        rows[:3, :3], rows[:3, 3] = turn, position
        self._matrix.DeepCopy(rows.ravel().tolist())
        if abs(thick - self._thick) > CHANGE * thick:
            self._thick = thick
            np.asarray(self._surface.points)[:] = self._points + thick * self._normals
            self._surface.GetPoints().Modified()


class SelectionOutline:
    """Outline of one item; hulls are made when another one is selected, and for each frame of a soft body."""

    def __init__(self, renderer: vtkRenderer, skins: SkinView):
        self._renderer, self._skins = renderer, skins
        self._hulls: list[Hull] = []
        self._of: tuple[Stage | None, FieldPath | None] = None, None
        line, fill = vtkPolyDataMapper(), vtkPolyDataMapper()
        line.ScalarVisibilityOff()
        fill.SetInputData(pv.Cube(x_length=2.0, y_length=2.0, z_length=2.0))
        self._line, self._box, self._matrix = line_actor(line, WIDTH), vtkActor(), vtkMatrix4x4()
        self._box.SetMapper(fill)
        self._box.SetUserMatrix(self._matrix)
        self._box.PickableOff()
        self._box.GetProperty().LightingOff()
        self._box.GetProperty().SetOpacity(FILL)
        for actor in (self._line, self._box):
            actor.GetProperty().SetColor(*rgb(COLOR))
            actor.VisibilityOff()
            renderer.AddActor(actor)

    @property
    def is_hull(self) -> bool:
        """Whether a hull is drawn."""
        return bool(self._hulls)

    def draw(self, stage: Stage | None, now: Snapshot | None, path: FieldPath | None, box: Box | None) -> None:
        """Outline the item at a path of the scene in a snapshot; hide the outline if there is no `box` around it."""
        if stage is None or now is None or path is None or box is None:
            self._make([], None, None)
            self._line.VisibilityOff()
            self._box.VisibilityOff()
            return
        skin = self._skins.surface_of(int(path[1])) if path[0] == "soft" else None
        edges = skin.edges if skin is not None else edges_of(stage, now, path)
        if self._of != (stage, path) or skin is not None:
            closed = [skin.surface] if skin is not None and not edges else []
            self._make([Hull(surface) for surface in closed] or hulls_of(stage, path, box), stage, path)
        thick = WIDTH * self._pixel(box.center)
        for hull in self._hulls:
            if hull.number >= 0:
                hull.write(now.bodies.basis[hull.number].T, now.bodies.position[hull.number], thick)
            else:
                hull.write(np.eye(3), box.center if path[0] == "particle" else np.zeros(3), thick)
        self._line.SetVisibility(len(edges) > 0)
        if edges:
            first = np.cumsum([0, *map(len, edges)])
            cells = [[len(edge), *range(start, start + len(edge))] for start, edge in zip(first, edges, strict=False)]
            made = pv.PolyData(np.vstack(edges).astype(np.float32), lines=np.concatenate(cells))
            self._line.GetMapper().SetInputData(made)
        self._box.SetVisibility(not self._hulls and not edges)
        rows = np.eye(4)
        rows[:3, :3], rows[:3, 3] = (box.axes * np.maximum(box.half, thick)[:, None]).T, box.center
        self._matrix.DeepCopy(rows.ravel().tolist())

    def _make(self, hulls: list[Hull], stage: Stage | None, path: FieldPath | None) -> None:
        """Replace the hulls."""
        for hull in self._hulls:
            self._renderer.RemoveActor(hull.actor)
        self._hulls, self._of = hulls, (stage, path)
        for hull in hulls:
            self._renderer.AddActor(hull.actor)

    def _pixel(self, at: np.ndarray) -> float:
        """Width [m] of a pixel at a position (3,) [m]."""
        return height_at(self._renderer.GetActiveCamera(), at) / max(self._renderer.GetSize()[1], 1)


def hulls_of(stage: Stage, path: FieldPath, box: Box) -> list[Hull]:
    """Hulls of the bodies at a path of the scene, of one shape of a body, or of a particle; none for other items."""
    if path[0] == "particle":
        ball = unit_ball(SIDES).copy()
        ball.points *= float(box.half.max())
        return [Hull(ball)]
    if path[0] not in ("body", "sphere", "bead") or "dipole" in path:
        return []
    numbers = numbers_of(stage.scene, path)
    if len(numbers) > MOST:
        return []
    chosen = slice(int(path[3]), int(path[3]) + 1) if path[2:3] == ("shape",) and len(path) > 3 else slice(None)
    return [Hull(part.surface, number) for number in numbers for part in stage.solids[number].parts[chosen]]


def edges_of(stage: Stage, now: Snapshot, path: FieldPath) -> list[np.ndarray]:
    """(n, 3) [m] closed line along the edge of a wall or a plate; none of other items."""
    if path[0] == "wall":
        number = int(path[1])
        wall = stage.scene.wall[number]
        displacement = float(now.walls[number]) if number < len(now.walls) else 0.0
        corners = walls.corners_of(wall, stage) + displacement * unit(wall.normal)
    elif path[0] == "plate":
        corners = plates.corners_of(stage.scene.plate[int(path[1])], stage)[4:]
    else:
        return []
    return [np.vstack([corners, corners[:1]])]


def _average_normals(surface: pv.PolyData, points: np.ndarray) -> np.ndarray:
    """(n, 3) unit normals at the vertices of triangles, the mean of those of adjacent triangles."""
    if surface.n_cells == 0:
        return np.zeros_like(points)
    corners = vtk_to_numpy(surface.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    a, b, c = (points[corners[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    across /= np.linalg.norm(across, axis=1, keepdims=True).clip(min=1e-300)
    flat = corners.ravel()
    normals = np.column_stack([np.bincount(flat, across[:, axis].repeat(3), len(points)) for axis in range(3)])
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True).clip(min=1e-300))
