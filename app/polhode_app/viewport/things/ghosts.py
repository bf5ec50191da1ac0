"""Ghosts: translucent bodies, points and trails of perturbed runs, one colour for each ghost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.scene.scene import Ghost
from polhode.simulation.ghost_runs import ghost_scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.i18n.field_names import named
from polhode_app.viewport.base.palette import PALETTE, RGBA, rgba
from polhode_app.viewport.base.stage import Stage, placed
from polhode_app.viewport.base.text_actor import Symbols
from polhode_app.viewport.record import Arrays, ViewBase, nested, part
from polhode_app.viewport.things.bodies import BodyView
from polhode_app.viewport.things.point_appearance import cloud
from polhode_app.viewport.things.points import PointView
from polhode_app.viewport.things.trails import TrailView, followed

OVER = 0.25  # height of its name over the end of a ghost, in sizes of its last body
FIRST = 5  # index in the palette of the first ghost's colour, different from that of the first body


@dataclass(frozen=True)
class _GhostDrawing:
    """Views of one ghost."""

    bodies: BodyView
    points: PointView
    trails: TrailView

    @property
    def views(self) -> tuple[BodyView, PointView, TrailView]:
        """All views."""
        return self.bodies, self.points, self.trails


class GhostView(ViewBase):
    """Draws bodies, points and trails of every ghost."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._shown: list[_GhostDrawing] = []
        self._colors: list[RGBA] = []
        self._there: list[bool] = []  # False for ghosts that diverged
        self._on, self._trails = True, True
        self._names = Symbols(renderer, "ghost")
        self._stage: Stage | None = None
        self._ends = np.zeros((0, 3))  # (n, 3) [m] where the names of the ghosts are

    def rebuild(self, stage: Stage) -> None:
        """Build the views of all ghosts, in their initial states."""
        colors = [ghost_color(ghost, number) for number, ghost in enumerate(stage.scene.ghost)]
        if colors != self._colors:
            for drawing in self._shown:
                for view in drawing.views:
                    view.remove()
            self._colors = colors
            self._shown = [self._raised(color) for color in colors]
        self._there, self._stage = [True] * len(colors), stage
        self._ends = np.zeros((len(colors), 3))
        for number, (drawing, ghost) in enumerate(zip(self._shown, stage.scene.ghost, strict=True)):
            start = placed(ghost_scene(stage.scene, ghost), stage.compiled)
            for view in drawing.views:
                view.rebuild(stage)
            drawing.bodies.update(start)
            drawing.points.update(start)
            self._ends[number] = _end(stage, start)
        self._turn()

    def update_ghosts(self, snapshots: Sequence[Snapshot | None]) -> None:
        """Draw the snapshots of all ghosts; those that diverged, None, are hidden."""
        if not snapshots:
            return
        there = [snapshot is not None for snapshot in snapshots]
        if there != self._there:
            self._there = there
            self._turn()
        for number, (drawing, snapshot) in enumerate(zip(self._shown, snapshots, strict=True)):
            if snapshot is not None and self._on:
                for view in drawing.views:
                    view.update(snapshot)
                if self._stage is not None:
                    self._ends[number] = _end(self._stage, snapshot)
        self._name()

    def follow_ghosts(self, snapshots: Sequence[Snapshot | None]) -> None:
        """Extend the trails to snapshots that are not drawn."""
        for drawing, snapshot in zip(self._shown, snapshots, strict=False):  # empty before the first frame
            if snapshot is not None:
                drawing.trails.follow(snapshot)

    def memory(self) -> Arrays:
        """Trails of the ghosts."""
        return nested({str(number): each.trails.memory() for number, each in enumerate(self._shown)})

    def recall(self, memory: Arrays) -> None:
        """Take over trails."""
        for number, each in enumerate(self._shown):
            each.trails.recall(part(memory, str(number)))

    def set_visible(self, on: bool) -> None:
        """Show or hide the ghosts."""
        self._on = on
        self._turn()

    def other_switched(self, on: bool) -> None:
        """Show or hide the trails with those of the scene."""
        self._trails = on
        self._turn()

    def _turn(self) -> None:
        """Apply the visibility to all views."""
        for drawing, there in zip(self._shown, self._there, strict=True):
            drawing.bodies.set_visible(self._on and there)
            drawing.points.set_visible(self._on and there)
            drawing.trails.set_visible(self._on and there and self._trails)
        self._name()

    def _name(self) -> None:
        """Write the names of the visible ghosts beside them."""
        ghosts = self._stage.scene.ghost if self._stage is not None and self._on else ()
        shown = [k for k, ghost in enumerate(ghosts) if ghost.name and self._there[k]]
        colors = np.array([self._colors[k][:3] for k in shown]).reshape(-1, 3)
        self._names.draw(self._ends[shown], np.round(255 * colors), [named(ghosts[k].name) for k in shown])

    def _raised(self, color: RGBA) -> _GhostDrawing:
        """Views of one ghost."""
        return _GhostDrawing(
            BodyView(self._renderer, color), PointView(self._renderer, color), TrailView(self._renderer, color)
        )


def _end(stage: Stage, now: Snapshot) -> np.ndarray:
    """(3,) [m] where the name of a ghost is: over the followed point of its last body, or over its last point."""
    if stage.moving:
        last = stage.moving[-1]
        solid = stage.solids[last]
        end = followed(solid) @ now.bodies.basis[last] + now.bodies.position[last]
        return np.asarray(end + [0.0, 0.0, OVER * solid.size])
    if not len(now.points.position):
        return np.zeros(3)
    return np.asarray(now.points.position[-1] + [0.0, 0.0, cloud(stage).radius[-1]])


def ghost_color(ghost: Ghost, number: int) -> RGBA:
    """Colour and opacity of ghost `number`: the stated one, or the next of the palette."""
    return rgba(ghost.color or PALETTE[(FIRST + number) % len(PALETTE)])
