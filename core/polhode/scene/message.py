"""Texts for people that keep their values, so that another language can put them in its own order."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

LONGEST = 400  # characters of a value
# Unicode categories of characters that control a terminal or the direction of text instead of being shown.
OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")


def printable(text: str) -> str:
    r"""The text in one line: characters that a terminal obeys, in `OBEYED`, become escapes such as \x1b or \u202e."""
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode() if unicodedata.category(character) in OBEYED else character
        for character in text
    )


def shortened(text: str) -> str:
    """The text in one line of printable characters, cut off where it is longer than LONGEST."""
    shown = printable(text[: LONGEST + 1])
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 3] + "..."


class Message(str):
    """An English text with the template and the values it was formatted from.

    A translation is looked up by the template and formatted with the same values: numbers and names, or messages, which
    are translated themselves. A template without values is used literally, braces included.

        Message("is {size} MB, more than {most} MB", size=80, most=64)

    Templates are literals: `make translations` collects them from the sources. Messages compare, hash and pickle as
    texts with their template and values kept. Values other than messages may come from a damaged or hostile file: they
    are written in one line of printable characters, and cut off where they are longer than LONGEST characters.
    """

    __slots__ = ("plural", "template", "values")
    template: str
    plural: str  # the template for a `count` other than 1, where the two differ
    values: dict[str, Any]

    def __new__(cls, template: str, plural: str = "", /, **values: Any) -> Message:
        """Format `template`, or `plural` where that is given and the value `count` is not 1, with str.format."""
        form = plural if plural and values["count"] != 1 else template
        values = {name: _shown(value) for name, value in values.items()}
        message = super().__new__(cls, form.format(**values) if values else form)
        message.template, message.plural, message.values = template, plural, values
        return message

    def serialized(self) -> list[Any]:
        """Template, plural and values as lists and dicts that JSON can hold; messages among the values likewise."""
        inner = {name: value.serialized() for name, value in self.values.items() if isinstance(value, Message)}
        return [self.template, self.plural, self.values | inner]

    @classmethod
    def restored(cls, serialized: list[Any]) -> Message:
        """The message whose `serialized` is `serialized`: every list among the values is a message."""
        template, plural, values = serialized
        inner = {name: cls.restored(value) for name, value in values.items() if isinstance(value, list)}
        return cls(template, plural, **(values | inner))

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, Any]]:
        return (self.template, self.plural), self.values


def _shown(value: Any) -> Any:
    """The value of a message, or a text in its place where it is too long or has characters that are not shown."""
    if isinstance(value, Message | int | float):
        return value
    text = str(value)
    shown = shortened(text)
    return value if shown == text else shown


def plural(one: str, many: str, /, *, count: int, **values: Any) -> Message:
    """A message about `count` things: the first template is for one of them, the second for any other number, also 0.

    Both are formatted with `count` and the other values.
    """
    return Message(one, many, count=count, **values)


def joined(messages: Sequence[str], separator: str) -> Message:
    """One message with all of these in it, between separators; its length is linear in theirs, whatever their number.

    A message within a message within a message would copy the first ones as often as there are messages, and end in a
    RecursionError.
    """
    template = separator.join(f"{{part{number}}}" for number in range(len(messages)))
    return Message(template, **{f"part{number}": message for number, message in enumerate(messages)})
