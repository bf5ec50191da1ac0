"""Tree of the items of the scene: select, rename, hide, reorder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QDropEvent, QGuiApplication, QIcon
from PySide6.QtWidgets import QAbstractItemView, QMenu, QToolButton, QTreeWidget, QTreeWidgetItem, QWidget

from polhode.scene.fields import FieldPath, at, forms
from polhode.scene.scene import Scene, World
from polhode_app.docks.inspector.eye_delegate import EYE_ROLE, LABEL_ROLE, SHOWN_ROLE, EyeDelegate
from polhode_app.edit.parts import INNER_OF, LISTS, can_hide, is_hidden, listed
from polhode_app.i18n.field_names import label, scene_title
from polhode_app.i18n.item_names import inner_text, item_label_of, item_text
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.actions import ITEM_CONTEXT_MENU, add_actions
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.icons import ICONS, icon
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of

WIDTH, WIDEST = 230, 330  # [pixel] when it is opened for the first time
INDENTATION = 14  # [pixel] at letters of 100 %
MAX_EXPANDED = 60  # longer lists are collapsed at first
PATH_ROLE = Qt.ItemDataRole.UserRole
ALONE = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
OF_WORLD = tuple(("world", key) for key, form in forms(World).items() if form.models)
SINGLE = (("world",), *OF_WORLD, ("solver",), ("sensor",), ("grab",))


@dataclass(frozen=True)
class TreeRow:
    """One row of the tree."""

    path: FieldPath | None  # path of the item; (list, -1) for the title of a list
    text: str
    icon: str
    depth: int
    name: str = ""  # if it can be renamed
    listed: bool = False
    label: str = ""  # shown in place of the text; "": the text


def rows(scene: Scene, unnamed: str) -> Iterator[TreeRow]:
    """Rows of the tree of a scene, from top to bottom; `unnamed` is the title of a scene without one."""
    yield TreeRow((), scene_title(scene) or unnamed, "scene", 0)
    for path in SINGLE:
        key = str(path[-1])
        yield TreeRow(path, label(key), key if key in ICONS else "world", len(path))
    for key in LISTS:
        parts = getattr(scene, key)
        if parts:
            yield TreeRow((key, -1), f"{label(key)} ({len(parts)})", key, 1)
        for index, part in enumerate(parts):
            name = getattr(part, "name", "")
            yield TreeRow((key, index), item_text(key, part, index), key, 2, name, True, item_label_of(key, part))
            for inner in INNER_OF.get(key, ()):
                for number, each in enumerate(getattr(part, inner)):
                    yield TreeRow((key, index, inner, number), inner_text(inner, each), inner, 3, "", True)


class TreeView(QTreeWidget):
    """Tree widget that reports user actions instead of changing its items.

    `moved` asks for an item to be moved to another index of its list; the tree is rebuilt when the scene has changed.
    """

    moved = Signal(object, int)  # path of the item, new index
    claimed_keys = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right})

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.eyes = EyeDelegate(self)
        self.setItemDelegate(self.eyes)
        self.fit_icons()

    def fit_icons(self) -> None:
        """Adapt the indentation to the current size of icons."""
        self.setIndentation(scaled(INDENTATION))

    def dropEvent(self, event: QDropEvent) -> None:
        """Emit `moved` for a drop within the same list; Qt itself moves nothing."""
        current, target = self.currentItem(), self.itemAt(event.position().toPoint())
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        if current is None or target is None:
            return
        path, to = current.data(0, PATH_ROLE), target.data(0, PATH_ROLE)
        if not path or not to or not listed(path) or to[:-1] != path[:-1]:
            return
        below = self.dropIndicatorPosition() == QAbstractItemView.DropIndicatorPosition.BelowItem
        index = max(to[-1] + below - (path[-1] < to[-1] + below), 0)
        if index != path[-1]:
            self.moved.emit(path, index)

    def keyPressEvent(self, event: Any) -> None:
        """Handle the arrow keys; all others go to the window."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)
        else:
            event.ignore()


