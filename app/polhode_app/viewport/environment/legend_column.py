"""The column of a legend at the right edge of a picture: its visible lines stand one above the other."""

from __future__ import annotations

from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode_app.viewport.base.glyph_arrows import RIGHT, LegendLine, line_spacing

BOTTOM = 0.025  # height of the length of a grid cell, as a fraction of the picture
ABOVE = 1.2  # of the lowest line above that, in distances of lines


class LegendColumn:
    """Places the lines of a renderer that have a row, before each frame."""

    def __init__(self, renderer: vtkRenderer):
        """Collect the lines of a renderer; views create them when they are made."""
        actors = renderer.GetViewProps()
        found = (actors.GetItemAsObject(number) for number in range(actors.GetNumberOfItems()))
        lines = [(each.row, each) for each in found if isinstance(each, LegendLine) and each.row is not None]
        self._renderer = renderer
        self._lines = [line for _, line in sorted(lines, key=lambda pair: pair[0])]
        renderer.AddObserver(vtkCommand.StartEvent, lambda _renderer, _event: self._place())

    def _place(self) -> None:
        """Stack the visible lines, the first row lowest."""
        spacing = line_spacing(self._renderer)
        height = BOTTOM + ABOVE * spacing
        for line in self._lines:
            if line.GetVisibility():
                line.SetPosition(RIGHT, height)
                height += spacing
