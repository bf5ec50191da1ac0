"""Tree, view and inspector are one: parts are built, chosen, moved, copied and removed by real mouse and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gui import LEFT, RIGHT, SOON, accepted, handles_of, next_frame, seen_at, send
from meaning import Meaning
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from sampling import sampled

from polhode import read_scene
from polhode.scene import gallery
from polhode.scene.fields import FieldPath, with_value
from polhode.scene.scene import Scene
from polhode_app.docks.inspector.eye_delegate import eye_rect
from polhode_app.edit.add_menu import ADDITIONS
from polhode_app.main_window import MainWindow
from polhode_app.viewport.picking.bounding_boxes import box_of

pytestmark = pytest.mark.new_window  # clicks at places of the picture need the camera of a start

CONTROL = Qt.KeyboardModifier.ControlModifier
SCENE = """
# A scene to take apart
format = 1
title = "Parts"
[world]
gravity = [0, 0, 0]
[[body]]
name = "box"
support = "free"
position = [0.5, 0, 0.3]
shape = [{ kind = "cuboid", size = [0.3, 0.3, 0.3], mass = 1.0 }]
# the one that stays
[[body]]
name = "rock"
support = "fixed"
position = [-0.5, 0, 0.3]
shape = [{ kind = "sphere", radius = 0.15, mass = 1.0 }]
[[particle]]
name = "pea"
mass = 0.1
radius = 0.05
position = [0, 0, 0.8]
[[spring]]
from = "pea"
to = "box"
stiffness = 1.0
rest_length = 0.7
"""
Lab = Callable[..., MainWindow]


def click_view(window: MainWindow, at: QPointF, button: Qt.MouseButton = LEFT) -> None:
    send(window, QEvent.Type.MouseButtonPress, at, button)
    send(window, QEvent.Type.MouseButtonRelease, at, button)


def settled(window: MainWindow, qtbot: QtBot) -> None:
    """The docks are open and the view has its size."""
    qtbot.waitUntil(lambda: window.edit_actions.tree is not None and window.edit_actions.tree.isVisible(), timeout=SOON)
    next_frame(window.view, qtbot)


def item(window: MainWindow, place: FieldPath) -> Any:
    return window.edit_actions.tree.items[place]


def click_item(window: MainWindow, qtbot: QtBot, place: FieldPath, on_eye: bool = False) -> None:
    tree = window.edit_actions.tree.tree
    tree.scrollToItem(item(window, place))
    rect = tree.visualItemRect(item(window, place))
    qtbot.mouseClick(tree.viewport(), LEFT, pos=(eye_rect(rect) if on_eye else rect).center())


def test_what_is_chosen_is_one_in_tree_view_and_inspector(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    click_item(window, qtbot, ("body", 1))
    assert window.session.selection == ("body", 1)
    assert window.edit_actions.inspector.form.path == ("body", 1)
    click_view(window, seen_at(window, window.session.frame.snapshot.bodies.position[0]))
    assert window.session.selection == ("body", 0)
    assert item(window, ("body", 0)).isSelected()
    assert window.edit_actions.inspector.form.path == ("body", 0)
    click_view(window, seen_at(window, window.session.frame.snapshot.points.position[0]))
    assert window.session.selection == ("particle", 0)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.session.selection is None
    assert not window.edit_actions.tree.tree.selectedItems()
    assert window.edit_actions.inspector.form is None


def test_a_click_chooses_springs_and_walls_as_well_and_nothing_on_the_ground(lab: Lab, qtbot: QtBot) -> None:
    wall = '[[wall]]\nname = "back"\npoint = [0, 1, 0]\nnormal = [0, -1, 0]\nstiffness = 100.0\n'
    window = lab(SCENE + wall)
    settled(window, qtbot)
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_1)  # from the front
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
    now = window.session.frame.snapshot
    pea, box = now.points.position[0], now.bodies.position[0]
    click_view(window, seen_at(window, pea + 0.4 * (box - pea)))
    assert window.session.selection == ("spring", 0)
    assert window.edit_actions.inspector.form.path == ("spring", 0)
    click_view(window, seen_at(window, [-0.3, 1, 0.7]))
    assert window.session.selection == ("wall", 0)
    corner = window.view.surface.rect().topLeft()
    click_view(window, QPointF(corner.x() + 3, corner.y() + 3))
    assert window.session.selection is None


def test_a_right_click_offers_what_can_be_done_there(lab: Lab, qtbot: QtBot) -> None:
    """With what is under the pointer, or with the view; a right drag still moves the view, and offers nothing."""
    window = lab()
    settled(window, qtbot)
    box = seen_at(window, window.session.frame.snapshot.bodies.position[0])
    click_view(window, box, RIGHT)
    assert window.session.selection == ("body", 0)
    menu = QApplication.activePopupWidget()
    assert {window.action_table[name] for name in ("duplicate", "delete", "fit_selection")} <= set(menu.actions())
    window.grab()
    where = menu.actionGeometry(window.action_table["duplicate"]).center()
    qtbot.mouseClick(menu, LEFT, pos=where)
    assert [body.name for body in accepted(window, qtbot).body] == ["box", "box2", "rock"]
    assert QApplication.activePopupWidget() is None
    corner = QPointF(window.view.surface.rect().topLeft()) + QPointF(3, 3)
    click_view(window, corner, RIGHT)
    assert window.session.selection is None
    menu = QApplication.activePopupWidget()
    assert window.action_table["fit"] in menu.actions()
    assert window.action_table["delete"] not in menu.actions()
    qtbot.keyClick(menu, Qt.Key.Key_Escape)
    assert not window.action_table["cut"].isEnabled()
    assert not window.action_table["copy"].isEnabled()
    camera = window.view.plotter.renderer.GetActiveCamera()
    before = camera.GetFocalPoint()
    send(window, QEvent.Type.MouseButtonPress, box, RIGHT)
    for far in (10, 20, 40):
        send(window, QEvent.Type.MouseMove, box + QPointF(far, 0), RIGHT)
    send(window, QEvent.Type.MouseButtonRelease, box + QPointF(40, 0), RIGHT)
    assert QApplication.activePopupWidget() is None
    assert camera.GetFocalPoint() != before


def test_a_copy_that_is_pasted_stands_beside_its_original(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    click_item(window, qtbot, ("body", 1))
    qtbot.keyClick(window, Qt.Key.Key_C, CONTROL)
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_V, CONTROL)
        accepted(window, qtbot)
    places = [body.position for body in window.session.document.scene.body[1:]]
    assert places == [pytest.approx((-0.5 + times * 0.36, 0, 0.3)) for times in range(3)]


def test_an_arrow_moves_what_is_chosen_and_the_drag_is_undone_as_one(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    window.session.select(("body", 1))
    window.action_table["handles"].setChecked(True)
    settled(window, qtbot)
    tip = handles_of(window).on_arrow(2, 0.8)
    at = seen_at(window, tip)
    camera = window.view.plotter.renderer.GetActiveCamera().GetPosition()
    send(window, QEvent.Type.MouseButtonPress, at)
    goal = seen_at(window, tip + [0, 0, 0.2])
    for share in np.linspace(0.1, 1, 10):
        send(window, QEvent.Type.MouseMove, at + share * (goal - at))
        qtbot.wait(10)
    send(window, QEvent.Type.MouseButtonRelease, goal)
    moved = accepted(window, qtbot).body[1].position
    # The pointer is at whole pixels of some 3 mm.
    assert moved == pytest.approx((-0.5, 0, 0.5), abs=0.01)
    assert moved[:2] == (-0.5, 0)
    assert len(window.session.document.undo) == 1
    assert window.view.plotter.renderer.GetActiveCamera().GetPosition() == pytest.approx(camera, abs=1e-9)  # rounding
    qtbot.waitUntil(
        lambda: window.session.frame is not None and window.session.frame.snapshot.bodies.position[1][2] == moved[2],
        timeout=SOON,
    )
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot).body[1].position == (-0.5, 0, 0.3)


def test_a_ring_turns_what_is_chosen_about_its_axis(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    window.session.select(("body", 0))
    window.action_table["handles"].setChecked(True)
    settled(window, qtbot)
    ring = handles_of(window)

    def on_ring(angle: float) -> QPointF:
        return seen_at(window, ring.on_ring(2, angle))

    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    begin = -0.9  # in front, where no other handle is
    send(window, QEvent.Type.MouseButtonPress, on_ring(begin))
    for angle in np.linspace(begin, begin + 0.6, 8):
        send(window, QEvent.Type.MouseMove, on_ring(angle))
        qtbot.wait(10)
    send(window, QEvent.Type.MouseButtonRelease, on_ring(begin + 0.6))
    turn = accepted(window, qtbot).body[0].orientation
    assert np.abs(turn.axis) == pytest.approx((0, 0, 1), abs=0.05)
    assert turn.angle == pytest.approx(0.6, abs=0.08)  # a pixel is some 3 mm of a ring of 100 mm, at both ends
    assert len(window.session.document.undo) == 1


def test_f_looks_at_what_is_chosen(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    window.session.select(("particle", 0))
    far = window.view.plotter.renderer.GetActiveCamera().GetDistance()
    qtbot.keyClick(window, Qt.Key.Key_F)
    camera = window.view.plotter.renderer.GetActiveCamera()
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
    assert camera.GetDistance() < 0.3 * far
    box = box_of(window.scene_view.stage, window.session.frame.snapshot, ("particle", 0))
    for corner in box.corners:
        at = seen_at(window, corner)
        assert 0 <= at.x() <= window.view.surface.width()
        assert 0 <= at.y() <= window.view.surface.height()


def test_what_was_in_view_stays_in_view_when_a_dock_opens_and_closes(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    for name in ("tree", "inspector"):
        window.action_table[name].setChecked(False)
    qtbot.waitUntil(lambda: window.view.surface.width() > 0.95 * window.width(), timeout=SOON)
    window.fit()
    wide, before = window.view.surface.width(), window.view.plotter.renderer.GetActiveCamera().GetPosition()
    for name in ("tree", "inspector"):
        window.action_table[name].setChecked(True)
    qtbot.waitUntil(lambda: window.view.surface.width() < 0.7 * wide, timeout=SOON)
    next_frame(window.view, qtbot)
    for corner in window.scene_view.stage.extent:
        assert 0 <= seen_at(window, corner).x() <= window.view.surface.width()
    for name in ("tree", "inspector"):
        window.action_table[name].setChecked(False)
    qtbot.waitUntil(lambda: window.view.surface.width() == wide, timeout=SOON)
    assert window.view.plotter.renderer.GetActiveCamera().GetPosition() == pytest.approx(before, rel=1e-6)


def test_delete_takes_along_what_held_to_it_and_says_so(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    click_item(window, qtbot, ("particle", 0))
    qtbot.keyClick(window, Qt.Key.Key_Delete)
    scene = accepted(window, qtbot)
    assert (scene.particle, scene.spring) == ((), ())
    assert "pea" in window.toast.text
    assert "Springs: 1" in window.toast.text
    assert window.session.selection is None
    qtbot.keyClick(window, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: len(window.session.document.scene.spring) == 1, timeout=SOON)


def test_a_copy_goes_through_the_clipboard_to_another_scene(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    click_item(window, qtbot, ("body", 0))
    qtbot.keyClick(window, Qt.Key.Key_C, CONTROL)
    assert "[[body]]" in QGuiApplication.clipboard().text()
    box = window.session.document.scene.body[0]
    qtbot.keyClick(window, Qt.Key.Key_N, CONTROL)
    qtbot.waitUntil(lambda: not window.session.document.scene.body, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_V, CONTROL)
    qtbot.waitUntil(lambda: len(window.session.document.scene.body) == 1, timeout=SOON)
    assert window.session.document.scene.body[0] == box
    assert window.session.selection == ("body", 0)
    qtbot.keyClick(window, Qt.Key.Key_D, CONTROL)
    assert [body.name for body in accepted(window, qtbot).body] == ["box", "box2"]
    QGuiApplication.clipboard().setText("no items")
    qtbot.keyClick(window, Qt.Key.Key_V, CONTROL)
    assert len(accepted(window, qtbot).body) == 2


def test_what_belongs_to_a_body_is_not_pasted_into_the_scene_itself(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    window.session.select(("body", 0, "shape", 0))
    qtbot.keyClick(window, Qt.Key.Key_C, CONTROL)
    click_item(window, qtbot, ())
    assert window.session.selection == ()
    qtbot.keyClick(window, Qt.Key.Key_V, CONTROL)
    assert Meaning("", "body", "first").of(window.edit_actions.inspector.error_label.text())
    window.edit_actions.adding.add(next(each for group in ADDITIONS.values() for each in group if each.key == "spring"))
    assert len(accepted(window, qtbot).spring) == 2


def test_what_is_chosen_is_marked_where_it_is_drawn_until_an_edit_is_accepted(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    scene, camera = accepted(window, qtbot), window.view.plotter.renderer.GetActiveCamera()

    def marked(edit: Scene, place: FieldPath) -> bool:
        """A frame after an edit that the physics has not answered to."""
        window.session.edit(edit)
        window.session.select(place)
        camera.Azimuth(1.0)
        window.selection_tool.tick()
        return window.selection_tool.box() is not None

    pea = scene.particle[0].model_copy(update={"name": "bean"})
    window.session.select(("particle", 0))
    assert marked(scene.model_copy(update={"particle": (pea,), "spring": ()}), ("particle", 0))
    box = scene.body[0].model_copy(update={"shape": scene.body[0].shape * 2})
    assert not marked(scene.model_copy(update={"body": (box, scene.body[1])}), ("body", 0, "shape", 1))
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: window.selection_tool.box() is not None, timeout=SOON)


def test_the_title_of_a_list_selects_nothing_and_arrow_keys_go_on_from_it(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    click_item(window, qtbot, ("body", 1))
    click_item(window, qtbot, ("body", -1))
    inspector = window.edit_actions.inspector
    assert window.session.selection is None
    assert inspector.form is None
    assert "Select an item" in inspector.header.text()
    assert item(window, ("body", -1)).isSelected()
    qtbot.keyClick(window.edit_actions.tree.tree, Qt.Key.Key_Down)
    assert window.session.selection == ("body", 0)
    assert inspector.form.path == ("body", 0)


def test_parts_are_renamed_hidden_and_moved_in_the_tree(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    click_item(window, qtbot, ("particle", 0))
    qtbot.keyClick(window, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    qtbot.keyClicks(editor, "bean")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.scene.particle[0].name == "bean", timeout=SOON)
    scene = accepted(window, qtbot)
    assert (scene.particle[0].name, scene.spring[0].from_) == ("bean", "bean")
    click_item(window, qtbot, ("body", 1), on_eye=True)
    assert accepted(window, qtbot).view.hide == ("rock",)
    description = Qt.ItemDataRole.AccessibleDescriptionRole
    assert item(window, ("body", 1)).data(0, description) == "hidden"
    click_item(window, qtbot, ("body", 1), on_eye=True)
    assert accepted(window, qtbot).view.hide == ()
    assert item(window, ("body", 1)).data(0, description) == ""
    window.session.select(("body", 1))
    qtbot.keyClick(window, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert [body.name for body in accepted(window, qtbot).body] == ["rock", "box"]
    assert window.session.selection == ("body", 0)
    assert window.session.frame is None or window.session.frame.snapshot.time > 0


def test_a_name_that_is_taken_is_refused_in_the_tree_and_nothing_changes(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    window.session.select(("body", 1))
    before = window.session.document.scene
    window.action_table["rename"].trigger()
    editor = QApplication.focusWidget()
    qtbot.keyClicks(editor, "box")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: Meaning("", "parts", name="box").of(window.edit_actions.inspector.error_label.text()), timeout=SOON
    )
    assert accepted(window, qtbot) is before
    assert item(window, ("body", 1)).text(0) == "rock"


def test_from_nothing_to_a_running_experiment_that_is_saved(lab: Lab, qtbot: QtBot, tmp_path: Path) -> None:
    window = lab()
    settled(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_N, CONTROL)
    qtbot.waitUntil(lambda: not window.session.document.scene.body, timeout=SOON)
    assert [wall.name for wall in window.session.document.scene.wall] == ["floor"]
    assert not window.session.running
    entries = {addition.text: addition for group in ADDITIONS.values() for addition in group}
    for text in ("Rolling sphere", "Pendulum"):
        window.edit_actions.adding.add(entries[text])
        accepted(window, qtbot)
    start = window.session.document.scene.sphere[0].position[2]
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.session.frame is not None and window.session.frame.snapshot.time > 1.0, timeout=SOON)
    numbers = window.session.frame.snapshot.bodies
    names = [body.name for body in window.session.document.scene.bodies]
    ball = numbers.position[names.index("ball")]
    assert window.session.document.scene.sphere[0].radius * 0.8 < ball[2] < start - 0.05  # it fell onto the floor
    path = tmp_path / "built.toml"
    assert window.session.save(path)
    assert read_scene(path).model_dump() == window.session.document.scene.model_dump()


def test_a_second_floor_at_the_same_place_is_not_added_and_the_first_is_selected(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_N, CONTROL)
    qtbot.waitUntil(lambda: not window.session.document.scene.body, timeout=SOON)
    entries = {addition.text: addition for group in ADDITIONS.values() for addition in group}
    window.edit_actions.adding.add(entries["Floor"])
    assert [wall.name for wall in accepted(window, qtbot).wall] == ["floor"]
    assert window.session.selection == ("wall", 0)
    assert Meaning("", "height", name="floor").of(window.toast.text)
    window.session.edit(with_value(window.session.scene, ("wall", 0, "normal"), (1.0, 0.0, 0.0)))
    accepted(window, qtbot)
    window.edit_actions.adding.add(entries["Floor"])
    assert len(accepted(window, qtbot).wall) == 2  # the other one is upright


def test_comments_stay_when_an_edited_scene_is_saved(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    settled(window, qtbot)
    path = window.session.document.path
    window.session.select(("particle", 0))
    qtbot.keyClick(window, Qt.Key.Key_Delete)
    accepted(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_S, CONTROL)
    text = path.read_text()
    assert "# A scene to take apart" in text
    assert "# the one that stays" in text
    assert "pea" not in text


def test_undo_of_a_reorder_by_keys_selects_one_row(lab: Lab, qtbot: QtBot) -> None:
    """Ctrl of the shortcut is held while the row is selected again: it must not add one, which Delete would take."""
    window = lab(gallery.path("magnet_pendulum"))
    settled(window, qtbot)
    tree, handle = window.edit_actions.tree, window.windowHandle()
    window.session.select(("body", 3))
    tree.reordered.emit(("body", 3), 1)
    accepted(window, qtbot)
    assert tree.selected_paths == [("body", 1)]
    QTest.keyPress(handle, Qt.Key.Key_Z, CONTROL)
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: window.session.selection == ("body", 3), timeout=SOON)
    assert tree.selected_paths == [("body", 3)]
    QTest.keyRelease(handle, Qt.Key.Key_Z)


@pytest.mark.parametrize(
    "group", sampled([group for group, entries in ADDITIONS.items() if not all(entry.inside for entry in entries)], 2)
)
def test_everything_of_the_menu_comes_into_a_running_scene(lab: Lab, qtbot: QtBot, group: str) -> None:
    window = lab()
    settled(window, qtbot)
    count = 0
    for addition in ADDITIONS[group]:
        if not addition.file:
            window.edit_actions.adding.add(addition)
            count += 1
            assert accepted(window, qtbot) is window.session.scene
            assert window.session.selection[0] == addition.key
    assert len(window.session.document.undo) == count


@pytest.mark.parametrize("every", sampled([50, 1], 2))
@pytest.mark.timeout(3600)
def test_every_scene_of_the_gallery_is_shown_with_all_its_parts_in_boxes(lab: Lab, qtbot: QtBot, every: int) -> None:
    window = lab()
    settled(window, qtbot)
    for name in gallery.scene_names()[::every]:
        window.files.open(gallery.path(name))
        qtbot.waitUntil(lambda name=name: window.session.document.path == gallery.path(name), timeout=6 * SOON)
        qtbot.waitUntil(lambda: window.session.frame is not None, timeout=SOON)
        for line in window.edit_actions.tree.rows:
            if line.listed:
                window.session.select(line.path)
                box = window.selection_tool.box()
                assert box is None or np.isfinite(box.corners).all(), line
                assert box is not None or line.path[0] in ("ghost", "sweep"), line
