"""Vectors of beads: tangent of the path, curvature with the osculating circle, and force of the path S."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkPolyDataMapper, vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.i18n.language import tr
from polhode_app.viewport.base.glyph_arrows import ArrowGlyphs, ArrowScale, legend, with_prefix
from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import set_colored_text
from polhode_app.viewport.things.springs import line_actor

MOST = 300  # beads with arrows at most; more could not be distinguished
TANGENT = 0.16  # length of a tangent, in radii of the stage
CURVED, PUSHED = 0.16, 0.28  # lengths of the arrows stated in the legend, in the same
STRAIGHT = 1e-3  # curvature that counts as zero, relative to the largest one or to one per radius of the stage
POINTS = 121  # points of an osculating circle
AROUND = 0.8  # largest length of an arc to both sides of the bead, in radii of the stage
WIDTH = 2.0  # [pixel]
CURVATURE_COLOR, CONSTRAINT_COLOR = PALETTE[2], PALETTE[3]  # tangents have the colour of the theme


class LabeledArrows:
    """Arrows of one colour, with a line of the legend."""

    def __init__(self, renderer: vtkRenderer, color: str, row: int):
        self._renderer = renderer
        self._arrows, self._text = ArrowGlyphs(renderer, MOST), legend(renderer, rgb(color), row)
        self.paint(color)

    def paint(self, color: str) -> None:
        """Set the colour of arrows and text."""
        self._shade = rgb(color)
        self._color = np.round(255 * np.array(self._shade)).astype(np.uint8)

    def stand_in_front(self) -> None:
        """Draw the arrows in front of the bodies."""
        self._arrows.stand_in_front()

    def draw(self, at: np.ndarray, vectors: np.ndarray, words: str) -> None:
        """Draw vectors (n, 3) [m] at positions (n, 3) [m], and set the text of the legend."""
        self._arrows.draw(at, vectors, self._color)
        set_colored_text(self._renderer, self._text, words, self._shade)
        self._text.SetVisibility(len(at) > 0)

    def turn(self, on: bool) -> None:
        """Show or hide the arrows."""
        self._arrows.turn(on)
        self._text.SetVisibility(False)  # shown by the next update


def held(now: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """(k,) indices of the first MOST beads that are on their paths, and (k, 3) [m] their positions."""
    which = np.flatnonzero(now.beads.is_held)[:MOST]
    return which, now.bodies.position[len(now.bodies.position) - len(now.beads.speed) :][which]


class TangentView:
    """Unit tangent of each path, towards larger q."""

    def __init__(self, renderer: vtkRenderer):
        self._arrows = LabeledArrows(renderer, CURVATURE_COLOR, row=0)
        self._length = 1.0  # [m]
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Set length and colour for a new stage."""
        self._length = stage.long(TANGENT, "tangents")
        self._arrows.paint(stage.theme.arrow)

    def update(self, now: Snapshot) -> None:
        """Draw the tangents."""
        if self._on:
            which, at = held(now)
            self._arrows.draw(at, self._length * now.beads.tangent[which], tr("tangent"))

    def set_visible(self, on: bool) -> None:
        """Show or hide the tangents."""
        self._on = on
        self._arrows.turn(on)


class CurvatureView:
    """Curvature vector dt/dl of each path, and its osculating circle."""

    def __init__(self, renderer: vtkRenderer):
        self._arrows, self._scale = LabeledArrows(renderer, CURVATURE_COLOR, row=1), ArrowScale()
        self._circles = pv.PolyData(
            np.zeros((MOST * POINTS, 3), np.float32),
            lines=np.column_stack([np.full(MOST, POINTS), np.arange(MOST * POINTS).reshape(MOST, POINTS)]).ravel(),
        )
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self._circles)
        self._actor = line_actor(mapper, WIDTH)
        self._actor.GetProperty().SetColor(*rgb(CURVATURE_COLOR))
        renderer.AddActor(self._actor)
        self._radius = self._length = 1.0  # [m] of the stage, and of the longest arrow
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Restart the scale for a new stage."""
        self._radius, self._length, self._scale = stage.radius, stage.long(CURVED, "curvature"), ArrowScale()
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Draw curvature vectors and circles."""
        if not self._on:
            return
        which, at = held(now)
        curvature = now.beads.curvature[which]
        size = np.linalg.norm(curvature, axis=1)
        self._scale.measure(float(size.max(initial=0.0)))
        bent = size > STRAIGHT * max(self._scale.unit, 1 / self._radius)
        words = tr("curvature, longest arrow {number} 1/m").format(number=f"{self._scale.unit:g}")
        self._arrows.draw(at[bent], self._scale.lengths(curvature[bent], self._length), words)
        circles = osculating(at[bent], now.beads.tangent[which][bent], curvature[bent], AROUND * self._radius)
        points = np.asarray(self._circles.points).reshape(MOST, POINTS, 3)
        points[: len(circles)] = circles
        points[len(circles) :] = circles[0, 0] if len(circles) else 0.0
        self._circles.GetPoints().Modified()
        self._actor.SetVisibility(len(circles) > 0)

    def set_visible(self, on: bool) -> None:
        """Show or hide vectors and circles."""
        self._on = on
        self._arrows.turn(on)
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


class ConstraintView:
    """Force S of each path on its bead."""

    def __init__(self, renderer: vtkRenderer):
        self._arrows, self._scale = LabeledArrows(renderer, CONSTRAINT_COLOR, row=2), ArrowScale()
        self._length = 1.0  # [m] of the longest arrow
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Restart the scale for a new stage."""
        self._length, self._scale = stage.long(PUSHED, "path_force"), ArrowScale()

    def update(self, now: Snapshot) -> None:
        """Draw the forces."""
        if not self._on:
            return
        which, at = held(now)
        force = now.beads.constraint[which]
        self._scale.measure(float(np.linalg.norm(force, axis=1).max(initial=0.0)))
        words = tr("force of the path S, longest arrow {force}").format(force=with_prefix(self._scale.unit, "N"))
        self._arrows.draw(at, self._scale.lengths(force, self._length), words)

    def set_visible(self, on: bool) -> None:
        """Show or hide the forces."""
        self._on = on
        self._arrows.turn(on)
