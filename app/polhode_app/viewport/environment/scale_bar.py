"""The scale bar at the lower right: a round length at the depth that the camera looks at, with its value above it."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkPolyDataMapper2D, vtkRenderer

from polhode_app.viewport.base.glyph_arrows import RIGHT
from polhode_app.viewport.base.palette import RGB
from polhode_app.viewport.base.text_actor import back, set_text, text_actor
from polhode_app.viewport.environment.legend_column import BOTTOM

LONGEST = 0.2  # of the bar, in widths of the picture
LETTERS = 16  # font size
UNDER, TICK = 0.008, 0.006  # height of the bar below the text and half that of its ends, as fractions of the picture
CORNERS = ((0, 1), (0, -1), (0, 0), (1, 0), (1, -1), (1, 1))  # of the bar: left or right end, in TICKs above it


class ScaleBar:
    """A bar and a text, placed before each frame."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._text = text_actor(LETTERS)
        self._text.SetPosition(RIGHT, BOTTOM)
        self._text.GetTextProperty().SetJustificationToRight()
        back(renderer, self._text.GetTextProperty())
        self._line = pv.PolyData(np.zeros((len(CORNERS), 3)), lines=[len(CORNERS), *range(len(CORNERS))])
        self._bar = vtkActor2D()
        self._bar.SetMapper(vtkPolyDataMapper2D())
        self._bar.GetMapper().SetInputData(self._line)
        self._bar.GetProperty().SetLineWidth(2.0)
        self._bar.PickableOff()
        self._drawn = (0.0, 0.0, (0, 0))  # length [m] and in pixels, and size of the window of the drawn bar
        for actor in (self._text, self._bar):
            renderer.AddActor(actor)
        renderer.AddObserver("StartEvent", lambda *_: self._place())

    def set_color(self, color: RGB) -> None:
        """Draw bar and text in a colour."""
        self._text.GetTextProperty().SetColor(*color)
        self._bar.GetProperty().SetColor(*color)

    def set_visible(self, on: bool) -> None:
        """Show or hide bar and text."""
        self._text.SetVisibility(on)
        self._bar.SetVisibility(on)

    def _place(self) -> None:
        """Choose a round length, and write it."""
        window = self._renderer.GetRenderWindow()
        if not self._bar.GetVisibility() or window is None:
            return
        width, height = self._renderer.GetSize()
        metre = self._metre() * width / 2  # [pixel]
        if not (np.isfinite(metre) and metre > 0):
            return
        length = rounded_down(LONGEST * width / metre)
        wanted = length, round(length * metre, 1), (width, height)
        if wanted == self._drawn:
            return
        self._drawn = wanted
        set_text(self._text, length_text(length))
        right, low, tick = RIGHT * width, (BOTTOM - UNDER) * height, TICK * height
        left = right - length * metre
        self._line.points = np.array([[(left, right)[end], low + over * tick, 0.0] for end, over in CORNERS])

    def _metre(self) -> float:
        """Length of 1 m across the picture at the focal point, in half widths of the picture."""
        camera = self._renderer.GetActiveCamera()
        ahead, above = np.array(camera.GetDirectionOfProjection()), np.array(camera.GetViewUp())
        right, focus = np.cross(ahead, above), np.array(camera.GetFocalPoint())
        unit = 1e-3 * camera.GetDistance() * right / np.linalg.norm(right)
        ends = []
        for point in (focus - unit, focus + unit):
            self._renderer.SetWorldPoint(*point, 1.0)
            self._renderer.WorldToView()
            ends.append(self._renderer.GetViewPoint()[0])
        return float(abs(ends[1] - ends[0]) / (2 * np.linalg.norm(unit)))


def rounded_down(number: float) -> float:
    """The largest number of the form 1, 2 or 5 times a power of ten that is not above `number`."""
    power = 10.0 ** np.floor(np.log10(number))
    return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= number * (1 + 1e-9)))


def length_text(length: float) -> str:
    """A length [m] as text with a suitable unit."""
    for unit, size in (("km", 1e3), ("m", 1.0), ("cm", 1e-2), ("mm", 1e-3)):
        if length >= 0.999 * size:
            return f"{length / size:g} {unit}"
    return f"{length * 1e6:g} µm"
