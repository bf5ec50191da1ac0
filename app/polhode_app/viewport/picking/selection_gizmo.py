"""Graphics of the selection: handles for translation and rotation, in front of everything."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode_app.viewport.base.glyph_arrows import IN_FRONT
from polhode_app.viewport.base.palette import AXES, rgb

REACH = 74.0  # [pixel] length of an arrow
GAP = 0.08  # distance of an arrow from the item, in its length
RING = 0.4  # distance of a ring from the item, in lengths of an arrow
SMALLEST_RING = 0.72  # radius of a ring at least, in the same
TUBE = 0.018  # radius of the shaft, in lengths of an arrow
AROUND = 72  # segments of a ring
FARTHEST = 0.3  # distance from the middle at which handles begin at most, in heights of the picture


@dataclass(frozen=True, eq=False)
class HandleShape:
    """Handles around an item: an arrow along each axis of the laboratory, and a ring about it, outside the item."""

    middle: np.ndarray  # (3,) [m]
    length: float  # [m] of an arrow, REACH pixels
    starts: np.ndarray  # (3,) [m] distance of the foot of each arrow from the middle
    rings: np.ndarray  # (3,) [m] radius of each ring

    def on_arrow(self, axis: int, share: float | np.ndarray) -> np.ndarray:
        """(3,) or (n, 3) [m] point of an arrow at a share (n,) of its length."""
        return np.asarray(self.middle + np.multiply.outer(self.starts[axis] + share * self.length, np.eye(3)[axis]))

    def on_ring(self, axis: int, angle: float | np.ndarray) -> np.ndarray:
        """(3,) or (n, 3) [m] point of a ring at an angle (n,) [rad], from the axis that follows."""
        along, up = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        around = np.multiply.outer(np.cos(angle), along) + np.multiply.outer(np.sin(angle), up)
        return np.asarray(self.middle + self.rings[axis] * around)

    def moved(self, middle: np.ndarray) -> HandleShape:
        """The same handles about another point (3,) [m]."""
        return replace(self, middle=middle)


def handles_around(middle: np.ndarray, corners: np.ndarray, height: float, share: float) -> HandleShape:
    """Handles about a point (3,) [m] of an item with a bounding box of corners (n, 3) [m].

    height: of the picture there [m]; share: length of an arrow in this height
    """
    length, beyond = share * height, corners - middle
    starts = np.clip(beyond.max(axis=0), 0.0, FARTHEST * height) + GAP * length
    flat = [np.linalg.norm(np.delete(beyond, axis, axis=1), axis=1).max() for axis in range(3)]
    rings = np.clip(np.minimum(flat, FARTHEST * height) + RING * length, SMALLEST_RING * length, None)
    return HandleShape(middle, length, starts, rings)


class GizmoHandles:
    """The actors of the handles, of constant size on the screen."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._actors: dict[tuple[str, int], vtkActor] = {}
        self._ratios = np.zeros(3)  # radius of each ring, in lengths of an arrow
        for axis in range(3):
            for kind in ("move", "turn"):
                mapper = vtkPolyDataMapper()
                mapper.SetResolveCoincidentTopologyToPolygonOffset()
                mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, IN_FRONT)
                if kind == "move":
                    mapper.SetInputData(_arrow(axis))
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

    def draw(self, shape: HandleShape | None, kinds: tuple[str, ...], held: tuple[str, int] | None) -> None:
        """Show handles of some kinds, or hide them.

        `held` is kind and axis of the dragged one, which is highlighted while the others are hidden.
        """
        for (kind, axis), actor in self._actors.items():
            on = shape is not None and kind in kinds and (held is None or held == (kind, axis))
            actor.SetVisibility(on)
            if shape is not None and on:
                if kind == "turn" and self._ratios[axis] != (ratio := shape.rings[axis] / shape.length):
                    self._ratios[axis] = ratio
                    actor.GetMapper().SetInputData(_ring(axis, ratio))
                actor.SetPosition(*(shape.on_arrow(axis, 0.0) if kind == "move" else shape.middle))
                actor.SetScale(shape.length)
                color = np.array(rgb(AXES[axis]))
                actor.GetProperty().SetColor(*(color if held is None else 0.4 + 0.6 * color))


def _arrow(axis: int) -> pv.PolyData:
    """Arrow of length 1 along an axis."""
    direction = np.eye(3)[axis]
    return pv.Arrow(
        start=(0, 0, 0), direction=direction, tip_length=0.22, tip_radius=0.06, shaft_radius=TUBE, shaft_resolution=12
    )


def _ring(axis: int, radius: float) -> pv.PolyData:
    """Ring of a radius about an axis, for arrows of length 1."""
    shape = HandleShape(np.zeros(3), 1.0, np.zeros(3), np.full(3, radius))
    points = shape.on_ring(axis, np.linspace(0, 2 * np.pi, AROUND + 1))
    return pv.PolyData(points, lines=[AROUND + 1, *range(AROUND + 1)]).tube(radius=0.8 * TUBE, n_sides=8)
