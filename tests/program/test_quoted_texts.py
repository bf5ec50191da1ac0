"""Texts of the window that README and docs/ quote are texts of the program, and menu paths are paths of its menus.

English pages set them in italics, Japanese pages in corner brackets. Dots stand for a value: *Recording to ...*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from polhode_app.edit.add_menu import ADDITIONS
from polhode_app.i18n.language import DOMAINS, FOLDER
from polhode_app.viewport.registry import VIEWS
from polhode_app.window.shell.actions import MENUS, ActionRow, Submenu

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "README.ja.md", *sorted((ROOT / "docs").glob("*.md"))]
CODE = re.compile(r"```.*?```|^ {4}.*?$|`[^`]*`", re.DOTALL | re.MULTILINE)
QUOTES = {"en": re.compile(r"(?<![*\w])\*(?![*\s])([^*]+?)\*(?!\*)"), "ja": re.compile("「((?:[^「」]|「[^」]*」)+)」")}


def language_of(page: Path) -> str:
    return "ja" if page.name.endswith(".ja.md") else "en"


def plain(text: str) -> str:
    """A text without its mnemonic, dots for values, and no full stop."""
    text = re.sub(r"\(&\w\)", "", text).replace("&", "")
    return re.sub(r"\s+", " ", re.sub(r"\{[^}]*\}", "...", text)).strip(" .。:…")


@cache
def translations(language: str) -> dict[str, str]:
    """All texts of the program with their translations, both plain; also by sentences."""
    found = {}
    for domain in DOMAINS:
        with (FOLDER / "ja" / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
            for entry in sorted(read_po(file, "ja"), key=lambda entry: "&" in str(entry.id)):  # menus before others
                found.update(pair for pair in _texts(entry.id, entry.string, language) if entry.id)
    return found


def _texts(
    source: str | tuple[str, ...], translation: str | tuple[str, ...], language: str
) -> Iterator[tuple[str, str]]:
    source = source if isinstance(source, str) else source[-1]
    translation = translation if isinstance(translation, str) else translation[-1]
    text = source if language == "en" else translation
    yield plain(source), plain(text)
    yield from ((sentence, sentence) for sentence in map(plain, re.split(r"[.:;] |[。:]", text)))


def menu_paths() -> dict[str, set[str]]:
    """English names of the entries below each menu; of submenus that a table fills, too."""
    menus = [menu for menu in MENUS if not isinstance(menu, Submenu)]
    paths = {
        plain(menu.text): {plain(row.text) for row in menu.rows if isinstance(row, ActionRow | Submenu)}
        for menu in menus
    }
    paths["Show"] = {record.title for record in VIEWS.values()}
    paths["Add"] = {each.text or group for group, additions in ADDITIONS.items() for each in additions}
    paths |= {group: {plain(each.text) for each in additions} for group, additions in ADDITIONS.items()}
    return paths


def stale(quoted: str, language: str) -> Iterator[str]:
    """Parts of a quoted text that the program does not have, or not in this menu."""
    shown = translations(language)
    menus = {shown.get(menu, menu): {shown.get(name, name) for name in names} for menu, names in menu_paths().items()}
    steps = [plain(step) for step in quoted.split(" > ")]
    yield from (step for step in steps if step not in shown.values())
    for menu, name in pairwise(steps):
        if name not in menus.get(menu, ()):
            yield f"{menu} > {name}"


def quotes(page: Path) -> list[str]:
    text = CODE.sub("", page.read_text("utf-8"))
    return [re.sub(r"\s+", " ", quoted) for quoted in QUOTES[language_of(page)].findall(text)]


def test_pages_quote_texts_of_the_program() -> None:
    found = [
        f"{page.name}: {part}" for page in PAGES for each in quotes(page) for part in stale(each, language_of(page))
    ]
    assert not found, "\n".join(found)
    counts = {page.name: len(quotes(page)) for page in PAGES}
    assert min(counts["window.md"], counts["window.ja.md"], counts["serial.md"], counts["serial.ja.md"]) > 10


@pytest.mark.parametrize(
    ("quoted", "language"),
    [
        ("View > Keep this view", "en"),  # a former text
        ("File > Follow selection", "en"),  # an entry of another menu
        ("表示 > この視点を残す", "ja"),
        ("ファイル > 選択したものを追う", "ja"),
    ],
)
def test_a_stale_quote_is_found(quoted: str, language: str) -> None:
    assert list(stale(quoted, language))


@pytest.mark.parametrize(
    ("quoted", "language"),
    [
        ("View > Show > Lift off", "en"),
        ("Save as...", "en"),
        ("Users of the group '...' may open the port", "en"),
        ("表示 > 表示するもの > 離れる場所", "ja"),
        ("フーコーの振り子", "ja"),
    ],
)
def test_a_text_of_the_program_is_found(quoted: str, language: str) -> None:
    assert not list(stale(quoted, language))
