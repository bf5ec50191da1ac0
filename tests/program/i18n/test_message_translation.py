"""Everything that is said about a wrong input has its Japanese, and is found again with any numbers and names in it."""

from __future__ import annotations

import ast
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path

import message_sources as of_sources
import pytest

import app
from app.i18n.language import speak
from app.i18n.translation import PLACE, advice, capital, pattern, sentence, sentences, table, told
from app.panels.inspector.form import COLUMN
from app.translations.reading import pairs
from core.scene.problem import InputError, Problem
from core.scene.scene_file import tables_of

ROOT = Path(app.__file__).parents[1]
TERMINAL = (
    "app.cli.arguments",
    "app.cli.batch",
    "app.cli.commands",
    "app.cli.convert",
    "app.cli.recording_info",
    "app.cli.recording_export",
    "app.cli.mass_report",
)
"""What says something on a terminal only, in English."""
TABLE = pairs("ja/problems.toml")


@pytest.fixture(scope="module")
def sources() -> of_sources.Sources:
    return of_sources.sources(ROOT, TERMINAL)


@pytest.fixture(scope="module")
def said(sources: of_sources.Sources) -> dict[str, str]:
    return sources.sentences()


@pytest.fixture
def japanese() -> Iterator[None]:
    speak("ja")
    yield
    speak("en")


def test_the_search_follows_what_a_sentence_is_made_of() -> None:
    helper = 'def counted(n, one, many):\n    return f"{n} {one if n == 1 else many}"\n'
    source = (
        "from core.words import counted\n"
        'LEAST = "give " + "more"\n'
        "def fault(rule, remedy):\n    raise InputError('', [Problem('a place', rule, remedy)])\n"
        "def pair(on):\n    return ('is on', 'turn it off') if on else ('is off', LEAST)\n"
        "def check(n, name):\n"
        "    rule = f\"{name!r} has {counted(n, 'edge', 'edges')}\"\n"
        '    fault(rule, "mend it" if n else LEAST)\n'
        "    Problem('', *pair(n))\n"
        "    if n > 3:\n        raise ValueError(f'n is {n:.3g}; take less' )\n"
        "    print('this is no sentence')\n"
    )
    found = of_sources.Sources({"core.words": helper, "core.checks": source}).sentences()
    assert set(found) == {
        *("{0} has {1} edge", "{0} has {1} edges", "mend it", "give more"),
        *("is on", "turn it off", "is off", "n is {0}", "take less"),
    }


def test_every_sentence_has_its_japanese(said: dict[str, str]) -> None:
    missing = sorted(f"{module}: {english}" for english, module in said.items() if english not in TABLE)
    assert not missing, "\n".join(["app/translations/ja/problems.toml lacks:", *missing])


