"""Texts for people that keep their values, so that another language can put them in its own order."""

from __future__ import annotations

from typing import Any


class Message(str):
    """An English text that knows the template and the values it was formatted from.

    It is the English text wherever a text is wanted; who speaks another language looks the template up and formats its
    translation with the same values. Values are numbers and names, or messages, which are translated themselves. A
    template without values is taken as it stands, braces included.

        Message("is {size} MB, more than {most} MB", size=80, most=64)
    """

    __slots__ = ("template", "values")
    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, /, **values: Any) -> Message:
        message = super().__new__(cls, template.format(**values) if values else template)
        message.template = template
        message.values = values
        return message

    def serialized(self) -> list[Any]:
        """Template and values as JSON can hold them."""
        values = {
            name: value.serialized() if isinstance(value, Message) else value for name, value in self.values.items()
        }
        return [self.template, values]

    @classmethod
    def restored(cls, told: list[Any]) -> Message:
        """The message that was serialized."""
        template, values = told
        return cls(template, **{name: cls.restored(v) if isinstance(v, list) else v for name, v in values.items()})

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.template,), self.values


def plural(one: str, many: str, /, *, count: int, **values: Any) -> Message:
    """A message about one thing or about many, which is `count` in both templates."""
    return Message(one if count == 1 else many, count=count, **values)
