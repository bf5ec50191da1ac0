"""The scene as a tree: what there is, chosen, renamed, shown and hidden, moved to another place in its list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDropEvent, QGuiApplication, QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDockWidget,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.edit.parts import INNER, LISTS, can_hide, is_hidden, listed
from app.i18n.field_names import choice, label, scene_title
from app.i18n.language import tr
from app.panels.shell.actions import ITEM_CONTEXT_MENU, add_actions
from app.panels.widgets.icons import icon
from app.session.session import Session
from core.scene.fields import Place, at
from core.scene.scene import Scene

WIDTH = 230  # [pixel]
EYE = 26  # [pixel]
MANY = 60  # parts of a list beyond which it is closed at first
ROLE = Qt.ItemDataRole.UserRole
SINGLE = (("world",), ("world", "magnetic_field"), ("world", "wind"), ("solver",), ("sensor",))
ICONS_OF = {"magnetic_field": "field"}


@dataclass(frozen=True)
class TreeRow:
    """One line of the tree."""

    place: Place | None  # of the part; of a whole list ("body",)
    text: str
    icon: str
    depth: int
    name: str = ""  # that can be changed, and hidden
    listed: bool = False


def lines(scene: Scene, unnamed: str) -> Iterator[TreeRow]:
    """What the tree of a scene has, from above."""
    yield TreeRow((), scene_title(scene) or unnamed, "scene", 0)
    for place in SINGLE:
        key = str(place[-1])
        yield TreeRow(place, label(key), ICONS_OF.get(key, key), len(place))
    for key in LISTS:
        parts = getattr(scene, key)
        if parts:
            yield TreeRow((key, -1), f"{label(key)} ({len(parts)})", key, 1)
        for index, part in enumerate(parts):
            yield TreeRow((key, index), _text(key, part, index), key, 2, getattr(part, "name", ""), True)
            for inner in INNER if key == "body" else ():
                for number, each in enumerate(getattr(part, inner)):
                    words = choice(each.kind) if inner == "shape" else tr("Dipole")
                    yield TreeRow((key, index, inner, number), words, inner, 3, "", True)


def _text(key: str, part: Any, index: int) -> str:
    if key == "spring":
        return f"{_end(part.from_)} – {_end(part.to)}"
    return part.name or f"{tr('Ghost')} {index + 1}" + (f": {choice(part.method)}" if part.method else "")


def _end(end: Any) -> str:
    if isinstance(end, str):
        return end
    return end.body if hasattr(end, "body") else f"({end[0]:g}, {end[1]:g}, {end[2]:g})"


class TreeView(QTreeWidget):
    """Tells what is done to it; the dock knows what it means."""

    moved = Signal(object, int)  # Place, and the number that it is to have

    def __init__(self) -> None:
        super().__init__()
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setIndentation(14)
        self.setIconSize(QSize(16, 16))
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(EYE)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, EYE)

    def dropEvent(self, event: QDropEvent) -> None:
        """A part goes to another number of its list; the scene says where it is then."""
        current, target = self.currentItem(), self.itemAt(event.position().toPoint())
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        if current is None or target is None:
            return
        place, to = current.data(0, ROLE), target.data(0, ROLE)
        if not place or not to or not listed(place) or to[:-1] != place[:-1]:
            return
        below = self.dropIndicatorPosition() == QAbstractItemView.DropIndicatorPosition.BelowItem
        index = max(to[-1] + below - (place[-1] < to[-1] + below), 0)
        if index != place[-1]:
            self.moved.emit(place, index)

    def keyPressEvent(self, event: Any) -> None:
        """The arrows are the tree's own; everything else is the window's."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def edit(self, index: QModelIndex, *others: Any) -> Any:
        return super().edit(index, *others) if index.column() == 0 else False


