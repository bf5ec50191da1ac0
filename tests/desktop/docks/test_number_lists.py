"""Fields that hold one number, or a list for all springs, or a formula: typed in the inspector, refused and undone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import SOON, accepted, inspect, row_of, type_in
from meaning import Meaning
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from polhode_app.docks.inspector.formula_editors import FormulaEditor
from polhode_app.docks.inspector.number_editors import NumberOrListEditor
from polhode_app.main_window import MainWindow

SCENE = """
format = 1
[world]
gravity = [0, 0, -1]
[[soft]]
name = "row"
kind = "chain"
count = 3
spacing = 0.3
particle_mass = 10
stiffness = 3000
modal_damping = 0.01
fixed = [0]
"""
Lab = Callable[..., MainWindow]


def test_a_number_becomes_a_list_and_is_undone(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "soft", 0)
    before = window.session.document.scene
    editor = row_of(window, "soft[0].stiffness").editor
    assert isinstance(editor, NumberOrListEditor)
    assert editor.slider.isVisible()
    type_in(qtbot, editor.field, "3e3, 4000/2")
    assert accepted(window, qtbot).soft[0].stiffness == (3000.0, 2000.0)
    assert editor.field.text() == "3000, 2000"
    assert editor.slider.isHidden()
    qtbot.waitUntil(lambda: window.session.compiled.springs.stiffness.tolist() == [3000.0, 2000.0], timeout=SOON)
    scene = window.session.document.scene
    qtbot.keyClick(editor.field, Qt.Key.Key_Up)  # a list has no steps
    assert accepted(window, qtbot) is scene
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.scene is before, timeout=SOON)
    assert editor.field.text() == "3000"
    assert editor.slider.isVisible()


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("spacing", "[0.2, 0.4]", (0.2, 0.4)),
        ("damping", "1, 2,", (1.0, 2.0)),
        ("modal_damping", "0, 0.02, 0.05", (0.0, 0.02, 0.05)),
    ],
)
def test_other_lists_are_typed_and_become_a_number_again(
    lab: Lab, qtbot: QtBot, key: str, text: str, value: tuple[float, ...]
) -> None:
    window = lab()
    inspect(window, "soft", 0)
    editor = row_of(window, f"soft[0].{key}").editor
    type_in(qtbot, editor.field, text)
    assert getattr(accepted(window, qtbot).soft[0], key) == value
    type_in(qtbot, editor.field, "0.25")
    assert getattr(accepted(window, qtbot).soft[0], key) == 0.25


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1, 2, 3", Meaning("", numbers=3, edges=2)),
        ("1, -2", Meaning("", "greater", limit=0, value=-2.0)),
        ("1, two", Meaning("", shown="two")),
    ],
)
def test_a_wrong_list_is_refused_at_its_field(lab: Lab, qtbot: QtBot, text: str, said: Meaning) -> None:
    window = lab()
    inspect(window, "soft", 0)
    before = window.session.document.scene
    row = row_of(window, "soft[0].stiffness")
    type_in(qtbot, row.editor.field, text)
    qtbot.waitUntil(lambda: row.problem is not None, timeout=SOON)
    assert said.of(row.error_label.text())
    assert accepted(window, qtbot) is before


def test_more_points_than_a_list_has_springs_are_refused(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "soft", 0)
    type_in(qtbot, row_of(window, "soft[0].stiffness").editor.field, "3000, 2000")
    scene = accepted(window, qtbot)
    inspector = inspect(window, "soft", 0)
    type_in(qtbot, row_of(window, "soft[0].count").editor.field, "4")
    rows = [row_of(window, f"soft[0].{key}") for key in ("count", "stiffness")]
    qtbot.waitUntil(lambda: any(row.problem for row in rows) or inspector.error_label.isVisible(), timeout=SOON)
    assert accepted(window, qtbot) is scene


STRING = """
format = 1
[[particle]]
name = "bob"
mass = 1
position = [0, 0, -1]
[[spring]]
from = "bob"
to = [1, 0, -1]
stiffness = 1e4
pull_only = true
over = [[0, 0, 0.5]]
"""


def test_vectors_are_typed_one_per_line(lab: Lab, qtbot: QtBot) -> None:
    window = lab(STRING)
    inspect(window, "spring", 0)
    row = row_of(window, "spring[0].over")
    box = row.editor.box
    assert box.toPlainText() == "0, 0, 0.5"
    before = window.session.document.scene
    type_lines(qtbot, box, "0, 0, 1/2\n[1, 0, 0.5]")
    assert accepted(window, qtbot).spring[0].over == ((0.0, 0.0, 0.5), (1.0, 0.0, 0.5))
    assert box.toPlainText() == "0, 0, 0.5\n1, 0, 0.5"
    type_lines(qtbot, box, "0, 0.5")
    assert "three numbers" in row.error_label.text()
    assert accepted(window, qtbot).spring[0].over[1] == (1.0, 0.0, 0.5)
    type_lines(qtbot, box, "")
    assert accepted(window, qtbot).spring[0].over == ()
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.scene is before, timeout=SOON)
    assert box.toPlainText() == "0, 0, 0.5"


def type_lines(qtbot: QtBot, box: QPlainTextEdit, text: str) -> None:
    """Replace the text of an editor of several lines and leave it with Tab."""
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(box, Qt.Key.Key_Delete)
    for line in text.splitlines():
        qtbot.keyClicks(box, line)
        qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.keyClick(box, Qt.Key.Key_Tab)


AIR = """
format = 1
[[sphere]]
name = "ball"
mass = 1
radius = 0.1
position = [0, 0, 0.5]
quadratic_drag = 0.1
"""


def test_a_number_becomes_a_formula_and_a_number_again(lab: Lab, qtbot: QtBot) -> None:
    window = lab(AIR)
    inspect(window, "world")
    before = window.session.document.scene
    row = row_of(window, "world.wind.density")
    editor = row.editor
    assert isinstance(editor, FormulaEditor)
    assert editor.field.text() == "1.225"
    assert not editor.slider.isHidden()
    type_in(qtbot, editor.field, "1.225*exp(-z/8500)")
    assert accepted(window, qtbot).world.wind.density == "1.225*exp(-z/8500)"
    assert editor.field.text() == "1.225*exp(-z/8500)"
    assert editor.slider.isHidden()
    qtbot.waitUntil(lambda: window.session.compiled.inputs.air.by_formulas, timeout=SOON)
    scene = window.session.document.scene
    qtbot.keyClick(editor.field, Qt.Key.Key_Up)  # a formula has no steps
    assert accepted(window, qtbot) is scene
    for text, said in (("1.225*exp(-h)", Meaning("", column=12)), ("-z", Meaning("", "negative"))):
        type_in(qtbot, editor.field, text)
        qtbot.waitUntil(lambda: row.problem is not None, timeout=SOON)
        assert said.of(row.error_label.text())
        assert accepted(window, qtbot) is scene
    type_in(qtbot, editor.field, "2*1.2")
    assert accepted(window, qtbot).world.wind.density == 2.4
    assert not editor.slider.isHidden()
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.scene is before, timeout=SOON)
    assert editor.field.text() == "1.225"
