"""Arrows of vectors by law, each law in its own colour, with a legend of the laws that act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode_app.viewport.base.glyph_arrows import LONGEST, RIGHT, ScaledArrows, legend, line_spacing
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import set_colored_text, set_text

LEFT = 0.015  # horizontal position of a legend, as that at the right a fraction of the picture
TOP = 0.955  # height of the first line at the right, as a fraction of the picture
FIRST = 0.26  # height of the lowest line at the left, above the axes widget
Told = tuple[str, np.ndarray, np.ndarray]  # law, positions (n, 3) [m] and vectors (n, 3), laboratory frame


class ForceArrows:
    """One actor for the arrows of all laws, and their legend."""

    def __init__(
        self,
        renderer: vtkRenderer,
        colors: Mapping[str, str],
        symbol: str,
        shape: pv.PolyData | None = None,
        left: bool = False,
    ):
        """`colors` maps laws to colours in the order of the legend, which is at the right or at the `left` edge.

        `symbol` stands beside the arrows if they are few.
        """
        self._renderer, self._edge = renderer, LEFT if left else RIGHT
        self.arrows = ScaledArrows(renderer, shape, symbol)
        self.arrows.stand_in_front()
        self._shades = {law: rgb(color) for law, color in colors.items()}
        self._colors = {law: np.round(255 * np.array(shade)).astype(np.uint8) for law, shade in self._shades.items()}
        self.texts = {law: legend(renderer, rgb(color)) for law, color in colors.items()}
        self.scale_text = legend(renderer, (1.0, 1.0, 1.0))
        for text in (*self.texts.values(), self.scale_text) if left else ():
            text.GetTextProperty().SetJustificationToLeft()
        self.on = False

    @property
    def unit(self) -> float:
        """Magnitude of the longest arrow."""
        return self.arrows.unit

    def rebuild(self, stage: Stage, view: str) -> None:
        """Restart the scale for a new stage; `view` is the name of the view, for the length of its arrows."""
        self.arrows.begin(stage.long(LONGEST, view))
        self.scale_text.GetTextProperty().SetColor(*rgb(stage.theme.text))

    def draw(self, told: Sequence[Told]) -> None:
        """Draw the vectors of some laws, and hide the legend."""
        nothing = np.zeros((0, 3))
        at = np.vstack([nothing, *(places for _, places, _ in told)])
        vectors = np.vstack([nothing, *(of_law for _, _, of_law in told)])
        colors = [np.broadcast_to(self._colors[law], of_law.shape) for law, _, of_law in told]
        self.arrows.draw(at, vectors, np.vstack([nothing.astype(np.uint8), *colors]))
        self.hide()

    def line(self, law: str, words: str, row: int) -> None:
        """Show the line of a law, or that of the scale for "": from the top at the right, or upwards at the left."""
        text = self.texts[law] if law else self.scale_text
        if law:
            set_colored_text(self._renderer, text, words, self._shades[law])
        else:
            set_text(text, words)
        spacing = line_spacing(self._renderer)
        height = FIRST + row * spacing if self._edge == LEFT else TOP - row * spacing
        text.SetPosition(self._edge, height)
        text.SetVisibility(True)

    def hide(self) -> None:
        """Hide the legend; the next update shows the lines it needs."""
        for text in (*self.texts.values(), self.scale_text):
            text.SetVisibility(False)

    def set_visible(self, on: bool) -> None:
        """Show or hide the arrows."""
        self.on = on
        self.arrows.turn(on)
        self.hide()
