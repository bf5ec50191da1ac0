"""Torques as arrows with two heads, each law in its own colour: about the support, or a free body's centre of mass."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.language import said
from app.viewport.arrows import SHAPE, Arrows, Scale, legend, with_prefix
from app.viewport.bead_arrows import LINE, LOWEST
from app.viewport.forces import COLORS as OF_FORCES
from app.viewport.forces import FRICTION, NAMES
from app.viewport.palette import rgb
from app.viewport.stage import Stage
from core.snapshot import Snapshot

MOST = 1200  # arrows; of more torques the largest are drawn
LONGEST = 0.28  # length of the arrow of the torque that the scale names, in radii of the stage
SHORTEST = 0.01  # shorter arrows are left out, in the same length
FIRST = LOWEST + 6 * LINE  # of the legend, above those of velocities
COLORS: Mapping[str, str] = MappingProxyType({"friction": FRICTION, **OF_FORCES})
"""Colour of each law; the friction of supports is a torque alone."""


class TorqueView:
    """One actor for all arrows, and a list of the laws that turn something with the length of a round torque."""

    def __init__(self, renderer: vtkRenderer):
        self._arrows, self._scale = Arrows(renderer, MOST, two_heads()), Scale()
        self._texts = {law: legend(renderer, rgb(color)) for law, color in COLORS.items()}
        self._scale_text = legend(renderer, (1.0, 1.0, 1.0))
        self._length = 1.0  # [m] of the longest arrow
        self._on = False

    def show(self, stage: Stage) -> None:
        self._length, self._scale = LONGEST * stage.radius, Scale()
        self._scale_text.GetTextProperty().SetColor(*rgb(stage.theme.text))

    def move(self, now: Snapshot) -> None:
        """Write the torques of a moment that has them."""
        if not self._on:
            return
        laws = [law for law in COLORS if law in now.forces and now.forces[law].torque.any()]
        at = np.vstack([np.zeros((0, 3)), *(now.forces[law].about for law in laws)])
        torque = np.vstack([np.zeros((0, 3)), *(now.forces[law].torque for law in laws)])
        color = np.repeat(np.arange(len(laws)), len(now.bodies.position))
        size = np.linalg.norm(torque, axis=1)
        self._scale.measure(float(size.max(initial=0.0)))
        chosen = np.flatnonzero(size > SHORTEST * self._scale.unit)
        if len(chosen) > MOST:
            chosen = chosen[np.argpartition(size[chosen], -MOST)[-MOST:]]
        colors = np.round(255 * np.array([rgb(COLORS[law]) for law in laws] or [(0, 0, 0)])).astype(np.uint8)
        self._arrows.draw(at[chosen], self._scale.lengths(torque[chosen], self._length), colors[color[chosen]])
        self._list(laws)

    def switch(self, on: bool) -> None:
        self._on = on
        self._arrows.turn(on)
        for text in (*self._texts.values(), self._scale_text):
            text.SetVisibility(False)  # the next moment shows those that it needs

    def _list(self, laws: list[str]) -> None:
        unit, lines = self._scale.unit, [self._scale_text, *(self._texts[law] for law in reversed(laws))]
        for text in self._texts.values():
            text.SetVisibility(False)
        self._scale_text.SetInput(said("longest torque {torque}").format(torque=with_prefix(unit, "N m")))
        for law in laws:
            self._texts[law].SetInput(_name(law))
        for row, text in enumerate(lines):
            text.SetPosition(0.985, FIRST + row * LINE)
            text.SetVisibility(unit > 0 and bool(laws))


def _name(law: str) -> str:
    name = said("friction of supports") if law == "friction" else said(NAMES.get(law, law))
    return said("torque: {law}").format(law=name)


def two_heads() -> pv.PolyData:
    """The arrow of what turns, of length 1 along x."""
    second = 1 - 1.8 * SHAPE["tip_length"]
    cone = pv.Cone(
        center=(second, 0, 0),
        direction=(1, 0, 0),
        height=SHAPE["tip_length"],
        radius=SHAPE["tip_radius"],
        resolution=int(SHAPE["tip_resolution"]),
    )
    return pv.Arrow(direction=(1, 0, 0), **SHAPE).append_polydata(cone)