class SceneTree(QDockWidget):
    """Shows the scene of the session; the selection here is chosen everywhere."""

    closed = Signal()  # by its own button
    renamed = Signal(object, str)
    reordered = Signal(object, int)
    hidden = Signal(object, bool)

    def __init__(
        self, session: Session, action_table: dict[str, QAction], add: Callable[[QMenu], None], parent: QWidget
    ):
        super().__init__(parent)
        self.setObjectName("tree")
        self._session, self._action_table, self._add = session, action_table, add
        self._lines: list[TreeRow] = []
        self._items: dict[Place, QTreeWidgetItem] = {}
        self._icons: dict[str, QIcon] = {}
        self._filling = False
        self.tree = TreeView()
        self._lay_out()
        self.tree.itemSelectionChanged.connect(self._choose)
        self.tree.itemChanged.connect(self._rename)
        self.tree.itemClicked.connect(self._click)
        self.tree.moved.connect(self.reordered)
        self.tree.customContextMenuRequested.connect(self._menu)
        session.scene_changed.connect(lambda _document: self.refresh())
        session.edit_refused.connect(lambda _error: self.refresh(anew=True))
        session.selected.connect(lambda _place: self._show_selection())
        self.set_theme()
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Scene"))
        self.add.setText(self.tr("Add"))
        self.refresh(anew=True)

    def _lay_out(self) -> None:
        self.add = QToolButton()
        self.add.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        menu = QMenu(self.add)
        menu.aboutToShow.connect(lambda: (menu.clear(), self._add(menu)))
        self.add.setMenu(menu)
        row = QHBoxLayout()
        row.setContentsMargins(6, 2, 4, 0)
        row.setSpacing(2)
        row.addWidget(self.add)
        row.addStretch(1)
        for name in ("duplicate", "delete"):
            button = QToolButton()
            button.setDefaultAction(self._action_table[name])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            row.addWidget(button)
        inside = QWidget()
        inside.setMinimumWidth(160)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.tree, 1)
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        """At first."""
        return QSize(WIDTH, super().sizeHint().height())

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)

    def set_theme(self) -> None:
        """Take the colours of the window."""
        self._icons = {}
        self.add.setIcon(self._icon("add"))
        self.refresh(anew=True)

    def _icon(self, name: str) -> QIcon:
        if name not in self._icons:
            self._icons[name] = icon(name, QGuiApplication.palette(), 16)
        return self._icons[name]

    # What there is

    def refresh(self, anew: bool = False) -> None:
        """Show the scene as the session has it."""
        scene = self._session.scene
        new = list(lines(scene, self.tr("Unnamed")))
        same = not anew and [line.place for line in new] == [line.place for line in self._lines]
        old, self._lines = self._lines, new
        self._filling = True
        if not same:
            self._fill(new)
        for number, line in enumerate(new):
            item = self._items[line.place]  # type: ignore[index]
            if not same or line != old[number]:
                item.setText(0, line.text)
            if line.place and can_hide(scene, line.place):
                on = not is_hidden(scene, line.place)
                if item.data(1, ROLE) != on:
                    item.setData(1, ROLE, on)
                    item.setIcon(1, self._icon("eye" if on else "closed_eye"))
        self._filling = False
        self._show_selection()

    def _fill(self, new: list[TreeRow]) -> None:
        closed = {place for place, item in self._items.items() if not item.isExpanded() and item.childCount()}
        known = set(self._items)
        self.tree.clear()
        self._items, stack = {}, [self.tree.invisibleRootItem()]
        for line in new:
            del stack[line.depth + 1 :]
            item = QTreeWidgetItem(stack[-1])
            item.setData(0, ROLE, line.place)
            item.setIcon(0, self._icon(line.icon))
            flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            if line.listed:
                flags |= Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsDropEnabled
            if line.name:
                flags |= Qt.ItemFlag.ItemIsEditable
            item.setFlags(flags)
            stack.append(item)
            self._items[line.place] = item  # type: ignore[index]
        for place, item in self._items.items():
            if item.childCount():
                usual = len(place) < 2 or (place[-1] == -1 and item.childCount() <= MANY)
                item.setExpanded(place not in closed and (usual or place in known))

    # What is chosen

    @property
    def chosen(self) -> list[Place]:
        """All lines that are chosen and are parts, in their order."""
        chosen = {item.data(0, ROLE) for item in self.tree.selectedItems()}
        return [line.place for line in self._lines if line.place in chosen and line.place and line.place[-1] != -1]

    def _show_selection(self) -> None:
        place = self._session.selection
        item = self._items.get(place) if place is not None else None
        self.tree.blockSignals(True)
        if item is None:
            self.tree.clearSelection()
            self.tree.setCurrentItem(None)
        elif not item.isSelected() or self.tree.currentItem() is not item:
            self.tree.setCurrentItem(item)
            self.tree.scrollToItem(item)
        self.tree.blockSignals(False)

    def _choose(self) -> None:
        current = self.tree.currentItem()
        place = current.data(0, ROLE) if current is not None and current.isSelected() else None
        if place is not None and (not place or place[-1] != -1):
            self._session.select(place)

    # What a person does

    def begin_rename(self) -> None:
        """Type a new name of the selection."""
        item = self._items.get(self._session.selection or ())
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEditable:
            self.tree.setFocus()
            self.tree.editItem(item, 0)

    def _rename(self, item: QTreeWidgetItem, column: int) -> None:
        if not self._filling and column == 0:
            place, text = item.data(0, ROLE), item.text(0).strip()
            if text != getattr(at(self._session.scene, place), "name", ""):
                self.renamed.emit(place, text)

    def _click(self, item: QTreeWidgetItem, column: int) -> None:
        if column == 1 and item.data(1, ROLE) is not None:
            self.hidden.emit(item.data(0, ROLE), bool(item.data(1, ROLE)))

    def _menu(self, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add(menu.addMenu(self._icon("add"), self.tr("Add")))
        menu.addSeparator()
        add_actions(menu, ITEM_CONTEXT_MENU, self._action_table)
        menu.popup(self.tree.viewport().mapToGlobal(where))
