"""Numbers of fields, as people type them: with a decimal point or comma, wide digits, a unit, or as a formula; as
fields show them, and what a drag or a step makes of them. No Qt.

Files have decimal points alone; the others are for the keyboard.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from math import ceil, floor, isfinite, log10
from typing import Any

from polhode.data.headings import UNITS, plain
from polhode.formulas.parser import FormulaError, parse
from polhode.scene.fields import Form
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue
from polhode.scene.uncertain import UNCERTAIN, Uncertain, text_of_uncertain, uncertain_of_text

WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3000: 0x20,
    0x2212: 0x2D,
    0x00A0: 0x20,
    0x202F: 0x20,
}
"""Characters of full width, the wide and the narrow space, and the minus sign, as those of ASCII."""
DECIMAL_COMMA = re.compile(r"([^,(]*\d|\s*[-+]?),(\d[^,(]*)")


COMMA_IN_NUMBER = re.compile(r"(?<=\d),(?=\d)")
SMALL, LONG = 0.1, 1e4  # magnitudes between which a number is shown in the unit of its field
FITTING = ("k", "m", "M", "µ", "n")  # prefixes of units that fit, in the order in which they are tried
FINE = 4  # decades below a size to which numbers made by the mouse are rounded
LARGE = 1e7  # from here on numbers may be written with an exponent


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


def typed_value(text: str, form: Form, unit: str, size: float) -> float:
    """The value of a text for a field: a number, or an uncertain one as "0.458 +- 0.001", in the unit of the field.

    unit: that is shown, of this size in the unit of the field. Raises FormulaError as `typed_number`, and for
    uncertainties that are invalid.
    """
    if not is_uncertain(text):
        return in_unit_of(form, typed_number(text, unit, form.kind in ("whole", "wholes")), size)
    try:
        number = uncertain_of_text(COMMA_IN_NUMBER.sub(".", in_ascii(text)), form.unit)
    except InvalidValue as error:
        raise FormulaError(error.rule, error.remedy, 1) from None
    if number is None:
        rule = Message("is no number with an uncertainty: {text}", text=text)
        raise FormulaError(rule, Message('write it as "0.458 +- 0.001"'), 1)
    if form.kind in ("whole", "wholes"):
        rule = Message("is a count or an index, which is certain, but is {text}", text=number.text)
        raise FormulaError(rule, Message("give the number alone"), 1)
    if number.is_si or size == 1.0:
        return number if number.deviation else float(number)
    mean, deviation = (in_unit_of(form, each, size) for each in (float(number), number.deviation))
    return Uncertain(mean, deviation, number.distribution, number.letter) if deviation else mean


def is_uncertain(text: str) -> bool:
    """Whether a text is meant as a number with an uncertainty."""
    return UNCERTAIN.search(in_ascii(text)) is not None


def in_shown_unit(value: Any, size: float) -> Any:
    """A number of a field in a unit of this size, with its uncertainty; any other value as it is."""
    if size == 1.0 or not isinstance(value, int | float):
        return value
    if isinstance(value, Uncertain):
        return Uncertain(value / size, value.deviation / size, value.distribution, value.letter)
    return value / size


def with_uncertainty_of(before: object, mean: float) -> float:
    """A number that the mouse or keys made of another one, with its uncertainty."""
    return before.with_mean(mean) if isinstance(before, Uncertain) else mean


def units_like(unit: str) -> list[str]:
    """Names of the units of the quantity of `unit`, itself among them; the longest first."""
    own = UNITS.get(plain(unit))
    names = {name for name, (_, si) in UNITS.items() if own is not None and si == own[1]} | {unit}
    return sorted(names - {""}, key=len, reverse=True)


def typed_unit(text: str, unit: str) -> str:
    """The unit at the end of a text, of the same quantity as `unit`; "" of a number or formula without one."""
    given = in_ascii(text)
    try:
        parse(given, ())
    except FormulaError:
        return _unit_at_end(given, unit)
    return ""


def size_of(name: str, unit: str) -> float:
    """Size of a unit in `unit`, of the same quantity: 0.001 of "mm" in "m"."""
    return 1.0 if name == unit else UNITS[name][0] / UNITS[plain(unit)][0]


def fitting_unit(unit: str, value: object) -> str:
    """A unit of the quantity of `unit` in which a number, or the largest of several, is short and easy to read.

    "mm" of 0.004 "m", "deg" of pi/6 "rad"; `unit` itself of numbers between SMALL and LONG, of zeros, and of formulas.
    """
    numbers = [*_numbers_in(value)]
    if not numbers or not all(isfinite(number) for number in numbers):
        return unit
    if unit == "rad":
        in_degrees = [number / size_of("deg", unit) for number in numbers]
        return "deg" if _length_of(in_degrees) < _length_of(numbers) else unit
    largest = max(map(abs, numbers))
    if largest == 0 or SMALL <= largest < LONG:
        return unit
    known = units_like(unit)
    for name in (name for prefix in FITTING for name in _prefixed(prefix, unit) if name in known):
        if 1 <= largest / size_of(name, unit) * (1 + 1e-9) < LONG:
            return name
    return unit


def _prefixed(prefix: str, unit: str) -> tuple[str, ...]:
    """Names of a unit with a prefix; that of a kilogram is built on the gram."""
    return (prefix + unit,) if unit != "kg" else ("g",) if prefix == "m" else ()


def _numbers_in(value: object) -> Iterator[float]:
    """The numbers of a value of a field: one, or those of a vector or a matrix; none of a formula."""
    if isinstance(value, tuple):
        for each in value:
            yield from _numbers_in(each)
    elif isinstance(value, int | float):
        yield float(value)


def _length_of(numbers: Iterable[float]) -> int:
    """Number of characters of numbers as fields show them."""
    return sum(len(text_of(number)) for number in numbers)


def _unit_at_end(text: str, unit: str) -> str:
    stripped = text.rstrip()
    return next((name for name in units_like(unit) if stripped.endswith(name)), "")


def _with_unit(text: str, unit: str) -> tuple[str, float] | None:
    """A text without the unit at its end, and the size of that in `unit`; None where it has none of this quantity."""
    name = _unit_at_end(text, unit)
    return (text.rstrip().removesuffix(name), size_of(name, unit)) if name else None


def text_of(number: float | str | tuple[float, ...] | MeasuredInput | None) -> str:
    """A number with up to ten digits, a large round one as 1e9, several with commas; formulas are returned unchanged,
    measured data as the table of a file, None as "".
    """
    if isinstance(number, MeasuredInput):
        stated = number.model_dump(exclude_defaults=True).items()
        return "{" + ", ".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in stated) + "}"
    if isinstance(number, tuple):
        return ", ".join(map(text_of, number))
    if isinstance(number, Uncertain):
        return text_of_uncertain(text_of(float(number)), number, text_of(number.deviation))
    if number is None or isinstance(number, str):
        return number or ""
    plain = f"{number:.10g}"
    if abs(number) < LARGE or not isfinite(number):
        return plain
    mantissa, exponent = f"{number:.9e}".split("e")
    short = f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    return min(short, plain, key=len)


def typed_formula(text: str) -> str | dict[str, object]:
    """The formula of a text, or the table of measured data that one in braces describes; the scene validates it.

    Raises FormulaError for braces that are no table of TOML.
    """
    if not text.startswith("{"):
        return text
    try:
        return dict(tomllib.loads(f"input = {text}")["input"])
    except ValueError:
        remedy = Message("write it as {example}", example='{data = "table.csv", column = "torque"}')
        raise FormulaError(Message("is no table of measured data"), remedy, 1) from None


def in_unit_of(form: Form, number: float, size: float) -> float:
    """A number of a unit of this size in the unit of a field, without the digits that the product adds."""
    return number if size == 1.0 or form.kind in ("whole", "wholes") else float(f"{number * size:.15g}")


def span_of(value: float, form: Form, scale: float) -> float:
    """Range of values that a drag covers: that between the limits, or twice the value, at least `scale`."""
    if isfinite(form.low) and isfinite(form.high):
        return form.high - form.low
    return max(2 * abs(value), scale)


def clipped(value: float, form: Form, start: float) -> float:
    """The nearest number within the limits.

    At an excluded lower limit it is the mean of limit and `start`, the number before the change.
    """
    if form.beyond and value <= form.low:
        return (start + form.low) / 2
    return min(max(value, form.low), form.high)


def rounded(value: float, span: float) -> float:
    """A number rounded to about a thousandth of a span."""
    if span <= 0:
        return value
    return round(value, 3 - floor(log10(span))) + 0.0


def by_hand(point: Iterable[float], size: float, fine: int = FINE) -> tuple[float, float, float]:
    """A position (3,) [m] that was made by the mouse, to `fine` decades below a size [m]: below that of the pointer."""
    x, y, z = (round(float(number), fine - floor(log10(max(size, 1e-9)))) + 0.0 for number in point)
    return x, y, z


def at_least(length: float) -> float:
    """A positive length [m] rounded up to FINE decades below its own, so that a string of it is not too short.

    What is less than 5e-4 of the last digit counts as rounding of its ends: at most 1e-7 of the length is missing.
    """
    digits = FINE - floor(log10(length))
    return float(f"{round(ceil(round(length * 10.0**digits, 3)) / 10.0**digits, digits):.15g}")


def stepped(value: float, steps: float, form: Form, scale: float, size: float = 1.0) -> float:
    """A number after some steps, within its limits.

    Whole numbers change by one. Otherwise a step is a power of ten, in the unit of this size that is shown, of about a
    hundredth of `span_of`.
    """
    if form.kind in ("whole", "wholes"):
        return int(clipped(value + (round(steps) or (1 if steps > 0 else -1)), form, value))
    step = 10.0 ** floor(log10(span_of(value, form, scale) / size / 40))
    number = round(value / size + steps * step, 2 - floor(log10(step))) + 0.0
    return clipped(in_unit_of(form, number, size), form, value)
