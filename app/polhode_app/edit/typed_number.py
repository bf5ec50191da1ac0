"""Numbers as people type them in fields: with a decimal point or comma, wide digits, a unit, or as a formula.

Files have decimal points alone; this is for the keyboard.
"""

from __future__ import annotations

import re

from polhode.data.headings import UNITS, plain
from polhode.formulas.parser import FormulaError, parse

WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3000: 0x20,
    0x2212: 0x2D,
    0x00A0: 0x20,
    0x202F: 0x20,
}
"""Characters of full width, the wide and the narrow space, and the minus sign, as those of ASCII."""
DECIMAL_COMMA = re.compile(r"([^,(]*\d|\s*[-+]?),(\d[^,(]*)")


def in_ascii(text: str) -> str:
    """A text with characters of full width as plain ones, and a number with a decimal comma with a point."""
    narrow = text.translate(WIDE)
    found = DECIMAL_COMMA.fullmatch(narrow)
    return narrow if found is None else f"{found[1]}.{found[2]}"


def typed_number(text: str, unit: str = "", whole: bool = False) -> float:
    """The number of a text, in `unit`: "0.5", "0,5", "2*pi", "40 cm" in a field of m, "12 deg" in one of rad.

    Raises FormulaError for other texts, and for units of another quantity.
    """
    given = in_ascii(text)
    try:
        number = float(parse(given, ())({}))
    except FormulaError:
        split = _with_unit(given, unit)
        if split is None:
            raise
        rest, factor = split
        number = float(f"{float(parse(rest, ())({})) * factor:.15g}")
    return int(number) if whole and number == int(number) else number


def units_like(unit: str) -> list[str]:
    """Names of the units of the quantity of `unit`, itself among them; the longest first."""
    own = UNITS.get(plain(unit))
    names = {name for name, (_, si) in UNITS.items() if own is not None and si == own[1]} | {unit}
    return sorted(names - {""}, key=len, reverse=True)


def _with_unit(text: str, unit: str) -> tuple[str, float] | None:
    """A text without the unit at its end, and the size of that in `unit`; None where it has none of this quantity."""
    stripped = text.rstrip()
    for name in units_like(unit):
        if stripped.endswith(name):
            return stripped.removesuffix(name), 1.0 if name == unit else UNITS[name][0] / UNITS[plain(unit)][0]
    return None
