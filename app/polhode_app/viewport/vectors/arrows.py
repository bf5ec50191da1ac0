"""Views of arrows: each is some quantities, which are functions of a snapshot, with a scale and a legend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.scene.message import Message
from polhode.simulation.snapshot import Snapshot
from polhode_app.i18n.translation import translate
from polhode_app.viewport.base.glyph_arrows import LONGEST, SHAPE, Corner, ScaledArrows, legend, with_prefix
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.polydata import joined, smooth, unit_arrow
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import set_colored_text
from polhode_app.viewport.record import ARROW, Arrays, LegendEntry, ViewBase, ViewRecord, nested, part

NONE = np.zeros((0, 3))
MOST_LARGER = 1000.0  # factor


class Vectors(NamedTuple):
    """Arrows to be drawn, laboratory frame."""

    at: np.ndarray  # (n, 3) [m] positions
    vectors: np.ndarray  # (n, 3) in the unit of the quantity
    law: str = ""  # key of `Quantity.laws`, if there are any


Finder = Callable[[Snapshot], Iterable[Vectors]]
"""Finds the vectors of a quantity in a snapshot."""


@dataclass(frozen=True, kw_only=True)
class ArrowQuantity:
    """Vectors of one kind, which have one scale and one legend."""

    of: Callable[[Stage], Finder]
    """Makes the function that finds the vectors, for each stage."""
    name: Message
    """In the legend of the window."""
    symbol: str
    color: str
    """Hexadecimal, or the name of a colour of the theme."""
    scale: Message
    """Line in the picture, with the magnitude of the longest arrow: {number} in SI units, {longest} in `unit` with a
    prefix.
    """
    unit: str = ""
    length: float = LONGEST
    """Length of the longest arrow, in radii of the stage."""
    laws: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Colour of each law of a quantity that is drawn by law, in the order of the legend."""
    law_name: Callable[[str], str] = str
    """Name of a law in the current language."""
    law_symbols: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Symbols of laws that have one of their own."""
    corner: Corner = "lower right"
    """Where its legend stands in the picture."""
    has_two_heads: bool = False
    has_symbols: bool = True
    """Whether the symbol stands beside the arrows if they are few."""
    is_in_front: bool = True
    """Whether the arrows are drawn in front of the bodies in which they begin."""


class ArrowView(ViewBase):
    """Arrows of some quantities."""

    def __init__(self, renderer: vtkRenderer, name: str, quantities: Iterable[ArrowQuantity]):
        """`name` is that of the record."""
        self._name = name
        self.drawings = [QuantityArrows(renderer, quantity) for quantity in quantities]
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Restart the scales for a new stage."""
        for drawing in self.drawings:
            drawing.rebuild(stage, self._name)

    def update(self, now: Snapshot) -> None:
        """Draw the vectors of a snapshot."""
        if self._on:
            for drawing in self.drawings:
                drawing.update(now)

    def memory(self) -> Arrays:
        """Scales of the quantities."""
        return nested({str(number): each.memory() for number, each in enumerate(self.drawings)})

    def recall(self, memory: Arrays) -> None:
        """Take over scales."""
        for number, each in enumerate(self.drawings):
            each.recall(part(memory, str(number)))

    def set_visible(self, on: bool) -> None:
        """Show or hide the arrows."""
        self._on = on
        for drawing in self.drawings:
            drawing.set_visible(on)


