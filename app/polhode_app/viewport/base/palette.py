"""All colours of the view: the palette of shapes, magnetic poles, the two themes, and the contrast of texts.

The palette is that of Okabe and Ito (Color Universal Design), which can be distinguished with any colour vision,
ordered such that colours with contrast to both backgrounds come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import pyvista as pv

from polhode.scene.display.colors import opacity

RGB = tuple[float, float, float]
RGBA = tuple[float, float, float, float]

PALETTE = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#0072b2")
CURVES = tuple(PALETTE[k] for k in (0, 1, 2, 3, 5, 6, 4))
"""Colours of curves; yellow, with little contrast on white, comes last."""
AXES = (PALETTE[5], PALETTE[2], PALETTE[0])
"""Colours of x, y, z."""
COPPER = "#b87333"  # of plates and windings
NORTH = "#d9480f"
SOUTH = "#1c6fb5"
LEGIBLE = 4.5  # contrast ratio of texts at level AA
SHADES = 20  # steps from a colour to black or white
HELD = "#f08080"
"""Colour of a point that an interaction holds, and of the marker of all interactions (Imura section 7.4)."""


@dataclass(frozen=True)
class Theme:
    """Colours of everything but bodies."""

    top: str  # upper end of the background gradient
    bottom: str  # lower end
    grid: str
    shadow: str
    shadow_strength: float  # opacity of a full shadow, 0 ... 1
    text: str
    support: str
    arrow: str
    momentum: str  # angular momentum
    line: str  # magnetic field lines far from poles

    @property
    def is_dark(self) -> bool:
        """Whether the background is darker than the text."""
        return sum(rgb(self.top)) < sum(rgb(self.text))

    def color(self, name: str) -> str:
        """Hexadecimal colour of a legend: `name` is one of this theme's colours, or hexadecimal itself."""
        return name if name.startswith("#") else str(getattr(self, name))


ARROWS = {"dark": ("#f6c945", "#f0a3c8", "#c9d6e6"), "light": ("#b26a00", "#8c2f66", "#5c6f87")}
THEMES = {
    "dark": Theme("#3d444e", "#23272d", "#7c8794", "#05070a", 0.66, "#dfe5ec", "#aab3be", *ARROWS["dark"]),
    "light": Theme("#e3e8ee", "#f6f7f9", "#8d99a8", "#1a2433", 0.42, "#27313d", "#6b7684", *ARROWS["light"]),
}


@cache
def rgb(color: str) -> RGB:
    """Components 0 to 1 of a valid colour name or hexadecimal code."""
    red, green, blue = pv.Color(color).float_rgb
    return red, green, blue


def shape_color(color: str | None, number: int) -> RGB:
    """Colour of a shape of body `number`: the stated one, or the next of the palette."""
    return rgb(color or PALETTE[number % len(PALETTE)])


def shape_opacity(color: str | None) -> float:
    """Opacity 0 to 1 of a stated colour; colours of the palette are opaque."""
    return opacity(color) if color else 1.0


def rgba(color: str) -> RGBA:
    """Components and opacity 0 to 1 of a valid colour."""
    return *rgb(color), opacity(color)


def luminance(color: RGB) -> float:
    """Relative luminance, 0 to 1, of a colour with components 0 to 1."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, other: RGB) -> float:
    """Contrast ratio of two colours, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@lru_cache(maxsize=256)
def legible(color: RGB, *grounds: RGB) -> RGB:
    """The first shade of a colour, towards black or white, that is legible on all `grounds`.

    Whether towards black or white depends on which of them has more contrast to the grounds.
    """
    ends: tuple[RGB, RGB] = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    end = max(ends, key=lambda end: min(contrast(end, ground) for ground in grounds))
    for step in range(SHADES):
        part = step / SHADES
        red, green, blue = ((1 - part) * mine + part * its for mine, its in zip(color, end, strict=True))
        if min(contrast((red, green, blue), ground) for ground in grounds) >= LEGIBLE:
            return red, green, blue
    return end
