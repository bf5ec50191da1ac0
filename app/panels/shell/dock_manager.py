"""The docks of the window: made when they are wanted first, and where they stood is remembered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget

from app.panels.shell.window_context import WindowContext

DEFAULT_DOCKS = ("tree", "inspector")  # docks that a person sees who has never opened the program
HORIZONTAL_AREAS = (Qt.DockWidgetArea.BottomDockWidgetArea, Qt.DockWidgetArea.TopDockWidgetArea)
WIDE_WINDOW = 1000  # [pixel] of a window that has room for them


@dataclass(frozen=True)
class _DockEntry:
    action: QAction
    make: Callable[[], Any]
    area: Qt.DockWidgetArea
    extent: int  # [pixel] when it is seen for the first time; 0: as it says itself


class DockManager(QObject):
    """Docks behind their actions. While they are closed they cost nothing."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._window, self._settings = context.window, context.settings
        self._entries: dict[str, _DockEntry] = {}
        self.docks: dict[
            str, Any
        ] = {}  # QDockWidgets with `closed` and `retranslate`; `set_theme` if they have colours
        self._extents: dict[str, QSize] = {}  # of those that were open and are closed

    def register(
        self, name: str, action: QAction, make: Callable[[], Any], area: Qt.DockWidgetArea, extent: int = 0
    ) -> None:
        """A dock that its action opens and closes."""
        self._entries[name] = _DockEntry(action, make, area, extent)
        action.toggled.connect(lambda on: self._set_open(name, on))

    def restore(self, early: bool) -> None:
        """Open what was open when the program ended: `early`, before the first frame, what is light, later the rest."""
        wide = self._window.width() >= WIDE_WINDOW
        wanted = (DEFAULT_DOCKS if wide else ()) if self._settings.docks is None else self._settings.docks
        for name in wanted:
            if name in self._entries and (name in DEFAULT_DOCKS) == early:
                self._entries[name].action.setChecked(True)
        if self._settings.layout is not None and self.docks:
            self._window.restoreState(self._settings.layout)  # once more, for how wide they are depends on each other

    def save_layout(self) -> None:
        self._settings.docks = [name for name, entry in self._entries.items() if entry.action.isChecked()]
        if self.docks:
            self._settings.layout = self._window.saveState()

    def reset_layout(self) -> None:
        """Every dock where it was before anybody moved it; those that are open at first, and no others."""
        self._settings.layout = None
        self._extents.clear()
        for name, dock in self.docks.items():
            dock.setFloating(False)
            self._window.removeDockWidget(dock)
            self._add_dock(dock, self._entries[name])
        for name, entry in self._entries.items():
            entry.action.setChecked(name in DEFAULT_DOCKS)
        for name in DEFAULT_DOCKS:
            if name in self.docks:
                self.docks[name].show()

    def set_theme(self) -> None:
        """Take the colours of the window."""
        for dock in self.docks.values():
            if hasattr(dock, "set_theme"):
                dock.set_theme()

    def retranslate(self) -> None:
        """Set all texts of all docks in the current language."""
        for dock in self.docks.values():
            dock.retranslate()

    def _set_open(self, name: str, on: bool) -> None:
        if on and name not in self.docks:
            self._make_dock(name)
        if name not in self.docks:
            return
        dock = self.docks[name]
        self._extents |= {other: each.size() for other, each in self.docks.items() if each.isVisible()}
        dock.setVisible(on)
        self._window.layout().activate()  # now, for the next one to know how wide the others are
        if on:  # Qt gives one that comes back what the others leave, and takes from those what it likes
            for other, each in self.docks.items():
                if each.isVisible() and not each.isFloating() and other in self._extents:
                    self._resize_dock(each, self._extents[other])
            self._window.layout().activate()

    def _resize_dock(self, dock: QDockWidget, size: QSize) -> None:
        down = self._window.dockWidgetArea(dock) in HORIZONTAL_AREAS
        way = Qt.Orientation.Vertical if down else Qt.Orientation.Horizontal
        self._window.resizeDocks([dock], [size.height() if down else size.width()], way)

    def _make_dock(self, name: str) -> None:
        entry = self._entries[name]
        dock = self.docks[name] = entry.make()
        self._add_dock(dock, entry)
        if self._settings.layout is not None:
            if len(self.docks) == 1:
                self._window.restoreState(self._settings.layout)
            else:
                self._window.restoreDockWidget(dock)
        dock.closed.connect(lambda: entry.action.setChecked(False))

    def _add_dock(self, dock: QDockWidget, entry: _DockEntry) -> None:
        self._window.addDockWidget(entry.area, dock)
        if entry.extent:
            self._resize_dock(dock, QSize(entry.extent, entry.extent))
