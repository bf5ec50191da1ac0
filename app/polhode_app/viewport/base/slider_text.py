"""Texts of the values of a card's sliders."""

from __future__ import annotations

from math import pi

from polhode_app.i18n.field_names import unit_text
from polhode_app.viewport.base.glyph_arrows import with_prefix

PREFIXED, SMALL = ("m", "s", "T"), 0.1  # units that get a prefix, and the absolute value below which they do


def value_text(value: float, unit: str) -> str:
    """A value [SI] with its unit, in the language of the program; angles in degrees."""
    if unit == "rad":
        return f"{180.0 / pi * value:.4g}°"
    if unit in PREFIXED and 0.0 < abs(value) < SMALL:
        return with_prefix(float(f"{value:.4g}"), unit)
    return f"{value:.4g} {unit_text(unit)}".rstrip()
