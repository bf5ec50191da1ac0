"""Actions that edit the items of a scene, from menus, scene tree and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from PySide6.QtCore import QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit

from polhode.scene.fields import FieldPath, at
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.docks.inspector.dock import Inspector
from polhode_app.docks.inspector.scene_tree import SceneTree
from polhode_app.edit.clipboard import SINGLES, moved_apart, pasted, text_of, twins
from polhode_app.edit.parts import (
    can_hide,
    depending,
    duplicated,
    hidden_at,
    is_hidden,
    listed,
    name_of,
    plain_name,
    renamed,
    reordered,
    without,
)
from polhode_app.edit.transform import with_origin
from polhode_app.i18n.field_names import label
from polhode_app.i18n.item_names import item_title
from polhode_app.i18n.translation import translate_problem
from polhode_app.interactors.selection import SelectionTool
from polhode_app.viewport.picking.bounding_boxes import box_of
from polhode_app.window.add_actions import AddActions
from polhode_app.window.shell.actions import ITEM_CONTEXT_MENU, VIEW_CONTEXT_MENU, add_actions
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.icons import icon
from polhode_app.window.widgets.line_edit import CommitLineEdit

COPY_SPACING = 1.2  # distance between an item and its copy, relative to its size
MESSAGE_TIME = 8.0  # [s] display time of messages


class EditActions(QObject):
    """Adds, removes, duplicates, renames, hides and reorders items, and copies them to the clipboard as text.

    Every change is an edit of the session, which can be undone. Items are addressed by their path in the scene, such
    as ("body", 0).
    """

    def __init__(self, context: WindowContext, selection_tool: SelectionTool):
        """Follow the selection, the scene tree and the context menu of the view."""
        super().__init__(context.window)
        self._context = context
        self._window, self._session, self._scene_view = context.window, context.session, context.scene_view
        self._toast, self._selection_tool, self._action_table = context.toast, selection_tool, context.actions
        self._settings = context.settings
        self._opens_inspector = self._settings.opens_inspector
        if self._opens_inspector and self._settings.docks is not None:  # a selection had opened it, and will again
            self._settings.docks = [name for name in self._settings.docks if name != "inspector"]
        self._has_opened_inspector = False  # a selection has
        context.docks.on_made("tree", self._on_tree_made)
        selection_tool.context_menu_requested.connect(self._show_context_menu)
        self._view, self.adding = context.view, AddActions(context, self.edit)
        self._session.selected.connect(self._on_selected)
        self._session.scene_changed.connect(lambda _document: self._on_scene_changed())
        self._session.lock.changed.connect(self._update_enabled)
        self._action_table["inspector"].toggled.connect(self._on_inspector_toggled)
        self._update_enabled()

    def _on_selected(self, path: FieldPath | None) -> None:
        """Enable what applies to the selection; the first selection opens the inspector."""
        self._update_enabled()
        if path is not None and self._opens_inspector:
            self._action_table["inspector"].setChecked(True)
            self._has_opened_inspector = self._settings.opens_inspector = True

    def _on_scene_changed(self) -> None:
        """Close an inspector that a selection has opened: another scene begins without one, with room for the view."""
        self._update_enabled()
        opened = not self._session.diff.is_edit and self._session.selection is None
        if opened and self._has_opened_inspector:
            self._action_table["inspector"].setChecked(False)
            self._opens_inspector = self._settings.opens_inspector = True

    def _on_inspector_toggled(self) -> None:
        """The user has opened or closed the inspector; selections no longer open it."""
        self._opens_inspector = self._has_opened_inspector = self._settings.opens_inspector = False

    def _show_context_menu(self, where: QPoint) -> None:
        """Open the context menu at a position on the screen, for the selection or for the whole scene."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        at_pointer = self._view.surface.mapFromGlobal(QPointF(where))
        self.adding.fill_menu(menu.addMenu(icon("add", menu.palette()), self.tr("Add")), at_pointer)
        menu.addSeparator()
        if (clicked := self._selection_tool.asked_at) is not None:
            number, point, axis = clicked
            put = menu.addAction(self.tr("Put the pivot here"))
            put.setToolTip(self.tr("The origin of the body moves here, at a hole into its centre; the body stays."))
            put.triggered.connect(lambda: self.edit(lambda scene: with_origin(scene, number, point, axis), True))
        add_actions(menu, ITEM_CONTEXT_MENU if self._session.selection else VIEW_CONTEXT_MENU, self._action_table)
        menu.popup(where)

    def _on_tree_made(self, tree: SceneTree) -> None:
        """Apply the edits that are made in the scene tree."""
        tree.add_menu_opened.connect(self.adding.fill_menu)
        tree.renamed.connect(self._rename)
        tree.reordered.connect(self._reorder)
        tree.hidden.connect(lambda path, on: self.edit(lambda scene: hidden_at(scene, path, on)))

    def _rename(self, path: FieldPath, name: str) -> None:
        """Rename the item at a path."""
        if self.edit(lambda scene: renamed(scene, path, name)):
            self._toast.show_name(name, plain_name(name))

    @property
    def tree(self) -> SceneTree | None:
        """The scene tree, or None if it was not opened yet."""
        return self._context.docks.dock("tree")

    @property
    def inspector(self) -> Inspector | None:
        """The inspector, or None if it was not opened yet."""
        return self._context.docks.dock("inspector")

    def show_edit_error(self, error: InputError) -> bool:
        """Show at the fields of the inspector why an edit was refused.

        Returns False if the inspector does not show these fields.
        """
        return self.inspector is not None and self.inspector.show_problems(error)

    # State

    def _selected_paths(self) -> list[FieldPath]:
        """Places of all selected items: several in the scene tree, otherwise at most one."""
        if self.tree is not None and self.tree.isVisible() and (many := self.tree.selected_paths):
            return many
        path = self._session.selection
        return [path] if path else []

    def _update_enabled(self) -> None:
        """Enable the actions that apply to the selection."""
        path = None if self._session.lock.is_on else self._session.selection
        is_item = bool(path) and listed(path)  # type: ignore[arg-type]
        for name in ("delete", "duplicate", "cut", "move_up", "move_down"):
            self._action_table[name].setEnabled(is_item)
        self._action_table["copy"].setEnabled(is_item or path in SINGLES)
        named = path is not None and name_of(self._session.scene, path) is not None and len(path) == 2
        self._action_table["hide"].setEnabled(path is not None and can_hide(self._session.scene, path))
        self._action_table["rename"].setEnabled(named)

    # Actions

    def delete(self) -> None:
        """Remove the selected items and those that depend on them, such as springs attached to a body."""
        paths = [path for path in self._selected_paths() if listed(path)]
        if not paths:
            return
        scene = self._session.scene
        names = [item_title(scene, path) for path in paths]
        dependents = {other for path in paths for other in depending(scene, path)} - set(paths)

        def change(scene: Scene) -> Scene:
            for path in _removal_order([*paths, *dependents]):
                scene = without(scene, path)
            return scene

        if self.edit(change):
            self._session.select(None)
            self._notify_removed(names, dependents)

    def _notify_removed(self, names: list[str], dependents: Iterable[FieldPath]) -> None:
        """Report the removed items, and how many dependent items were removed with them."""
        counts: dict[str, int] = {}
        for path in dependents:
            counts[str(path[0])] = counts.get(str(path[0]), 0) + 1
        counted = ", ".join(f"{label(key)}: {count}" for key, count in counts.items())
        text = self.tr("Removed {names}").format(names=", ".join(names[:4]) + ("..." if len(names) > 4 else ""))
        if counted:
            text += " " + self.tr("and what was attached to it ({what})").format(what=counted)
        undo = self._action_table["undo"].shortcut().toString()
        self._toast.show_message(self.tr("{removed}. {key} restores it.").format(removed=text, key=undo), MESSAGE_TIME)

    def duplicate(self) -> None:
        """Add a copy of each selected item beside it, and select the last copy."""
        paths = [path for path in self._selected_paths() if listed(path)]

        def change(scene: Scene) -> tuple[Scene, FieldPath]:
            last: FieldPath = ()
            for path in _removal_order(paths):
                scene, last = duplicated(scene, path, np.array([self._copy_offset([path]), 0.0, 0.0]))
            return scene, last

        if paths:
            self.edit(change)

    def _copy_offset(self, paths: Iterable[FieldPath]) -> float:
        """Distance [m] along x at which copies of these items do not overlap them, rounded."""
        stage, frame = self._scene_view.stage, self._session.frame
        is_drawn = stage is not None and frame is not None and stage.generation == self._session.document.generation
        boxes = [box_of(stage, frame.snapshot, path) for path in paths] if is_drawn else []
        sizes = [2 * float(np.abs(box.half @ box.axes)[0]) for box in boxes if box is not None]
        return _rounded(COPY_SPACING * (max(sizes, default=0.0) or 0.1 * self._context.radius))

    def copy(self) -> bool:
        """Copy the selected items to the clipboard as text of a scene file; returns whether any were copied.

        While a text is edited the clipboard is left to that text.
        """
        paths = self._selected_paths()
        if _is_typing_text() or not paths:
            return False
        paths = [path for path in paths if listed(path) or path in SINGLES]
        if paths:
            QGuiApplication.clipboard().setText(text_of(self._session.scene, paths))
            self._toast.show_message(self.tr("Copied as scene file text"))
        return bool(paths)

    def cut(self) -> None:
        """Copy the selected items to the clipboard and remove them."""
        if self.copy():
            self.delete()

    def paste(self) -> None:
        """Add the items in the text of the clipboard, beside existing ones at the same position."""
        text, selection = QGuiApplication.clipboard().text(), self._session.selection

        def change(scene: Scene) -> tuple[Scene, FieldPath]:
            made, paths = pasted(scene, text, selection)
            if covered := twins(made, paths):
                made = moved_apart(made, paths, np.array([self._copy_offset(covered), 0.0, 0.0]))
            return made, paths[-1]

        self.edit(change)

    def clear(self) -> None:
        """Select nothing, and end the tools that wait for clicks."""
        self._session.select(None)
        self.adding.tool.end()
        self._action_table["join"].setChecked(False)

    def inspect_world(self) -> None:
        """Select the world, and show its fields in the inspector."""
        self._action_table["inspector"].setChecked(True)
        self._session.select(("world",))

    def rename(self) -> None:
        """Edit the name of the selection in the scene tree."""
        self._action_table["tree"].setChecked(True)
        if self.tree is not None:
            self.tree.begin_rename()

    def hide(self) -> None:
        """Hide the selected item, or show it again."""
        path = (self._session.selection or ())[:2]
        if can_hide(self._session.scene, path):
            self.edit(lambda scene: hidden_at(scene, path, not is_hidden(scene, path)))

    def move(self, by: int) -> None:
        """Move the selection by this number of rows in its list."""
        path = self._session.selection
        if path is not None and listed(path):
            count = len(at(self._session.scene, path[:-1]))
            self._reorder(path, min(max(int(path[-1]) + by, 0), count - 1))

    def _reorder(self, path: FieldPath, index: int) -> None:
        """Move an item to an index of its list."""
        self.edit(lambda scene: (reordered(scene, path, index), (*path[:-1], index)))

    def edit(self, change: Callable[[Scene], Scene | tuple[Scene, FieldPath]], restart: bool = False) -> bool:
        """Apply a change to the scene as one edit, with `restart` from its start; returns whether it was valid.

        `change` returns the new scene, or the new scene and the path to select. If it raises InputError, the problem
        is shown in the inspector or as a message.
        """
        try:
            made = change(self._session.scene)
        except InputError as error:
            if not self.show_edit_error(error):
                self._toast.show_message(translate_problem(error.problems[0]), MESSAGE_TIME)
            if self.tree is not None:
                self.tree.refresh(rebuild=True)
            return False
        scene, path = made if isinstance(made, tuple) else (made, None)
        self._session.edit(scene, restart=restart)
        if path:
            self._session.select(path)
        if self.tree is not None:
            self.tree.refresh()
        return True


def _removal_order(paths: Iterable[FieldPath]) -> list[FieldPath]:
    """Order in which the items at these paths can be removed one by one without changing the indices of the rest.

    Dependent items come first, and items inside another one that is removed too are left out.
    """
    removed = set(paths)
    outermost = [path for path in removed if len(path) == 2 or path[:2] not in removed]
    order = {"spring": 0, "joint": 0, "force": 0, "ghost": 0}

    def rank(path: FieldPath) -> tuple[int, int, list[int]]:
        return order.get(str(path[0]), 1), -len(path), [-step for step in path[1::2]]  # type: ignore[operator]

    return sorted(outermost, key=rank)


def _rounded(number: float) -> float:
    """The number rounded to two digits."""
    return float(f"{number:.2g}")


def _is_typing_text() -> bool:
    """Whether a text field has the focus, which then handles the clipboard keys."""
    return isinstance(QApplication.focusWidget(), CommitLineEdit | QPlainTextEdit)
