"""Names with spaces, typed in the inspector and in the scene tree."""

from __future__ import annotations

from gui import SOON, accepted, inspect, row_of, type_in
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from polhode_app.edit.parts import plain_name
from polhode_app.main_window import MainWindow

SCENE = """
format = 1
title = "A box on a spring"
[[body]]
name = "cuboid"
support = "free"
shape = [{ kind = "cuboid", size = [0.1, 0.1, 0.1], density = 1000.0 }]
[[spring]]
from = [0, 0, 0.5]
to = "cuboid"
stiffness = 40.0
"""


def test_a_name_with_a_space_is_taken_in_the_inspector(window: MainWindow, qtbot: QtBot) -> None:
    """With a low line in its place, which is said; what refers to the item follows."""
    inspect(window, "body", 0)
    row = row_of(window, "body[0].name")
    type_in(qtbot, row.editor.field, " left  box ")
    scene = accepted(window, qtbot)
    assert (scene.body[0].name, scene.spring[0].to) == ("left_box", "left_box")
    assert row.problem is None
    assert row.editor.field.text() == "left_box"
    assert "left_box" in window.toast.text


def test_a_full_width_space_is_one() -> None:
    assert plain_name("左\u3000箱") == "左_箱"


def test_a_name_with_a_space_is_taken_in_the_tree(window: MainWindow, qtbot: QtBot) -> None:
    window.action_table["tree"].setChecked(True)
    qtbot.waitUntil(lambda: window.edit_actions.tree is not None, timeout=SOON)
    window.session.select(("body", 0))
    qtbot.keyClick(window, Qt.Key.Key_F2)
    tree = window.edit_actions.tree
    qtbot.waitUntil(lambda: tree.findChild(QLineEdit) is QApplication.focusWidget(), timeout=SOON)
    field = QApplication.focusWidget()
    qtbot.keyClicks(field, "right box")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.scene.body[0].name == "right_box", timeout=SOON)
    assert "right_box" in window.toast.text
