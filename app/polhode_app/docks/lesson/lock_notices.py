"""Notices of the lock of the scene while a lesson is under way: a sentence, and the button to leave."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractItemView, QFrame, QVBoxLayout

from polhode_app.docks.inspector.dock import Inspector
from polhode_app.docks.inspector.scene_tree import SceneTree
from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import PlainLabel

LOCKED = ("paste", "handles", "hand", "pull_all", "join", "world", "save", "save_as", "convert", "keep_view", "path")
"""Actions that are not possible meanwhile; those of a selection are disabled with it."""
DOCKS = ("tree", "inspector")
SECONDS = 8.0  # [s] that a message is shown


class LockNotice(QFrame):
    """A sentence and a button, above the contents of a dock."""

    def __init__(self, leave: Callable[[], None]):
        super().__init__()
        self.label, self.button = PlainLabel(), KeyButton()
        self.label.setWordWrap(True)
        column_of(self.label, row_of(self.button, 1, margins=0), on=self, margins=(8, 6, 8, 6), spacing=4)
        self.button.clicked.connect(lambda _checked: leave())

    def retranslate(self, text: str, button: str) -> None:
        """Set the texts."""
        self.label.setText(text)
        self.button.setText(button)


class LockNotices(QObject):
    """Makes tree and inspector read-only, disables actions, and reports refused edits."""

    def __init__(self, context: WindowContext, leave: Callable[[], None]):
        """`leave` ends the lesson."""
        super().__init__(context.window)
        self._context, self._leave = context, leave
        self._notices: dict[str, LockNotice] = {}
        self._before: dict[str, tuple[bool, bool]] = {}  # whether actions were enabled, and whether checked
        lock = context.session.lock
        lock.changed.connect(self.refresh)
        lock.refused.connect(self._report)

    @property
    def _sentence(self) -> str:
        return self.tr("A lesson is under way: only what it asks for can be changed.")

    def follow_docks(self) -> None:
        """Show the lock in docks that were opened meanwhile; called a few times a second."""
        docks = self._context.docks
        if self._context.session.lock.is_on and any(docks.dock(name) and name not in self._notices for name in DOCKS):
            self.refresh()

    def refresh(self) -> None:
        """Show whether the scene is locked."""
        is_on, docks = self._context.session.lock.is_on, self._context.docks
        if (tree := docks.dock("tree")) is not None:
            self._show_notice("tree", tree.widget().layout(), is_on)
            self._lock_tree(tree, is_on)
        if (inspector := docks.dock("inspector")) is not None:
            self._show_notice("inspector", inspector.widget().layout(), is_on)
            self._lock_inspector(inspector, is_on)
        actions = self._context.actions
        if is_on and not self._before:
            self._before = {name: (actions[name].isEnabled(), actions[name].isChecked()) for name in LOCKED}
            for name in LOCKED:
                if actions[name].isCheckable():
                    actions[name].setChecked(False)
                actions[name].setEnabled(False)
        elif not is_on:
            for name, (is_enabled, _) in self._before.items():
                actions[name].setEnabled(is_enabled)
            for name, (_, is_checked) in self._before.items():
                if is_checked:
                    actions[name].setChecked(True)
            self._before = {}

    def _show_notice(self, name: str, layout: QVBoxLayout, is_on: bool) -> None:
        """Show or hide the sentence above the contents of a dock."""
        if is_on and name not in self._notices:
            self._notices[name] = LockNotice(self._leave)
            layout.insertWidget(0, self._notices[name])
            self.retranslate()
        if name in self._notices:
            self._notices[name].setVisible(is_on)

    def _lock_tree(self, tree: SceneTree, is_on: bool) -> None:
        triggers, modes = QAbstractItemView.EditTrigger, QAbstractItemView.DragDropMode
        tree.tree.setEditTriggers(triggers.NoEditTriggers if is_on else triggers.DoubleClicked)
        tree.tree.setDragDropMode(modes.NoDragDrop if is_on else modes.InternalMove)
        tree.add_button.setEnabled(not is_on)

    def _lock_inspector(self, inspector: Inspector, is_on: bool) -> None:
        inspector.zero_button.setEnabled(not is_on)
        if inspector.form is not None:
            inspector.form.setEnabled(not is_on)

    def _report(self) -> None:
        """Say why an edit was refused."""
        remedies = {self.tr("Leave the lesson"): self._leave}
        self._context.toast.show_message(self._sentence, SECONDS, remedies)

    def retranslate(self) -> None:
        """Set the texts in the current language."""
        for notice in self._notices.values():
            notice.retranslate(self._sentence, self.tr("Leave the lesson"))
