"""Table of all actions of the window, from which menus, shortcuts and buttons are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from polhode_app.panels.widgets.icons import ICONS, icon

CONTEXT = "Actions"


@dataclass(frozen=True)
class Entry:
    """An action of the menus."""

    name: str  # key in the table of actions
    text: str  # English, with & before the mnemonic
    keys: tuple[str, ...] = ()  # shortcuts, the first one is shown
    checkable: bool = False


@dataclass(frozen=True)
class Submenu:
    """A submenu that is filled each time it opens."""

    name: str
    text: str


@dataclass(frozen=True)
class Group:
    """A submenu of entries."""

    text: str
    rows: tuple[Entry, ...]


SEPARATOR = None
Row = Entry | Submenu | Group | None

MENUS: tuple[tuple[str, tuple[Row, ...]] | Submenu, ...] = (
    (
        QT_TRANSLATE_NOOP("Actions", "&File"),
        (
            Entry("new", QT_TRANSLATE_NOOP("Actions", "&New"), ("Ctrl+N",)),
            Entry("open", QT_TRANSLATE_NOOP("Actions", "&Open..."), ("Ctrl+O",)),
            Entry("import_mesh", QT_TRANSLATE_NOOP("Actions", "&Import mesh...")),
            Submenu("recent", QT_TRANSLATE_NOOP("Actions", "Open &recent")),
            Entry("scenes", QT_TRANSLATE_NOOP("Actions", "&Gallery of scenes..."), ("Ctrl+G",)),
            Entry("reload", QT_TRANSLATE_NOOP("Actions", "Re&load"), ("Ctrl+L",)),
            Submenu("lost", QT_TRANSLATE_NOOP("Actions", "Restore &unsaved scene")),
            SEPARATOR,
            Entry("save", QT_TRANSLATE_NOOP("Actions", "&Save"), ("Ctrl+S",)),
            Entry("save_as", QT_TRANSLATE_NOOP("Actions", "Save &as..."), ("Ctrl+Shift+S",)),
            SEPARATOR,
            Entry("settings", QT_TRANSLATE_NOOP("Actions", "Se&ttings...")),
            SEPARATOR,
            Entry("quit", QT_TRANSLATE_NOOP("Actions", "&Quit"), ("Ctrl+Q",)),
        ),
    ),
    (
        QT_TRANSLATE_NOOP("Actions", "&Edit"),
        (
            Entry("undo", QT_TRANSLATE_NOOP("Actions", "&Undo"), ("Ctrl+Z",)),
            Entry("redo", QT_TRANSLATE_NOOP("Actions", "&Redo"), ("Ctrl+Shift+Z",)),
            SEPARATOR,
            Entry("cut", QT_TRANSLATE_NOOP("Actions", "Cu&t"), ("Ctrl+X",)),
            Entry("copy", QT_TRANSLATE_NOOP("Actions", "&Copy"), ("Ctrl+C",)),
            Entry("paste", QT_TRANSLATE_NOOP("Actions", "&Paste"), ("Ctrl+V",)),
            Entry("duplicate", QT_TRANSLATE_NOOP("Actions", "&Duplicate"), ("Ctrl+D",)),
            Entry("delete", QT_TRANSLATE_NOOP("Actions", "De&lete"), ("Del",)),
            Entry("rename", QT_TRANSLATE_NOOP("Actions", "Re&name"), ("F2",)),
            Entry("hide", QT_TRANSLATE_NOOP("Actions", "&Hide or show")),
            Entry("move_up", QT_TRANSLATE_NOOP("Actions", "Move &up in the list"), ("Alt+Up",)),
            Entry("move_down", QT_TRANSLATE_NOOP("Actions", "Move d&own in the list"), ("Alt+Down",)),
            Entry("clear", QT_TRANSLATE_NOOP("Actions", "D&eselect"), ("Esc",)),
            SEPARATOR,
            Submenu("add", QT_TRANSLATE_NOOP("Actions", "&Add")),
            Entry("join", QT_TRANSLATE_NOOP("Actions", "&Join two bodies by clicks"), ("J",), checkable=True),
            Entry("edit_path", QT_TRANSLATE_NOOP("Actions", "Edit the &path of a bead"), ("E",), checkable=True),
        ),
    ),
    Submenu("gallery", QT_TRANSLATE_NOOP("Actions", "&Gallery")),
    (
        QT_TRANSLATE_NOOP("Actions", "&Simulate"),
        (
            Entry("play", QT_TRANSLATE_NOOP("Actions", "&Play or pause"), ("Space",)),
            Entry("step", QT_TRANSLATE_NOOP("Actions", "One &step"), ("Right",)),
            Entry("steps", QT_TRANSLATE_NOOP("Actions", "&Ten steps"), ("Shift+Right",)),
            Entry("back", QT_TRANSLATE_NOOP("Actions", "One step &back"), ("Left",)),
            Entry("backs", QT_TRANSLATE_NOOP("Actions", "Te&n steps back"), ("Shift+Left",)),
            Entry("oldest", QT_TRANSLATE_NOOP("Actions", "To the &beginning"), ("Home",)),
            Entry("newest", QT_TRANSLATE_NOOP("Actions", "To the &end"), ("End",)),
            Entry("reset", QT_TRANSLATE_NOOP("Actions", "&Reset"), ("Backspace",)),
            SEPARATOR,
            Entry("faster", QT_TRANSLATE_NOOP("Actions", "&Faster"), ("+", "=")),
            Entry("slower", QT_TRANSLATE_NOOP("Actions", "S&lower"), ("-",)),
        ),
    ),
    (
        QT_TRANSLATE_NOOP("Actions", "&Interact"),
        (
            Entry("hand", QT_TRANSLATE_NOOP("Actions", "&Grab tool"), ("H",), checkable=True),
            Entry(
                "pull_all", QT_TRANSLATE_NOOP("Actions", "&Attract everything to the pointer"), ("P",), checkable=True
            ),
            Entry("let_go", QT_TRANSLATE_NOOP("Actions", "&Release")),
        ),
    ),
    (
        QT_TRANSLATE_NOOP("Actions", "&View"),
        (
            Entry("fit", QT_TRANSLATE_NOOP("Actions", "Fit &all"), ("R",)),
            Entry("fit_selection", QT_TRANSLATE_NOOP("Actions", "Frame sele&ction"), ("F",)),
            Entry("front", QT_TRANSLATE_NOOP("Actions", "&Front"), ("1",)),
            Entry("side", QT_TRANSLATE_NOOP("Actions", "S&ide"), ("3",)),
            Entry("top", QT_TRANSLATE_NOOP("Actions", "&Top"), ("7",)),
            Entry("follow", QT_TRANSLATE_NOOP("Actions", "Follo&w selection"), ("C",), checkable=True),
            Entry("keep_view", QT_TRANSLATE_NOOP("Actions", "Sa&ve camera to scene")),
            Entry("parallel", QT_TRANSLATE_NOOP("Actions", "&Parallel projection"), ("5",), checkable=True),
            Group(
                QT_TRANSLATE_NOOP("Actions", "Move the came&ra"),
                (
                    Entry("orbit_left", QT_TRANSLATE_NOOP("Actions", "Orbit to the &left"), ("Ctrl+Left",)),
                    Entry("orbit_right", QT_TRANSLATE_NOOP("Actions", "Orbit to the &right"), ("Ctrl+Right",)),
                    Entry("orbit_up", QT_TRANSLATE_NOOP("Actions", "Orbit &upwards"), ("Ctrl+Up",)),
                    Entry("orbit_down", QT_TRANSLATE_NOOP("Actions", "Orbit &downwards"), ("Ctrl+Down",)),
                    Entry("pan_left", QT_TRANSLATE_NOOP("Actions", "Pan to the l&eft"), ("Ctrl+Shift+Left",)),
                    Entry("pan_right", QT_TRANSLATE_NOOP("Actions", "Pan to the ri&ght"), ("Ctrl+Shift+Right",)),
                    Entry("pan_up", QT_TRANSLATE_NOOP("Actions", "Pan u&pwards"), ("Ctrl+Shift+Up",)),
                    Entry("pan_down", QT_TRANSLATE_NOOP("Actions", "Pan d&ownwards"), ("Ctrl+Shift+Down",)),
                    Entry("zoom_in", QT_TRANSLATE_NOOP("Actions", "Zoom &in"), ("Ctrl++", "Ctrl+=")),
                    Entry("zoom_out", QT_TRANSLATE_NOOP("Actions", "&Zoom out"), ("Ctrl+-",)),
                ),
            ),
            SEPARATOR,
            Entry("next_pane", QT_TRANSLATE_NOOP("Actions", "Ne&xt part of the window"), ("Ctrl+F6",)),
            Entry("last_pane", QT_TRANSLATE_NOOP("Actions", "Pre&vious part of the window"), ("Ctrl+Shift+F6",)),
            SEPARATOR,
            Entry("tree", QT_TRANSLATE_NOOP("Actions", "Sce&ne"), ("T",), checkable=True),
            Entry("inspector", QT_TRANSLATE_NOOP("Actions", "Ins&pector"), ("N",), checkable=True),
            Entry("story", QT_TRANSLATE_NOOP("Actions", "Ab&out this scene"), ("I",), checkable=True),
            Entry("handles", QT_TRANSLATE_NOOP("Actions", "Transform han&dles"), ("G",), checkable=True),
            Entry("modes", QT_TRANSLATE_NOOP("Actions", "&Modes of soft bodies"), ("M",), checkable=True),
            Entry("equilibria", QT_TRANSLATE_NOOP("Actions", "E&quilibria"), ("F8",), checkable=True),
            Entry("sensor", QT_TRANSLATE_NOOP("Actions", "S&ensor"), ("F6",), checkable=True),
            Entry("plots", QT_TRANSLATE_NOOP("Actions", "P&lots"), ("F4",), checkable=True),
            Entry("maps", QT_TRANSLATE_NOOP("Actions", "Maps of man&y runs"), ("F7",), checkable=True),
            Entry("measured", QT_TRANSLATE_NOOP("Actions", "Measured data and fits"), ("F9",), checkable=True),
            Entry("tones", QT_TRANSLATE_NOOP("Actions", "To&nes of a quantity"), ("Ctrl+T",), checkable=True),
            Submenu("show", QT_TRANSLATE_NOOP("Actions", "&Show")),
            Entry("sizes", QT_TRANSLATE_NOOP("Actions", "A&rrow scale...")),
            Submenu("language", QT_TRANSLATE_NOOP("Actions", "&Language")),
            Submenu("theme", QT_TRANSLATE_NOOP("Actions", "T&heme")),
            Submenu("quality", QT_TRANSLATE_NOOP("Actions", "&Quality of the picture")),
            Entry("full_screen", QT_TRANSLATE_NOOP("Actions", "F&ull screen"), ("F11",), checkable=True),
        ),
    ),
    (
        QT_TRANSLATE_NOOP("Actions", "&Export"),
        (
            Entry("take_picture", QT_TRANSLATE_NOOP("Actions", "&Picture of the view"), ("Ctrl+P",)),
            Entry("record", QT_TRANSLATE_NOOP("Actions", "&Record a video"), ("Ctrl+Shift+R",)),
            SEPARATOR,
            Entry("picture_as", QT_TRANSLATE_NOOP("Actions", "Export &image...")),
            Entry("film_as", QT_TRANSLATE_NOOP("Actions", "Render &video...")),
            Entry("web_page", QT_TRANSLATE_NOOP("Actions", "&Web page...")),
            Entry("plot_data", QT_TRANSLATE_NOOP("Actions", "Plot &data (CSV)")),
            Entry("run_table", QT_TRANSLATE_NOOP("Actions", "Run &table (CSV)...")),
            SEPARATOR,
            Entry("tape", QT_TRANSLATE_NOOP("Actions", "Record sim&ulation data"), ("Ctrl+R",), checkable=True),
        ),
    ),
    (
        QT_TRANSLATE_NOOP("Actions", "&Help"),
        (
            Entry("palette", QT_TRANSLATE_NOOP("Actions", "&Command palette"), ("Ctrl+Shift+P", "F3")),
            Entry("log", QT_TRANSLATE_NOOP("Actions", "&Log")),
            Entry("keys", QT_TRANSLATE_NOOP("Actions", "&Keys and mouse"), ("F1",)),
            Entry("explanations", QT_TRANSLATE_NOOP("Actions", "&Explanations")),
            Entry("tour", QT_TRANSLATE_NOOP("Actions", "&Tour in two steps")),
            Entry("about", QT_TRANSLATE_NOOP("Actions", "&About Polhode")),
        ),
    ),
)

# Context menus of an item and of the empty view.
ITEM_CONTEXT_MENU: tuple[str | None, ...] = (
    *("cut", "copy", "paste", "duplicate", "delete", "rename", "hide", "move_up", "move_down", SEPARATOR),
    *("fit_selection", "follow"),
)
VIEW_CONTEXT_MENU: tuple[str | None, ...] = ("paste", SEPARATOR, "fit", "front", "side", "top", "parallel")


def entries() -> list[Entry]:
    """All entries of all menus, in order."""
    tables = [menu[1] for menu in MENUS if not isinstance(menu, Submenu)]
    found: list[Entry] = []
    for row in (row for rows in tables for row in rows):
        found += row.rows if isinstance(row, Group) else [row] if isinstance(row, Entry) else []
    return found


def translated(text: str) -> str:
    """A text of the table in the current language."""
    return QCoreApplication.translate(CONTEXT, text)


def make_actions(window: QMainWindow) -> dict[str, QAction]:
    """Create an action for every entry; returns the actions by name."""
    return {entry.name: _action(entry, window) for entry in entries()}


def _action(entry: Entry, window: QMainWindow) -> QAction:
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
            _fill_menu(_add_menu(bar, menu[0]), menu[1], actions, fill)


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
        if isinstance(row, Entry):
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
