"""Messages with values, and what is wrong with something, in the current language. No Qt."""

from __future__ import annotations

from app.i18n.language import catalogue, language
from core.scene.message import Message
from core.scene.problem import InputError, Problem, message_of, printable, reason_of


def translate(text: str) -> str:
    """A message in the current language, with all messages in it; another text, such as a name, stays as it is."""
    if not isinstance(text, Message):
        return text
    texts = catalogue(language())
    template, plural, values = text.template, text.plural, text.values
    found = texts.ngettext(template, plural, values["count"]) if plural else texts.gettext(template)
    inner = {name: translate(value) for name, value in values.items() if isinstance(value, Message)}
    return found.format(**(values | inner)) if values else found


def translate_problem(problem: Problem) -> str:
    """Place, rule and remedy in one line."""
    return printable(translate(problem.message))


def translate_error(error: Exception) -> str:
    """All that an error says, a line for each problem."""
    if isinstance(error, InputError):
        return "\n".join(f"{printable(error.source)}: {translate_problem(problem)}" for problem in error.problems)
    return translate(message_of(error))


def translate_reason(error: OSError) -> str:
    """What the system says of a file, without the name of that."""
    return translate(reason_of(error))


def capitalized(text: str) -> str:
    """A sentence as it begins a line; Japanese ones may begin with the letter of a formula, and keep it."""
    return text[:1].upper() + text[1:] if language() == "en" else text
