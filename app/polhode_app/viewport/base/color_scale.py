"""Colour scales with a round number at the end, and their colour bars."""

from __future__ import annotations

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode_app.viewport.base.color_bar import ColorBar
from polhode_app.viewport.base.color_map import COLORS, diverging_map, heat_map
from polhode_app.viewport.base.glyph_arrows import rounded_up, with_prefix
from polhode_app.viewport.base.palette import RGB

RELAXED = 0.08  # the scale is reduced when it would shrink below this fraction


class ColorScale:
    """Colours of values from 0, or from negative ones, to a round number, which is kept until the values have changed
    considerably.
    """

    def __init__(self, renderer: vtkRenderer, unit: str, least: float, *, signed: bool, relaxed: float = RELAXED):
        """`least`: the end of the scale at least, in the unit. `relaxed`: 0 for a scale that is never reduced."""
        self.colors = diverging_map() if signed else heat_map()
        self._unit, self._least, self._signed, self._relaxed = unit, least, signed, relaxed
        self._bar = ColorBar(renderer, self.colors)
        self._most = 0.0
        self._text: RGB = (0.0, 0.0, 0.0)

    def reset(self, text: RGB) -> None:
        """Forget the scale of the previous scene; `text` is the colour of labels."""
        self._most, self._text = 0.0, text

    def fit(self, wanted: float) -> None:
        """Take a round number not below `wanted` as the end of the scale, unless the present one is still suitable."""
        wanted = max(wanted, self._least)
        if self._relaxed * self._most < wanted <= self._most:
            return
        self._most = rounded_up(wanted)
        most = with_prefix(self._most, self._unit)
        low = [(0.0, f"−{most}"), (0.5, "0")] if self._signed else [(0.0, "0")]
        self._bar.show([*low, (1.0, most)], self._text)

    def index(self, values: np.ndarray) -> np.ndarray:
        """Rows of `colors` (n,) intp of values (n,)."""
        share = (COLORS - 1) / self._most
        scaled = values * (0.5 * share) + 0.5 * COLORS if self._signed else values * share
        return np.asarray(scaled.clip(0, COLORS - 1).astype(np.intp))

    def share(self, values: np.ndarray) -> np.ndarray:
        """(n,) sizes of values (n,), in the end of the scale."""
        return np.asarray(np.abs(values) / self._most)

    def switch(self, on: bool) -> None:
        """Show or hide the colour bar."""
        self._bar.switch(on)
