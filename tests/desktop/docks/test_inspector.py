"""The inspector in the real window: every field of every part, by real mouse and keys, while it runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gui import LEFT, SOON, accepted, choose, click, inspect, row_of, type_in
from meaning import Meaning
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QColorDialog,
    QComboBox,
    QLabel,
    QStyle,
    QStyleOptionFrame,
    QStyleOptionSlider,
)
from pytestqt.qtbot import QtBot

from polhode import read_scene
from polhode.physics.bodies.materials import MATERIALS, has_material
from polhode.physics.bodies.shapes import Rod
from polhode.scene import gallery
from polhode.scene.fields import FieldPath, at, forms, with_value
from polhode.scene.scene import Scene, World
from polhode_app.docks.inspector.dock import Inspector
from polhode_app.docks.inspector.editors import ChoiceEditor, ColorEditor, EndEditor, SwitchEditor
from polhode_app.docks.inspector.field_order import order
from polhode_app.docks.inspector.live_values import format_values
from polhode_app.docks.inspector.number_editors import NumberEditor, NumbersEditor
from polhode_app.docks.inspector.text_editors import TextEditor
from polhode_app.edit.field_numbers import text_of
from polhode_app.edit.parts import added, parts_in
from polhode_app.main_window import MainWindow
from polhode_app.session.document import Document
from polhode_app.session.session import Session

SCENE = """
format = 1
title = "To be edited"
[[body]]
name = "bob"
orientation = { axis = [0, 1, 0], angle = 0.5 }
shape = [{ kind = "sphere", radius = 0.1, mass = 0.5, position = [0, 0, -0.4] }]
[[body]]
name = "rock"
support = "fixed"
position = [0.6, 0, 0]
shape = [{ kind = "cuboid", size = [0.2, 0.2, 0.2], density = 1000.0, color = "tomato" }]
[[particle]]
name = "pea"
mass = 0.1
radius = 0.03
position = [-0.5, 0, 0.2]
[[spring]]
from = "pea"
to = [-0.5, 0, 0.6]
stiffness = 40.0
[[bead]]
name = "bead"
path = { kind = "circle", radius = 0.3, center = [0, 0.8, 0] }
"""
Lab = Callable[..., MainWindow]


def test_escape_takes_back_what_was_wrong_and_what_was_said_of_it(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "spring", 0)
    row = row_of(window, "spring[0].stiffness")
    before = row.editor.field.text()
    type_in(qtbot, row.editor.field, "-5")
    qtbot.waitUntil(lambda: row.problem is not None, timeout=SOON)
    qtbot.keyClick(row.editor.field, Qt.Key.Key_Escape)
    assert row.editor.field.text() == before
    assert row.problem is None
    assert row.error_label.isHidden()


def test_what_is_said_below_a_field_is_about_what_it_holds(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspector = inspect(window, "body", 0)
    row = row_of(window, "body[0].name")
    type_in(qtbot, row.editor.field, "a.b")
    assert "is 'a.b'" in row.error_label.text()
    type_in(qtbot, row.editor.field, "rock")  # another part has it
    assert row.error_label.isVisible()
    assert Meaning("", "parts", name="rock").of(row.error_label.text())
    assert inspector.error_label.isHidden()
    qtbot.keyClicks(row.editor.field, "y")
    assert row.error_label.isHidden()
    qtbot.keyClick(row.editor.field, Qt.Key.Key_Backspace)
    qtbot.keyClick(row.editor.field, Qt.Key.Key_Return)
    assert row.error_label.isVisible()
    qtbot.keyClick(row.editor.field, Qt.Key.Key_Escape)
    assert row.editor.field.text() == "bob"
    assert row.error_label.isHidden()
    assert inspector.error_label.isHidden()


def test_a_number_is_typed_while_it_runs_and_undone(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "body", 0, "shape", 0)
    before, steps = window.session.document.scene, window.session.frame.snapshot.step
    editor = row_of(window, "body[0].shape[0].mass").editor
    assert isinstance(editor, NumberEditor)
    type_in(qtbot, editor.field, "3/4")
    assert accepted(window, qtbot).body[0].shape[0].mass == 0.75
    assert editor.field.text() == "0.75"
    assert window.session.compiled.properties[0].mass == pytest.approx(0.75)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.step > steps, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.scene is before, timeout=SOON)
    assert editor.field.text() == "0.5"


def handle_of(editor: NumberEditor) -> QPoint:
    """The middle of a slider's handle."""
    option = QStyleOptionSlider()
    editor.slider.initStyleOption(option)
    style = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    return editor.slider.style().subControlRect(style[0], option, style[1], editor.slider).center()


