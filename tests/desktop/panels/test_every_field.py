"""Every field of every kind of item, set by real keys in the window and read back from the scene.

The fields are those of the models: a new one is tried by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from every_field import Item, items, typed
from gui import SOON, inspect
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.panels.inspector.editors import ChoiceEditor, ChoicesEditor, EndEditor, NameEditor, SwitchEditor
from app.panels.inspector.form_focus import Spot, controls, focus
from core.scene.fields import Place, at, form_at, written

Key = Qt.Key


class Hands:
    """A person at the keyboard: keys go to whatever has the focus."""

    def __init__(self, window: MainWindow, qtbot: QtBot):
        self._window, self._qtbot, self._session = window, qtbot, window.session
        self.faults: list[str] = []

    def keys(self, *keys: Key) -> None:
        for key in keys:
            QTest.keyClick(self._focused(), key)

    def write(self, text: str) -> None:
        """Replace the text of the field that has the focus."""
        QTest.keyClick(self._focused(), Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(self._focused(), Key.Key_Delete)
        for k, line in enumerate(text.split("\n")):
            if k:
                self.keys(Key.Key_Return)
            QTest.keyClicks(self._focused(), line)

    def _focused(self) -> QWidget:
        now = QApplication.focusWidget()
        assert now is not None
        return now

    def settle(self) -> None:
        """Wait until the physics has answered."""
        self._qtbot.waitUntil(lambda: not self._session.is_pending, timeout=SOON)

    @property
    def form(self) -> Any:
        return self._window.edit_actions.inspector.form

    def open(self, item: Item) -> None:
        """Show an item in the inspector."""
        if self._session.scene != item.scene:
            self._session.open_scene(item.scene)
            self.settle()
        assert self._session.scene == item.scene, f"{item} is refused"
        inspect(self._window, *item.selected)
        if not self.form.more_button.isHidden() and not self.form.more_button.isChecked():
            self.form.more_button.click()

    def set_field(self, place: Place) -> None:
        """Set a field to another value by keys, and undo that."""
        before = self._session.scene
        if at(before, place) is None:
            focus(self.form, Spot(place, 0))
            self.keys(Key.Key_Space)
            self.settle()
            if at(self._session.scene, place) is None:
                self.faults.append(f"{written(place)} can't be switched on: {self.said(place)}")
                return
            row = self.form.rows[place]
            if not row.editor.isAncestorOf(self._focused()):
                self.faults.append(f"{written(place)} has no focus when it is switched on")
        fault = self._type(place)
        if fault:
            self.faults.append(f"{written(place)}: {fault}")
        for _ in range(9):
            if self._session.scene == before: break
            self._session.undo()
            self.settle()
        assert self._session.scene == before

    def said(self, place: Place) -> str:
        inspector = self._window.edit_actions.inspector
        row = self.form.row_of(place)
        return " ".join(filter(None, [row.error_label.text() if row else "", inspector.error_label.text()]))

    def _type(self, place: Place) -> str:
        """What is wrong with a field that nothing can be typed in, "" if one of the values is taken."""
        scene = self._session.scene
        row, value = self.form.rows[place], at(scene, place)
        if isinstance(row.editor, SwitchEditor | ChoiceEditor | NameEditor | ChoicesEditor):
            return self._choose(place)
        said = []
        for wanted in typed(form_at(scene, place), value):
            if wanted == value:
                continue
            focus(self.form, Spot(place, 1))
            self._enter(row.editor, wanted)
            self.settle()
            if at(self._session.scene, place) == wanted:
                return ""
            said.append(f"{wanted} -> {at(self._session.scene, place)} {self.said(place)}")
            if (dialog := QApplication.activeModalWidget()) is not None:
                said.append("DIALOG " + type(dialog).__name__); dialog.close()
            if (now := QApplication.focusWidget()) and row.isAncestorOf(now):
                self.keys(Key.Key_Escape)
            row = self.form.rows[place]
        return "; ".join(said) or f"nothing typed beside {value}"

    def _enter(self, editor: QWidget, wanted: Any) -> None:
        if isinstance(self._focused(), QPlainTextEdit):
            text = wanted if isinstance(wanted, str) else "\n".join(", ".join(map(repr, row)) for row in wanted)
            self.write(text)
            self.keys(Key.Key_Tab)
            return
        if isinstance(editor, EndEditor):
            focus(self.form, Spot(next(p for p, row in self.form.rows.items() if row.editor is editor), 2))
        if isinstance(wanted, str) or not isinstance(wanted, tuple) or len(controls_of(editor)) == 1:
            self.write(wanted if isinstance(wanted, str) else ", ".join(map(str, wanted)) if isinstance(wanted, tuple) else repr(wanted))
            self.keys(Key.Key_Return)
            return
        flat = [number for each in wanted for number in (each if isinstance(each, tuple) else (each,))]
        for k, number in enumerate(flat):
            self.write(repr(number))
            self.keys(Key.Key_Tab if k + 1 < len(flat) else Key.Key_Return)

    def _choose(self, place: Place) -> str:
        scene = self._session.scene
        value, row = at(scene, place), self.form.rows[place]
        focus(self.form, Spot(place, 1))
        for key in (Key.Key_Space,) if isinstance(row.editor, SwitchEditor | ChoicesEditor) else (Key.Key_Down, Key.Key_Up):
            if isinstance(row.editor, ChoicesEditor):
                QTimer.singleShot(50, lambda: [QTest.keyClick(QApplication.activePopupWidget(), k) for k in (Key.Key_Down, Key.Key_Return)])
            self.keys(key)
            self.settle()
            if at(self._session.scene, place) != value:
                return ""
        return f"stays {value!r} {self.said(place)}"


def controls_of(editor: QWidget) -> list[QWidget]:
    return [w for w in editor.findChildren(QWidget) if w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.isVisibleTo(editor)]


@pytest.mark.timeout(900)
def test_every_field(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(None)
    window.session.play(False)
    hands = Hands(window, qtbot)
    import time
    count = 0; t0=time.time()
    for item in items():
        try:
            hands.open(item)
        except AssertionError as e:
            hands.faults.append(str(e)); continue
        for place in [p for p in hands.form.rows if p[:-1] == item.place]:
            count += 1; print(item, written(place), time.time()-t0, flush=True)
            try:
                hands.set_field(place)
            except Exception as e:
                hands.faults.append(f"{item} {written(place)} raised {e!r}")
                raise
    print(count, "fields", time.time()-t0)
    assert not hands.faults, "\n".join(hands.faults)
