"""What is wrong with something, in the language of now. No Qt.

The physics and the files say it in English, for other programs read that. Here each sentence is found again among
those that a translation knows, by what stands between the numbers and names that only a run knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from app.i18n.language import language, said
from app.translations.reading import pairs
from core.scene.problem import InputError, Problem, printable

PLACE = re.compile(r"\{(\d+)\}")
LONGEST = 2000  # letters of a sentence; what is longer is none, and would take long to look for


class Known(NamedTuple):
    """A sentence of the table."""

    english: re.Pattern[str]
    other: str
    names: frozenset[int]  # places that hold names, which stay as they are


def told(text: str) -> str:
    """A sentence in the language of now; as it is where that is not known.

    Joined ones are known by their parts: "place: rule; remedy", also with a file before that.
    """
    return (len(text) < LONGEST and _told(text)) or text


def advice(problem: Problem) -> str:
    """Rule and remedy, for whoever looks at the place."""
    return said("{rule}; {remedy}").format(rule=told(problem.rule), remedy=told(problem.remedy))


def sentence(problem: Problem) -> str:
    """Place, rule and remedy in one line."""
    words = advice(problem)
    return printable(f"{told(problem.place)}: {words}" if problem.place else words)


def sentences(error: Exception) -> str:
    """All that an error says."""
    if isinstance(error, InputError):
        return "\n".join(f"{printable(error.source)}: {sentence(problem)}" for problem in error.problems)
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {told(error.strerror)}"
    return told(str(error))


def capital(text: str) -> str:
    """A sentence as it begins a line; Japanese ones may begin with the letter of a formula, and keep it."""
    return text[:1].upper() + text[1:] if language() == "en" else text


def _told(text: str) -> str | None:
    for head, tail in reversed([*_cuts(text, "; ")]):
        remedy = _whole(tail)
        if remedy is not None and (rule := _told(head)) is not None:
            return said("{rule}; {remedy}").format(rule=rule, remedy=remedy)
    whole = _whole(text)
    if whole is not None:
        return whole
    for head, tail in [*_cuts(text, ": "), *_cuts(text, "(?<=') ")]:  # a place, or a name in quotes
        if (rest := _whole(tail)) is not None:
            return f"{_whole(head) or head}: {rest}"
    return None


def _cuts(text: str, mark: str) -> Iterator[tuple[str, str]]:
    return ((text[: found.start()], text[found.end() :]) for found in re.finditer(mark, text))


def _whole(text: str) -> str | None:
    """A sentence of the table, the most particular one that fits."""
    plain, patterns = table(language())
    if text in plain:
        return plain[text]
    for known in patterns:
        found = known.english.fullmatch(text)
        if found:
            words = [part if number in known.names else told(part) for number, part in enumerate(found.groups())]
            return PLACE.sub(lambda place, words=words: words[int(place[1])], known.other)
    return None


@cache
def table(language: str) -> tuple[dict[str, str], tuple[Known, ...]]:
    """Sentences as they stand, and those with places to be filled in, those with most letters first."""
    if language == "en":
        return {}, ()
    system = pairs(f"{language}/system.toml")  # quoted by us within a sentence, it begins with a small letter
    every = pairs(f"{language}/problems.toml") | system | {text[:1].lower() + text[1:]: system[text] for text in system}
    plain = {english: other for english, other in every.items() if not PLACE.search(english)}
    ranked = sorted(every.keys() - plain.keys(), key=lambda english: (-len(PLACE.sub("", english)), english))
    return plain, tuple(Known(pattern(english), every[english], _names(english)) for english in ranked)


def pattern(english: str) -> re.Pattern[str]:
    """What a sentence with places looks like when they are filled in."""
    parts = "(.*?)".join(map(re.escape, PLACE.split(english)[::2]))
    return re.compile(re.sub(r"^\(\.\*\?\)", r"((?:(?!: ).)*?)", parts), re.DOTALL)  # a place before it is another's


def _names(english: str) -> frozenset[int]:
    """Places in quotes."""
    return frozenset(int(place[1]) for place in PLACE.finditer(english) if english[place.start() - 1 :][:1] in "'\"")
