"""Table of all actions of the window, from which menus, shortcuts and buttons are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from operator import attrgetter

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from polhode_app.window.parts.docks import DOCKS, IN_EDIT_MENU
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


def _dock_rows(in_edit_menu: bool) -> Iterator[ActionRow]:
    """Actions that open and close the docks of one menu."""
    for row in DOCKS:
        if (row.name in IN_EDIT_MENU) == in_edit_menu:
            yield ActionRow(row.name, row.text, "docks.set_open", row.keys, checkable=True, args=(row.name,))


MENUS: tuple[Group | Submenu, ...] = (
    Group(
        "&File",
        (
            ActionRow("new", "&New", "files.new", ("Ctrl+N",)),
            ActionRow("open", "&Open...", "files.ask_open", ("Ctrl+O",)),
            ActionRow("import_mesh", "&Import mesh...", "files.ask_mesh"),
            Submenu("recent", "Open &recent"),
            ActionRow("scenes", "&Gallery of scenes...", "dialogs.show_gallery", ("Ctrl+G",)),
            ActionRow("reload", "Re&load", "files.reload", ("Ctrl+L",)),
            Submenu("lost", "Restore &unsaved scene"),
            SEPARATOR,
            ActionRow("save", "&Save", "files.save", ("Ctrl+S",)),
            ActionRow("save_as", "Save &as...", "files.ask_save", ("Ctrl+Shift+S",)),
            SEPARATOR,
            ActionRow("settings", "Se&ttings...", "dialogs.show_settings"),
            SEPARATOR,
            ActionRow("quit", "&Quit", "close", ("Ctrl+Q",)),
        ),
    ),
    Group(
        "&Edit",
        (
            ActionRow("undo", "&Undo", "session.undo", ("Ctrl+Z",)),
            ActionRow("redo", "&Redo", "session.redo", ("Ctrl+Shift+Z",)),
            SEPARATOR,
            ActionRow("cut", "Cu&t", "edit_actions.cut", ("Ctrl+X",)),
            ActionRow("copy", "&Copy", "edit_actions.copy", ("Ctrl+C",)),
            ActionRow("paste", "&Paste", "edit_actions.paste", ("Ctrl+V",)),
            ActionRow("duplicate", "&Duplicate", "edit_actions.duplicate", ("Ctrl+D",)),
            ActionRow("delete", "De&lete", "edit_actions.delete", ("Del",)),
            ActionRow("rename", "Re&name", "edit_actions.rename", ("F2",)),
            ActionRow("hide", "&Hide or show", "edit_actions.hide"),
            ActionRow("move_up", "Move &up in the list", "edit_actions.move", ("Alt+Up",), args=(-1,)),
            ActionRow("move_down", "Move d&own in the list", "edit_actions.move", ("Alt+Down",), args=(1,)),
            ActionRow("clear", "D&eselect", "edit_actions.clear", ("Esc",)),
            SEPARATOR,
            Submenu("add", "&Add"),
            ActionRow("join", "&Join two bodies by clicks", "joint_tool.set_active", ("J",), checkable=True),
            *_dock_rows(in_edit_menu=True),
        ),
    ),
    Submenu("gallery", "&Gallery"),
    Group(
        "&Simulate",
        (
            ActionRow("play", "&Play or pause", "transport.toggle", ("Space",)),
            ActionRow("step", "One &step", "session.step", ("Right",), args=(1,)),
            ActionRow("steps", "&Ten steps", "session.step", ("Shift+Right",), args=(10,)),
            ActionRow("back", "One step &back", "session.step", ("Left",), args=(-1,)),
            ActionRow("backs", "Te&n steps back", "session.step", ("Shift+Left",), args=(-10,)),
            ActionRow("oldest", "To the &beginning", "session.seek", ("Home",), args=(-inf,)),
            ActionRow("newest", "To the &end", "session.seek", ("End",), args=(inf,)),
            ActionRow("reset", "&Reset", "run_errors.reset", ("Backspace",)),
            SEPARATOR,
            ActionRow("faster", "&Faster", "transport.change_speed", ("+", "="), args=(1,)),
            ActionRow("slower", "S&lower", "transport.change_speed", ("-",), args=(-1,)),
        ),
    ),
    Group(
        "&Interact",
        (
            ActionRow("hand", "&Grab tool", "grab_tool.set_active", ("H",), checkable=True),
            ActionRow("pull_all", "&Attract everything to the pointer", "grab_tool.pull_all", ("P",), checkable=True),
            ActionRow("let_go", "&Release", "grab_tool.release"),
        ),
    ),
    Group(
        "&View",
        (
            ActionRow("fit", "Fit &all", "camera.show_preset", ("R",), args=("home",)),
            ActionRow("fit_selection", "Frame sele&ction", "selection_tool.fit", ("F",)),
            ActionRow("front", "&Front", "camera.show_preset", ("1",), args=("front",)),
            ActionRow("side", "S&ide", "camera.show_preset", ("3",), args=("side",)),
            ActionRow("top", "&Top", "camera.show_preset", ("7",), args=("top",)),
            ActionRow("follow", "Follo&w selection", "camera.set_following", ("C",), checkable=True),
            ActionRow("keep_view", "Sa&ve camera to scene", "camera.save_to_scene"),
            ActionRow("parallel", "&Parallel projection", "view.set_parallel", ("5",), checkable=True),
            Group(
                "Move the came&ra",
                (
                    ActionRow("orbit_left", "Orbit to the &left", "camera.orbit", ("Ctrl+Left",), args=(1, 0)),
                    ActionRow("orbit_right", "Orbit to the &right", "camera.orbit", ("Ctrl+Right",), args=(-1, 0)),
                    ActionRow("orbit_up", "Orbit &upwards", "camera.orbit", ("Ctrl+Up",), args=(0, 1)),
                    ActionRow("orbit_down", "Orbit &downwards", "camera.orbit", ("Ctrl+Down",), args=(0, -1)),
                    ActionRow("pan_left", "Pan to the l&eft", "camera.pan", ("Ctrl+Shift+Left",), args=(-1, 0)),
                    ActionRow("pan_right", "Pan to the ri&ght", "camera.pan", ("Ctrl+Shift+Right",), args=(1, 0)),
                    ActionRow("pan_up", "Pan u&pwards", "camera.pan", ("Ctrl+Shift+Up",), args=(0, 1)),
                    ActionRow("pan_down", "Pan d&ownwards", "camera.pan", ("Ctrl+Shift+Down",), args=(0, -1)),
                    ActionRow("zoom_in", "Zoom &in", "camera.zoom", ("Ctrl++", "Ctrl+="), args=(1,)),
                    ActionRow("zoom_out", "&Zoom out", "camera.zoom", ("Ctrl+-",), args=(-1,)),
                ),
            ),
            SEPARATOR,
            ActionRow("next_pane", "Ne&xt part of the window", "accessible.panes.go", ("Ctrl+F6",), args=(1,)),
            ActionRow(
                "last_pane", "Pre&vious part of the window", "accessible.panes.go", ("Ctrl+Shift+F6",), args=(-1,)
            ),
            SEPARATOR,
            *_dock_rows(in_edit_menu=False),
            SEPARATOR,
            ActionRow("story", "Ab&out this scene", "story.set_open", ("I",), checkable=True),
            ActionRow("handles", "Transform han&dles", "selection_tool.show_handles", ("G",), checkable=True),
            Submenu("show", "&Show"),
            ActionRow("sizes", "A&rrow scale...", "dialogs.show_arrow_sizes"),
            Submenu("language", "&Language"),
            Submenu("theme", "T&heme"),
            Submenu("quality", "&Quality of the picture"),
            ActionRow("full_screen", "F&ull screen", "show_full_screen", ("F11",), checkable=True),
        ),
    ),
    Group(
        "&Export",
        (
            ActionRow("take_picture", "&Picture of the view", "capture_actions.take_picture", ("Ctrl+P",)),
            ActionRow("copy_picture", "&Copy picture of the view", "capture_actions.copy_picture", ("Ctrl+Shift+C",)),
            ActionRow("record", "&Record a video", "capture_actions.toggle_film", ("Ctrl+Shift+R",)),
            SEPARATOR,
            ActionRow("picture_as", "Export &image...", "film_renderer.ask_picture"),
            ActionRow("film_as", "Render &video...", "film_renderer.ask_film"),
            ActionRow("web_page", "&Web page...", "film_renderer.pages.ask"),
            ActionRow("plot_data", "Plot &data (CSV)", "tables.export_plots"),
            ActionRow("run_table", "Run &table (CSV)...", "tables.ask"),
            SEPARATOR,
            ActionRow(
                "tape", "Record sim&ulation data", "recording_actions.set_recording", ("Ctrl+R",), checkable=True
            ),
        ),
    ),
    Group(
        "&Help",
        (
            ActionRow("palette", "&Command palette", "dialogs.show_palette", ("Ctrl+Shift+P", "F3")),
            ActionRow("log", "&Log", "dialogs.show_log"),
            ActionRow("keys", "&Keys and mouse", "dialogs.show_keys", ("F1",)),
            ActionRow("explanations", "&Explanations", "dialogs.explain_divergence"),
            ActionRow("tour", "&Tour in two steps", "dialogs.tour.start"),
            ActionRow("report", "&Report a problem...", "dialogs.report_problem"),
            ActionRow("about", "&About Polhode", "dialogs.show_about"),
        ),
    ),
)

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
