"""Translated names in the window: scenes, quantities of plots, keys; pictures contain no untranslated text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import polhode_app
from polhode.analysis.columns import KINDS, WORKS
from polhode.physics.bodies.columns import COLUMNS as BODY
from polhode.physics.joints.columns import COLUMNS as JOINT
from polhode.physics.joints.columns import COORDINATES, LARGEST, STATUS
from polhode.physics.paths.columns import COLUMNS as BEAD
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode_app.i18n.field_names import label_at, quantity, quantity_with_unit, scene_description, scene_title
from polhode_app.i18n.language import set_language, tr
from polhode_app.window.shell.qt_translator import Translator

FOLDER = Path(polhode_app.__file__).parent


@pytest.fixture
def japanese():
    set_language("ja")
    yield
    set_language("en")


def test_every_built_in_scene_has_its_japanese(japanese: None) -> None:
    scenes = [read_scene(gallery.path(name)) for name in gallery.scene_names()]
    assert [scene.title for scene in scenes if scene_title(scene) == scene.title] == []
    lessons = [lesson for scene in scenes for lesson in scene.lesson]
    texts = [lesson.title for lesson in lessons]
    for step in (step for lesson in lessons for step in lesson.step):
        texts += [text for text in (step.text, step.ask, *step.choices, step.explain) if text]
    assert len(texts) > 200
    assert [text for text in texts if tr(text) == text] == []
    assert [scene.title for scene in scenes if scene_description(scene) == " ".join(scene.description.split())] == []


def test_every_quantity_of_plots_has_its_japanese(japanese: None) -> None:
    assert quantity("knot.angular_velocity.z") == "結び目 (knot) 角速度 z"
    assert quantity("ghost.Euler.distance") == "ゴースト オイラー法 (Euler) 距離"
    assert quantity("momentum.x") == "運動量 x"
    assert quantity("jelly.3.position.y") == "ゼリー (jelly) 3 位置 y"
    whole = [f"energy.{kind}" for kind in (*KINDS, "total", "drift")] + [f"work.{line}" for line in WORKS]
    joint = {*JOINT, *LARGEST, STATUS, *(coordinate for coordinate, _ in COORDINATES.values())}
    of_parts = [f"bob.{what}" for what in {*BODY, *BEAD, "angle", *joint}]
    assert [name for name in whole + of_parts if quantity(name) == name] == []


def test_places_and_fields_have_readable_names(japanese: None) -> None:
    """In both languages; names that have a label in the tree have it here, others stay as they are written."""
    names = [
        "bob.point[0, 0, -0.5].x",
        "bob.point[0, 0, 1].along[0.6, 0.8, 0]",
        "bob.point[0, 0, 1].in[cart].z",
        "jelly.3.position.in[cart].along[1, 0, 0]",
        "field[0, 0, 0.1].z",
        "phone.field[0, 0, 0].x",
    ]
    assert [quantity(name) for name in names] == [
        "おもり (bob): 点 (0, 0, -0.5) x",
        "おもり (bob): 点 (0, 0, 1)、方向 (0.6, 0.8, 0)",
        "おもり (bob): 点 (0, 0, 1)、cart の座標系 z",
        "jelly.3: 位置、cart の座標系、方向 (1, 0, 0)",
        "(0, 0, 0.1) の磁場 z",
        "phone: (0, 0, 0) の磁場 x",
    ]
    set_language("en")
    assert [quantity(name) for name in names] == [
        "bob: point (0, 0, -0.5) x",
        "bob: point (0, 0, 1) along (0.6, 0.8, 0)",
        "bob: point (0, 0, 1) in the frame of cart z",
        "jelly.3: position in the frame of cart along (1, 0, 0)",
        "magnetic field at (0, 0, 0.1) z",
        "phone: magnetic field at (0, 0, 0) x",
    ]
    assert quantity("bob.point[") == "bob.point["


def test_a_field_has_the_name_that_it_has_in_its_own_table() -> None:
    """A motor has a speed and a section points; those of a bead and of a spline are other things."""
    names = {
        ("joint", 0, "motor", "speed"): "Speed",
        ("bead", 0, "speed"): "Speed at the start",
        ("sweep", 0, "outcome", "points"): "Number of points",
        ("bead", 0, "path", "points"): "Points of the curve",
        ("title",): "Title",
    }
    assert {place: label_at(place) for place in names} == names


def test_columns_have_readable_names_in_english() -> None:
    assert quantity("knot.angular_velocity.z") == "knot: angular velocity z"
    assert quantity("knot.u3.x") == "knot: axis u3 x"
    assert quantity("jelly.3.position.y") == "jelly.3: position y"
    assert quantity("x.y.velocity.z") == "x.y: velocity z"
    assert quantity("ghost.Euler.distance") == "ghost Euler: distance"
    assert quantity("angular_momentum.x") == "angular momentum x"
    assert quantity("energy.kinetic") == "kinetic energy"
    assert quantity("work.friction") == "work of friction"
    assert quantity_with_unit("energy.kinetic", "J") == "kinetic energy [J]"
    assert quantity_with_unit("angular_momentum.x", "kg m^2/s") == "angular momentum x [kg m²/s]"
    assert quantity_with_unit("knot.u3.x", "") == "knot: axis u3 x"


def test_keys_are_named_by_qt(japanese: None) -> None:
    """ "End" is a key there, and the end of a line here."""
    assert tr("End") == "終点"
    assert Translator().translate("QShortcut", "End") is None
    assert Translator().translate("Transport", "End") == "終点"


def test_texts_in_the_picture_go_through_the_language() -> None:
    """Whatever a view writes is looked up: no text stands where one is written."""
    written = []
    for path in sorted((FOLDER / "viewport").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                last, name = node.args[-1], node.func.attr
                plain = isinstance(last, ast.Constant) and isinstance(last.value, str) and bool(last.value)
                if name in ("draw", "line", "SetInput") and plain:
                    written.append(f"{path.name}:{node.lineno}: {last.value}")
    assert not written
