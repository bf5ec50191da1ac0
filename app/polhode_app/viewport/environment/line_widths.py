"""Widths of lines: views state them in pixels of a usual screen, and they grow with the resolution, as texts do."""

from __future__ import annotations

from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkRenderingCore import vtkProperty, vtkRenderer

from polhode_app.viewport.base.text_actor import DOTS


class LineWidths:
    """Scales the lines of a renderer to the DPI of its window, before a frame with another DPI or other actors."""

    def __init__(self, renderer: vtkRenderer):
        """Follow the frames of a renderer."""
        self._renderer = renderer
        self._stated: dict[vtkProperty, tuple[float, float]] = {}  # widths [pixel]: stated, and scaled
        self._state: tuple[int, int] = DOTS, 0  # DPI and time of modification of the actors of the last frame
        renderer.AddObserver(vtkCommand.StartEvent, lambda _renderer, _event: self._update())

    def _update(self) -> None:
        """Scale all lines, if the DPI or the actors have changed."""
        actors = self._renderer.GetActors()
        state = self._renderer.GetRenderWindow().GetDPI(), actors.GetMTime()
        if state == self._state or state[0] == self._state[0] == DOTS:
            return
        self._state, known, self._stated = state, self._stated, {}
        for actor in actors:
            look = actor.GetProperty()
            stated, scaled = known.get(look, (0.0, 0.0))
            if look.GetLineWidth() != scaled:  # it is new, or stated again since
                stated = look.GetLineWidth()
            look.SetLineWidth(stated * state[0] / DOTS)
            self._stated[look] = stated, look.GetLineWidth()
