"""Problems of an input, with place, rule and remedy, and the errors that carry them.

A check of a value raises `InvalidValue`, without a place. The caller that knows the place makes a `Problem` of it and
collects those of the whole input in one `InputError`, which front ends print or list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from polhode.scene.message import Message, joined, printable

MOST = 50  # problems that are listed of one input


@dataclass(frozen=True)
class Problem:
    """One fault: place, rule, value and remedy. Its text is `place: rule; remedy`, in one printable line."""

    place: str  # "body[1].shape[0].radius", or a Message such as "line 3"; "" is the file as a whole
    rule: Message  # "'rotor.stl' is open (12 edges have one triangle only)"
    remedy: Message  # "close it, or use convex_hull = true"
    others: int = 0  # number of problems in place of which this one is listed
    values: tuple[tuple[str, Any], ...] = ()  # paths and values that follow the remedy, as for `Scene.with_values`

    def __str__(self) -> str:
        return printable(self.message)

    @property
    def advice(self) -> Message:
        """Rule and remedy, without the place."""
        return Message("{rule}; {remedy}", rule=self.rule, remedy=self.remedy)

    @property
    def message(self) -> Message:
        """Place, rule and remedy in one line."""
        return Message("{place}: {advice}", place=self.place, advice=self.advice) if self.place else self.advice

    def at(self, place: str) -> Problem:
        """The problem with `place` in front of its own place."""
        return replace(self, place=".".join(filter(None, (place, self.place))))

    def with_arguments(self, names: Mapping[str, str]) -> Problem:
        """The problem with other names of arguments: in its place, and where rule and remedy have one as a value.

        names: by the name in the library, such as "--drop-later" for "drop_later"; a value of a text is an argument if
        its key in the text is the argument's name
        """
        rule, remedy = _with_arguments(self.rule, names), _with_arguments(self.remedy, names)
        return replace(self, place=names.get(self.place, self.place), rule=rule, remedy=remedy)


def _with_arguments(text: Message, names: Mapping[str, str]) -> Message:
    """The text with the values of `names` in place of arguments with these names."""
    named = {key: names.get(key, value) if key == value else value for key, value in text.values.items()}
    return Message(text.template, text.plural, **named) if named != text.values else text


def more(count: int) -> Problem:
    """Problem listed in place of `count` further ones."""
    return Problem("", Message("and {count} more", count=count), Message("correct those above first"), count)


def shortened(problems: Sequence[Problem]) -> list[Problem]:
    """The first MOST problems, and one that counts the others; a list that is shortened already stays as it is."""
    single = [problem for problem in problems if not problem.others]
    others = sum(problem.others for problem in problems) + len(single[MOST:])
    return [*single[:MOST], more(others)] if others else single


class InvalidValue(ValueError):
    """A value that breaks a rule. Raised by checks of values that do not know their place in a scene."""

    def __init__(self, rule: Message, remedy: Message, place: str = ""):
        """place: of a field within the checked part; "" for the part itself"""
        super().__init__(rule, remedy)
        self.rule = rule
        self.remedy = remedy
        self.place = place

    def __str__(self) -> str:
        return f"{self.rule}; {self.remedy}"

    @property
    def problem(self) -> Problem:
        """The problem, without the place of the checked part."""
        return Problem(self.place, self.rule, self.remedy)


class InputError(Exception):
    """All problems of one input. Programs print it and exit with 2.

    Its text has one line for each problem, `source: place: rule; remedy`. `problems` is a tuple, never empty where the
    program raises it: the first MOST ones, and one that counts the others. Files, scenes and meshes raise it wherever
    their content is at fault.

        from polhode import InputError, read_scene

        try:
            scene = read_scene("top.toml")
        except InputError as error:
            for problem in error.problems:
                print(problem.place, problem.rule, problem.remedy)
    """

    def __init__(self, source: str, problems: Sequence[Problem]):
        super().__init__(source, problems := shortened(problems))
        self.source = source  # the file as its user named it
        self.problems = tuple(problems)

    @classmethod
    def of(cls, source: str, rule: Message, remedy: Message, place: str = "") -> InputError:
        """The error of a single problem."""
        return cls(source, [Problem(place, rule, remedy)])

    def __str__(self) -> str:
        return "\n".join(f"{printable(self.source)}: {problem}" for problem in self.problems)

    @property
    def message(self) -> Message:
        """A line for each problem."""
        lines = [Message("{file}: {problem}", file=self.source, problem=each.message) for each in self.problems]
        return joined(lines, "\n")


def did_you_mean(name: str, known: Iterable[str], otherwise: Message) -> Message:
    """The remedy for an unknown name: the most similar of the `known` ones, or `otherwise`."""
    near = get_close_matches(name, list(known), 1)
    return Message("did you mean '{near}'?", near=near[0]) if near else otherwise


def message_of(error: BaseException) -> Message:
    """The message of an exception: with its values where it has a Message, the name of its class where it has no text.

    For an OSError this is the file and the reason without the number of the error.
    """
    if isinstance(error, InputError):
        return error.message
    if isinstance(error, InvalidValue):
        return error.problem.message
    if isinstance(error, OSError) and error.strerror:
        reason = reason_of(error)
        return Message("{file}: {reason}", file=error.filename, reason=reason) if error.filename else reason
    if len(error.args) == 1 and isinstance(error.args[0], Message):
        return error.args[0]
    said = printable(str(error)) or type(error).__name__
    return Message(said)


def reason_of(error: OSError) -> Message:
    """Reason of the system for a failure of a file, without the name of the file."""
    said = error.strerror or str(error)
    if isinstance(said, Message):
        return said
    said = printable(said)
    return Message(said)
