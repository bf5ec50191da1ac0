"""Titles break between phrases, and names of items of built-in scenes are translated."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QTextLayout, QTextOption

from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode_app.i18n.field_names import ITEM_NAMES, item_label, scene_title
from polhode_app.i18n.language import in_language
from polhode_app.i18n.phrases import JOINER, UNBROKEN, breaking_at_phrases

PHRASES = {
    "ばねにつるしたおもり、四つの解法で": "ばねに|つるしたおもり、|四つの|解法で",
    "授業 3: ばね振り子": "授業 3: |ばね振り子",
    "144 本の磁針の格子": "144 本の|磁針の|格子",
    "無重力の T 字ハンドル": "無重力の |T 字ハンドル",
    "つながり合う磁針": "つながり合う|磁針",
    "すべり台(最も速い)": "すべり台|(最も|速い)",
}


def plain(text: str) -> str:
    """A text without joiners."""
    return text.replace(JOINER, "").replace(UNBROKEN, " ")


@pytest.mark.parametrize("title", PHRASES)
def test_lines_of_a_title_end_with_phrases(title: str, qapp: object) -> None:
    """By the line breaks that Qt finds, at the smallest width."""
    layout = QTextLayout(breaking_at_phrases(title))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(option)
    layout.beginLayout()
    lines = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(1.0)
        lines.append(plain(layout.text()[line.textStart() : line.textStart() + line.textLength()]))
    layout.endLayout()
    assert "".join(lines) == title
    assert "|".join(lines) == PHRASES[title]


def test_other_titles_stay_as_they_are() -> None:
    assert breaking_at_phrases("Course 1: a mass on a spring, by four methods").isascii()
    assert breaking_at_phrases("") == ""
    for name in gallery.scene_names():
        with in_language("ja"):
            title = scene_title(read_scene(gallery.path(name)))
        assert plain(breaking_at_phrases(title)) == title


def test_names_in_trees_have_japanese_labels() -> None:
    with in_language("ja"):
        assert item_label("bob0") == "おもり 0 (bob0)"
        assert item_label("plumb_bob") == "下げ振り (plumb_bob)"
        assert item_label("my_own") == ""
        assert all(re.search(r"[ぁ-んァ-ヶ一-龠]", item_label(name)) for name in ITEM_NAMES)
    assert item_label("bob0") == ""


def test_items_that_the_window_adds_have_japanese_labels() -> None:
    """Their names follow from the entries of Edit > Add."""
    with in_language("ja"):
        names = ("lattice", "chain", "compass", "particle", "spring", "joint", "wall", "surface", "force", "pendulum")
        assert [name for name in names if not item_label(name)] == []


def test_most_items_of_built_in_scenes_have_labels() -> None:
    """Names of a letter and a number, as of the needles of a lattice, say nothing that could be translated."""
    scenes = [read_scene(gallery.path(name)) for name in gallery.scene_names()]
    parts = [
        part
        for scene in scenes
        for key in ("body", "sphere", "bead", "soft", "particle")
        for part in getattr(scene, key)
    ]
    words = {part.name.rstrip("0123456789") for part in parts}
    assert {word for word in words if not re.fullmatch(r"n\d+_", word)} <= ITEM_NAMES
