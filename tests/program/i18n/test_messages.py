"""Messages keep their values on every way, and are translated with them."""

from __future__ import annotations

import ast
import copy
import errno
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from polhode.formulas.parser import FormulaError, parse
from polhode.mesh.files.damage import Damaged
from polhode.scene.message import LONGEST, Message, plural
from polhode.scene.problem import InputError, InvalidValue, Problem, message_of
from polhode.scene.scene_file import scene_of, tables_of
from polhode_app.i18n.language import set_language, tr
from polhode_app.i18n.translation import capitalized, translate, translate_error, translate_problem

ROOT = Path(__file__).parents[3]
PROBLEM = Problem(
    "body[0].mass",
    Message("must be greater than {limit:g}, but is {value}", limit=0, value="-1"),
    Message("give a positive number"),
)


@pytest.fixture
def japanese() -> Iterator[None]:
    set_language("ja")
    yield
    set_language("en")


def test_a_message_is_its_english_text() -> None:
    assert Message("is {size:.1f} GB", size=2.04) == "is 2.0 GB"
    assert Message("write { key = value }") == "write { key = value }"
    assert Message("write {{ {key} }}", key="a") == "write { a }"
    assert plural("{count} edge", "{count} edges", count=1) == "1 edge"
    assert plural("{count} edge", "{count} edges", count=0) == "0 edges"


@pytest.mark.parametrize("value", ["a" * 10_000, ["a"] * 10_000, {"a": "b" * 10_000}])
def test_a_long_value_is_cut_off_in_either_language(japanese: None, value: object) -> None:
    message = Message("'{name}' at column {column} is not known", name=value, column=3)
    for text in (message, translate(message)):
        assert len(text) < LONGEST + 100
        assert "..." in text
        assert "3" in text


@pytest.mark.parametrize(
    "other",
    [
        copy.copy,
        copy.deepcopy,
        lambda message: Message.restored(json.loads(json.dumps(message.serialized()))),
    ],
)
def test_a_copy_of_a_message_has_its_values(other) -> None:
    inner = plural("{count} edge", "{count} edges", count=3)
    message = Message("'{file}': {note}", file="a.stl", note=inner)
    again = other(message)
    assert (again, again.template, again.values) == (message, message.template, message.values)
    assert (again.values["note"].template, again.values["note"].plural) == (inner.template, inner.plural)


@pytest.mark.parametrize(
    "error",
    [InvalidValue(PROBLEM.rule, PROBLEM.remedy), InputError("a.toml", [PROBLEM]), FormulaError(*[Message("x")] * 2, 3)],
)
def test_a_copy_of_an_error_has_its_values(error: Exception) -> None:
    """A copy consists of the same data that is sent to another process."""
    again = copy.copy(error)
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_rule_and_remedy_of_a_value_are_never_one_text() -> None:
    with pytest.raises(InvalidValue) as found:
        parse("sin 2", ["x"])
    assert (found.value.rule, found.value.remedy) == (
        "sin at column 1 is a function without a bracket",
        "write sin(...)",
    )
    assert found.value.rule.values["column"] == 1
    assert str(found.value) == f"{found.value.rule}; {found.value.remedy}"


def test_a_fault_of_a_validator_keeps_its_values() -> None:
    with pytest.raises(InputError) as found:
        scene_of({"view": {"hide": ["a;b"]}}, "s.toml")
    problem = found.value.problems[0]
    assert (problem.rule.values, problem.remedy) == ({"name": "a;b"}, "remove it")


def test_every_part_of_a_problem_is_translated(japanese: None) -> None:
    rule, remedy = "0 より大きくなければなりませんが、-1 です", "正の数値にしてください"
    assert (translate(PROBLEM.rule), translate(PROBLEM.remedy)) == (rule, remedy)
    assert translate(PROBLEM.advice) == f"{rule}。{remedy}"
    assert translate_problem(PROBLEM) == f"body[0].mass: {rule}。{remedy}"
    lines = translate_error(InputError("a\x1b.toml", [PROBLEM, PROBLEM.at("ghost[1]")])).split("\n")
    assert lines == [f"a\\x1b.toml: {translate_problem(each)}" for each in (PROBLEM, PROBLEM.at("ghost[1]"))]


