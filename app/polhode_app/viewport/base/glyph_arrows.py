"""Vector glyphs: many arrows in one actor, and their scale, which is a round number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkRenderer, vtkTextActor

from polhode_app.viewport.base.palette import RGB
from polhode_app.viewport.base.polydata import unit_arrow
from polhode_app.viewport.base.text_actor import DOTS, Symbols, back, prepare_text

MOST = 1200  # arrows of one kind at most
LONGEST = 0.28  # length of an arrow of the magnitude stated in the legend, in radii of the stage
SHORTEST = 0.01  # shorter arrows are left out, in the same length
RELAXED = 0.1  # a scale is reduced when the largest magnitude is below this fraction of it
IN_FRONT = -66000.0  # offset of the depth that draws in front of everything
LETTERS = 15  # font size of legends
SPACING = 1.3  # distance of the lines of a legend, in font sizes
RIGHT = 0.985  # horizontal position of texts at the right, as a fraction of the picture
SHAPE = {"tip_length": 0.24, "tip_radius": 0.07, "tip_resolution": 12, "shaft_radius": 0.022, "shaft_resolution": 8}
Corner = Literal["lower right", "upper right", "lower left"]


class ArrowScale:
    """Magnitude of the longest arrow: a round number, kept until the magnitudes have changed considerably."""

    def __init__(self) -> None:
        self.unit = 0.0  # 0 before the first measurement

    def measure(self, largest: float) -> None:
        """Adapt the scale to the largest magnitude of a frame."""
        if largest > 0 and not RELAXED * self.unit < largest <= self.unit:
            self.unit = rounded_up(largest)

    def lengths(self, vectors: np.ndarray, longest: float) -> np.ndarray:
        """(n, 3) [m] drawn vectors of vectors (n, 3), such that magnitude `unit` has length `longest` [m]."""
        return vectors * (longest / self.unit if self.unit else 0.0)


class ScaledArrows:
    """Arrows of one quantity with an automatic scale; the smallest ones are left out. Few have its symbol beside."""

    def __init__(self, renderer: vtkRenderer, shape: pv.PolyData | None = None, symbol: str = ""):
        """`shape` replaces the default arrow; it has length 1 along x."""
        self.data = pv.PolyData(np.zeros((MOST, 3), np.float32))
        """Positions [m] of the arrows, with the arrays "vector" [m] and "color"; unused arrows have length zero."""
        self.data.point_data["vector"] = np.zeros((MOST, 3), np.float32)
        self.data.point_data["color"] = np.zeros((MOST, 3), np.uint8)
        self._actor = vtkActor()
        self._actor.SetMapper(_glyph_mapper(self.data, shape or unit_arrow(**SHAPE)))
        self._actor.PickableOff()
        self._actor.GetProperty().SetAmbient(0.45)
        self._actor.GetProperty().SetDiffuse(0.6)
        renderer.AddActor(self._actor)
        self._scale, self._symbols = ArrowScale(), Symbols(renderer, symbol)
        self._longest = 1.0  # [m] length of an arrow of magnitude `unit`

    @property
    def unit(self) -> float:
        """Magnitude of the longest arrow; 0 before the first one."""
        return self._scale.unit

    @unit.setter
    def unit(self, unit: float) -> None:
        self._scale.unit = unit

    @property
    def symbols(self) -> list[vtkTextActor]:
        """The visible symbols."""
        return self._symbols.visible

    def begin(self, longest: float) -> None:
        """Restart the scale with a longest arrow of `longest` [m], for another scene."""
        self._longest, self._scale = longest, ArrowScale()

    def stand_in_front(self) -> None:
        """Draw the arrows in front of everything, such as of the bodies in which they begin."""
        mapper = self._actor.GetMapper()
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, IN_FRONT)

    def draw(self, at: np.ndarray, vectors: np.ndarray, colors: np.ndarray, symbols: Sequence[str] = ()) -> None:
        """Draw vectors (n, 3) at positions (n, 3) [m] in colours (n, 3) uint8.

        Of more than MOST vectors the largest ones are drawn. symbols: n symbols in place of that of the quantity
        """
        size = np.linalg.norm(vectors, axis=1)
        self._scale.measure(float(size.max(initial=0.0)))
        chosen = np.flatnonzero(size > SHORTEST * self.unit)
        if len(chosen) > MOST:
            chosen = chosen[np.argpartition(size[chosen], -MOST)[-MOST:]]
        at, colors, lengths = at[chosen], colors[chosen], self._scale.lengths(vectors[chosen], self._longest)
        count, arrays = len(at), self.data.point_data
        # Unused arrows are hidden inside the first one, otherwise they would enlarge the bounds.
        np.asarray(self.data.points)[:count], np.asarray(self.data.points)[count:] = at, at[0] if count else 0.0
        arrays["vector"][:count], arrays["vector"][count:] = lengths, 0.0
        arrays["color"][:count] = colors
        for name in ("vector", "color"):
            self.data.GetPointData().GetArray(name).Modified()
        self.data.GetPoints().Modified()
        self.data.Modified()
        self._symbols.draw(at + lengths, colors, [symbols[k] for k in chosen.tolist()] if symbols else ())

    def turn(self, on: bool) -> None:
        """Show or hide the arrows."""
        self._actor.SetVisibility(on)
        if not on:
            self._symbols.draw(np.zeros((0, 3)), np.zeros((0, 3)))


def _glyph_mapper(data: pv.PolyData, shape: pv.PolyData) -> vtkGlyph3DMapper:
    """A mapper that draws `shape` along each "vector" in its "color"."""
    mapper = vtkGlyph3DMapper()
    mapper.SetSourceData(shape)
    mapper.SetInputData(data)
    mapper.SetOrientationArray("vector")
    mapper.SetScaleArray("vector")
    mapper.SetScaleModeToScaleByMagnitude()
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("color")
    mapper.SetColorModeToDirectScalars()
    return mapper


def rounded_up(number: float) -> float:
    """The smallest number of the form 1, 2 or 5 times a power of ten that is not below `number`."""
    power = 10.0 ** np.floor(np.log10(number))
    return float(next(step * power for step in (1.0, 2.0, 5.0, 10.0) if number <= step * power * (1 + 1e-9)))


def with_prefix(number: float, unit: str) -> str:
    """A number as text with a suitable SI prefix of its unit."""
    for prefix, size in (("M", 1e6), ("k", 1e3), ("", 1.0), ("m", 1e-3), ("µ", 1e-6)):
        if abs(number) >= 0.999 * size:
            return f"{number / size:g} {prefix}{unit}"
    return f"{number * 1e9:g} n{unit}"


class LegendLine(vtkTextActor):
    """A line of text in a corner of the picture, in which lines stand one above the other (legend_column.py)."""

    corner: Corner


def legend(renderer: vtkRenderer, color: RGB, corner: Corner) -> LegendLine:
    """A line of text in a corner of the picture, in the colour it explains; hidden at first.

    The visible lines of a corner stand in the order in which they were made, the first one at the top.
    """
    text = LegendLine()
    prepare_text(text, LETTERS)
    text.corner = corner
    text.VisibilityOff()
    look = text.GetTextProperty()
    look.SetColor(*color)
    if corner != "lower left":
        look.SetJustificationToRight()
    back(renderer, look)
    renderer.AddActor(text)
    return text


def line_spacing(renderer: vtkRenderer) -> float:
    """Distance of the lines of a legend, as a fraction of the height of the picture: letters have a size in points.

    0 for a renderer without a window, whose views are read by an export and not drawn.
    """
    window = renderer.GetRenderWindow()
    if window is None:
        return 0.0
    return float(SPACING * LETTERS * window.GetDPI() / DOTS / max(window.GetSize()[1], 1))
