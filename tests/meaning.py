"""The meaning of a message, whatever its wording: its place, the values that it carries, and terms of the field.

A test that quotes a sentence fails when the sentence is improved. Which fault was found is also said by the place, by
the values of rule and remedy with their names, and, where a rule has no values, by a technical term in it.

    with refuses("body[0].shape[0].mass", least=0, value=-1):
        Simulation(scene)
    assert Meaning("body[0]", "axle").of(error)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, Problem, message_of


class Meaning:
    """Expected content of a message.

    place: of the problem, or the name of the file where the problem has no place
    terms: words that stand in rule or remedy, as whole words
    values: values of rule or remedy, by their names in the template; those of a text without values stand in it
    """

    def __init__(self, place: str = "", /, *terms: str, **values: Any):
        assert not any(" " in term for term in terms), "a term is one word, else it would fix the wording"
        self.place, self.terms, self.values = place, terms, values

    def __repr__(self) -> str:
        values = (f"{name}={value!r}" for name, value in self.values.items())
        return f"Meaning({', '.join([repr(self.place), *map(repr, self.terms), *values])})"

    def of(self, said: str | Problem | BaseException) -> bool:
        """Whether this is said: by one of the problems of an InputError, by another message, or in a line of a text."""
        if isinstance(said, InputError):
            return any(self._of_problem(problem, said.source) for problem in said.problems)
        if isinstance(said, InvalidValue):
            return self._of_problem(said.problem)
        if isinstance(said, Problem):
            return self._of_problem(said)
        if isinstance(said, BaseException):
            said = message_of(said)
        if isinstance(said, Message) and said.values:
            return self._place_in(said) and self._of_message(said)
        return any(self._place_in(line) and self._in_line(line) for line in said.splitlines())

    def _of_problem(self, problem: Problem, source: str = "") -> bool:
        is_there = problem.place == self.place or (not problem.place and source.endswith(self.place))
        return is_there and self._of_message(problem.advice)

    def _of_message(self, message: Message) -> bool:
        carried = [*_values(message)]
        return _words_in(self.terms, message) and all(
            any(name == other and _same(value, found) for other, found in carried)
            for name, value in self.values.items()
        )

    def _place_in(self, text: str) -> bool:
        return not self.place or re.search(rf"(?<![\w.]){re.escape(self.place)}:", text) is not None

    def _in_line(self, line: str) -> bool:
        return _words_in(self.terms, line) and all(
            _words_in([str(value)], line) or (isinstance(value, float) and _words_in([f"{value:g}"], line))
            for value in self.values.values()
        )


def _values(message: Message) -> Iterator[tuple[str, Any]]:
    """Names and values of a message, also of the messages among its values."""
    for name, value in message.values.items():
        yield name, value
        if isinstance(value, Message):
            yield from _values(value)


def _same(expected: Any, found: Any) -> bool:
    """Whether a value is what is expected, numbers to the six digits that a message shows."""
    if isinstance(expected, int | float) and isinstance(found, float):
        return f"{expected:g}" == f"{found:g}"
    return bool(expected == found) or str(expected) == str(found)


def _words_in(words: tuple[str, ...] | list[str], text: str) -> bool:
    """Whether all words stand in a text, none of them as a part of a longer word or number."""
    return all(re.search(rf"(?<![\w.+-]){re.escape(word)}(?![\w-]|\.\d)", text) for word in words)


@contextmanager
def refuses(
    place: str | Meaning = "", /, *terms: str, raised: type[BaseException] = InputError, **values: Any
) -> Iterator[pytest.ExceptionInfo[BaseException]]:
    """A block that ends with an exception of this meaning."""
    meaning = place if isinstance(place, Meaning) else Meaning(place, *terms, **values)
    with pytest.raises(raised) as caught:
        yield caught
    assert meaning.of(caught.value), f"{caught.value!r} is not of {meaning}"
