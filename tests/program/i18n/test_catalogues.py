"""The catalogues are whole: every text of the sources has its translation, and nothing else has one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest
from fontTools.ttLib import TTFont
from sources import module_at, nodes_of

from polhode_app.i18n.language import DOMAINS, LANGUAGES
from polhode_app.viewport.base.text_actor import FONT

ROOT = Path(__file__).parents[3]
CATALOGUES = list(product(LANGUAGES.keys() - {"en"}, DOMAINS))
KEY = re.compile(r"&\w")  # to press with Alt
TEMPLATES = ("Message", "plural", "tr", "translated", "QT_TRANSLATE_NOOP")
SAYS = {"Problem": (1, 2), "refusal": (1, 2), "InvalidValue": (0, 1), "say": (0,), "warning": (0,), "exception": (0,)}
"""Arguments of functions of the app that are messages. In core the types say so."""


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return module_at(ROOT / ".ci/translations.py")


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_a_catalogue_has_every_text_and_is_compiled(tool: ModuleType, language: str, domain: str) -> None:
    assert list(tool.complaints(language, domain)) == []


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_keys_to_press_stay_keys(tool: ModuleType, language: str, domain: str) -> None:
    for entry in tool.read(language, domain):
        if entry.id and not entry.pluralizable:
            assert bool(KEY.search(entry.id)) == bool(KEY.search(entry.string)), entry.id


def test_no_text_has_two_translations(tool: ModuleType) -> None:
    known: dict[str, str] = {}
    for language, domain in CATALOGUES:
        for entry in tool.read(language, domain):
            if entry.id and not entry.pluralizable:
                assert known.setdefault(f"{language} {entry.id}", entry.string) == entry.string


def test_the_font_of_the_picture_has_every_letter(tool: ModuleType) -> None:
    known = TTFont(FONT).getBestCmap()
    entries = [entry for domain in ("window", "scene") for entry in tool.read("ja", domain) if entry.id]
    texts = ["".join(entry.string) for entry in entries]  # a plural has several
    missing = {letter for text in texts for letter in text if ord(letter) not in known and letter != "\n"}
    assert not missing, (
        f"{FONT.name} has not got these letters: use other words, or add them (app/polhode_app/fonts/README.md)"
    )


@pytest.fixture
def small(tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with two texts, both translated; its source."""
    source = tmp_path / "core/words.py"
    source.parent.mkdir()
    source.write_text('Message("is {size:g} m", size=1)\nplural("{count} is", "{count} are", count=2)\n')
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    monkeypatch.setattr(tool, "FOLDER", tmp_path / "translations")
    made = tool.updated("ja", "core")
    made.get("is {size:g} m").string = "{size:g} m です"
    made.get(("{count} is", "{count} are")).string = ("{count} 個",)
    tool.write("ja", "core", made)
    assert list(tool.complaints("ja", "core")) == []
    return source


def test_a_text_without_translation_is_missing(tool: ModuleType, small: Path) -> None:
    small.write_text(small.read_text() + 'Message("nothing like it at all")\n')
    assert ["is missing" in said for said in tool.complaints("ja", "core")] == [True]
    tool.write("ja", "core", tool.updated("ja", "core"))
    assert ["has no translation" in said for said in tool.complaints("ja", "core")] == [True]


def test_a_changed_text_has_a_doubtful_translation(tool: ModuleType, small: Path) -> None:
    small.write_text(small.read_text().replace("is {size:g} m", "was {size:g} m"))
    tool.write("ja", "core", tool.updated("ja", "core"))
    entry = tool.read("ja", "core").get("was {size:g} m")
    assert (entry.fuzzy, entry.string) == (True, "{size:g} m です")
    assert ["has no translation" in said for said in tool.complaints("ja", "core")] == [True]


def test_a_text_that_is_gone_is_stale(tool: ModuleType, small: Path) -> None:
    small.write_text(small.read_text().split("\n")[1])
    assert ["used nowhere" in said for said in tool.complaints("ja", "core")] == [True]
    tool.write("ja", "core", tool.updated("ja", "core"))
    assert list(tool.complaints("ja", "core")) == []


@pytest.mark.parametrize("wrong", ["{length:g} m です", "{size} m です", "m です"])
def test_a_translation_is_filled_with_the_same_values(tool: ModuleType, small: Path, wrong: str) -> None:
    made = tool.read("ja", "core")
    made.get("is {size:g} m").string = wrong
    tool.write("ja", "core", made)
    assert ["is filled with" in said for said in tool.complaints("ja", "core")] == [True]


def test_a_catalogue_that_was_edited_is_compiled_again(tool: ModuleType, small: Path) -> None:
    path = tool.file_of("ja", "core", ".po")
    path.write_text(path.read_text("utf-8").replace("{size:g} m です", "長さは {size:g} m です"), "utf-8")
    assert [".mo file" in said for said in tool.complaints("ja", "core")] == [True]


def _calls(*folders: str) -> Iterator[tuple[str, str, ast.Call]]:
    """Calls in the sources, with where they stand and what is called."""
    for path in sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        for node in nodes_of(path):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                yield f"{path.relative_to(ROOT)}:{node.lineno}", name, node


def test_templates_are_literals() -> None:
    """A template composed or selected inside of the call would not be collected."""
    made = (ast.JoinedStr, ast.BinOp, ast.IfExp, ast.BoolOp)
    wrong = [
        place
        for place, name, call in _calls("core", "app")
        if name in TEMPLATES and any(isinstance(argument, made) for argument in call.args)
    ]
    assert not wrong


def test_the_app_says_messages() -> None:
    """A plain text would stay English in every language."""
    wrong = [
        place
        for place, name, call in _calls(
            "app/polhode_app/cli",
            "app/polhode_app/edit",
            "app/polhode_app/export",
            "app/polhode_app/sensor",
            "app/polhode_app/session",
            "app/polhode_app/runner",
        )
        for number in SAYS.get(name, ())
        if number < len(call.args) and isinstance(call.args[number], ast.JoinedStr | ast.Constant)
    ]
    assert not wrong
