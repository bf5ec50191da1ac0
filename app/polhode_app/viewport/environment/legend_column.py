"""The legends in the corners of a picture: their visible lines stand one above the other."""

from __future__ import annotations

from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode_app.viewport.base.glyph_arrows import RIGHT, LegendLine, line_spacing

BOTTOM = 0.025  # height of the scale bar, as a fraction of the picture
ABOVE = 1.2  # of the lowest line at the right above that, in distances of lines
TOP = 0.955  # height of the first line at the top, as a fraction of the picture
LEFT, LOWEST = 0.015, 0.26  # position of the lowest line at the left, above the axes widget, in the same


class LegendColumn:
    """Places the lines of a renderer before each frame."""

    def __init__(self, renderer: vtkRenderer):
        """Collect the lines of a renderer; views create them when they are made."""
        actors = renderer.GetViewProps()
        found = [actors.GetItemAsObject(number) for number in range(actors.GetNumberOfItems())]
        self._renderer, self._lines = renderer, [each for each in found if isinstance(each, LegendLine)]
        renderer.AddObserver(vtkCommand.StartEvent, lambda _renderer, _event: self._place())

    def _place(self) -> None:
        """Stack the visible lines of each corner."""
        spacing = line_spacing(self._renderer)
        for corner, x, y in (
            ("upper right", RIGHT, TOP),
            ("lower right", RIGHT, BOTTOM + ABOVE * spacing),
            ("lower left", LEFT, LOWEST),
        ):
            shown = [line for line in self._lines if line.corner == corner and line.GetVisibility()]
            lowest = len(shown) - 1 if corner != "upper right" else 0
            for number, line in enumerate(shown):
                line.SetPosition(x, y + (lowest - number) * spacing)
