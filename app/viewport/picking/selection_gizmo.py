"""What is chosen: the corners of the box around it, and handles to move and turn it by."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.base.palette import AXES, PALETTE, rgb
from app.viewport.picking.bounding_boxes import Box
from app.viewport.things.springs import line_actor

COLOR = PALETTE[1]
MARGIN = 1.06  # of the box around the selection
CORNER = 0.28  # length of the lines at a corner, in the edge
WIDTH = 2.0  # [pixel]
REACH = 74.0  # [pixel] length of an arrow
RING = 0.72  # radius of the rings, in the same
TUBE = 0.018
AROUND = 48  # pieces of a ring
FAINT, BRIGHT = 0.82, 1.0


class SelectionBox:
    """The corners of a box."""

    def __init__(self, renderer: vtkRenderer):
        signs = np.array(list(product((-1.0, 1.0), repeat=3)))
        points, self._starts, self._ways = [], [], []
        for corner in signs:
            for axis in range(3):
                way = np.zeros(3)
                way[axis] = -2 * CORNER * corner[axis]
                self._starts.append(corner)
                self._ways.append(way)
                points += [corner, corner + way]
        self._unit = np.array(points)
        lines = np.insert(np.arange(len(points)).reshape(-1, 2), 0, 2, axis=1).ravel()
        self._lines = pv.PolyData(np.array(points, np.float32), lines=lines)
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self._lines)
        self._actor = line_actor(mapper, WIDTH)
        self._actor.GetProperty().SetColor(*rgb(COLOR))
        self._actor.VisibilityOff()
        renderer.AddActor(self._actor)

    def draw(self, box: Box | None) -> None:
        """Around this box, or none."""
        self._actor.SetVisibility(box is not None)
        if box is not None:
            np.asarray(self._lines.points)[:] = box.center + (self._unit * MARGIN * box.half) @ box.axes
            self._lines.GetPoints().Modified()
            self._lines.Modified()


class GizmoHandles:
    """An arrow along each axis and a ring about it, as large on the screen wherever they are."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._actors: dict[tuple[str, int], vtkActor] = {}
        for axis in range(3):
            for deed, shape in (("move", _arrow(axis)), ("turn", _ring(axis))):
                mapper = vtkPolyDataMapper()
                mapper.SetInputData(shape)
                actor = vtkActor()
                actor.SetMapper(mapper)
                actor.PickableOff()
                actor.VisibilityOff()
                look = actor.GetProperty()
                look.SetColor(*rgb(AXES[axis]))
                look.SetAmbient(0.65)
                look.SetDiffuse(0.45)
                renderer.AddActor(actor)
                self._actors[deed, axis] = actor

    def draw(
        self, place: np.ndarray | None, length: float, kinds: tuple[str, ...], held: tuple[str, int] | None
    ) -> None:
        """At a place (3,) [m] with arrows of a length [m], those for `kinds` only; the one that is held is bright."""
        for (deed, axis), actor in self._actors.items():
            on = place is not None and deed in kinds and (held is None or held == (deed, axis))
            actor.SetVisibility(on)
            if on:
                actor.SetPosition(*place)  # type: ignore[misc]
                actor.SetScale(length)
                color = np.array(rgb(AXES[axis]))
                actor.GetProperty().SetColor(*(color if held is None else 0.4 + 0.6 * color))


def ring_points(axis: int, count: int = AROUND) -> np.ndarray:
    """(count, 3) places of the ring about an axis, for arrows of length 1."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    points = np.zeros((count, 3))
    points[:, (axis + 1) % 3] = RING * np.cos(angle)
    points[:, (axis + 2) % 3] = RING * np.sin(angle)
    return points


def _arrow(axis: int) -> pv.PolyData:
    direction = np.eye(3)[axis]
    return pv.Arrow(
        start=(0, 0, 0), direction=direction, tip_length=0.22, tip_radius=0.06, shaft_radius=TUBE, shaft_resolution=12
    )


def _ring(axis: int) -> pv.PolyData:
    points = ring_points(axis)
    closed = pv.PolyData(np.vstack([points, points[:1]]), lines=[AROUND + 1, *range(AROUND + 1)])
    return closed.tube(radius=0.8 * TUBE, n_sides=8)
