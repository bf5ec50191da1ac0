"""Japanese labels of items in the tree: shown beside their names, which are what is edited."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import SOON, accepted
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode_app.docks.inspector.scene_tree import rows
from polhode_app.i18n.language import in_language
from polhode_app.main_window import MainWindow
from polhode_app.window.shell.qt_translator import use_language

pytestmark = pytest.mark.new_window  # with the tree, as at the first start
Lab = Callable[..., MainWindow]
BOB = ("body", 0)


@pytest.fixture(autouse=True)
def _english_again(qapp: object) -> object:
    yield
    use_language("en")


def shown(window: MainWindow) -> str:
    """Text that the row of the first body draws."""
    panel = window.edit_actions.tree
    option = QStyleOptionViewItem()
    panel.tree.itemDelegate().initStyleOption(option, panel.tree.indexFromItem(panel.items[BOB]))
    return option.text


def test_ends_of_springs_are_labelled_too() -> None:
    scene = read_scene(gallery.path("course_6_chain"))
    with in_language("ja"):
        labels = {row.path: row.label for row in rows(scene, "")}
    assert labels["spring", 1] == "玉 1 (ball1) – 玉 2 (ball2)"
    assert labels["spring", 0].endswith("玉 1 (ball1)")
    assert not any(row.label for row in rows(scene, ""))


def test_the_tree_shows_a_japanese_label_and_edits_the_name(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("pendulum_wave"))
    qtbot.waitUntil(lambda: window.edit_actions.tree is not None and window.edit_actions.tree.isVisible(), timeout=SOON)
    assert shown(window) == "bob0"
    use_language("ja")
    qtbot.waitUntil(lambda: shown(window) == "おもり 0 (bob0)", timeout=SOON)
    panel = window.edit_actions.tree
    place = panel.tree.visualItemRect(panel.items[BOB]).center()
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(window, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert editor.text() == "bob0"
    qtbot.keyClicks(editor, "mine")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.scene.body[0].name == "mine", timeout=SOON)
    assert accepted(window, qtbot).body[0].name == "mine"
    qtbot.waitUntil(lambda: shown(window) == "mine", timeout=SOON)
