"""Headings of columns, such as "t (s)", "x [mm]", "Weg / cm" and "Zeit (s)", and conversion of units to SI."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf, pi

import numpy as np

from polhode.data.csv_line import without_apostrophe
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue, did_you_mean
from polhode.scene.quantity import BASES

TIME_NAMES = frozenset(
    (
        "t",
        "time",
        "zeit",
        "temps",
        "tiempo",
        "tempo",
        "timestamp",
        "時間",
        "時刻",
        "elapsed_time",
        "seconds",
        "nanoseconds",
        "microseconds",
        "milliseconds",
        "millis",
        "micros",
    )
)
BRACKETS = re.compile(r"(.*?) ?(?:\(([^()\[\]]*)\)|\[([^()\[\]]*)\])")
NAMED_UNIT = re.compile(r"(.+)[_ .](ns|us|µs|ms|s|sec|min|h)", re.IGNORECASE)
FRAME = re.compile(r"1 ?/ ?(\d{1,9}(?:\.\d{1,9})?)(?: ?s)?", re.ASCII)
FACTOR = re.compile(r"([^\W\d]+|°)(?:\^(-?[1-9]))?")
COUNTED = {"nanoseconds": "ns", "microseconds": "us", "milliseconds": "ms", "millis": "ms", "micros": "us"}
PREFIXES = {"n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "h": 1e2, "k": 1e3, "M": 1e6}
WITH_PREFIXES = ("s", "m", "rad", "T", "N", "J", "W", "Pa", "A", "V", "Hz", "N m", "m/s", "m/s^2", "rad/s")
OTHERS = {
    "": (1.0, ""),
    "1": (1.0, ""),
    "kg": (1.0, "kg"),
    "g": (1e-3, "kg"),
    "min": (60.0, "s"),
    "h": (3600.0, "s"),
    "sec": (1.0, "s"),
    "°": (pi / 180, "rad"),
    "deg": (pi / 180, "rad"),
    "°/s": (pi / 180, "rad/s"),
    "deg/s": (pi / 180, "rad/s"),
    "rpm": (2 * pi / 60, "rad/s"),
    "km/h": (1 / 3.6, "m/s"),
    "G": (1e-4, "T"),
    "%": (1e-2, ""),
    "px": (1.0, "px"),
    "pixel": (1.0, "px"),
    "pixels": (1.0, "px"),
    "kg m^2": (1.0, "kg m^2"),
    "kg m/s": (1.0, "kg m/s"),
    "kg m^2/s": (1.0, "kg m^2/s"),
    "A m^2": (1.0, "A m^2"),
    "rad/s^2": (1.0, "rad/s^2"),
}
UNITS: dict[str, tuple[float, str]] = {
    prefix + unit: (factor, unit) for unit in WITH_PREFIXES for prefix, factor in ({"": 1.0} | PREFIXES).items()
} | OTHERS
"""Factor to SI and the SI unit, by the unit as `plain` writes it."""


def plain(unit: str) -> str:
    """A unit in one manner of writing: "m/s²", "m·s^-2" and "m s^-2" are "m/s^2"."""
    text = unit.strip().replace("²", "^2").replace("s⁻^2", "s^-2").replace("⁻¹", "^-1")
    text = " ".join(part.strip() for part in re.split("[·*]", text))
    text = re.sub(r" s\^?-1$", "/s", text)
    return re.sub(r" s\^?-2$", "/s^2", text)


def in_si(values: np.ndarray, unit: str) -> tuple[np.ndarray, str]:
    """Values (n,) of a unit as SI, and the SI unit. Raises InvalidValue for an unknown unit."""
    factor, name = factor_of(unit)
    return (values if factor == 1.0 else values * factor), name


def _known(unit: str) -> tuple[float, str] | None:
    """SI value and SI unit of a unit, or of a frame of a film such as "1/240" or "1/240 s"; None for others."""
    text = plain(unit)
    if (found := FRAME.fullmatch(text)) is not None and float(found[1]) > 0:
        return 1 / float(found[1]), "s"
    return UNITS.get(text) or _product(text)


def _product(text: str) -> tuple[float, str] | None:
    """SI value and SI unit of a product of powers of known units, such as "g cm^2/s^2"; what follows "/" divides.

    None for a text with other names, and with units that are products themselves.
    """
    value, sides = 1.0, []
    above, slash, below = text.partition("/")
    for sign, side in ((1, above), (-1, below)):
        words = []
        for word in [] if side == "1" else side.split():
            found = FACTOR.fullmatch(word)
            known = UNITS.get(found[1]) if found is not None else None
            if found is None or known is None or known[1] not in BASES:
                return None
            value *= known[0] ** (sign * int(found[2] or 1))
            words.append(f"{known[1]}^{found[2]}" if found[2] else known[1])
        sides.append(" ".join(words))
    is_product = any(sides) and bool(sides[1]) == bool(slash) and 0.0 < value < inf
    return (value, "/".join(filter(None, (sides[0] or "1", sides[1])))) if is_product else None


def factor_of(unit: str) -> tuple[float, str]:
    """SI value of one `unit`, and the SI unit. Raises InvalidValue with the most similar one for an unknown unit."""
    found = _known(unit)
    if found is not None:
        return found
    remedy = did_you_mean(plain(unit), UNITS, Message("write one such as s, ms, m, mm, deg, m/s^2, mT"))
    raise InvalidValue(Message("'{unit}' is no known unit", unit=unit), remedy)


def unit_instead(stated: str, factor: float, target: str) -> str:
    """The unit in which values read as `stated`, or else `target`, become `factor` times as large, or ""."""
    try:
        now, si = factor_of(stated)
    except InvalidValue:
        return ""
    si = si or plain(target)
    if not si:
        return ""
    fitting = [name for name, (each, base) in UNITS.items() if base == si and abs(each / (now * factor) - 1) < 1e-9]
    return min(fitting, key=len, default="")


def split_heading(heading: str) -> tuple[str, str]:
    """Name and unit of a heading; the unit is "" without one. A text in brackets need not be a known unit."""
    text = without_apostrophe(" ".join(heading.split())[:200])
    if (found := BRACKETS.fullmatch(text)) is not None and found[1]:
        return found[1], (found[2] or found[3] or "").strip()
    name, unit = _at_slash(text)
    return (name, unit) if name and unit and plain(unit) in UNITS else (text, _unit_in_name(text))


def _unit_in_name(name: str) -> str:
    """The unit that the name of times ends with or is, such as "ms" of "time_ms" and "milliseconds"; "" without one."""
    word = name.strip().casefold()
    if word in COUNTED:
        return COUNTED[word]
    found = NAMED_UNIT.fullmatch(word)
    return found[2] if found is not None and _is_time_name(found[1]) else ""


def _is_time_name(name: str) -> bool:
    """Whether a name is one of times, without a unit and without that of a run before a colon."""
    word = name.rpartition(":")[2].strip().casefold().replace(" ", "_")
    return word in TIME_NAMES


def _at_slash(text: str) -> tuple[str, str]:
    """The texts before and after the first slash that is followed by one space at most."""
    words, _, last = text.rpartition(" ")
    if words.endswith("/"):
        return words[:-1].rstrip(), last
    name, _, unit = last.partition("/")
    return f"{words} {name}".strip(), unit


def _is_of_time(unit: str) -> bool:
    found = _known(unit)
    return found is not None and found[1] == "s"


def is_time(name: str, unit: str) -> bool:
    """Whether a heading names the times."""
    found = NAMED_UNIT.fullmatch(name.strip())
    is_named = _is_time_name(name) or (found is not None and _is_time_name(found[1]))
    return is_named and (plain(unit) in ("",) or _is_of_time(unit))


def time_column(headings: Sequence[tuple[str, str]]) -> int | None:
    """Index of the column of times among names and units: by its name, else the first one whose unit is a time."""
    for number, (name, unit) in enumerate(headings):
        if is_time(name, unit):
            return number
    for number, (_, unit) in enumerate(headings):
        if unit and _is_of_time(unit):
            return number
    return None


def distinct(names: Sequence[str]) -> list[str]:
    """The names, made distinct: a second "x" is "x.2"; an empty one is "column 3"."""
    found: list[str] = []
    for number, name in enumerate(names):
        base = name or f"column {number + 1}"
        made, count = base, 2
        while made in found:
            made, count = f"{base}.{count}", count + 1
        found.append(made)
    return found
