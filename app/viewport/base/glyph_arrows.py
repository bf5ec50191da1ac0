"""Arrows: many of them in one actor, and how long the one for a round number is."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkRenderer, vtkTextActor

from app.viewport.base.palette import RGB
from app.viewport.base.polydata import unit_arrow
from app.viewport.base.text_actor import text_actor

MOST = 1200  # arrows of a kind
LONGEST = 0.28  # length of the arrow of the number that a scale names, in radii of the stage
SHORTEST = 0.01  # shorter arrows are left out, in the same length
RELAXED = 0.1  # a scale follows downwards when the largest number is less than this part of it
SHAPE = {"tip_length": 0.24, "tip_radius": 0.07, "tip_resolution": 12, "shaft_radius": 0.022, "shaft_resolution": 8}


class ArrowGlyphs:
    """At most so many; each has a place, a vector as long as it is drawn, and a colour."""

    def __init__(self, renderer: vtkRenderer, most: int, shape: pv.PolyData | None = None):
        """`shape` is another than the usual arrow, of length 1 along x."""
        self._arrows = pv.PolyData(np.zeros((most, 3), np.float32))
        self._arrows.point_data["vector"] = np.zeros((most, 3), np.float32)
        self._arrows.point_data["color"] = np.zeros((most, 3), np.uint8)
        mapper = vtkGlyph3DMapper()
        mapper.SetSourceData(shape or unit_arrow(**SHAPE))
        mapper.SetInputData(self._arrows)
        mapper.SetOrientationArray("vector")
        mapper.SetScaleArray("vector")
        mapper.SetScaleModeToScaleByMagnitude()
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray("color")
        mapper.SetColorModeToDirectScalars()
        self._actor = vtkActor()
        self._actor.SetMapper(mapper)
        self._actor.PickableOff()
        self._actor.GetProperty().SetAmbient(0.45)
        self._actor.GetProperty().SetDiffuse(0.6)
        renderer.AddActor(self._actor)

    def draw(self, at: np.ndarray, vectors: np.ndarray, colors: np.ndarray) -> None:
        """Arrows at places (n, 3) [m] along vectors (n, 3) [m] in colours (n, 3) or (3,), bytes."""
        count, arrays = len(at), self._arrows.point_data
        np.asarray(self._arrows.points)[:count] = at
        arrays["vector"][:count] = vectors
        arrays["vector"][count:] = 0.0
        arrays["color"][:count] = colors
        # What is left out hides inside the first arrow, or it would stretch the bounds.
        np.asarray(self._arrows.points)[count:] = at[0] if count else 0.0
        for name in ("vector", "color"):
            self._arrows.GetPointData().GetArray(name).Modified()
        self._arrows.GetPoints().Modified()
        self._arrows.Modified()

    def turn(self, on: bool) -> None:
        """Show or hide them."""
        self._actor.SetVisibility(on)


class ArrowScale:
    """The number whose arrow is the longest: a round one that stays until the numbers are of another size."""

    def __init__(self) -> None:
        self.unit = 0.0  # 0: nothing has been measured

    def measure(self, largest: float) -> None:
        if largest > 0 and not RELAXED * self.unit < largest <= self.unit:
            self.unit = rounded_up(largest)

    def lengths(self, vectors: np.ndarray, longest: float) -> np.ndarray:
        """(n, 3) [m] vectors (n, 3) as they are drawn, where that of the round number is `longest` [m]."""
        return vectors * (longest / self.unit if self.unit else 0.0)


class ScaledArrows:
    """Arrows of numbers of one kind, the longest for a round one; the smallest are left out."""

    def __init__(self, renderer: vtkRenderer, shape: pv.PolyData | None = None):
        self._arrows, self._scale = ArrowGlyphs(renderer, MOST, shape), ArrowScale()
        self._longest = 1.0  # [m]

    @property
    def unit(self) -> float:
        """The round number; 0 where there is none yet."""
        return self._scale.unit

    def begin(self, longest: float) -> None:
        """Another scene, with a longest arrow [m]."""
        self._longest, self._scale = longest, ArrowScale()

    def draw(self, at: np.ndarray, vectors: np.ndarray, colors: np.ndarray) -> None:
        """Vectors (n, 3) at places (n, 3) [m] in colours (n, 3) or (3,), bytes; of too many the largest."""
        size = np.linalg.norm(vectors, axis=1)
        self._scale.measure(float(size.max(initial=0.0)))
        chosen = np.flatnonzero(size > SHORTEST * self.unit)
        if len(chosen) > MOST:
            chosen = chosen[np.argpartition(size[chosen], -MOST)[-MOST:]]
        colors = colors[chosen] if colors.ndim == 2 else colors
        self._arrows.draw(at[chosen], self._scale.lengths(vectors[chosen], self._longest), colors)

    def turn(self, on: bool) -> None:
        """Show or hide them."""
        self._arrows.turn(on)


def rounded_up(number: float) -> float:
    """The next of 1, 2 and 5 times the powers of ten."""
    power = 10.0 ** np.floor(np.log10(number))
    return float(next(step * power for step in (1.0, 2.0, 5.0, 10.0) if number <= step * power * (1 + 1e-9)))


def with_prefix(number: float, unit: str) -> str:
    """A number with the prefix of its unit by which it is a handy one."""
    for prefix, size in (("M", 1e6), ("k", 1e3), ("", 1.0), ("m", 1e-3), ("µ", 1e-6)):
        if number >= 0.999 * size:
            return f"{number / size:g} {prefix}{unit}"
    return f"{number * 1e9:g} n{unit}"


def legend(renderer: vtkRenderer, color: RGB) -> vtkTextActor:
    """A line at the right edge of the picture that says what a colour means; hidden at first."""
    text = text_actor(15)
    text.VisibilityOff()
    look = text.GetTextProperty()
    look.SetColor(*color)
    look.SetJustificationToRight()
    renderer.AddActor(text)
    return text