def test_values_that_are_messages_are_translated(japanese: None) -> None:
    damaged = Damaged(
        plural(
            "is open ({count} edge has one triangle only)", "is open ({count} edges have one triangle only)", count=2
        )
    )
    assert translate(damaged.of("rotor.stl").rule) == "'rotor.stl': 閉じていません(三角形が一つしかない辺が 2 本)"
    located = Problem(Message("line {line}", line=3), Message("has no triangles"), Message("remove it"))
    assert translate_problem(located).startswith("3 行目: ")


def test_names_stay_as_they_are(japanese: None) -> None:
    named = Message("the mass of '{name}' is 0", name="has no triangles")
    assert translate(named) == "「has no triangles」の質量が 0 です"
    assert translate("speed") == "speed" != tr("speed")  # a place in a scene, and a quantity of plots
    assert translate(Message("nobody knows this: {nor} that")) == "nobody knows this: {nor} that"


def test_in_english_nothing_changes() -> None:
    problem = Problem("body[0]", Message("is missing"), Message("add it\x07"))
    error = InputError("a\x1b.toml", [problem, problem])
    assert (translate_problem(problem), translate_error(error)) == (str(problem), str(error))
    assert str(problem) == "body[0]: is missing; add it\\x07"
    assert capitalized("at t = 3 s") == "At t = 3 s"
    assert capitalized('unstable_modes = "clamp" lets them move') == 'unstable_modes = "clamp" lets them move'


def test_japanese_sentences_begin_as_they_are(japanese: None) -> None:
    assert capitalized("t = 3 s で") == "t = 3 s で"


@pytest.mark.parametrize(
    "text",
    [
        *("a", "a = [", "a = 1 b", "a = 1\na = 2", "[a", "[[a]", 'a = "b', "a = 3x", "= 2", "a = {b = 1", "a = x"),
        *('a = "\x01"', "[a]\n[a]", "a = 1\n[a.b]", "a = {b = 1, b = 2}", "a = '''b", 'a = "\\q"', "a.b = 1\n[a]"),
    ],
)
def test_what_is_wrong_with_the_text_of_a_scene_is_said_in_japanese(japanese: None, text: str) -> None:
    with pytest.raises(InputError) as found:
        tables_of(text, "scene.toml")
    assert not re.search("[a-z]{3}", translate_problem(found.value.problems[0]).replace("TOML", "")), found.value


def test_what_the_system_says_is_known(japanese: None) -> None:
    usual = ("EPERM", "ENOENT", "EIO", "EACCES", "EBUSY", "EEXIST", "ENODEV", "ENOTDIR", "EISDIR", "ENOSPC", "EROFS")
    for name in usual:
        error = OSError(getattr(errno, name), os.strerror(getattr(errno, name)), "/disk/run.csv")
        said = translate_error(error)
        assert not re.search("[a-z]{3}", said.removeprefix("/disk/run.csv")), name


def test_an_error_that_knows_no_message_says_its_text() -> None:
    assert message_of(RuntimeError("a {b}")) == "a {b}"
    assert message_of(MemoryError()) == "MemoryError"
    assert message_of(ValueError(PROBLEM.rule)) is PROBLEM.rule


def test_the_window_shows_no_message_as_it_comes() -> None:
    """Rules, remedies and reasons of the system go through `translate`."""
    shown = []
    for path in [
        *ROOT.glob("app/polhode_app/window/**/*.py"),
        *ROOT.glob("app/polhode_app/interactors/*.py"),
        ROOT / "app/polhode_app/main_window.py",
    ]:
        tree = ast.parse(path.read_text("utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        taken = {id(each) for call in calls if ast.unparse(call.func) == "translate" for each in call.args}
        taken |= {
            id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "values"
        }
        for node in ast.walk(tree):
            english = isinstance(node, ast.Attribute) and node.attr in ("rule", "remedy", "strerror")
            if english and id(node) not in taken:
                shown.append(f"{path.name}:{node.lineno}: {ast.unparse(node)}")
    assert not shown
