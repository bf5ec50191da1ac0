"""Graphics of the selection: handles for translation and rotation."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode_app.viewport.base.palette import AXES, rgb

REACH = 74.0  # [pixel] length of an arrow
RING = 0.72  # radius of the rings, in lengths of an arrow
TUBE = 0.018  # radius of the shaft, in lengths of an arrow
AROUND = 48  # segments of a ring


class GizmoHandles:
    """An arrow along each axis and a ring about it, of constant size on the screen."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._actors: dict[tuple[str, int], vtkActor] = {}
        for axis in range(3):
            for kind, shape in (("move", _arrow(axis)), ("turn", _ring(axis))):
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
                self._actors[kind, axis] = actor

    def draw(
        self, position: np.ndarray | None, length: float, kinds: tuple[str, ...], held: tuple[str, int] | None
    ) -> None:
        """Show the handles at a position (3,) [m], or hide them.

        `length` [m] is that of the arrows; `kinds` are the kinds of handles to show, `held` kind and axis of the
        dragged one, which is highlighted while the others are hidden.
        """
        for (kind, axis), actor in self._actors.items():
            on = position is not None and kind in kinds and (held is None or held == (kind, axis))
            actor.SetVisibility(on)
            if on:
                actor.SetPosition(*position)  # type: ignore[misc]
                actor.SetScale(length)
                color = np.array(rgb(AXES[axis]))
                actor.GetProperty().SetColor(*(color if held is None else 0.4 + 0.6 * color))


def ring_points(axis: int, count: int = AROUND) -> np.ndarray:
    """(count, 3) points of the ring about an axis, for arrows of length 1."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    points = np.zeros((count, 3))
    points[:, (axis + 1) % 3] = RING * np.cos(angle)
    points[:, (axis + 2) % 3] = RING * np.sin(angle)
    return points


def _arrow(axis: int) -> pv.PolyData:
    """Arrow of length 1 along an axis."""
    direction = np.eye(3)[axis]
    return pv.Arrow(
        start=(0, 0, 0), direction=direction, tip_length=0.22, tip_radius=0.06, shaft_radius=TUBE, shaft_resolution=12
    )


def _ring(axis: int) -> pv.PolyData:
    """Ring about an axis, for arrows of length 1."""
    points = ring_points(axis)
    closed = pv.PolyData(np.vstack([points, points[:1]]), lines=[AROUND + 1, *range(AROUND + 1)])
    return closed.tube(radius=0.8 * TUBE, n_sides=8)
