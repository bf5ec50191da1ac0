"""Bar beside the view with the items that are drawn most often, one click each."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QToolBar, QToolButton

from polhode_app.edit.add_menu import ADDITIONS, AddEntry
from polhode_app.i18n.language import tr
from polhode_app.window.add_actions import AddActions
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.icons import icon

ENTRIES: tuple[tuple[str, str, str], ...] = (  # icon, group and text of the entry
    ("sphere", "Body", "Sphere"),
    ("body", "Body", "Cuboid"),
    ("pendulum", "Body", "Pendulum"),
    ("magnet", "Body", "Magnet"),
    ("soft", "Soft body", "Jelly block"),
    ("chain", "Soft body", "Chain"),
    ("bead", "", "Bead on a path"),
    ("spring", "", "Spring"),
    ("string", "", "String"),
    ("joint", "", "Joint"),
    ("wall", "", "Floor"),
)


class BuildBar(QToolBar, WindowPart):
    """Buttons of the most common entries of the Add menu, and the whole menu below them.

    The button of the item that the user is about to draw is pressed; another click ends it.
    """

    def __init__(self, context: WindowContext, adding: AddActions):
        super().__init__()
        self.setObjectName("build")  # by which the layout of the window is stored
        self.setMovable(False)
        self._adding, self._join = adding, context.actions["join"]
        self.setOrientation(Qt.Orientation.Vertical)
        self.buttons: dict[str, QToolButton] = {}
        for name, group, text in ENTRIES:
            entry = next(each for each in ADDITIONS[group] if each.text == text)
            self.buttons[name] = self._button(name)
            self.buttons[name].setCheckable(bool(entry.drag))
            self.buttons[name].clicked.connect(lambda on, entry=entry: self._choose(entry, on))
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: (menu.clear(), adding.fill_menu(menu)))
        self.more = self._button("add")
        self.more.setMenu(menu)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        adding.tool.changed.connect(self._show_entry)
        self._join.toggled.connect(lambda _on: self._show_entry())
        self.retranslate()

    def _button(self, name: str) -> QToolButton:
        """Add a button that does not take the focus."""
        button = QToolButton()
        button.setObjectName(name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.addWidget(button)
        return button

    def _choose(self, entry: AddEntry, on: bool) -> None:
        """Draw the item of an entry, or end that if its button was pressed."""
        if on or not entry.drag:
            self._adding.begin(entry)
        else:
            self._adding.tool.end()
            self._join.setChecked(False)

    def _show_entry(self) -> None:
        """Press the button of the item that is being drawn."""
        current = self._adding.tool.entry
        for name, group, text in ENTRIES:
            joins = name == "joint" and self._join.isChecked()
            chosen = current is not None and current in ADDITIONS[group] and current.text == text
            self.buttons[name].setChecked(joins or chosen)

    def retranslate(self) -> None:
        """Set the tool tips in the current language, and the icons in the colours of the current theme."""
        for name, group, text in ENTRIES:
            self.buttons[name].setIcon(icon(name, self.palette()))
            tip = self.tr("Add: {item}").format(item=": ".join(filter(None, [tr(group) if group else "", tr(text)])))
            self.buttons[name].setToolTip(tip)
            self.buttons[name].setAccessibleName(tip)
        self.more.setIcon(icon("add", self.palette()))
        self.more.setToolTip(self.tr("Add anything"))
        self.more.setAccessibleName(self.more.toolTip())

    def set_theme(self) -> None:
        """Draw the icons in the colours of the window."""
        self.retranslate()
