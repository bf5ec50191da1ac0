"""Texts that are translated inside f-strings, where the extraction of texts does not look."""

from __future__ import annotations

import ast
from gettext import GNUTranslations
from pathlib import Path

import polhode_app

FOLDER = Path(polhode_app.__file__).parent


def in_fstrings(tree: ast.AST) -> list[str]:
    """Texts in calls of `tr` within f-strings."""
    parts = (part for whole in ast.walk(tree) if isinstance(whole, ast.JoinedStr) for part in ast.walk(whole))
    calls = (part for part in parts if isinstance(part, ast.Call) and part.args)
    called = (call.args[0] for call in calls if ast.unparse(call.func).rpartition(".")[2] == "tr")
    return [text.value for text in called if isinstance(text, ast.Constant)]


def test_a_text_in_an_fstring_is_known_from_another_place() -> None:
    with (FOLDER / "translations/ja/LC_MESSAGES/window.mo").open("rb") as file:
        known = GNUTranslations(file)
    found = {
        text: path.name for path in FOLDER.rglob("*.py") for text in in_fstrings(ast.parse(path.read_text("utf-8")))
    }
    assert found  # the search finds what there is
    assert [text for text in found if known.gettext(text) == text] == []
    assert in_fstrings(ast.parse("QLabel(f\"<b>{self.tr('Recent files')}</b>\")")) == ["Recent files"]
