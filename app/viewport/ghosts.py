"""Ghosts: the bodies of another run of the same scene, see-through and in one colour, with trails of that colour."""

from __future__ import annotations

from collections.abc import Sequence

from vtkmodules.vtkRenderingCore import vtkRenderer

from app.viewport.bodies import BodyView
from app.viewport.palette import PALETTE, RGB, rgb
from app.viewport.stage import Stage, placed
from app.viewport.trails import TrailView
from core.ghosts import ghost_scene
from core.scene import Ghost
from core.snapshot import Bodies, Snapshot

FIRST = 5  # place in the palette of the first ghost's colour, far from the first body's


class GhostView:
    """What other views draw of the scene itself, it draws of every ghost."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._shown: list[tuple[BodyView, TrailView]] = []
        self._colors: list[RGB] = []
        self._there: list[bool] = []  # those that are not lost
        self._on, self._trails = True, True

    def show(self, stage: Stage) -> None:
        colors = [ghost_color(ghost, number) for number, ghost in enumerate(stage.scene.ghost)]
        if colors != self._colors:
            for bodies, trails in self._shown:
                bodies.remove()
                trails.remove()
            self._colors = colors
            self._shown = [(BodyView(self._renderer, color), TrailView(self._renderer, color)) for color in colors]
        self._there = [True] * len(colors)
        for (bodies, trails), ghost in zip(self._shown, stage.scene.ghost, strict=True):
            bodies.show(stage)
            bodies.move(placed(ghost_scene(stage.scene, ghost)), 0.0)
            trails.show(stage)
        self._turn()

    def move(self, bodies: Bodies, time: float) -> None:
        """Ghosts go their own ways: `haunt` moves them."""

    def haunt(self, moments: Sequence[Snapshot | None]) -> None:
        """Write where the ghosts are; one that is lost is no longer drawn."""
        if not moments:
            return
        there = [moment is not None for moment in moments]
        if there != self._there:
            self._there = there
            self._turn()
        for (bodies, trails), moment in zip(self._shown, moments, strict=True):
            if moment is not None and self._on:
                bodies.move(moment.bodies, moment.time)
                trails.move(moment.bodies, moment.time)

    def follow(self, moments: Sequence[Snapshot | None]) -> None:
        """Lead the trails through a moment that is not drawn."""
        for (_, trails), moment in zip(self._shown, moments, strict=False):  # before the first moment there are none
            if moment is not None:
                trails.move(moment.bodies, moment.time)

    def switch(self, on: bool) -> None:
        self._on = on
        self._turn()

    def switch_trails(self, on: bool) -> None:
        """With trails or without."""
        self._trails = on
        self._turn()

    def _turn(self) -> None:
        for (bodies, trails), there in zip(self._shown, self._there, strict=True):
            bodies.switch(self._on and there)
            trails.switch(self._on and there and self._trails)


def ghost_color(ghost: Ghost, number: int) -> RGB:
    """Colour of the number-th ghost: its own, or the palette's."""
    return rgb(ghost.color or PALETTE[(FIRST + number) % len(PALETTE)])
