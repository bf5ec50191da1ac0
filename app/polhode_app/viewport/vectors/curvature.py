"""Curvature of the path of each bead, with the osculating circle.

A class beside the record, because it draws circles beside the arrows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkPolyDataMapper, vtkRenderer

from polhode.scene.message import Message
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.springs import line_actor
from polhode_app.viewport.vectors.arrows import ArrowQuantity, ArrowView, Finder, Vectors, moving

MOST = 300  # beads with circles at most; more could not be distinguished
STRAIGHT = 1e-3  # curvature that counts as zero, relative to the largest one or to one per radius of the stage
POINTS = 121  # points of an osculating circle
AROUND = 0.8  # largest length of an arc to both sides of the bead, in radii of the stage
WIDTH = 2.0  # [pixel]
COLOR = PALETTE[2]


def held(now: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """(k,) indices of the beads that are on their paths, and (k, 3) [m] their positions."""
    which = np.flatnonzero(now.beads.is_held)
    return which, now.bodies.position[len(now.bodies.position) - len(now.beads.speed) :][which]


def curvatures(stage: Stage) -> Finder:
    """Curvature vectors dt/dl [1/m]."""

    def vectors(now: Snapshot) -> Iterator[Vectors]:
        which, at = held(now)
        yield Vectors(at, moving(now.beads.curvature[which], STRAIGHT / stage.radius))

    return vectors


CURVATURE = ArrowQuantity(
    of=curvatures,
    name=Message("curvature"),
    symbol="κ",
    color=COLOR,
    scale=Message("curvature, longest arrow {number} 1/m"),
    length=0.16,
    has_symbols=False,
    is_in_front=False,
)


class CurvatureView(ViewBase):
    """Curvature vector dt/dl of each path, and its osculating circle."""

    def __init__(self, renderer: vtkRenderer):
        self.arrows = ArrowView(renderer, "curvature", [CURVATURE])
        self._circles = pv.PolyData(
            np.zeros((MOST * POINTS, 3), np.float32),
            lines=np.column_stack([np.full(MOST, POINTS), np.arange(MOST * POINTS).reshape(MOST, POINTS)]).ravel(),
        )
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self._circles)
        self._actor = line_actor(mapper, WIDTH)
        self._actor.GetProperty().SetColor(*rgb(COLOR))
        renderer.AddActor(self._actor)
        self._radius = 1.0  # [m] of the stage
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Restart the scale for a new stage."""
        self._radius = stage.radius
        self.arrows.rebuild(stage)
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Draw curvature vectors and circles."""
        if not self._on:
            return
        self.arrows.update(now)
        which, at = held(now)
        curvature = now.beads.curvature[which]
        largest = self.arrows.drawings[0].arrows.unit
        bent = np.flatnonzero(np.linalg.norm(curvature, axis=1) > STRAIGHT * max(largest, 1 / self._radius))[:MOST]
        circles = osculating(at[bent], now.beads.tangent[which][bent], curvature[bent], AROUND * self._radius)
        points = np.asarray(self._circles.points).reshape(MOST, POINTS, 3)
        points[: len(circles)] = circles
        points[len(circles) :] = circles[0, 0] if len(circles) else 0.0
        self._circles.GetPoints().Modified()
        self._actor.SetVisibility(len(circles) > 0)

    def set_visible(self, on: bool) -> None:
        """Show or hide vectors and circles."""
        self._on = on
        self.arrows.set_visible(on)
        self._actor.SetVisibility(False)  # shown by the next update


def osculating(at: np.ndarray, tangent: np.ndarray, curvature: np.ndarray, longest: float) -> np.ndarray:
    """(k, POINTS, 3) [m] circles through points (k, 3) [m] with unit tangents (k, 3) and curvature vectors (k, 3)
    [1/m].

    Large circles are limited to arcs of `longest` [m] to both sides.
    """
    square = (curvature * curvature).sum(axis=1)[:, None, None]
    half = np.minimum(np.pi, longest * np.sqrt(square[:, :, 0]))
    angle = (half * np.linspace(-1, 1, POINTS))[:, :, None]
    along = np.sin(angle) / np.sqrt(square) * tangent[:, None]
    inward = 2 * np.sin(angle / 2) ** 2 / square * curvature[:, None]  # 1 - cos without cancellation
    return np.asarray(at[:, None] + along + inward)
