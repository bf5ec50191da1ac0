"""Arrows of what laws do, each law in its own colour, with a list of those that do something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkTextActor

from app.viewport.base.glyph_arrows import LONGEST, ScaledArrows, legend
from app.viewport.base.palette import rgb
from app.viewport.base.stage import Stage

LEFT, RIGHT = 0.015, 0.985  # where lists stand, in shares of the picture
Told = tuple[str, np.ndarray, np.ndarray]  # law, places (n, 3) [m] and vectors (n, 3)


class ForceArrows:
    """One actor for all arrows. `colors` has the laws in the order of the list."""

    def __init__(
        self, renderer: vtkRenderer, colors: Mapping[str, str], shape: pv.PolyData | None = None, left: bool = False
    ):
        """The list stands at the right edge of the picture, or at the `left` one."""
        self._edge = LEFT if left else RIGHT
        self._arrows = ScaledArrows(renderer, shape)
        self._colors = {law: np.round(255 * np.array(rgb(color))).astype(np.uint8) for law, color in colors.items()}
        self.texts = {law: legend(renderer, rgb(color)) for law, color in colors.items()}
        self.scale_text = legend(renderer, (1.0, 1.0, 1.0))
        for text in (*self.texts.values(), self.scale_text) if left else ():
            text.GetTextProperty().SetJustificationToLeft()
        self.on = False

    @property
    def unit(self) -> float:
        """The number of the longest arrow."""
        return self._arrows.unit

    def rebuild(self, stage: Stage, view: str) -> None:
        self._arrows.begin(stage.long(LONGEST, view))
        self.scale_text.GetTextProperty().SetColor(*rgb(stage.theme.text))

    def draw(self, told: Sequence[Told]) -> None:
        """What laws do in a moment."""
        nothing = np.zeros((0, 3))
        at = np.vstack([nothing, *(places for _, places, _ in told)])
        vectors = np.vstack([nothing, *(of_law for _, _, of_law in told)])
        colors = [np.broadcast_to(self._colors[law], of_law.shape) for law, _, of_law in told]
        self._arrows.draw(at, vectors, np.vstack([nothing.astype(np.uint8), *colors]))
        self.hide()

    def line(self, text: vtkTextActor, words: str, height: float) -> None:
        """Show a line of the list at a height [pictures]."""
        text.SetInput(words)
        text.SetPosition(self._edge, height)
        text.SetVisibility(True)

    def hide(self) -> None:
        """Hide the list; the next moment shows what it needs of it."""
        for text in (*self.texts.values(), self.scale_text):
            text.SetVisibility(False)

    def set_visible(self, on: bool) -> None:
        self.on = on
        self._arrows.turn(on)
        self.hide()