class QuantityArrows:
    """Arrows of one quantity, and their legend."""

    def __init__(self, renderer: vtkRenderer, quantity: ArrowQuantity):
        self._renderer, self._quantity = renderer, quantity
        symbol = quantity.symbol if quantity.has_symbols else ""
        self.arrows = ScaledArrows(renderer, two_heads() if quantity.has_two_heads else None, symbol)
        if quantity.is_in_front:
            self.arrows.stand_in_front()
        self.law_texts = {law: legend(renderer, rgb(color), quantity.corner) for law, color in quantity.laws.items()}
        self.text = legend(renderer, (1.0, 1.0, 1.0), quantity.corner)
        self._shades = {law: rgb(color) for law, color in quantity.laws.items()}
        self._largest: dict[str, float] = {}  # by law, since the scene was shown
        self._vectors: Finder = lambda now: ()

    def rebuild(self, stage: Stage, view: str) -> None:
        """Restart the scale for a new stage; `view` is the name of the view, for the length of its arrows."""
        self.arrows.begin(stage.long(self._quantity.length, view))
        color = "text" if self._quantity.laws else self._quantity.color
        self._shades[""] = rgb(stage.theme.color(color))
        self._largest = {}
        self._vectors = self._quantity.of(stage)

    def update(self, now: Snapshot) -> None:
        """Draw the vectors of a snapshot, and write the legend."""
        found = list(self._vectors(now))
        factors = self._factors(found)
        shades = [np.round(255 * np.array(self._shades[each.law])).astype(np.uint8) for each in found]
        colors = [np.broadcast_to(shade, each.at.shape) for shade, each in zip(shades, found, strict=True)]
        at = np.vstack([NONE, *(each.at for each in found)])
        vectors = np.vstack([NONE, *(each.vectors * factors[each.law] for each in found)])
        symbols = [symbol for each in found for symbol in [self._symbol_of(each.law)] * len(each.at)]
        self.arrows.draw(at, vectors, np.vstack([NONE.astype(np.uint8), *colors]), symbols)
        unit = self.arrows.unit
        longest = with_prefix(unit, self._quantity.unit)
        words = translate(self._quantity.scale).format(number=f"{unit:g}", longest=longest)
        set_colored_text(self._renderer, self.text, words, self._shades[""])
        self.text.SetVisibility(len(at) > 0 and unit > 0)
        for law, text in self.law_texts.items():
            text.SetVisibility(law in factors)
            if law in factors:
                set_colored_text(self._renderer, text, self._line_of(law, factors[law]), self._shades[law])

    def memory(self) -> Arrays:
        """Magnitude of the longest arrow, and the largest ones by law."""
        return {"unit": np.array(self.arrows.unit), **{f"of {law}": np.array(n) for law, n in self._largest.items()}}

    def recall(self, memory: Arrays) -> None:
        """Take over a scale."""
        self.arrows.unit = float(memory["unit"])
        largest = {key: float(value) for key, value in memory.items() if key.startswith("of ")}
        self._largest = {key.removeprefix("of "): value for key, value in largest.items()}

    def _factors(self, found: Iterable[Vectors]) -> dict[str, int]:
        """Power of ten by which the arrows of each law are longer than those of the largest one.

        Forces that are far smaller than the others would be specks. Their largest values since the scene was shown
        count, so that arrows that change their length in time keep their factor.
        """
        for each in found:
            largest = float(np.linalg.norm(each.vectors, axis=1).max(initial=0.0))
            self._largest[each.law] = max(largest, self._largest.get(each.law, 0.0))
        longest = max((self._largest[each.law] for each in found), default=0.0)
        return {each.law: magnification(self._largest[each.law], longest) for each in found}

    def _symbol_of(self, law: str) -> str:
        return self._quantity.law_symbols.get(law, self._quantity.symbol)

    def _line_of(self, law: str, factor: int) -> str:
        """Line of the legend that explains the arrows of a law."""
        name, symbol = self._quantity.law_name(law), self._quantity.law_symbols.get(law, "")
        return " ".join([*([symbol] if symbol else []), name, *([f"×{factor}"] if factor > 1 else [])])

    def set_visible(self, on: bool) -> None:
        """Show or hide the arrows; the legend is shown by the next update."""
        self.arrows.turn(on)
        for text in (self.text, *self.law_texts.values()):
            text.SetVisibility(False)


def magnification(size: float, longest: float) -> int:
    """Largest power of ten, up to MOST_LARGER, by which arrows of a size stay within the longest ones."""
    if not 0.0 < size < longest:
        return 1
    return int(min(10.0 ** np.floor(np.log10(longest / size)), MOST_LARGER))


def arrows(name: str, *quantities: ArrowQuantity, **more: Any) -> ViewRecord:
    """The record of a view of arrows, which is off by default; `more` are other fields of ViewRecord."""
    usual = {
        "make": partial(ArrowView, name=name, quantities=quantities),
        "legend": tuple(LegendEntry(each.color, ARROW, each.symbol, each.name) for each in quantities),
    }
    return ViewRecord(name=name, kind="arrows", on_request=True, **(usual | more))


def moving(vectors: np.ndarray, least: float) -> np.ndarray:
    """(n, 3) vectors; those with a norm below `least` are set to zero."""
    return vectors * (np.linalg.norm(vectors, axis=1) > least)[:, None]


def two_heads() -> pv.PolyData:
    """Arrow with two heads, of length 1 along x."""
    second = 1 - 1.8 * SHAPE["tip_length"]
    cone = pv.Cone(
        center=(second, 0, 0),
        direction=(1, 0, 0),
        height=SHAPE["tip_length"],
        radius=SHAPE["tip_radius"],
        resolution=int(SHAPE["tip_resolution"]),
    )
    return joined([unit_arrow(**SHAPE), smooth(cone)])
