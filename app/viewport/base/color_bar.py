"""A small bar of the colours of a scale, with its numbers, at an edge of the picture."""

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
from app.viewport.base.text_actor import text_actor

RIGHT, LEFT = 0.915, 0.02  # where a bar may stand, in shares of the picture
WIDTH = 0.012
MIDDLE, ABOVE = (0.36, 0.70), (0.74, 0.97)  # from where to where it goes up, in the same
LABELS = 5  # at most


class ColorBar:
    def __init__(
        self, renderer: vtkRenderer, colors: np.ndarray, left: float = RIGHT, ends: tuple[float, float] = MIDDLE
    ):
        """`colors` (n, 3) bytes, from below; `left` and `ends` are where it stands."""
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
        """Write texts at shares 0 ... 1 of its height."""
        low, high = self._ends
        for text, (share, label) in zip_longest(self._texts, labels[:LABELS], fillvalue=(0.0, "")):
            text.SetInput(label)
            text.SetPosition(self._left + WIDTH + 0.007, low + share * (high - low))
            text.GetTextProperty().SetColor(*color)

    def switch(self, on: bool) -> None:
        for actor in self._actors:
            actor.SetVisibility(on)


def decades(bottom: int, top: int) -> list[tuple[float, str]]:
    """Labels of a logarithmic scale 10**bottom ... 10**top [T]."""
    marked = np.unique(np.linspace(bottom, top, LABELS).round().astype(int)).tolist()
    return [((decade - bottom) / (top - bottom), field_text(decade)) for decade in marked]


def field_text(decade: int) -> str:
    """10**decade T with the unit in which it is a handy number."""
    for unit, power in (("T", 0), ("mT", -3), ("µT", -6), ("nT", -9)):
        if decade >= power:
            return f"{10 ** (decade - power):g} {unit}"
    return f"1e{decade} T"


def _bar(colors: np.ndarray, left: float, ends: tuple[float, float]) -> pv.PolyData:
    """One thin rectangle for each colour."""
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
    text = text_actor(14)
    look = text.GetTextProperty()
    look.SetVerticalJustificationToCentered()
    return text
