"""Several selected items are edited together in the inspector, by real mouse and keys."""

from __future__ import annotations

import pytest
from gui import LEFT, SOON, accepted, choose, click, row_of, type_in
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode.scene.fields import FieldPath
from polhode_app.main_window import MainWindow

BOX = """
[[body]]
name = "box{number}"
support = "free"
position = [{number}, 0, {number}]
shape = [{{ kind = "cuboid", size = [0.1, 0.1, 0.{number}], density = 1000.0 }}]
"""
SCENE = (
    "format = 1\n"
    + "".join(BOX.format(number=number) for number in (1, 2, 3))
    + """
[[body]]
name = "ball"
support = "free"
position = [5, 0, 5]
shape = [{ kind = "sphere", radius = 0.1, density = 1000.0 }]
[[particle]]
name = "pea"
mass = 0.1
radius = 0.03
position = [-0.5, 0, 0.2]
"""
)
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def click_row(window: MainWindow, qtbot: QtBot, path: FieldPath, keys: Qt.KeyboardModifier) -> None:
    """Click the row of an item in the scene tree with keys held."""
    tree = window.edit_actions.tree
    item = tree.items[path]
    tree.tree.scrollToItem(item)
    qtbot.mouseClick(tree.tree.viewport(), LEFT, keys, tree.tree.visualItemRect(item).center())


@pytest.fixture
def three(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The paused window with three boxes, a ball and a particle selected in the tree; a box is shown."""
    window.session.play(False)
    window.action_table["tree"].setChecked(True)
    window.action_table["inspector"].setChecked(True)
    qtbot.waitUntil(lambda: window.edit_actions.tree is not None and window.edit_actions.inspector is not None)
    click_row(window, qtbot, ("particle", 0), Qt.KeyboardModifier.NoModifier)
    for number in (3, 1, 2, 0):
        click_row(window, qtbot, ("body", number), CONTROL)
    assert len(window.edit_actions.tree.selected_paths) == 5
    qtbot.waitUntil(lambda: "4" in window.edit_actions.inspector.header.text(), timeout=SOON)  # bodies
    return window


def test_a_number_and_a_choice_are_set_in_all_items_of_the_kind(three: MainWindow, qtbot: QtBot) -> None:
    type_in(qtbot, row_of(three, "body[0].friction").editor.field, "0.02")
    assert [body.friction for body in accepted(three, qtbot).body] == [0.02] * 4
    assert len(three.edit_actions.tree.selected_paths) == 5  # they stay selected
    choose(qtbot, row_of(three, "body[0].support").editor.list, "pivot")
    scene = accepted(three, qtbot)
    assert [body.support for body in scene.body] == ["pivot"] * 4
    assert len(three.session.document.undo) == 2
    qtbot.keyClick(three, Qt.Key.Key_Z, CONTROL)
    assert [body.support for body in accepted(three, qtbot).body] == ["free"] * 4


def test_a_component_of_a_vector_is_set_alone(three: MainWindow, qtbot: QtBot) -> None:
    """All boxes are put at one height, each where it is along x."""
    type_in(qtbot, row_of(three, "body[0].position").editor.fields[2], "0.5")
    positions = [body.position for body in accepted(three, qtbot).body]
    assert positions == [(1, 0, 0.5), (2, 0, 0.5), (3, 0, 0.5), (5, 0, 0.5)]


def test_a_field_that_others_do_not_have_and_a_name_are_set_where_they_are(three: MainWindow, qtbot: QtBot) -> None:
    type_in(qtbot, row_of(three, "body[0].shape[0].size").editor.fields[0], "0.3")
    scene = accepted(three, qtbot)
    assert [body.shape[0].size for body in scene.body[:3]] == [(0.3, 0.1, 0.1), (0.3, 0.1, 0.2), (0.3, 0.1, 0.3)]
    assert scene.body[3].shape[0].radius == 0.1
    type_in(qtbot, row_of(three, "body[0].name").editor.field, "first")
    assert [body.name for body in accepted(three, qtbot).body] == ["first", "box2", "box3", "ball"]


def test_a_mass_and_a_box_that_is_ticked_apply_to_all(three: MainWindow, qtbot: QtBot) -> None:
    inspector = three.edit_actions.inspector
    type_in(qtbot, inspector.form.mass_row.editor.field, "2")
    accepted(three, qtbot)
    masses = [each.mass for each in three.session.compiled.properties[:4]]
    assert masses == pytest.approx([2.0] * 4)
    _choices, box = inspector.form.sections["body", 0, "contact"]
    inspector.scroll_area.ensureWidgetVisible(box)
    click(qtbot, box)
    assert all(body.contact is not None for body in accepted(three, qtbot).body)
