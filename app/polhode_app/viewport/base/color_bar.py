"""Colour bars with labels at the right edge of the picture, side by side: the card of a scene is at the left."""

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

from polhode_app.viewport.base.palette import RGB
from polhode_app.viewport.base.text_actor import set_text, text_actor

RIGHT, COLUMN = 0.97, 0.16  # position of the first bar, and distance of others, as fractions of the width
WIDTH, GAP = 0.012, 0.007  # of a bar, and of its labels from it, in the same
ENDS = (0.36, 0.70)  # lower and upper ends, as fractions of the height
LABELS = 5  # at most


class ColorBar:
    """A vertical colour bar; hidden at first."""

    def __init__(self, renderer: vtkRenderer, colors: np.ndarray):
        """`colors` (n, 3) uint8 are listed from the bottom."""
        self._renderer, self._left = renderer, RIGHT
        self._labels: Sequence[tuple[float, str]] = ()
        self._bar = _bar(colors)
        coordinate = vtkCoordinate()
        coordinate.SetCoordinateSystemToNormalizedViewport()
        mapper = vtkPolyDataMapper2D()
        mapper.SetInputData(self._bar)
        mapper.SetTransformCoordinate(coordinate)
        mapper.SetColorModeToDirectScalars()
        bar = _BarActor()
        bar.of = self
        bar.SetMapper(mapper)
        self._texts = [_text() for _ in range(LABELS)]
        self._actors = [bar, *self._texts]
        for actor in self._actors:
            actor.PickableOff()
            actor.VisibilityOff()
            renderer.AddViewProp(actor)

    def show(self, labels: Sequence[tuple[float, str]], color: RGB) -> None:
        """Set the labels: fraction 0 to 1 of the height, and text."""
        self._labels = labels[:LABELS]
        for text, (_, label) in zip_longest(self._texts, self._labels, fillvalue=(0.0, "")):
            set_text(text, label)
            text.GetTextProperty().SetColor(*color)
        self.move(self._left)

    def switch(self, on: bool) -> None:
        """Show or hide the bar; visible bars stand side by side."""
        for actor in self._actors:
            actor.SetVisibility(on)
        props = self._renderer.GetViewProps()
        found = (props.GetItemAsObject(number) for number in range(props.GetNumberOfItems()))
        visible = [prop.of for prop in found if isinstance(prop, _BarActor) and prop.GetVisibility()]
        for number, bar in enumerate(bar for bar in visible if bar is not None):
            bar.move(RIGHT - number * COLUMN)

    def move(self, left: float) -> None:
        """Place the bar with its labels at a horizontal position."""
        self._left = left
        points, (low, high) = self._bar.points, ENDS
        points[0::2, 0], points[1::2, 0] = left, left + WIDTH
        self._bar.points = points
        for text, (share, _) in zip(self._texts, self._labels, strict=False):
            text.SetPosition(left - GAP, low + share * (high - low))


class _BarActor(vtkActor2D):
    """The colours of a bar."""

    of: ColorBar | None = None


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


def _bar(colors: np.ndarray) -> pv.PolyData:
    """A thin rectangle for each colour."""
    count = len(colors)
    height = np.linspace(*ENDS, count + 1).repeat(2)
    points = np.column_stack([np.tile([RIGHT, RIGHT + WIDTH], count + 1), height, np.zeros(2 * count + 2)])
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
    look.SetJustificationToRight()  # their letters have a size in points: at the edge of a small picture they were cut
    return text
