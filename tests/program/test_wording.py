"""No test quotes a sentence of the program: tests compare place, values and terms of a message (tests/meaning.py)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from meaning import Meaning, refuses

from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, Problem
from polhode_app.i18n.language import FOLDER

TESTS = Path(__file__).parents[1]
DOMAINS = ("core", "window", "commands")  # those of "scene" are names and titles
WORDS = 4  # in a row: as many are a part of a sentence
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
QUOTING = {
    "program/i18n/": "the catalogues and their texts",
    "program/test_quoted_texts.py": "texts that pages quote",
    "program/test_wording.py": "this check",
    "desktop/shell/test_search.py": "the entries that typed words find, by their names",
    "physics/verification/test_verification.py": "names of cases, which are data",
}


def rows_of_words(text: str) -> Iterator[str]:
    """Every WORDS words in a row of a text, without the values between them, signs and mnemonics."""
    for part in re.split(r"\{[^}]*\}|\(&\w\)|\n", text):
        words = re.findall(rf"{WORD.pattern}|[^\sA-Za-z'\"`]+", part.replace("&", ""))
        for start in range(len(words) - WORDS + 1):
            row = words[start : start + WORDS]
            if all(WORD.fullmatch(word) for word in row):
                yield " ".join(row).lower()


def sentences() -> set[str]:
    """Rows of words of all messages and texts of the program."""
    found: set[str] = set()
    for domain in DOMAINS:
        with (FOLDER / "ja" / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
            for entry in read_po(file, "ja"):
                forms = (entry.id,) if isinstance(entry.id, str) else entry.id
                found.update(row for form in forms for row in rows_of_words(form))
    return found


def quotes(source: str, said: set[str]) -> Iterator[str]:
    """Strings of a program, other than its docstrings, that have a row of words of a sentence, with their lines."""
    tree = ast.parse(source)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
            rows = said.intersection(rows_of_words(node.value.replace("\\", "")))
            yield from [f"{node.lineno}: {min(rows)!r}"] if rows else []


def test_no_test_quotes_a_sentence_of_the_program() -> None:
    said = sentences()
    assert len(said) > 3000
    names = {path: path.relative_to(TESTS).as_posix() for path in sorted(TESTS.rglob("*.py"))}
    read = {path: name for path, name in names.items() if not name.startswith(tuple(QUOTING))}
    assert len(read) > 300
    found = [f"{name}:{quote}" for path, name in read.items() for quote in quotes(path.read_text("utf-8"), said)]
    assert not found, "\n".join(["compare place, values and terms instead (tests/meaning.py):", *found])


@pytest.mark.parametrize(
    "source",
    [
        'assert "must be greater than 0, but is -1" in str(error)',
        'assert text == f"{name}: there is no folder {folder}"',
        '@pytest.mark.parametrize("rule", [("a", "is a folder, not a mesh file")])\ndef test(rule): ...',
    ],
)
def test_a_quote_is_found_wherever_it_stands(source: str) -> None:
    assert [*quotes(source, sentences())]


PROBLEM = Problem(
    "body[0].shape[0].mass",
    Message("must be at least {limit:g}, but is {value}", limit=0.0, value="-1"),
    Message("give zero or a positive number"),
)


@pytest.mark.parametrize("said", [PROBLEM, InputError("a.toml", [PROBLEM]), str(InputError("a.toml", [PROBLEM]))])
@pytest.mark.parametrize(
    ("meaning", "is_said"),
    [
        (Meaning("body[0].shape[0].mass", "least", limit=0, value=-1), True),
        (Meaning("body[0].shape[0].mass", "positive"), True),
        (Meaning("body[0].shape[0]", value=-1), False),  # another place
        (Meaning("shape[0].mass", value=-1), False),
        (Meaning("body[0].shape[0].mass", "greater", limit=0, value=-1), False),  # another rule
        (Meaning("body[0].shape[0].mass", "pos", value=-1), False),  # a part of a word
        (Meaning("body[0].shape[0].mass", value=1), False),  # another value
    ],
)
def test_a_meaning_tells_place_rule_and_values(
    said: Problem | InputError | str, meaning: Meaning, is_said: bool
) -> None:
    assert meaning.of(said) == is_said


def test_a_value_has_its_name_and_a_term_is_one_word() -> None:
    assert not Meaning("body[0].shape[0].mass", least=0).of(PROBLEM)
    with pytest.raises(AssertionError):
        Meaning("", "must be at least")


def test_a_block_that_ends_with_another_fault_is_noticed() -> None:
    with refuses("", name="a", raised=InvalidValue):
        raise InvalidValue(Message("'{name}' is not there", name="a"), Message("name another"))
    with pytest.raises(AssertionError), refuses("", name="b", raised=InvalidValue):
        raise InvalidValue(Message("'{name}' is not there", name="a"), Message("name another"))
    with pytest.raises(pytest.fail.Exception), refuses("", name="a"):
        pass
