"""Texts for people that keep their values, so that another language can put them in its own order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LONGEST = 400  # characters of a value


class Message(str):
    """An English text that knows the template and the values it was formatted from.

    It is the English text wherever a text is wanted. A translation is looked up by the template and formatted with the
    same values: numbers and names, or messages, which are translated themselves. A template without values is taken as
    it stands, braces included.

        Message("is {size} MB, more than {most} MB", size=80, most=64)

    Templates are literals: `make translations` collects them from the sources. Messages compare, hash and pickle as
    texts with their template and values kept. A text, list or table among the values that is longer than LONGEST
    characters, as those of damaged files may be, is cut off there.
    """

    __slots__ = ("plural", "template", "values")
    template: str
    plural: str  # the template for a `count` other than 1, where the two differ
    values: dict[str, Any]

    def __new__(cls, template: str, plural: str = "", /, **values: Any) -> Message:
        """Format `template`, or `plural` where that is given and the value `count` is not 1, with str.format."""
        form = plural if plural and values["count"] != 1 else template
        values = {name: _cut(value) for name, value in values.items()}
        message = super().__new__(cls, form.format(**values) if values else form)
        message.template, message.plural, message.values = template, plural, values
        return message

    def serialized(self) -> list[Any]:
        """Template, plural and values as lists and dicts that JSON can hold; messages among the values likewise."""
        inner = {name: value.serialized() for name, value in self.values.items() if isinstance(value, Message)}
        return [self.template, self.plural, self.values | inner]

    @classmethod
    def restored(cls, told: list[Any]) -> Message:
        """The message whose `serialized` is `told`: every list among the values is a message."""
        template, plural, values = told
        inner = {name: cls.restored(value) for name, value in values.items() if isinstance(value, list)}
        return cls(template, plural, **(values | inner))

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, Any]]:
        return (self.template, self.plural), self.values


def _cut(value: Any) -> Any:
    """The value of a message, or its beginning as a text where it is too long to be read."""
    if isinstance(value, Message | int | float):
        return value
    text = str(value)
    return value if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


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