def test_a_slider_changes_it_at_once_and_its_drag_is_undone_as_one(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "body", 0, "shape", 0)
    editor = row_of(window, "body[0].shape[0].radius").editor
    qtbot.wait(50)
    start = handle_of(editor)
    qtbot.mousePress(editor.slider, LEFT, pos=start)
    seen = set()
    for step in range(1, 6):
        qtbot.mouseMove(editor.slider, start + QPoint(3 * step, 0))
        qtbot.waitUntil(lambda: not window.session.is_pending, timeout=SOON)
        seen.add(window.session.document.scene.body[0].shape[0].radius)
    qtbot.mouseRelease(editor.slider, LEFT, pos=start + QPoint(15, 0))
    radius = accepted(window, qtbot).body[0].shape[0].radius
    assert radius > 0.1
    assert len(seen) > 3
    assert handle_of(editor).x() == pytest.approx(start.x(), abs=2)  # it rests in the middle
    assert len(window.session.document.undo) == 1
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot).body[0].shape[0].radius == 0.1


def test_a_slider_ends_at_zero_and_stands_there_for_zero(lab: Lab, qtbot: QtBot) -> None:
    """Of a quantity that is not negative: its left end is zero; a signed number has zero in the middle."""
    window = lab()
    inspect(window, "spring", 0)
    editor = row_of(window, "spring[0].damping").editor
    slider = editor.slider
    assert (slider.value(), slider.origin) == (slider.minimum(), slider.minimum())
    type_in(qtbot, editor.field, "2")
    accepted(window, qtbot)
    assert slider.value() == 0
    start = handle_of(editor)
    qtbot.mousePress(slider, LEFT, pos=start)
    for share in (0.5, 1.0):
        qtbot.mouseMove(slider, start - QPoint(round(share * slider.width()), 0))
    qtbot.mouseRelease(slider, LEFT, pos=start - QPoint(slider.width(), 0))
    assert accepted(window, qtbot).spring[0].damping == 0.0
    assert slider.value() == slider.minimum()
    inspect(window, "body", 0)
    angle = row_of(window, "body[0].orientation.angle").editor
    assert angle.slider.origin == 0
    assert angle.slider.value() > 0
    type_in(qtbot, angle.field, "0")
    accepted(window, qtbot)
    assert angle.slider.value() == 0


def test_the_mass_of_a_body_scales_all_its_shapes(lab: Lab, qtbot: QtBot) -> None:
    more = ', { kind = "cuboid", size = [0.1, 0.1, 0.1], density = 500.0 }]'
    window = lab(SCENE.replace("position = [0, 0, -0.4] }]", "position = [0, 0, -0.4] }" + more))
    inspector = inspect(window, "body", 0)
    row = inspector.form.mass_row
    assert row.editor.field.text() == "1"
    type_in(qtbot, row.editor.field, "3")
    first, second = accepted(window, qtbot).body[0].shape
    assert (first.mass, second.density) == (1.5, 1500.0)
    assert window.session.compiled.properties[0].mass == pytest.approx(3.0)
    assert row.editor.field.text() == "3"
    type_in(qtbot, row.editor.field, "-1")
    assert row.problem is not None or accepted(window, qtbot).body[0].shape[0].mass == 1.5
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot).body[0].shape[0].mass == 0.5


