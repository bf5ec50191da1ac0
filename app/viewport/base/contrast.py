"""Contrast of colours as WCAG 2 defines it, and text colours that are legible on the background of the view."""

from __future__ import annotations

from functools import lru_cache

from app.viewport.base.palette import RGB

LEGIBLE = 4.5  # contrast ratio of texts at level AA
SHADES = 20  # steps from a colour to black or white


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
