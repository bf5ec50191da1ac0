"""Every field of every kind of item, set by real keys in the window and read back from the scene.

The fields are those of the models: a new one is tried by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from every_field import Item, items, typed
from gui import SOON, inspect
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from polhode.scene.fields import FieldPath, at, form_at, kinds, with_value, written
from polhode_app.docks.inspector.editors import ChoiceEditor, ChoicesEditor, EndEditor, NameEditor, SwitchEditor
from polhode_app.docks.inspector.form import PartForm
from polhode_app.docks.inspector.number_editors import NumberEditor, NumbersEditor
from polhode_app.docks.inspector.rows import controls
from polhode_app.main_window import MainWindow

Lab = Callable[..., MainWindow]
Key = Qt.Key
MOST_UNDONE = 12  # edits of one field: it is switched on, and its components are typed one by one


class Hands:
    """A person at the keyboard: keys go to whatever has the focus."""

    def __init__(self, window: MainWindow, qtbot: QtBot):
        self.window, self._qtbot, self._session = window, qtbot, window.session
        window.session.play(False)
        window.resize(1000, 640)  # frames are drawn faster, and every answer of the physics waits for one

    @property
    def form(self) -> PartForm:
        inspector = self.window.edit_actions.inspector
        assert inspector is not None
        assert inspector.form is not None
        return inspector.form

    def keys(self, *keys: Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        for key in keys:
            now = QApplication.focusWidget()
            assert now is not None, "nothing has the focus"
            QTest.keyClick(now, key, modifier)

    def write(self, text: str) -> None:
        """Replace the text of the field that has the focus."""
        self.keys(Key.Key_A, modifier=Qt.KeyboardModifier.ControlModifier)
        self.keys(Key.Key_Delete)
        for number, line in enumerate(text.split("\n")):
            if number:
                self.keys(Key.Key_Return)
            QTest.keyClicks(QApplication.focusWidget(), line)

    def value(self, path: FieldPath) -> Any:
        """Value of the scene at a path after the physics has answered."""
        self._qtbot.waitUntil(lambda: not self._session.is_pending, timeout=SOON)
        return at(self._session.scene, path)

    def open(self, item: Item) -> None:
        """Show an item in the inspector."""
        if self._session.scene != item.scene:
            self._session.open_scene(item.scene)
            self._qtbot.waitUntil(lambda: not self._session.is_pending, timeout=SOON)
        assert self._session.scene == item.scene, f"{item} is refused"
        inspect(self.window, *item.selected)
        if not self.form.more_button.isHidden() and not self.form.more_button.isChecked():
            self.form.more_button.click()

    def said(self) -> str:
        """Text of the inspector after an edit of a field, there or at another one."""
        inspector = self.window.edit_actions.inspector
        assert inspector is not None
        labels = [inspector.error_label, *(row.error_label for row in self.form.rows.values())]
        return " ".join(label.text() for label in labels if not label.isHidden())

    def reach(self, path: FieldPath, number: int) -> None:
        """Go to a control of a field or part, as by Tab."""
        found = controls(self.form, path)
        self.window.accessible.focus.focus(found[min(number, len(found) - 1)])

    def set_field(self, path: FieldPath) -> None:
        """Set a field to another value by keys, and undo that."""
        before = self._session.scene
        if at(before, path) is None:
            self.reach(path, 0)
            self.keys(Key.Key_Space)
            assert self.value(path) is not None, f"{written(path)} is not switched on: {self.said()}"
            assert self.form.rows[path].editor.isAncestorOf(QApplication.focusWidget()), f"{written(path)}: no focus"
        editor, value = self.form.rows[path].editor, self.value(path)
        if isinstance(editor, SwitchEditor | ChoiceEditor | NameEditor | ChoicesEditor):
            self._choose(path)
        else:
            self._type(path)
        assert self.value(path) != value
        for _ in range(MOST_UNDONE):
            if self._session.scene == before:
                return
            self._session.undo()
            self.value(path[:1])
        pytest.fail(f"{written(path)} can't be undone: {self.said()}")

    def _choose(self, path: FieldPath) -> None:
        """Take another value than the one of a switch or a list."""
        value, editor = self.value(path), self.form.rows[path].editor
        is_list = not isinstance(editor, SwitchEditor | ChoicesEditor)
        for keys in ((Key.Key_Down,), (Key.Key_Up,)) if is_list else ((Key.Key_Space,),):
            self.reach(path, 1)
            self.keys(*keys)
            if isinstance(editor, ChoicesEditor):
                self._take_entry()
            if self.value(path) != value:
                return
            self._close_dialog()
        pytest.fail(f"{written(path)} stays {value!r}: {self.said()}")

    def _take_entry(self) -> None:
        """Take the first entry of the menu that is open."""
        self._qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None, timeout=SOON)
        for key in (Key.Key_Down, Key.Key_Return):
            QTest.keyClick(QApplication.activePopupWidget(), key)

    def _type(self, path: FieldPath) -> None:
        """Type values until one is taken: the others are refused with a message."""
        value, said = self.value(path), []
        for wanted in typed(form_at(self._session.scene, path), value):
            if wanted == value:
                continue
            self.reach(path, 1)
            self._enter(path, wanted)
            if self.value(path) in (wanted, str(wanted)):  # a number as a formula is a text
                return
            said.append(f"{wanted}: {self.said()}")
            assert self.said() or self._close_dialog(), f"{written(path)}: {wanted} is dropped without a word"
            now = QApplication.focusWidget()
            if now is not None and self.form.rows[path].isAncestorOf(now):
                self.keys(Key.Key_Escape)
        pytest.fail(f"{written(path)} takes none of {said}")

    def _enter(self, path: FieldPath, wanted: Any) -> None:
        """Type a value into the field that has the focus and those that follow it."""
        if isinstance(QApplication.focusWidget(), QPlainTextEdit):
            is_text = isinstance(wanted, str)
            self.write(wanted if is_text else "\n".join(", ".join(map(repr, vector)) for vector in wanted))
            self.keys(Key.Key_Tab)
            return
        if isinstance(self.form.rows[path].editor, EndEditor):
            self.reach(path, 2)  # behind the kind of the end
        form, unit = form_at(self._session.scene, path), self._unit(path)
        if form.kind in ("numbers", "wholes", "formulas", "matrix", "end") and isinstance(wanted, tuple):
            flat = [number for each in wanted for number in (each if isinstance(each, tuple) else (each,))]
            for number, each in enumerate(flat):
                self.write(repr(each) + unit)
                self.keys(Key.Key_Tab if number + 1 < len(flat) else Key.Key_Return)
            return
        plain = json.dumps(wanted) if isinstance(wanted, dict) else str(wanted) + unit
        self.write(", ".join(map(str, wanted)) if isinstance(wanted, tuple) else plain)
        self.keys(Key.Key_Return)

    def _unit(self, path: FieldPath) -> str:
        """The text typed behind a number in SI, where the field shows another unit that fits."""
        editor = self.form.rows[path].editor
        shown = {NumberEditor: "_unit", NumbersEditor: "_unit_name"}.get(type(editor))
        own = editor._form.unit if shown is not None else ""
        return f" {own}" if shown is not None and getattr(editor, shown) != own else ""

    def _close_dialog(self) -> bool:
        """Close the dialog that says what is wrong, if there is one."""
        dialog = QApplication.activeModalWidget()
        if dialog is not None:
            dialog.close()
            self.window.activateWindow()
            self._qtbot.waitUntil(lambda: QApplication.activeWindow() is self.window, timeout=SOON)
        return dialog is not None


def fields(item: Item) -> list[FieldPath]:
    """Paths of the fields of an item, without those of the parts inside it."""
    return [(*item.path, key) for key in item.keys]


def looks(item: Item, path: FieldPath) -> tuple[object, ...]:
    """Key shared by fields that are set in the same way."""
    form = form_at(item.scene, path)
    return form.kind, form.optional, form.count, path[-1] in ("name", "body", "second")


def check(hands: Hands, item: Item, places: list[FieldPath]) -> list[str]:
    """Set fields of an item; what is wrong with any of them."""
    faults = []
    for path in places:
        hands.open(item)
        try:
            hands.set_field(path)
        except (AssertionError, pytest.fail.Exception) as fault:
            faults.append(f"{item}: {fault}")
    return faults


@pytest.mark.timeout(600)
def test_each_editor_takes_what_is_typed(lab: Lab, qtbot: QtBot) -> None:
    """One field of each kind, for all kinds of editors."""
    hands, seen, faults = Hands(lab(None), qtbot), set(), []
    for item in items():
        if "file" in item.keys:
            continue  # the physics of meshes takes seconds
        for path in fields(item):
            if looks(item, path) not in seen:
                seen.add(looks(item, path))
                faults += check(hands, item, [path])
    assert len(seen) > 20
    assert not faults, "\n".join(faults)


TABLES = sorted({item.table for item in items()})


@pytest.mark.nightly
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.timeout(600)
def test_every_field_takes_what_is_typed(lab: Lab, qtbot: QtBot, table: str) -> None:
    hands = Hands(lab(None), qtbot)
    faults = [fault for item in items() if item.table == table for fault in check(hands, item, fields(item))]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "every", [pytest.param(False, id="joints"), pytest.param(True, marks=pytest.mark.nightly, id="all")]
)
def test_every_part_is_switched_on_and_becomes_each_of_its_kinds(lab: Lab, qtbot: QtBot, every: bool) -> None:
    """By keys: Space in its check box, then Down through the list of its kinds."""
    hands, faults = Hands(lab(None), qtbot), []
    for item in items():
        for path in item.parts if every or item.path[:1] == ("joint",) else ():
            hands.open(item)
            form = form_at(item.scene, path)
            if form.optional and hands.value(path) is None:
                hands.reach(path, 0)
                hands.keys(Key.Key_Space)
                if hands.value(path) is None:
                    faults.append(f"{item}: {written(path)} is not switched on: {hands.said()}")
                    continue
                now = QApplication.focusWidget()
                inside = [row for at_, row in hands.form.rows.items() if at_[: len(path)] == path]
                if inside and not any(row.isAncestorOf(now) for row in inside):
                    faults.append(f"{item}: {written(path)} has no focus")
            for number, kind in enumerate(kinds(form)):
                hands.reach(path, 1)
                hands.keys(Key.Key_Down if number else Key.Key_Home)
                if hands.value(path).kind != kind:
                    faults.append(f"{item}: {written(path)} is no {kind}: {hands.said()}")
    assert not faults, "\n".join(faults)


def test_undo_goes_past_an_edit_that_the_physics_has_refused(lab: Lab, qtbot: QtBot) -> None:
    """Components of a vector are edits each; those between are refused, and undo leads back to the first vector."""
    item = next(item for item in items() if str(item) == "joint:universal")
    hands = Hands(lab(None), qtbot)
    hands.open(item)
    session, number = hands.window.session, int(item.path[1])
    for axis in ((1.0, 1.0, 0.0), (0.0, 1.0, 0.0)):  # across (1, 0, 0): refused, accepted
        session.edit(with_value(session.scene, ("joint", number, "axis"), axis))
    assert hands.value(("joint", number, "axis")) == (0.0, 1.0, 0.0)
    session.undo()
    hands.value(())
    assert session.scene == item.scene
    assert not session.can_undo
