"""Everything that the window says has its Japanese, with the same places for what is filled in."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

import app
from app.i18n.field_names import quantity, scene_description, scene_title
from app.i18n.language import said, speak
from app.panels.shell.qt_translator import Translator
from app.translations.ja import TEXTS, explanations, fields, panels, plots, sensor, shots, window
from app.translations.ja import gallery as of_gallery
from app.translations.reading import pairs
from app.viewport.base.text_actor import FONT
from app.viewport.registry import VIEWS
from app.viewport.vectors.forces import COLORS, NAMES
from core.analysis.columns import ENERGIES, WORKS
from core.physics.bodies.columns import COLUMNS as BODY
from core.physics.paths.columns import COLUMNS as BEAD
from core.scene import gallery
from core.scene.scene_file import read_scene

FOLDER = Path(app.__file__).parent
FIRST = ("tr", "said", "_text", "translated")  # whose first argument is a text
LAST = ("translate", "QT_TRANSLATE_NOOP")
FILLED = re.compile(r"\{(\w*)")
LETTER = re.compile(r"\(&\w\)|&")


def texts_of(source: str) -> set[str]:
    """The texts that a file hands over to be translated."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        place = 0 if name in FIRST else -1 if name in LAST else None
        if place is not None:
            argument = node.args[place]
            found |= {part.value for part in ast.walk(argument) if _is_text(part, argument)}
    return found


def _is_text(part: ast.AST, argument: ast.expr) -> bool:
    """A text as it stands, or one of two of a choice."""
    stands = part is argument or (isinstance(argument, ast.IfExp) and part in (argument.body, argument.orelse))
    return stands and isinstance(part, ast.Constant) and isinstance(part.value, str) and bool(part.value)


def every_text() -> set[str]:
    files = [path for path in FOLDER.rglob("*.py") if "translations" not in path.parts]
    found = set().union(*(texts_of(path.read_text(encoding="utf-8")) for path in files))
    return found | {name.replace("_", " ").capitalize() for name in VIEWS} | {NAMES.get(law, law) for law in COLORS}


def test_the_search_finds_what_is_said() -> None:
    source = (
        'a = self.tr("one")\nb = QT_TRANSLATE_NOOP("Actions", "two")\nc = said("three" if a else "four")\nf("five")'
    )
    assert texts_of(source) == {"one", "two", "three", "four"}


def test_every_text_has_its_japanese() -> None:
    missing = sorted(text for text in every_text() if text not in TEXTS)
    assert not missing, "\n".join(["app/translations/ja lacks:", *missing])


def test_the_font_of_the_picture_has_every_letter() -> None:
    known = TTFont(FONT).getBestCmap()
    lacking = {letter for text in TEXTS.values() for letter in text if ord(letter) not in known and letter != "\n"}
    assert not lacking


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_filled_in_has_its_places(text: str) -> None:
    assert sorted(FILLED.findall(TEXTS[text])) == sorted(FILLED.findall(text))
    assert bool(LETTER.search(TEXTS[text])) == bool(re.search(r"&\w", text))  # a letter to press stays one
    assert TEXTS[text]


def test_the_tables_agree() -> None:
    tables = [module.TEXTS for module in (explanations, fields, of_gallery, panels, plots, sensor, shots, window)]
    agreed: dict[str, str] = {}
    for table in tables:
        assert {text: table[text] for text in table.keys() & agreed.keys() if table[text] != agreed[text]} == {}
        agreed |= table


@pytest.fixture
def japanese():
    speak("ja")
    yield
    speak("en")


def test_every_built_in_scene_has_its_japanese(japanese: None) -> None:
    scenes = [read_scene(gallery.path(name)) for name in gallery.names()]
    described = pairs("ja/scenes.toml")
    assert {scene.title for scene in scenes if scene_title(scene) not in described.values()} == set()
    assert {scene.title for scene in scenes if scene_description(scene) not in described.values()} == set()
    assert len(described) == 2 * len(scenes), "a title or a description that no scene has any more"


def test_every_quantity_of_plots_has_its_japanese(japanese: None) -> None:
    assert quantity("knot.angular_velocity.z") == "knot 角速度 z"
    assert quantity("ghost.Euler.distance") == "ゴースト Euler 距離"
    assert quantity("momentum.x") == "運動量 x"
    assert quantity("jelly.3.position.y") == "jelly.3 位置 y"
    whole = [f"energy.{kind}" for kind in (*ENERGIES, "centrifugal", "drift")] + [f"work.{line}" for line in WORKS]
    of_parts = [f"bob.{what}" for what in {**BODY, **BEAD, "angle": "rad"}]
    assert [name for name in whole + of_parts if quantity(name) == name] == []


def test_columns_are_called_by_their_names_in_english() -> None:
    assert quantity("knot.angular_velocity.z") == "knot.angular_velocity.z"


def test_keys_are_named_by_qt(japanese: None) -> None:
    """ "End" is a key there, and the end of a line here."""
    assert said("End") == "終点"
    assert Translator().translate("QShortcut", "End") is None
    assert Translator().translate("Transport", "End") == "終点"


def test_texts_in_the_picture_go_through_the_language() -> None:
    """Whatever a view writes is looked up: no text stands where one is written."""
    written = []
    for path in sorted((FOLDER / "viewport").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                last, name = node.args[-1], node.func.attr
                plain = isinstance(last, ast.Constant) and isinstance(last.value, str) and bool(last.value)
                if name in ("draw", "line", "SetInput") and plain:
                    written.append(f"{path.name}:{node.lineno}: {last.value}")
    assert not written