def test_every_entry_is_said_by_somebody(said: dict[str, str], sources: of_sources.Sources) -> None:
    patterns = [pattern(english) for english in said]
    texts = {node.value for tree in sources.trees.values() for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    places = re.compile(r"(line|row) \{0\}(, column \{1\}|: simulationResult)?")  # where, beside the rule
    stray = [
        english
        for english in TABLE
        if english not in texts and not places.fullmatch(english) and not any(p.fullmatch(english) for p in patterns)
    ]
    assert not stray


@pytest.mark.parametrize("name", ["problems", "system"])
def test_what_is_filled_in_has_its_places(name: str) -> None:
    entries = pairs(f"ja/{name}.toml")
    for english, other in entries.items():
        missing = set(PLACE.findall(english)) ^ set(PLACE.findall(other))
        assert missing <= ({"0"} if english.startswith("[Errno") else set()), english  # its number says nothing more
    assert all(entries.values())


def test_a_sentence_is_found_again_with_numbers_and_names_in_it(japanese: None) -> None:
    for english, other in TABLE.items():
        fill = {number: f"q{number}" for number in PLACE.findall(english)}
        now = PLACE.sub(lambda place, fill=fill: fill[place[1]], english)
        assert told(now) == PLACE.sub(lambda place, fill=fill: fill[place[1]], other), english


def test_joined_sentences_are_known_by_their_parts(japanese: None) -> None:
    problem = Problem("body[0].mass", "must be greater than 0, but is -1", "give a positive number")
    rule, remedy = told(problem.rule), told(problem.remedy)
    assert rule == "0 より大きくなければなりませんが、-1 です"
    assert advice(problem) == told(f"{problem.rule}; {problem.remedy}") == f"{rule}。{remedy}"
    assert sentence(problem) == told(str(problem)) == f"body[0].mass: {rule}。{remedy}"
    error = InputError("/home/top.toml", [problem, problem.at("ghost[1]")])
    assert sentences(error).split("\n")[0] == told(str(error).split("\n")[0]) == f"/home/top.toml: {sentence(problem)}"
    assert told("'rotor.stl' has no triangles") == f"'rotor.stl': {told('has no triangles')}"
    assert told("line 3, column 5") == "3 行 5 文字目"
    assert capital("t = 3 s で") == "t = 3 s で"


def test_names_stay_as_they_are(japanese: None) -> None:
    assert told("the mass of 'has no triangles' is 0") == "「has no triangles」の質量が 0 です"
    assert told("nobody knows this: nor that; or this") == "nobody knows this: nor that; or this"


def test_a_long_text_takes_no_time(japanese: None) -> None:
    text = "'a' 'b': is, but is not; or " * 10_000
    assert told(text) == text


def test_in_english_nothing_changes() -> None:
    problem = Problem("body[0]", "is missing", "add it\x07")
    error = InputError("a\x1b.toml", [problem, problem])
    assert (sentence(problem), sentences(error)) == (str(problem), str(error))
    assert capital("at t = 3 s") == "At t = 3 s"
    assert told("must be finite, but is inf") == "must be finite, but is inf"


@pytest.mark.parametrize(
    "text",
    ["a", "a = [", "a = 1 b", "a = 1\na = 2", "[a", "[[a]", 'a = "b', "a = 3x", "= 2", "a = {b = 1", "a = x"],
)
def test_what_is_wrong_with_the_text_of_a_scene_is_said_in_japanese(japanese: None, text: str) -> None:
    with pytest.raises(InputError) as found:
        tables_of(text, "scene.toml")
    assert not re.search("[a-z]{3}", sentence(found.value.problems[0]).replace("TOML", "")), found.value


def test_what_the_system_says_is_known(japanese: None) -> None:
    usual = ("EPERM", "ENOENT", "EIO", "EACCES", "EBUSY", "EEXIST", "ENODEV", "ENOTDIR", "EISDIR", "ENOSPC", "EROFS")
    for name in usual:
        error = OSError(getattr(errno, name), os.strerror(getattr(errno, name)), "/disk/run.csv")
        said = sentences(error)
        assert said == told(str(error))  # as a thread that only has a text says it
        assert not re.search("[a-z]{3}", said.removeprefix("/disk/run.csv")), name


def test_columns_of_formulas_are_read_from_what_the_physics_says() -> None:
    """The field underlines a place of the formula by the English rule, whatever is shown."""
    assert COLUMN.search("'t' at column 12 is not known")[1] == "12"


def test_the_window_shows_no_sentence_as_it_comes() -> None:
    """Rules, remedies and reasons of the system go through `told`."""
    shown = []
    for path in [*ROOT.glob("app/panels/**/*.py"), *ROOT.glob("app/interactors/*.py"), ROOT / "app/main_window.py"]:
        tree = ast.parse(path.read_text("utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        takers = [call for call in calls if ast.unparse(call.func) in ("told", "COLUMN.search")]
        taken = {id(each) for call in takers for each in call.args}
        for node in ast.walk(tree):
            english = isinstance(node, ast.Attribute) and node.attr in ("rule", "remedy", "strerror")
            if english and id(node) not in taken:
                shown.append(f"{path.name}:{node.lineno}: {ast.unparse(node)}")
    assert not shown


def test_there_is_a_table_for_english_too() -> None:
    assert table("en") == ({}, ())
