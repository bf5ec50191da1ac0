"""A user who builds a scene in the window by mouse and keys, and counts what it takes."""

from __future__ import annotations

from gui import SOON, accepted, choose, click, is_at_rest, next_frame, row_of, seen_at, send, type_in
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow


class Builder:
    """A user at the window who counts each click, drag and key."""

    def __init__(self, window: MainWindow, qtbot: QtBot):
        self.window, self.qtbot, self.actions = window, qtbot, 0

    def at(self, x: float, y: float) -> QPointF:
        """A position of the view, as shares of its width and height."""
        surface = self.window.view.surface
        return QPointF(round(x * surface.width()), round(y * surface.height()))

    def choose(self, name: str) -> None:
        self.actions += 1
        click(self.qtbot, self.window.build_bar.buttons[name])

    def press(self, key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.actions += 1
        self.qtbot.keyClick(self.window, key, keys)

    def drag(self, start: QPointF, end: QPointF) -> None:
        self.actions += 1
        send(self.window, QEvent.Type.MouseButtonPress, start)
        for share in (0.3, 0.7, 1.0):
            send(self.window, QEvent.Type.MouseMove, start + share * (end - start))
        send(self.window, QEvent.Type.MouseButtonRelease, end)
        self.settle()

    def settle(self) -> None:
        """Wait until the scene is drawn and the camera stands."""
        window = self.window
        accepted(window, self.qtbot)
        self.qtbot.waitUntil(lambda: window.session.frame is not None and window.scene_view.is_built, timeout=SOON)
        next_frame(window.view, self.qtbot)  # a dock that has closed shifts the picture from then on
        self.qtbot.waitUntil(lambda: is_at_rest(window.view), timeout=SOON)

    # Further actions

    def click_at(self, where: QPointF) -> None:
        """Click a position of the view."""
        self.actions += 1
        for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
            send(self.window, kind, where)
        self.settle()

    def place(self, name: str, where: QPointF) -> None:
        """Choose an item in the bar and click a position of the view: two actions."""
        self.choose(name)
        self.click_at(where)

    def type(self, path: str, text: str, part: int | None = None) -> None:
        """Type into a field of the selected item, or a component of it: one action, as a double click and the text."""
        self.actions += 1
        row = row_of(self.window, path)
        editor, unit = row.editor, row.form.unit
        shown = getattr(editor, "_unit" if part is None else "_unit_name", unit)
        text = f"{text} {unit}" if shown != unit else text  # as a person who sees another unit
        type_in(self.qtbot, editor.field if part is None else editor.fields[part], text)
        self.settle()

    def click_on(self, widget: QWidget) -> None:
        """Click a widget."""
        self.actions += 1
        click(self.qtbot, widget)
        self.settle()

    def pick(self, box: QComboBox, data: object) -> None:
        """Choose an entry of a list by its data: one action."""
        self.actions += 1
        inspector = self.window.edit_actions.inspector
        assert inspector is not None
        inspector.scroll_area.ensureWidgetVisible(box)
        choose(self.qtbot, box, data)
        self.settle()

    def section(self, *path: str | int) -> tuple[QComboBox, QCheckBox]:
        """List of kinds and check box of a part of the selected item."""
        inspector = self.window.edit_actions.inspector
        assert inspector is not None
        assert inspector.form is not None
        return inspector.form.sections[path]

    def tick(self, box: QCheckBox) -> None:
        """Tick a box of the inspector."""
        inspector = self.window.edit_actions.inspector
        assert inspector is not None
        inspector.scroll_area.ensureWidgetVisible(box)
        self.click_on(box)

    def draw(self, name: str, start: QPointF, end: QPointF) -> None:
        """Choose an item in the bar and drag it in the view: two actions."""
        self.choose(name)
        self.drag(start, end)

    def seen(self, *place: float) -> QPointF:
        """Where a place [m] is seen in the view."""
        return seen_at(self.window, place)
