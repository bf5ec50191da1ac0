"""What is wrong with an input, said so that its author can mend it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

# Characters that a terminal obeys instead of showing them: controls, and those that turn the direction of text.
OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")


def printable(text: str) -> str:
    """The text in one line, with escapes for what a terminal would obey."""
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode() if unicodedata.category(character) in OBEYED else character
        for character in text
    )


@dataclass(frozen=True)
class Problem:
    """One fault: where it is, which rule it breaks with which value, and what to do about it."""

    place: str  # "body[1].shape[0].radius"; "" is the file as a whole
    rule: str  # "'rotor.stl' is open (12 edges have one triangle only)"
    remedy: str  # "close it, or use convex_hull = true"

    def __str__(self) -> str:
        said = f"{self.place}: {self.rule}; {self.remedy}" if self.place else f"{self.rule}; {self.remedy}"
        return printable(said)

    def at(self, place: str) -> Problem:
        """The same fault, seen from outside: `place` is put in front of its own place."""
        return replace(self, place=f"{place}.{self.place}" if self.place else place)


class InputError(Exception):
    """Everything that is wrong with one input. Programs print it and exit with 2."""

    def __init__(self, source: str, problems: list[Problem]):
        self.source = source  # the file as its user named it
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{printable(source)}: {problem}" for problem in problems))
