"""Japanese pages name controls of the window by the words that the window shows."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[3]
CATALOGUE = ROOT / "app/polhode_app/translations/ja/LC_MESSAGES/window.po"
NAME = re.compile(r"(?<![*\w])\*([^*\n]+?)\*(?!\*)")
REVIEWED = {("camera.md", "Drive"), ("replay.md", "Show")}
"""Page and name of a control whose text is also that of another one, with another translation."""


def plain(text: str) -> str:
    """A text of a control without its access key and dots."""
    return re.sub(r"\(&.\)|&", "", text).rstrip(".…")


@pytest.fixture(scope="module")
def shown() -> dict[str, set[str]]:
    """Japanese texts of the window by English ones."""
    found: dict[str, set[str]] = {}
    with CATALOGUE.open("rb") as file:
        for entry in read_po(file):
            if isinstance(entry.id, str) and entry.string:
                found.setdefault(plain(entry.id), set()).add(plain(entry.string))
    return found


def test_pages_name_controls_as_the_window_does(shown: dict[str, set[str]]) -> None:
    """At least as often as the English page does."""
    wrong, count = [], 0
    for page in sorted((ROOT / "docs").glob("*.md")):
        japanese = page.with_suffix(".ja.md")
        if japanese.exists():
            text = japanese.read_text("utf-8")
            names = Counter(plain(name) for name in NAME.findall(page.read_text("utf-8")))
            named = {name: sum(map(text.count, shown[name])) for name in names.keys() & shown.keys()}
            count += len(named)
            wrong += [(page.name, name) for name, times in named.items() if times < names[name]]
    assert count > 50
    assert set(wrong) <= REVIEWED, wrong