def test_the_length_of_a_pendulum_is_one_number(lab: Lab, qtbot: QtBot) -> None:
    rod = '{ kind = "rod", length = 0.4, mass = 0.1, position = [0, 0, -0.2] }'
    window = lab(SCENE.replace("position = [0, 0, -0.4] }]", f"position = [0, 0, -0.4] }}, {rod}]"))
    inspector = inspect(window, "body", 0)
    row = inspector.form.length_row
    assert row.editor.field.text() == "0.4"
    type_in(qtbot, row.editor.field, "0.6")
    bob, rod = accepted(window, qtbot).body[0].shape
    assert (bob.position, rod.position, rod.length) == ((0, 0, -0.6), (0, 0, -0.3), 0.6)
    assert row.editor.field.text() == "0.6"
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot).body[0].shape[1].length == 0.4


def test_a_typed_unit_is_not_left_beside_that_of_the_mass(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    row = inspect(window, "body", 0).form.mass_row
    type_in(qtbot, row.editor.field, "600 g")
    assert row.editor.field.text() == "600"
    assert not row.editor.field.hasFocus()  # letters are keys of the window again
    assert accepted(window, qtbot).body[0].shape[0].mass == pytest.approx(0.6)
    qtbot.waitUntil(lambda: row.editor.field.text() == "600", timeout=SOON)


@pytest.mark.new_window
def test_mass_and_size_come_first_and_what_is_rarely_used_is_folded(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspector = inspect(window, "particle", 0)
    order = [place[-1] for place in inspector.form]
    assert order[:3] == ["name", "mass", "radius"]
    assert "damper" not in [place[-1] for place in inspector.form if inspector.form.rows[place].isVisible()]
    inspector = inspect(window, "spring", 0)
    damper = inspector.form.rows["spring", 0, "damper"]
    assert not damper.isVisible()
    inspector.scroll_area.ensureWidgetVisible(inspector.form.more_button)
    click(qtbot, inspector.form.more_button)
    assert damper.isVisible()
    inspect(window, "body", 0)
    assert inspector.form.rows["body", 0, "drag"].isVisible()  # of later forms, too


def test_units_stand_in_the_fields(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "spring", 0)
    field = row_of(window, "spring[0].stiffness").editor.field
    unit = next(label for label in field.findChildren(QLabel) if label.text())
    assert unit.text() == "N/m"
    assert field.rect().contains(unit.geometry())
    assert field.textMargins().right() > unit.width()


def test_arrows_step_finely_and_a_run_of_them_is_undone_as_one(
    lab: Lab, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # however slow the machine is
    monkeypatch.setattr("polhode_app.docks.inspector.number_editors.STROKE_PAUSE", 10 * SOON)
    window = lab()
    inspect(window, "body", 1)
    editor = row_of(window, "body[1].position").editor
    assert isinstance(editor, NumbersEditor)
    field = editor.fields[2]
    qtbot.mouseClick(field, LEFT)
    for _ in range(3):
        qtbot.keyClick(field, Qt.Key.Key_Up)
    coarse = accepted(window, qtbot).body[1].position[2]
    qtbot.keyClick(field, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    fine = accepted(window, qtbot).body[1].position[2] - coarse
    assert coarse / 3 == pytest.approx(10 * fine)
    assert len(window.session.document.undo) == 1


def test_a_component_may_be_a_formula_of_t_and_is_undone_with_the_rest(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "world")
    row = row_of(window, "world.rotation")
    type_in(qtbot, row.editor.fields[0], "pi/2")
    qtbot.waitUntil(lambda: accepted(window, qtbot).world.rotation == (np.pi / 2, 0.0, 0.0), timeout=SOON)
    type_in(qtbot, row.editor.fields[2], "sin(2*t)")
    qtbot.waitUntil(lambda: accepted(window, qtbot).world.rotation == (np.pi / 2, 0.0, "sin(2*t)"), timeout=SOON)
    qtbot.keyClick(row.editor.fields[2], Qt.Key.Key_Up)
    type_in(qtbot, row.editor.fields[1], "sin(x)")
    qtbot.waitUntil(lambda: row.problem is not None, timeout=SOON)
    assert accepted(window, qtbot).world.rotation == (np.pi / 2, 0.0, "sin(2*t)")
    window.action_table["undo"].trigger()
    qtbot.waitUntil(lambda: accepted(window, qtbot).world.rotation == (np.pi / 2, 0.0, 0.0), timeout=SOON)


def test_gravity_and_forces_take_formulas(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "world")
    type_in(qtbot, row_of(window, "world.gravity").editor.fields[2], "-9.8*(1 + 0.1*sin(t)) + x")
    expected = (0.0, 0.0, "-9.8*(1 + 0.1*sin(t)) + x")
    qtbot.waitUntil(lambda: accepted(window, qtbot).world.gravity == expected, timeout=SOON)
    name = window.session.scene.body[0].name
    window.session.edit(added(window.session.scene, "force", {"on": name, "force": ("sin(t)", 0.0, 0.0)})[0])
    qtbot.waitUntil(lambda: len(accepted(window, qtbot).force) == 1, timeout=SOON)
    inspect(window, "force", 0)
    row = row_of(window, "force[0].torque")
    type_in(qtbot, row.editor.fields[1], "0.001*vx")
    qtbot.waitUntil(lambda: accepted(window, qtbot).force[0].torque == (0.0, "0.001*vx", 0.0), timeout=SOON)
    type_in(qtbot, row.editor.fields[1], "0.001*q")
    qtbot.waitUntil(lambda: row.problem is not None, timeout=SOON)


def test_a_letter_before_a_component_is_dragged(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "body", 1)
    letter = row_of(window, "body[1].position").editor.letters[1]
    qtbot.mousePress(letter, LEFT, pos=QPoint(5, 5))
    for step in range(1, 9):
        qtbot.mouseMove(letter, QPoint(5 + 5 * step, 5))
    qtbot.mouseRelease(letter, LEFT, pos=QPoint(45, 5))
    assert accepted(window, qtbot).body[1].position[1] > 0.01
    assert accepted(window, qtbot).body[1].position[0] == 0.6
    qtbot.waitUntil(lambda: not window.session.is_pending, timeout=SOON)
    assert len(window.session.document.undo) == 1


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [
        ("body[0].shape[0].mass", "-1", Meaning("", "least", limit=0)),
        ("body[0].shape[0].radius", "0", Meaning("", "greater", limit=0)),
        ("body[0].shape[0].radius", "2*pie", Meaning("", near="pi")),
        ("body[0].shape[0].color", "redd", Meaning("", "colour", color="redd", near="red")),
    ],
)
def test_what_is_wrong_stands_at_its_field_and_the_old_scene_goes_on(
    lab: Lab, qtbot: QtBot, place: str, text: str, said: Meaning
) -> None:
    window = lab()
    inspector = inspect(window, "body", 0, "shape", 0)
    before = window.session.document.scene
    row = row_of(window, place)
    if place.endswith("color"):
        qtbot.mouseClick(row.stated_box, LEFT)
        before = accepted(window, qtbot)
        row = row_of(window, place)
    type_in(qtbot, row.editor.field, text)
    assert said.of(row.error_label.text())
    assert row.error_label.isVisible()
    assert inspector.error_label.isHidden()
    assert accepted(window, qtbot) is before
    steps = window.session.frame.snapshot.step
    qtbot.waitUntil(lambda: window.session.frame.snapshot.step > steps, timeout=SOON)
    assert row.editor.field.text() == text
    type_in(qtbot, row.editor.field, "navy" if place.endswith("color") else "0.2")
    assert row.error_label.isHidden()
    assert accepted(window, qtbot) is not before


def test_what_only_the_physics_refuses_stands_at_its_field_too(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "spring", 0)
    before = window.session.document.scene
    editor = row_of(window, "spring[0].from").editor
    assert isinstance(editor, EndEditor)
    type_in(qtbot, editor.name, "nobody")
    qtbot.waitUntil(lambda: row_of(window, "spring[0].from").problem is not None, timeout=SOON)
    assert "nobody" in row_of(window, "spring[0].from").error_label.text()
    assert window.session.document.scene is before


def test_a_shape_of_another_kind_keeps_what_both_have(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspector = inspect(window, "body", 1, "shape", 0)
    inspector.set_kind(("body", 1, "shape", 0), "cylinder")
    shape = accepted(window, qtbot).body[1].shape[0]
    assert (shape.kind, shape.density, shape.color) == ("cylinder", 1000.0, "tomato")
    assert ("body", 1, "shape", 0, "length") in inspector.form.rows


def test_what_may_be_left_open_is_switched(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspector = inspect(window, "body", 0, "shape", 0)
    qtbot.mouseClick(row_of(window, "body[0].shape[0].density").stated_box, LEFT)
    shape = accepted(window, qtbot).body[0].shape[0]
    assert (shape.mass, shape.density) == (None, 1000.0)
    inspector.set_stated(("body", 0, "shape", 0, "magnet"), on=True)
    assert accepted(window, qtbot).body[0].shape[0].magnet.remanence is not None
    inspector.set_stated(("body", 0, "shape", 0, "magnet"), on=False)
    assert accepted(window, qtbot).body[0].shape[0].magnet is None


def test_an_orientation_is_stated_in_three_ways_and_stays_the_same(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspector = inspect(window, "body", 0)
    turn = window.session.document.scene.body[0].orientation.matrix()
    for way in ("basis", "axis"):
        inspector.set_representation(("body", 0, "orientation"), way)
        assert accepted(window, qtbot).body[0].orientation.matrix() == pytest.approx(turn, abs=1e-8)
        assert (way == "basis") == (window.session.document.scene.body[0].orientation.basis is not None)
    inspector.set_representation(("body", 0, "orientation"), "none")
    assert accepted(window, qtbot).body[0].orientation.matrix() == pytest.approx(np.eye(3))


def pick_in(qtbot: QtBot, list_: QComboBox, row: int, keys: bool) -> None:
    """Open a list by the mouse, and choose a row of it as a hand does."""
    qtbot.mouseClick(list_, LEFT)
    seen = list_.view()
    qtbot.waitUntil(seen.isVisible, timeout=SOON)
    if keys:
        qtbot.keyClick(seen, Qt.Key.Key_Home)
        for _ in range(row):
            qtbot.keyClick(seen, Qt.Key.Key_Down)
        qtbot.keyClick(seen, Qt.Key.Key_Return)
    else:
        at = seen.visualRect(seen.model().index(row, 0)).center()
        qtbot.mouseMove(seen.viewport(), at)
        qtbot.wait(QApplication.doubleClickInterval() + 100)  # until then a release is that of the opening click
        qtbot.mouseClick(seen.viewport(), LEFT, pos=at)


@pytest.mark.nightly
@pytest.mark.parametrize("keys", [True, False])
def test_lists_that_exchange_the_form_they_stand_in_are_used_by_hand(lab: Lab, qtbot: QtBot, keys: bool) -> None:
    """Qt uses a list after emitting its selection, so the list must exist until then."""
    window = lab()
    kinds = {
        ("body", 0, "orientation"): ("basis", "none", "axis"),
        ("bead", 0, "path"): ("formula", "ellipse", "line", "formula"),
        ("body", 1, "shape", 0): ("cylinder", "sphere", "cone"),
    }
    for place, ways in kinds.items():
        inspector = inspect(window, *(place if place[-1] == 0 else place[:-1]))
        for way in ways:
            before, list_ = window.session.document.scene, inspector.form.sections[place][0]
            inspector.scroll_area.ensureWidgetVisible(list_)
            pick_in(qtbot, list_, list_.findData(way), keys)
            qtbot.waitUntil(lambda before=before: window.session.document.scene is not before, timeout=SOON)
            assert inspector.form.sections[place][0].currentData() == way


def test_a_support_that_needs_an_axle_gets_one(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "body", 0)
    editor = row_of(window, "body[0].support").editor
    assert isinstance(editor, ChoiceEditor)
    editor.list.setCurrentIndex(editor.list.findData("axle"))
    editor.list.activated.emit(editor.list.currentIndex())
    assert accepted(window, qtbot).body[0].axis == (0, 0, 1)


def test_names_switches_and_paths_are_edited(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "particle", 0)
    name = row_of(window, "particle[0].name").editor
    assert isinstance(name, TextEditor)
    type_in(qtbot, name.field, "bean")
    assert accepted(window, qtbot).spring[0].from_ == "bean"
    fixed = row_of(window, "particle[0].fixed").editor
    assert isinstance(fixed, SwitchEditor)
    qtbot.mouseClick(fixed.box, LEFT, pos=QPoint(7, fixed.box.height() // 2))
    assert accepted(window, qtbot).particle[0].fixed
    inspector = inspect(window, "bead", 0)
    type_in(qtbot, row_of(window, "bead[0].path.radius").editor.field, "0.4")
    assert accepted(window, qtbot).bead[0].path.radius == 0.4
    inspector.set_kind(("bead", 0, "path"), "helix")
    assert accepted(window, qtbot).bead[0].path.kind == "helix"
    inspector.edit_path.emit()
    qtbot.waitUntil(
        lambda: window.docks.dock("path") is not None and window.docks.docks["path"].isVisible(), timeout=SOON
    )
    assert window.docks.docks["path"].bead.currentText() == "bead"


def test_a_colour_of_the_chooser_is_seen_at_once_and_taken_back(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "body", 1, "shape", 0)
    editor = row_of(window, "body[1].shape[0].color").editor
    assert isinstance(editor, ColorEditor)
    stroke = object()
    for color in ("#00ff00", "#00fe00", "#00fd00"):
        editor.changed.emit(color, stroke)
    qtbot.waitUntil(lambda: not window.session.is_pending, timeout=SOON)
    assert accepted(window, qtbot).body[1].shape[0].color == "#00fd00"
    assert len(window.session.document.undo) == 1


def test_the_colour_dialog_has_an_opacity(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "body", 1, "shape", 0)
    editor = row_of(window, "body[1].shape[0].color").editor
    assert isinstance(editor, ColorEditor)
    editor.button.click()
    (dialog,) = editor.findChildren(QColorDialog)
    dialog.setCurrentColor(QColor(16, 32, 48, 128))
    qtbot.waitUntil(lambda: not window.session.is_pending, timeout=SOON)
    assert accepted(window, qtbot).body[1].shape[0].color == "#10203080"
    dialog.accept()
    editor.button.click()
    assert editor.findChildren(QColorDialog)[-1].currentColor() == QColor(16, 32, 48, 128)


def test_the_focus_goes_from_field_to_field_by_tab(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "body", 1)
    fields = row_of(window, "body[1].position").editor.fields
    qtbot.mouseClick(fields[0], LEFT)
    qtbot.keyClick(fields[0], Qt.Key.Key_Tab)
    assert fields[1].hasFocus()
    qtbot.keyClick(fields[1], Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert fields[0].hasFocus()


# Without the physics


def places(scene: Scene) -> list[FieldPath]:
    of_world = [("world", key) for key, form in forms(World).items() if form.models]
    return [(), ("world",), *of_world, ("solver",), ("sensor",), *parts_in(scene)]


@pytest.mark.parametrize(
    "names",
    [gallery.scene_names(), *(pytest.param([name], marks=pytest.mark.nightly) for name in gallery.scene_names())],
)
def test_every_part_of_every_scene_has_a_form_with_all_its_fields(window: MainWindow, names: list[str]) -> None:
    """Of one scene every item; of all together one item of each kind."""
    session, inspector = window.session, inspect(window)
    seen = set()
    for name in names:
        session.document = Document(read_scene(gallery.path(name)))
        for place in places(session.scene):
            part = at(session.scene, place)
            look = type(part), getattr(part, "kind", "")
            if look in seen and (len(names) > 1 or len(place) != 2):
                continue
            seen.add(look)
            check_form(session, inspector, place)
    assert len(seen) > 5


def check_form(session: Session, inspector: Inspector, place: FieldPath) -> None:
    """Select an item: its form has a row, a section or links for each of its fields, and no field has a problem."""
    part = at(session.scene, place)
    session.select(place)
    inspector.refresh()
    form = inspector.form
    assert form is not None, place
    shown = {row[len(place)] for row in (*form.rows, *form.links, *form.sections) if len(row) > len(place)}
    wanted = set(order(type(part)))
    if place == ():
        wanted = {"title", "description", "view", "units"}
    assert shown == wanted, place
    assert not [row for row in form.rows.values() if row.problem]
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # as the loop of a window does: forms are large


# The current state


def test_quantities_of_what_is_chosen_follow_the_run_and_go_into_the_plots(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    inspect(window, "body", 0)
    now = window.edit_actions.inspector.live_values
    rows = {row.text(0): row for row in (now.topLevelItem(k) for k in range(now.topLevelItemCount()))}
    assert rows["angular velocity"].text(2) == "rad/s"
    before = rows["axis u1"].text(1)
    qtbot.waitUntil(lambda: rows["axis u1"].text(1) != before, timeout=SOON)
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    axis = pytest.approx(window.session.frame.snapshot.bodies.basis[0][0], abs=6e-4)
    qtbot.waitUntil(lambda: [float(n) for n in rows["axis u1"].text(1).split()] == axis, timeout=SOON)

    row = rows["angular velocity"]
    now.scrollToItem(row)
    qtbot.waitUntil(lambda: now.viewport().rect().contains(now.visualItemRect(row).center()), timeout=SOON)
    qtbot.mouseClick(now.viewport(), LEFT, pos=now.visualItemRect(row).center())
    qtbot.mouseDClick(now.viewport(), LEFT, pos=now.visualItemRect(row).center())  # only its second press
    qtbot.waitUntil(
        lambda: window.docks.dock("plots") is not None and window.docks.docks["plots"].isVisible(), timeout=SOON
    )
    plots = window.docks.docks["plots"]
    wanted = {f"bob.angular_velocity.{x}" for x in "xyz"}
    assert wanted <= set(plots.plotted_units)

    dragged = now.mimeData([rows["axis u1"]])
    enter = QDragEnterEvent(QPoint(50, 50), Qt.DropAction.CopyAction, dragged, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(plots, enter)
    assert enter.isAccepted()
    drop = QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, dragged, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(plots, drop)
    assert "bob.u1.x" in plots.plotted_units  # there is room for seven
    assert len(plots.plotted_units) == 7
    assert Meaning("", "uncheck").of(window.toast.text)


def test_the_solver_has_the_energies_and_a_spring_nothing_to_plot(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    now = inspect(window, "solver").live_values
    names = [now.topLevelItem(k).text(0) for k in range(now.topLevelItemCount())]
    assert names[:2] == ["kinetic energy", "gravity energy"]
    window.session.select(("spring", 0))
    assert now.isHidden()


def test_numbers_of_now_are_short_and_rounding_is_nothing() -> None:
    assert format_values([0.994, -3.71e-18, 0.105]) == "0.994 0 0.105"
    assert format_values([1.5e-18, 2e-18, 0.0]) == "1.5e-18 2e-18 0"  # they have nothing larger beside them
    assert format_values([-1.25e-05, 1e12, 3.0]) == "0 1e12 0"
    assert format_values([-1.25e-05]) == "-1.25e-5"
    assert format_values([1.0, 1e-8, float("nan")]) == "1 1e-8 nan"


def test_no_form_is_cut_by_its_bar(lab: Lab, qtbot: QtBot) -> None:
    window = lab()
    window.resize(1100, 520)
    inspector = inspect(window, "body", 0)
    area = inspector.scroll_area

    def fits() -> bool:
        rows = [row for row in inspector.form.rows.values() if row.isVisible()]
        right = max(row.mapTo(area.viewport(), row.rect().topRight()).x() for row in rows)
        return right < area.viewport().width() >= inspector.form.minimumSizeHint().width()

    for place in parts_in(window.session.scene):
        window.session.select(place)
        qtbot.waitUntil(fits, timeout=SOON)
    window.session.select(("bead", 0))
    qtbot.waitUntil(lambda: area.verticalScrollBar().isVisible() and fits(), timeout=SOON)
    window.session.select(None)
    qtbot.waitUntil(lambda: not area.verticalScrollBar().isVisible(), timeout=SOON)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (-1e9, "-1e9"),
        (2.5e11, "2.5e11"),
        (10_000_000, "1e7"),
        (123456789.0, "123456789"),
        (5e6, "5000000"),
        (-9.8, "-9.8"),
    ],
)
def test_large_round_numbers_fit_their_fields(number: float, text: str) -> None:
    assert text_of(number) == text
    assert float(text) == number


def test_a_material_sets_density_and_colour_in_one_edit(window: MainWindow, qtbot: QtBot) -> None:
    """Also of a shape that states its mass; other densities are "other"."""
    inspector = inspect(window, "body", 0, "shape", 0)
    before = window.session.scene
    materials = inspector.form.materials["body", 0, "shape", 0]
    choose(qtbot, materials.list, "brass")
    shape = accepted(window, qtbot).body[0].shape[0]
    assert (shape.mass, shape.density, shape.color) == (None, 8500.0, MATERIALS["brass"].color)
    materials = inspector.form.materials["body", 0, "shape", 0]
    assert "brass" in materials.list.currentText()
    type_in(qtbot, row_of(window, "body[0].shape[0].density").editor.field, "8000")
    assert accepted(window, qtbot).body[0].shape[0].density == 8000.0
    assert materials.list.currentText() == "other"
    window.session.undo()
    window.session.undo()
    assert accepted(window, qtbot) == before


def test_the_material_of_a_floor_sets_its_friction_and_look_in_one_edit(lab: Lab, qtbot: QtBot) -> None:
    window = lab(
        SCENE + '[[wall]]\nname = "floor"\npoint = [0, 0, -0.6]\nstiffness = 1e4\ndamping = 10\nfriction = 2.0\n'
    )
    inspector = inspect(window, "wall", 0)
    before = window.session.scene
    materials = inspector.form.materials["wall", 0]
    assert materials.list.currentText() == "other"  # viscous
    choose(qtbot, materials.list, "felt")
    wall = accepted(window, qtbot).wall[0]
    assert (wall.kinetic_friction, wall.friction) == (0.6, 0.0)
    assert inspector.form.materials["wall", 0].list.currentText().startswith("felt")
    qtbot.waitUntil(lambda: window.scene_view.stage.scene.wall[0] == wall, timeout=SOON)
    assert not window.session.diff.is_invisible  # the view draws the slab again
    window.session.undo()
    assert accepted(window, qtbot) == before


def test_a_body_of_one_shape_shows_its_material(window: MainWindow, qtbot: QtBot) -> None:
    """Shapes without volume have none."""
    form = inspect(window, "body", 0).form
    assert list(form.materials) == ([("body", 0, "shape", 0)] if len(window.session.scene.body[0].shape) == 1 else [])
    assert not has_material(Rod(kind="rod", length=1.0, mass=1.0))


def test_three_numbers_are_whole_beside_the_scroll_bar(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1366, 420)  # low: the form scrolls
    inspector = inspect(window, "body", 0, "shape", 0)
    inspector.form.more_button.setChecked(True)
    row = row_of(window, "body[0].shape[0].position")
    edit = window.session.edit
    edit(with_value(window.session.scene, ("body", 0, "shape", 0, "position"), (-0.0036, -0.0042, -0.4981)))
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: inspector.scroll_area.verticalScrollBar().isVisible(), timeout=SOON)
    for field in row.editor.fields:
        option = QStyleOptionFrame()
        field.initStyleOption(option)
        room = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field).width()
        assert field.fontMetrics().horizontalAdvance(field.text()) <= room - 3  # beside the cursor
    right = row.mapTo(inspector.scroll_area.viewport(), QPoint(row.width(), 0)).x()
    assert right <= inspector.scroll_area.viewport().width()


@pytest.mark.nightly
@pytest.mark.new_window
def test_an_inspector_that_a_selection_has_opened_closes(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    action = window.action_table["inspector"]
    assert not action.isChecked()
    window.session.select(("body", 0))
    assert action.isChecked()
    window.session.open(gallery.path("t_handle"))
    qtbot.waitUntil(lambda: not action.isChecked(), timeout=SOON)
    window.session.select(("body", 0))
    assert action.isChecked()
    action.setChecked(False)
    action.setChecked(True)  # now it was opened by hand, and stays
    window.session.open(gallery.path("heavy_top"))
    qtbot.waitUntil(lambda: window.session.document.path == gallery.path("heavy_top"), timeout=SOON)
    qtbot.wait(300)
    assert action.isChecked()
