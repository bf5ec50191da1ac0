"""Whatever stands in a name, a message about it is one line: values are escaped where a Message is filled."""

from __future__ import annotations

from pathlib import Path

import pytest

from polhode.scene.message import LONGEST, Message, shortened
from polhode.scene.problem import InputError, Problem, message_of
from polhode_app.i18n.language import set_language
from polhode_app.i18n.translation import translate, translate_error

FORGED = "a\nb.toml: body[0].mass: is 7; pay here\r\x1b[31m\u2028\u202e\u0085\ud800"
ESCAPED = r"a\nb.toml: body[0].mass: is 7; pay here\r\x1b[31m\u2028\u202e\x85\ud800"


@pytest.mark.parametrize(
    "value", [FORGED, Path(FORGED[:20]), [FORGED], {FORGED: 1}, (FORGED,)], ids=lambda v: type(v).__name__
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_value_forges_no_line(value: object, language: str):
    set_language(language)
    try:
        message = Message("'{name}' at column {column} is not known", name=value, column=3)
        nested = Message("{file}: {problem}", file=value, problem=message)
        for text in (message, translate(message), nested, translate(nested)):
            assert text.isprintable()
    finally:
        set_language("en")


def test_the_escapes_show_what_is_there():
    assert Message("{name}", name=FORGED) == ESCAPED
    assert Message("{name}", name="磁石 é") == "磁石 é"
    assert Message("{name:g} {count}", name=1.5, count=3) == "1.5 3"
    assert shortened("x" * 60_000) == "x" * (LONGEST - 3) + "..."
    assert len(shortened("\n" * 60_000)) == LONGEST


def test_errors_have_a_line_for_each_problem():
    problem = Problem(FORGED, Message("is '{value}'", value=FORGED), Message("give '{value}'", value=FORGED))
    error = InputError(FORGED, [problem, problem])
    for text in (str(error), message_of(error), translate_error(error)):
        assert text.count("\n") == 1
        assert len(text.splitlines()) == 2
    for raised in (ValueError(FORGED), OSError(2, FORGED), OSError(2, "no", FORGED)):
        assert message_of(raised).isprintable()
