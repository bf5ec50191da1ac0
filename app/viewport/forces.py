"""Forces as arrows, each law in its own colour: of a body at its centre of mass, of a point where it is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.language import said
from app.viewport.arrows import Arrows, Scale, legend, with_prefix
from app.viewport.palette import PALETTE, rgb
from app.viewport.stage import Stage
from core.snapshot import Snapshot

MOST = 1200  # arrows; of more forces the largest are drawn
LONGEST = 0.28  # length of the arrow of the force that the scale names, in radii of the stage
SHORTEST = 0.01  # shorter arrows are left out, in the same length
FRICTION = "#999999"  # what acts along what touches
COLORS: Mapping[str, str] = MappingProxyType(
    {
        "gravity": PALETTE[0],
        "magnetic": PALETTE[3],
        "contact": PALETTE[5],
        "springs": PALETTE[2],
        "drag": PALETTE[6],
        "walls": PALETTE[1],
        "surfaces": PALETTE[1],
        "dry_friction": FRICTION,
        "rough": FRICTION,
        "applied": PALETTE[4],
    }
)
"""Colour of each law of `core.force_parts`."""
NAMES = {"applied": "hand", "dry_friction": "friction"}  # what a law is called where its file's name says little


class ForceView:
    """One actor for all arrows, and a list of the laws that act with the length of a round force."""

    def __init__(self, renderer: vtkRenderer):
        self._arrows, self._scale = Arrows(renderer, MOST), Scale()
        self._texts = {law: legend(renderer, rgb(color)) for law, color in COLORS.items()}
        self._scale_text = legend(renderer, (1.0, 1.0, 1.0))
        self._length = 1.0  # [m] of the longest arrow
        self._on = False

    def show(self, stage: Stage) -> None:
        self._length, self._scale = LONGEST * stage.radius, Scale()
        self._scale_text.GetTextProperty().SetColor(*rgb(stage.theme.text))

    def move(self, now: Snapshot) -> None:
        """Write the forces of a moment that has them."""
        if not self._on:
            return
        laws = [law for law in COLORS if law in now.forces]
        parts = [(now.forces[law].at_bodies, now.forces[law].on_bodies) for law in laws]
        parts += [(now.points.position, now.forces[law].on_points) for law in laws]
        counts = [len(at) for at, _ in parts]
        at = np.vstack([np.zeros((0, 3)), *(at for at, _ in parts)])
        force = np.vstack([np.zeros((0, 3)), *(force for _, force in parts)])
        color = np.repeat(np.tile(np.arange(len(laws)), 2), counts)
        size = np.linalg.norm(force, axis=1)
        self._scale.measure(float(size.max(initial=0.0)))
        chosen = np.flatnonzero(size > SHORTEST * self._scale.unit)
        if len(chosen) > MOST:
            chosen = chosen[np.argpartition(size[chosen], -MOST)[-MOST:]]
        colors = np.round(255 * np.array([rgb(COLORS[law]) for law in laws] or [(0, 0, 0)])).astype(np.uint8)
        self._arrows.draw(at[chosen], self._scale.lengths(force[chosen], self._length), colors[color[chosen]])
        self._list(laws)

    def switch(self, on: bool) -> None:
        self._on = on
        self._arrows.turn(on)
        for text in (*self._texts.values(), self._scale_text):
            text.SetVisibility(False)  # the next moment shows those that it needs

    def _list(self, laws: list[str]) -> None:
        for text in self._texts.values():
            text.SetVisibility(False)
        for row, law in enumerate(laws):
            text = self._texts[law]
            text.SetInput(said(NAMES.get(law, law)))
            text.SetPosition(0.985, 0.955 - 0.035 * row)
            text.SetVisibility(True)
        unit = self._scale.unit
        self._scale_text.SetInput(said("longest arrow {force}").format(force=with_prefix(unit, "N")) if unit else "")
        self._scale_text.SetPosition(0.985, 0.955 - 0.035 * len(laws))
        self._scale_text.SetVisibility(bool(laws))
