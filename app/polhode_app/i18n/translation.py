"""Translation of messages with values, and of problems and exceptions. No Qt."""

from __future__ import annotations

from polhode.scene.message import Message, printable
from polhode.scene.problem import InputError, Problem, message_of, reason_of
from polhode_app.i18n.field_names import named
from polhode_app.i18n.language import catalogue, language

ITEMS = ("name", "body", "plate", "soft", "wall")
"""Values of messages that may be names of items; they are, where the template has them between quotes."""


def translate(text: str) -> str:
    """Translate a message and the messages among its values; other texts are returned unchanged.

    Names of items get their translations, as in the tree of the scene.
    """
    if not isinstance(text, Message):
        return text
    texts = catalogue(language())
    template, plural, values = text.template, text.plural, text.values
    found = texts.ngettext(template, plural, values["count"]) if plural else texts.gettext(template)
    inner = {name: translate(value) for name, value in values.items() if isinstance(value, Message)}
    stated = {key: values[key] for key in ITEMS if f"'{{{key}}}'" in template and isinstance(values.get(key), str)}
    names = {key: named(name) for key, name in stated.items()}
    return found.format(**(values | names | inner)) if values else found


def translate_problem(problem: Problem) -> str:
    """A problem in one printable line: place, rule and remedy."""
    return printable(translate(problem.message))


def translate_error(error: Exception) -> str:
    """Text of an exception; an InputError gives one line for each problem."""
    if isinstance(error, InputError):
        return "\n".join(f"{printable(error.source)}: {translate_problem(problem)}" for problem in error.problems)
    return translate(message_of(error))


def translate_reason(error: OSError) -> str:
    """Text of the operating system for an error, without the file name."""
    return translate(reason_of(error))


def capitalized(text: str) -> str:
    """A sentence with an upper-case first letter.

    Japanese ones may begin with a symbol of a formula, and others with a key of a scene file: they are kept.
    """
    return text[:1].upper() + text[1:] if language() == "en" and "_" not in text.partition(" ")[0] else text
