"""The colours that a scene may use: names of the web (CSS Color Module Level 4, section 6.1), #rrggbb, or #rrggbbaa.

`RGB` maps the 148 names in small letters to six hexadecimal digits. Scene models check their colours with
`known_color`; views turn them into numbers with `rgb` and `opacity`, and `hexadecimal` is the inverse.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue, did_you_mean

RGB: Mapping[str, str] = MappingProxyType(tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")))


def known_color(color: str) -> str:
    """`color` itself, unchanged; names are known in small and capital letters.

    Raises InvalidValue where it is neither a name of `RGB` nor # and six or eight hexadecimal digits; the remedy is the
    most similar name, if any.
    """
    if color.lower() in RGB or re.fullmatch(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{8})", color):
        return color
    otherwise = Message("give a colour of the web by name, #rrggbb, or #rrggbbaa with its opacity")
    raise InvalidValue(Message("'{color}' is no colour", color=color), did_you_mean(color.lower(), RGB, otherwise))


def rgb(color: str) -> tuple[float, float, float]:
    """Red, green and blue of a colour that `known_color` accepts, each 0 ... 1, in the nonlinear values of sRGB."""
    red, green, blue = bytes.fromhex(RGB.get(color.lower(), color.removeprefix("#")))[:3]
    return red / 255, green / 255, blue / 255


def opacity(color: str) -> float:
    """Opacity of a colour that `known_color` accepts: the last two of eight digits, 0 ... 1; otherwise 1."""
    return int(color[7:], 16) / 255 if len(color) == 9 and color.startswith("#") else 1.0


def hexadecimal(red: float, green: float, blue: float, opacity: float = 1.0) -> str:
    """The colour with these parts, each 0 ... 1, as #rrggbb; as #rrggbbaa unless it is opaque."""
    digits = bytes(round(255 * part) for part in (red, green, blue, opacity)).hex()
    return "#" + digits.removesuffix("ff")
