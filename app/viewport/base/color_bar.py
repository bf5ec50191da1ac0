"""Colour bar with labels at an edge of the picture."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import (
    vtkActor2D,
    vtkCoordinate,
    vtkPolyDataMapper2D,
    vtkRenderer,
    vtkTextActor,
)

from app.viewport.base.palette import RGB
from app.viewport.base.text_actor import set_text, text_actor

RIGHT, LEFT = 0.915, 0.02  # horizontal positions of bars, as fractions of the picture
WIDTH = 0.012
MIDDLE, ABOVE = (0.36, 0.70), (0.74, 0.97)  # lower and upper ends of bars, as fractions of the picture
LABELS = 5  # at most


class ColorBar:
    """A vertical colour bar; hidden at first."""

    def __init__(
        self, renderer: vtkRenderer, colors: np.ndarray, left: float = RIGHT, ends: tuple[float, float] = MIDDLE
    ):
        """`colors` (n, 3) uint8 are listed from the bottom; `left` and `ends` are its position."""
        self._left, self._ends = left, ends
        place = vtkCoordinate()
        place.SetCoordinateSystemToNormalizedViewport()
        mapper = vtkPolyDataMapper2D()
        mapper.SetInputData(_bar(colors, left, ends))
        mapper.SetTransformCoordinate(place)
        mapper.SetColorModeToDirectScalars()
        bar = vtkActor2D()
        bar.SetMapper(mapper)
        self._texts = [_text() for _ in range(LABELS)]
        self._actors = [bar, *self._texts]
        for actor in self._actors:
            actor.PickableOff()
            actor.VisibilityOff()
            renderer.AddViewProp(actor)

    def show(self, labels: Sequence[tuple[float, str]], color: RGB) -> None:
        """Set the labels: fraction 0 to 1 of the height, and text."""
        low, high = self._ends
        for text, (share, label) in zip_longest(self._texts, labels[:LABELS], fillvalue=(0.0, "")):
            set_text(text, label)
            text.SetPosition(self._left + WIDTH + 0.007, low + share * (high - low))
            text.GetTextProperty().SetColor(*color)

    def switch(self, on: bool) -> None:
        """Show or hide the bar."""
        for actor in self._actors:
            actor.SetVisibility(on)


def decades(bottom: int, top: int) -> list[tuple[float, str]]:
    """Labels of a logarithmic scale from 10**bottom to 10**top [T]."""
    marked = np.unique(np.linspace(bottom, top, LABELS).round().astype(int)).tolist()
    return [((decade - bottom) / (top - bottom), field_text(decade)) for decade in marked]


def field_text(decade: int) -> str:
    """The flux density 10**decade T as text with a unit prefix."""
    for unit, power in (("T", 0), ("mT", -3), ("µT", -6), ("nT", -9)):
        if decade >= power:
            return f"{10 ** (decade - power):g} {unit}"
    return f"1e{decade} T"


def _bar(colors: np.ndarray, left: float, ends: tuple[float, float]) -> pv.PolyData:
    """A thin rectangle for each colour."""
    count = len(colors)
    height = np.linspace(*ends, count + 1).repeat(2)
    points = np.column_stack([np.tile([left, left + WIDTH], count + 1), height, np.zeros(2 * count + 2)])
    first = 2 * np.arange(count)
    bar = pv.PolyData(
        points, faces=np.column_stack([np.full(count, 4), first, first + 1, first + 3, first + 2]).ravel()
    )
    bar.cell_data.set_scalars(colors, "color")
    return bar


def _text() -> vtkTextActor:
    """A label, vertically centred."""
    text = text_actor(14)
    look = text.GetTextProperty()
    look.SetVerticalJustificationToCentered()
    return text
