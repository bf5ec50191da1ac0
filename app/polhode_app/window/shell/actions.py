"""Table of all actions of the window, from which menus, shortcuts and buttons are made: texts/menus.toml."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from polhode_app.i18n.data_files import read_data
from polhode_app.window.parts.docks import DOCKS
from polhode_app.window.widgets.icons import ICONS, icon

CONTEXT = "Actions"


@dataclass(frozen=True)
class ActionRow:
    """An action of the menus."""

    name: str  # key in the table of actions
    text: str  # English, with & before the mnemonic
    call: str  # PART.METHOD of the main window
    keys: tuple[str, ...] = ()  # shortcuts, the first one is shown
    checkable: bool = False  # the method is also called with whether the action is checked
    args: tuple[object, ...] = ()  # of the method, before that


@dataclass(frozen=True)
class Submenu:
    """A submenu that is filled each time it opens."""

    name: str
    text: str


@dataclass(frozen=True)
class Group:
    """A menu of rows."""

    text: str
    rows: tuple[Row, ...]


Row = ActionRow | Submenu | Group | None
SEPARATOR = None


def _dock_rows(menu: str) -> Iterator[ActionRow]:
    """Actions that open and close the docks of one menu."""
    for row in DOCKS:
        if row.menu == menu:
            yield ActionRow(row.name, row.text, "docks.set_open", row.keys, checkable=True, args=(row.name,))


def _rows(data: list[Any]) -> Iterator[Row]:
    """Rows of a menu from those of the data file, with the actions of docks in their places."""
    for row in data:
        if row == "separator":
            yield SEPARATOR
        elif isinstance(row, str):
            yield from _dock_rows(row)
        elif "rows" in row:
            yield Group(row["text"], tuple(_rows(row["rows"])))
        elif "call" in row:
            yield ActionRow(**{key: tuple(value) if isinstance(value, list) else value for key, value in row.items()})
        else:
            yield Submenu(**row)


MENUS: tuple[Any, ...] = tuple(_rows(read_data("menus")["menu"]))
"""The menu bar: a Group or a Submenu for each menu."""

# Context menus of an item and of the empty view.
ITEM_CONTEXT_MENU: tuple[str | None, ...] = (
    *("cut", "copy", "paste", "duplicate", "delete", "rename", "hide", "move_up", "move_down", SEPARATOR),
    *("fit_selection", "follow"),
)
VIEW_CONTEXT_MENU: tuple[str | None, ...] = ("paste", SEPARATOR, "fit", "front", "side", "top", "parallel")


def entries() -> list[ActionRow]:
    """All entries of all menus, in order."""
    return list(_actions_in(MENUS))


def _actions_in(rows: tuple[Row, ...]) -> Iterator[ActionRow]:
    """The actions among rows of a menu, with those of the menus inside."""
    for row in rows:
        if isinstance(row, Group):
            yield from _actions_in(row.rows)
        elif isinstance(row, ActionRow):
            yield row


def translated(text: str) -> str:
    """A text of the table in the current language."""
    return QCoreApplication.translate(CONTEXT, text)


def make_actions(window: QMainWindow) -> dict[str, QAction]:
    """Create an action for every entry; returns the actions by name."""
    return {entry.name: _action(entry, window) for entry in entries()}


def connect(actions: dict[str, QAction], window: QMainWindow) -> None:
    """Connect all actions to the methods that their entries name."""
    for entry in entries():
        method = partial(attrgetter(entry.call)(window), *entry.args)
        if entry.checkable:
            actions[entry.name].toggled.connect(method)
        else:
            actions[entry.name].triggered.connect(lambda _checked, method=method: method())


def _action(entry: ActionRow, window: QMainWindow) -> QAction:
    """Create the action of an entry. Checkable actions do not repeat while their key is held."""
    action = QAction(window)
    action.setShortcuts([QKeySequence(key) for key in entry.keys])
    action.setCheckable(entry.checkable)
    action.setAutoRepeat(not entry.checkable)
    window.addAction(action)
    set_text(action, translated(entry.text))
    return action


def set_text(action: QAction, text: str) -> None:
    """Set the text of an action, and a tool tip with its shortcut; `text` may have a mnemonic (&)."""
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    name = text.replace("&", "")
    action.setText(text)
    action.setToolTip(f"{name} ({keys})" if keys else name)


def retranslate(actions: dict[str, QAction]) -> None:
    """Set the texts of all actions in the current language."""
    for entry in entries():
        set_text(actions[entry.name], translated(entry.text))


def draw_icons(actions: dict[str, QAction]) -> None:
    """Draw the icons of all actions in the colours of the current theme."""
    for name in actions.keys() & ICONS.keys():
        actions[name].setIcon(icon(name, QGuiApplication.palette()))
        actions[name].setIconVisibleInMenu(not actions[name].isCheckable())  # the check box takes its place


def fill_menu_bar(window: QMainWindow, actions: dict[str, QAction], fill: dict[str, Callable[[QMenu], None]]) -> None:
    """Fill the menu bar from the table, in the current language.

    `fill` has a function for each submenu, which is called with the empty menu each time it opens.
    """
    bar = window.menuBar()
    bar.clear()
    for old in bar.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
        old.deleteLater()
    for menu in MENUS:
        if isinstance(menu, Submenu):
            _fill_on_show(_add_menu(bar, menu.text), fill[menu.name])
        else:
            _fill_menu(_add_menu(bar, menu.text), menu.rows, actions, fill)


def add_actions(menu: QMenu, names: tuple[str | None, ...], actions: dict[str, QAction]) -> None:
    """Add the actions with these names to a menu; None is a separator."""
    for name in names:
        if name is None:
            menu.addSeparator()
        else:
            menu.addAction(actions[name])


def _fill_menu(
    menu: QMenu, rows: tuple[Row, ...], actions: dict[str, QAction], fill: dict[str, Callable[[QMenu], None]]
) -> None:
    """Add the rows of a menu."""
    for row in rows:
        if isinstance(row, ActionRow):
            menu.addAction(actions[row.name])
        elif isinstance(row, Submenu):
            _fill_on_show(_add_menu(menu, row.text), fill[row.name])
        elif isinstance(row, Group):
            _fill_menu(_add_menu(menu, row.text), row.rows, actions, fill)
        else:
            menu.addSeparator()


def _add_menu(parent: QMenuBar | QMenu, text: str) -> QMenu:
    """Add a submenu with a translated title.

    Made here and not by `addMenu(text)`: where Qt has deleted an object, that one may return its old Python wrapper,
    of another class, for a menu at the same address.
    """
    menu = QMenu(translated(text), parent)
    parent.addMenu(menu)
    return menu


def _fill_on_show(menu: QMenu, fill: Callable[[QMenu], None]) -> None:
    """Let a menu be filled each time it is about to show."""

    def refill() -> None:
        menu.clear()
        fill(menu)

    menu.aboutToShow.connect(refill)
    menu.addAction("")  # an empty menu does not open on all platforms
