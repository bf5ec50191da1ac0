"""Numbers with an uncertainty: "0.458 +- 0.001", "0.458 +- 0.001 uniform", "0.458 +- 0.001 (a)", "45.8 +- 0.1 cm".

An `Uncertain` is a float, the mean, which is what a run computes with, so it may be wherever a number is. It travels
with the field that has it: through edits, undo, copies, files and recordings. `uncertain_numbers` lists those of a
scene.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from math import isfinite, sqrt
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel

from polhode.data.headings import factor_of, plain
from polhode.scene.message import Message
from polhode.scene.model_fields import key_of
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import BASES, exponents

NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
SIGN = r"(?:\+-|\+/-|±)"
UNCERTAIN = re.compile(SIGN)
"""In the text of an uncertain number; formulas have none."""
TEXT = re.compile(rf"\s*({NUMBER})\s*{SIGN}\s*({NUMBER})(?![\w.])", re.ASCII)
"""Beginning of such a text; a word, a unit or a letter may follow."""
OPERATORS = ("+", "-", "*", "/", "^")  # after the second number: a formula, which is refused as one
PATTERN = rf"^\s*{NUMBER}\s*{SIGN}"
"""Of such texts in the JSON Schema."""
LETTER = re.compile(r"\(([A-Za-z])\)")
LARGEST = 1e60  # of a deviation
HOW_TO_STATE = Message(
    'write mean and deviation as "0.458 +- 0.001"; a unit of both, the word uniform and a letter in brackets may follow'
)
PLAIN = frozenset((float, int, bool, str, type(None)))  # types of most values, in which there is nothing
Distribution = Literal["normal", "uniform"]


class Uncertain(float):
    """A number with an uncertainty: its mean, as a float, and the deviation of its distribution.

    It equals another one with the same distribution and letter, and no plain number, so that an edit of the uncertainty
    alone is a change; `float(number)` is the mean.
    """

    __slots__ = ("deviation", "distribution", "is_si", "letter")

    deviation: float
    """Standard deviation of a normal distribution, half of the width of a uniform one, in the unit of the number."""
    distribution: Distribution
    letter: str
    """Numbers of a scene with the same letter vary together; "" is a number of its own."""
    is_si: bool
    """Whether its text stated a unit, so that it is in SI whatever units the file has."""

    def __new__(
        cls,
        mean: float,
        deviation: float,
        distribution: Distribution = "normal",
        letter: str = "",
        is_si: bool = False,
    ) -> Uncertain:
        """Raises InvalidValue for a deviation that is negative or not finite."""
        if not 0.0 <= deviation <= LARGEST:
            rule = Message("has the deviation {deviation:g}, which is negative", deviation=deviation)
            if deviation > LARGEST:
                rule = Message("has the deviation {deviation:g}, which is too large", deviation=deviation)
            raise InvalidValue(rule, Message("give a positive deviation, or the number alone"))
        number = super().__new__(cls, mean)
        number.deviation, number.distribution = float(deviation), distribution
        number.letter, number.is_si = letter, is_si
        return number

    @property
    def standard_deviation(self) -> float:
        """Standard deviation; that of a uniform distribution is its half width divided by sqrt(3)."""
        return self.deviation / sqrt(3.0) if self.distribution == "uniform" else self.deviation

    @property
    def text(self) -> str:
        """The number as a file states it."""
        return text_of_uncertain(float(self), self)

    def with_mean(self, mean: float) -> Uncertain:
        """Another mean with the same uncertainty."""
        return Uncertain(mean, self.deviation, self.distribution, self.letter, self.is_si)

    def scaled(self, factor: float) -> Uncertain:
        """The same quantity as `factor` units of another size; unchanged where it is in SI."""
        if self.is_si:
            return self
        return Uncertain(self * factor, self.deviation * abs(factor), self.distribution, self.letter)

    def _key(self) -> tuple[float, float, str, str]:
        return float(self), self.deviation, self.distribution, self.letter

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Uncertain) and self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._key())

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (*self._key(), self.is_si)


def text_of_uncertain(mean: object, number: Uncertain, deviation: object = None) -> str:
    """Text of an uncertain number with other digits of mean and deviation, such as those of another unit."""
    words = [f"{mean} +- {number.deviation if deviation is None else deviation}"]
    words += ["uniform"] if number.distribution == "uniform" else []
    words += [f"({number.letter})"] if number.letter else []
    return " ".join(words)


def uncertain_of_text(text: str, unit: str | None) -> Uncertain | None:
    """The uncertain number of a text in a field of `unit`; None for other texts, such as formulas and names.

    unit: of the field; None where it is not known, so that the text can't have one. Raises InvalidValue for a deviation
    that is negative, for a mean that is not finite, and for a unit of another quantity.
    """
    parts = _parts(text)
    if parts is None:
        return None
    mean, deviation, rest = parts
    letters = LETTER.findall(rest)
    words = LETTER.sub(" ", rest).split()
    distribution: Distribution = "uniform" if "uniform" in words else "normal"
    stated = " ".join(word for word in words if word not in ("uniform", "normal"))
    if len(letters) > 1:
        rule = Message("has more than one letter: {text}", text=text)
        raise InvalidValue(rule, Message("keep one; numbers with the same letter vary together"))
    factor = _factor(stated, unit) if stated else 1.0
    letter = letters[0] if letters else ""
    if factor != 1.0:  # without the digits that the product adds
        mean, deviation = float(f"{mean * factor:.15g}"), float(f"{deviation * factor:.15g}")
    if not isfinite(mean):
        raise InvalidValue(Message("must be finite, but is {value!r}", value=mean), Message("give a finite number"))
    return Uncertain(mean, deviation, distribution, letter, bool(stated))


def _parts(text: str) -> tuple[float, float, str] | None:
    """The two numbers of a text, and what follows them; None for other texts, such as formulas."""
    found = TEXT.match(text)
    rest = text[found.end() :].strip() if found is not None else ""
    if found is None or "\n" in rest or rest.startswith(OPERATORS):
        return None
    return float(found[1]), float(found[2]), rest


def _factor(stated: str, unit: str | None) -> float:
    """SI value of one stated unit in a field of `unit`. Raises InvalidValue for those of another quantity."""
    own = plain(unit or "")
    if unit is not None and plain(stated) == own:
        return 1.0
    try:
        factor, si = factor_of(stated)
    except InvalidValue:
        rule = Message("has '{unit}' after the deviation, which is no unit", unit=stated)
        raise InvalidValue(rule, HOW_TO_STATE) from None
    if unit is not None and (si == own or _dimensions(si) == _dimensions(own) != None):  # noqa: E711
        return factor
    if not own:
        rule = Message("has the unit '{unit}', but the field has none", unit=stated)
        raise InvalidValue(rule, Message('give the number alone, as "0.5 +- 0.1"'))
    if plain(stated) == "%":
        rule = Message("has a deviation in %, but the field is in {own}", own=own)
        raise InvalidValue(rule, HOW_TO_STATE)
    rule = Message("has the unit '{unit}', which does not fit: the field is in {own}", unit=stated, own=own)
    raise InvalidValue(rule, Message("convert it to {own}, or leave the unit out", own=own))


def _dimensions(unit: str) -> tuple[int, ...] | None:
    """Exponents of the base units; None for a pure number or an angle, and for names that have none."""
    names = {name.partition("^")[0] for name in unit.replace("/", " ").split()}
    found = exponents(unit) if names <= BASES.keys() else None
    return found if found is not None and any(found) else None


@dataclass(frozen=True)
class Certain:
    """Why a field of numbers has no uncertainty, as an annotation; the text is a value of the reason."""

    reason: Message


class UncertainNumber(NamedTuple):
    """An uncertain number of a scene: where, and which."""

    path: tuple[str | int, ...]
    """Of the field, or of the component of a vector, as in polhode.scene.fields."""
    number: Uncertain
    """[SI]"""


def uncertain_numbers(scene: BaseModel) -> tuple[UncertainNumber, ...]:
    """All uncertain numbers of a scene, in the order of its fields; those with a deviation of 0 are certain."""
    found: list[UncertainNumber] = []
    _collect(scene, [], found)
    return tuple(found)


def _collect(value: Any, path: list[str | int], found: list[UncertainNumber]) -> None:
    """Add the uncertain numbers in a part or a list at a path, which is a stack, to the last argument."""
    if type(value) is Uncertain:
        if value.deviation > 0.0:
            found.append(UncertainNumber(tuple(path), value))
        return
    owner: Any = type(value)
    is_list = owner is tuple
    if not is_list and not isinstance(value, BaseModel):
        return
    for step, inner in enumerate(value) if is_list else value.__dict__.items():
        if type(inner) in PLAIN:
            continue
        path.append(step if is_list else _key(owner, step))
        _collect(inner, path, found)
        path.pop()


@cache
def _key(model: Any, name: str) -> str:
    """Name of a field in files; an unknown one is its own."""
    return key_of(name, model.model_fields[name]) if name in model.model_fields else name


class UncertainItems:
    """Whether scenes have uncertain numbers; items that are the same objects in the next scene are searched once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, bool]] = {}  # by id: items, and whether they have any

    def are_in(self, scene: BaseModel) -> bool:
        """Whether a scene has uncertain numbers."""
        known: dict[int, tuple[object, bool]] = {}
        for value in scene.__dict__.values():
            for item in value if type(value) is tuple else (value,):
                entry = self._known.get(id(item))
                if entry is None or entry[0] is not item:
                    found: list[UncertainNumber] = []
                    _collect(item, [], found)
                    entry = (item, bool(found))
                known[id(item)] = entry
        self._known = known
        return any(has for _, has in known.values())