class SceneTree(Dock):
    """Dock with the tree of the scene.

    The selection is that of the session in both directions. Edits are requested by signals with the path of the item:
    `renamed` (new name), `reordered` (new index) and `hidden` (whether to hide it).
    """

    add_menu_opened = Signal(object)  # QMenu that is to be filled
    renamed = Signal(object, str)
    reordered = Signal(object, int)
    hidden = Signal(object, bool)

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._session, self._action_table = context.session, context.actions
        self.rows: list[TreeRow] = []
        self.items: dict[FieldPath, QTreeWidgetItem] = {}
        self._icons: dict[str, QIcon] = {}
        self._updating = False
        self.tree = TreeView()
        self._lay_out()
        self.tree.itemSelectionChanged.connect(self._on_selection_changed)
        self.tree.itemChanged.connect(self._on_item_changed)
        self.tree.eyes.clicked.connect(self._on_eye_clicked)
        self.tree.moved.connect(self.reordered)
        self.tree.customContextMenuRequested.connect(self._show_context_menu)
        session = self._session
        session.scene_changed.connect(lambda _document: self.refresh())
        session.coming_changed.connect(lambda _document: self.refresh())
        session.saved.connect(self.refresh)
        session.edit_refused.connect(lambda _error: self.refresh(rebuild=True))
        session.selected.connect(lambda _path: self._show_selection())
        self.set_theme()
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Scene"))
        self.tree.setHeaderLabel(self.tr("Scene"))  # not seen, but said by screen readers
        self.add_button.setText(self.tr("Add"))
        self.refresh(rebuild=True)

    def _lay_out(self) -> None:
        """Arrange the buttons above the tree."""
        self.add_button = QToolButton()
        self.add_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.add_button)
        menu.aboutToShow.connect(lambda: (menu.clear(), self.add_menu_opened.emit(menu)))
        self.add_button.setMenu(menu)
        buttons = [QToolButton() for _ in range(2)]
        for button, name in zip(buttons, ("duplicate", "delete"), strict=True):
            button.setDefaultAction(self._action_table[name])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        focus_by_tab(self.add_button, *buttons)
        inside = QWidget()
        inside.setMinimumWidth(scaled(160))
        row = row_of(self.add_button, 1, *buttons, margins=(6, 2, 4, 0), spacing=2)
        column_of(row, (self.tree, 1), on=inside, margins=0, spacing=2)
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        """As wide as the names when the dock is opened for the first time, from WIDTH to WIDEST."""
        frame = 2 * self.tree.frameWidth() + self.tree.verticalScrollBar().sizeHint().width()
        names = self.tree.sizeHintForColumn(0) + frame
        return QSize(min(max(scaled(WIDTH), names), scaled(WIDEST)), super().sizeHint().height())

    def set_theme(self) -> None:
        """Draw all icons in the colours of the current palette."""
        self._icons = {}
        self.tree.fit_icons()
        self.add_button.setIcon(self._icon("add"))
        self.refresh(rebuild=True)

    def _icon(self, name: str) -> QIcon:
        """Icon in the text colour of the palette, cached by name."""
        if name not in self._icons:
            self._icons[name] = icon(name, QGuiApplication.palette())
        return self._icons[name]

    # Items

    def refresh(self, rebuild: bool = False) -> None:
        """Show the scene of the session.

        If the paths of the items are unchanged, only texts and eyes are updated, unless `rebuild` is set.
        """
        scene = self._session.scene
        path = self._session.shown.path
        new = list(rows(scene, path.stem if path else self.tr("Unnamed")))
        same = not rebuild and [row.path for row in new] == [row.path for row in self.rows]
        old, self.rows = self.rows, new
        self._updating = True
        if not same:
            self._rebuild(new)
        for number, row in enumerate(new):
            item = self.items[row.path]  # type: ignore[index]
            if not same or row != old[number]:
                item.setText(0, row.text)
                item.setData(0, LABEL_ROLE, row.label)
                item.setData(0, Qt.ItemDataRole.AccessibleTextRole, row.label or row.text)
            if row.path and can_hide(scene, row.path):
                on = not is_hidden(scene, row.path)
                if item.data(0, SHOWN_ROLE) != on:
                    item.setData(0, SHOWN_ROLE, on)
                    item.setData(0, EYE_ROLE, self._icon("eye" if on else "closed_eye"))
                    item.setData(0, Qt.ItemDataRole.AccessibleDescriptionRole, "" if on else self.tr("hidden"))
        self._updating = False
        self._show_selection()

    def _rebuild(self, new: list[TreeRow]) -> None:
        """Create all items again.

        Collapsed items stay collapsed. New lists are expanded up to MAX_EXPANDED items.
        """
        closed = {path for path, item in self.items.items() if not item.isExpanded() and item.childCount()}
        known = set(self.items)
        self.tree.clear()
        self.items, parents = {}, [self.tree.invisibleRootItem()]
        for row in new:
            del parents[row.depth + 1 :]
            item = QTreeWidgetItem(parents[-1])
            item.setData(0, PATH_ROLE, row.path)
            item.setIcon(0, self._icon(row.icon))
            flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            if row.listed:
                flags |= Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsDropEnabled
            if row.name:
                flags |= Qt.ItemFlag.ItemIsEditable
            item.setFlags(flags)
            parents.append(item)
            self.items[row.path] = item  # type: ignore[index]
        for path, item in self.items.items():
            if item.childCount():
                usual = len(path) < 2 or (path[-1] == -1 and item.childCount() <= MAX_EXPANDED)
                item.setExpanded(path not in closed and (usual or path in known))

    # Selection

    @property
    def selected_paths(self) -> list[FieldPath]:
        """Paths of all selected items in the order of the tree; titles of lists are left out."""
        chosen = {item.data(0, PATH_ROLE) for item in self.tree.selectedItems()}
        return [row.path for row in self.rows if row.path in chosen and row.path and row.path[-1] != -1]

    @property
    def _is_on_title(self) -> bool:
        """Whether the current item is the title of a list, and selected."""
        current = self.tree.currentItem()
        path = current.data(0, PATH_ROLE) if current is not None and current.isSelected() else ()
        return bool(path) and path[-1] == -1

    def _show_selection(self) -> None:
        """Select the item that is selected in the session, without emitting signals."""
        path = self._session.selection
        item = self.items.get(path) if path is not None else None
        self.tree.blockSignals(True)
        if item is None:
            if not self._is_on_title:  # arrow keys continue from there
                self.tree.clearSelection()
                self.tree.setCurrentItem(None)
        elif not item.isSelected() or self.tree.currentItem() is not item:
            self.tree.setCurrentItem(item, 0, ALONE)  # by default a held Ctrl, as of a shortcut, would add it
            self.tree.scrollToItem(item)
        self.tree.blockSignals(False)

    def _on_selection_changed(self) -> None:
        """Select the current item in the session; nothing if only the title of a list is selected."""
        if self._is_on_title:
            if not self.selected_paths:
                self._session.select(None)
            return
        current = self.tree.currentItem()
        if current is not None and current.isSelected():
            self._session.select(current.data(0, PATH_ROLE))

    # User actions

    def begin_rename(self) -> None:
        """Edit the name of the selected item in the tree."""
        item = self.items.get(self._session.selection or ())
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEditable:
            self.tree.setFocus()
            self.tree.editItem(item, 0)

    def _on_item_changed(self, item: QTreeWidgetItem) -> None:
        """Emit `renamed` if the user has typed another name."""
        if not self._updating:
            path, text = item.data(0, PATH_ROLE), item.text(0).strip()
            if text != getattr(at(self._session.scene, path), "name", ""):
                self.renamed.emit(path, text)

    def _on_eye_clicked(self, index: QModelIndex) -> None:
        """Emit `hidden` for a click on the eye."""
        self.hidden.emit(index.data(PATH_ROLE), bool(index.data(SHOWN_ROLE)))

    def _show_context_menu(self, where: QPoint) -> None:
        """Show the menu of the selected item at a position of the viewport [pixel]."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.add_menu_opened.emit(menu.addMenu(self._icon("add"), self.tr("Add")))
        menu.addSeparator()
        add_actions(menu, ITEM_CONTEXT_MENU, self._action_table)
        menu.popup(self.tree.viewport().mapToGlobal(where))
