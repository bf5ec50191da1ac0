"""Docks of the window: created on demand, with a layout that is stored in the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRegularExpression, QSize, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QStyle, QStyleOptionDockWidget, QStylePainter

from polhode_app.panels.accessibility.letters import scaled
from polhode_app.panels.accessibility.names import name_controls
from polhode_app.panels.shell.window_context import WindowContext

EARLY_DOCKS = ("tree", "inspector")  # light enough to be made before the first frame
DEFAULT_DOCKS = ("tree",)  # open at the first start
HORIZONTAL_AREAS = (Qt.DockWidgetArea.BottomDockWidgetArea, Qt.DockWidgetArea.TopDockWidgetArea)
VERTICAL_AREAS = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)
TITLE_BUTTONS = "^qt_dockwidget_"  # names that Qt gives the buttons of title bars
HIGHEST = 0.4  # of the height of the window that a dock takes for larger letters
WIDE_WINDOW = 1000  # [pixel] least width of a window in which they open at the first start


@dataclass(frozen=True)
class _DockEntry:
    """A registered dock."""

    action: QAction
    make: Callable[[], Any]
    area: Qt.DockWidgetArea
    extent: int  # [pixel] initial width or height; 0: size hint
    build: Callable[[Any], Iterator[None]] | None  # fills the dock; each part up to a `yield` is an event of its own


class DockManager(QObject):
    """Creates docks when their actions are first checked, and restores their layout.

    A dock that was never opened costs nothing. `docks` maps names to the docks that exist; they have a signal `closed`,
    a method `retranslate`, and a method `set_theme` if they use colours of their own.
    """

    def __init__(self, context: WindowContext):
        """Manage the docks of the window of `context`."""
        super().__init__(context.window)
        self._window, self._settings = context.window, context.settings
        self._entries: dict[str, _DockEntry] = {}
        self.docks: dict[str, Any] = {}
        self._extents: dict[str, QSize] = {}  # last sizes of open docks
        self._incomplete: set[str] = set()  # names of docks that are being built
        self._sized: set[str] = set()  # names of docks that were open before, in this session or the stored layout

    def register(
        self,
        name: str,
        action: QAction,
        make: Callable[[], Any],
        area: Qt.DockWidgetArea,
        extent: int = 0,
        build: Callable[[Any], Iterator[None]] | None = None,
    ) -> None:
        """Register a dock that the action opens and closes.

        `make` creates it; `build`, if any, fills it in later events, one up to each `yield`, and it is added to the
        window after that, because all at once would block the window. `extent` [pixel] is its initial width, or height
        in a horizontal area; 0 keeps the size hint.
        """
        self._entries[name] = _DockEntry(action, make, area, extent, build)
        action.toggled.connect(lambda on: self._set_open(name, on))

    def restore(self, early: bool) -> None:
        """Open the docks that were open at the end of the last session.

        The light ones are opened with `early` before the first frame, the others without it afterwards.
        """
        wide = self._window.width() >= WIDE_WINDOW
        names = (DEFAULT_DOCKS if wide else ()) if self._settings.docks is None else self._settings.docks
        for name in names:
            if name in self._entries and (name in EARLY_DOCKS) == early:
                self._entries[name].action.setChecked(True)
        if self._settings.layout is not None and self.docks:
            self._window.restoreState(self._settings.layout)  # again, because their sizes depend on each other

    def save_layout(self) -> None:
        """Store the names of the open docks and the layout in the settings."""
        self._settings.docks = [name for name, entry in self._entries.items() if entry.action.isChecked()]
        if self.docks:
            self._settings.layout = self._window.saveState()

    def close(self) -> None:
        """Hide the docks that float, which Qt leaves on the screen while the window closes."""
        for dock in self.docks.values():
            if dock.isFloating():
                dock.hide()

    def reset_layout(self) -> None:
        """Restore the default layout: the docks of DEFAULT_DOCKS, at their default positions."""
        self._settings.layout = None
        self._extents.clear()
        self._sized.clear()
        for name, dock in self.docks.items():
            if name not in self._incomplete:
                dock.setFloating(False)
                self._window.removeDockWidget(dock)
                self._add_dock(dock, self._entries[name])
        for name, entry in self._entries.items():
            entry.action.setChecked(name in DEFAULT_DOCKS)
        for name in DEFAULT_DOCKS:
            if name in self.docks and name not in self._incomplete:
                self.docks[name].show()

    def set_theme(self) -> None:
        """Let all docks adopt the colours of the window."""
        for name, dock in self.docks.items():
            if hasattr(dock, "set_theme") and name not in self._incomplete:
                dock.set_theme()

    def retranslate(self) -> None:
        """Set the texts of all docks in the current language."""
        for name, dock in self.docks.items():
            if name not in self._incomplete:
                dock.retranslate()
                name_controls(dock)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Paint the title of a dock in its font; Qt 6.12 keeps the one that the application had before."""
        if event.type() != QEvent.Type.Paint or not isinstance(watched, QDockWidget) or watched.isFloating():
            return super().eventFilter(watched, event)
        option, painter = QStyleOptionDockWidget(), QStylePainter(watched)
        watched.initStyleOption(option)
        painter.drawControl(QStyle.ControlElement.CE_DockWidgetTitle, option)
        painter.end()
        return True

    def _set_open(self, name: str, on: bool) -> None:
        """Open or close a dock; the docks that stay open keep their sizes."""
        if on and name not in self.docks:
            self._make_dock(name)
        if name not in self.docks or name in self._incomplete:
            return
        dock = self.docks[name]
        self._extents |= {other: each.size() for other, each in self.docks.items() if each.isVisible()}
        dock.setVisible(on)
        if on:
            self._stack(dock)
        self._window.layout().activate()  # now, so that the sizes of the other docks are known
        if on:  # otherwise Qt shrinks the docks that were open already
            for other, each in sorted(self.docks.items(), key=lambda item: item[0] == name):  # that one last
                if each.isVisible() and not each.isFloating() and other in self._extents:
                    self._resize_dock(each, self._extents[other])
            if name not in self._sized:
                self._share_height(dock)
            self._sized.add(name)
            self._window.layout().activate()

    def _share_height(self, dock: QDockWidget) -> None:
        """Give a dock that opens above or below others at least half of their height.

        Qt leaves the others as high as they are, such as an empty inspector, and the new one its least height.
        """
        area = self._window.dockWidgetArea(dock)
        column = [each for each in self._open_docks(area) if not each.visibleRegion().isEmpty() or each is dock]
        if area in HORIZONTAL_AREAS or dock.isFloating() or len(column) < 2 or self._window.tabifiedDockWidgets(dock):
            return
        self._window.layout().activate()
        half = sum(each.height() for each in column) // 2
        if dock.height() < half:
            self._window.resizeDocks([dock], [half], Qt.Orientation.Vertical)

    def _stack(self, dock: QDockWidget) -> None:
        """Put a dock behind the tab of others if all together are higher or wider than the window."""
        area = self._window.dockWidgetArea(dock)
        if self._window.tabifiedDockWidgets(dock):
            QTimer.singleShot(0, dock, dock.raise_)  # otherwise another tab may hide it
            return
        if area in HORIZONTAL_AREAS or dock.isFloating():
            return
        beside = [each for each in self._open_docks(area) if each is not dock]
        below = max((each.minimumSizeHint().height() for each in self._open_docks(*HORIZONTAL_AREAS)), default=0)
        bars = self._window.menuBar().height() + self._window.statusBar().height()
        room = self._window.height() - bars - below
        across = [each for each in self._open_docks(*VERTICAL_AREAS) if each is not dock and each not in beside]
        self._window.layout().activate()
        neighbour = None
        if beside and sum(each.minimumSizeHint().height() for each in [*beside, dock]) > room:
            neighbour = beside[-1]
        elif across and self._window.minimumSizeHint().width() > self._window.width():
            neighbour = across[-1]
        if neighbour is not None:
            self._window.tabifyDockWidget(neighbour, dock)
            QTimer.singleShot(0, dock, dock.raise_)  # its tab exists after this event

    def _open_docks(self, *areas: Qt.DockWidgetArea) -> list[QDockWidget]:
        """Docks that are open at these sides of the window."""
        open_docks = (each for each in self.docks.values() if not each.isHidden() and not each.isFloating())
        return [each for each in open_docks if self._window.dockWidgetArea(each) in areas]

    def _resize_dock(self, dock: QDockWidget, size: QSize) -> None:
        """Set the width of a dock, or its height in a horizontal area.

        The width is at least the least one of all docks at that side; with less, Qt would shrink the other side.
        """
        area = self._window.dockWidgetArea(dock)
        if area in HORIZONTAL_AREAS:
            self._window.resizeDocks([dock], [size.height()], Qt.Orientation.Vertical)
            return
        beside = [
            each for each in self.docks.values() if each.isVisible() and self._window.dockWidgetArea(each) == area
        ]
        least = max((each.minimumSizeHint().width() for each in beside), default=0)
        self._window.resizeDocks([dock], [max(size.width(), least)], Qt.Orientation.Horizontal)

    def _make_dock(self, name: str) -> None:
        """Create a dock, and build and restore it at once or in later events."""
        entry = self._entries[name]
        dock = self.docks[name] = entry.make()
        dock.closed.connect(lambda: entry.action.setChecked(False))
        dock.installEventFilter(self)
        if entry.build is None:
            self._restore_dock(name)
            return
        dock.hide()
        self._incomplete.add(name)
        parts = entry.build(dock)
        QTimer.singleShot(0, dock, lambda: self._build_dock(name, parts))

    def _build_dock(self, name: str, parts: Iterator[None]) -> None:
        """Build the next part of a dock; after the last one the dock is shown if it is still wanted."""
        for _ in parts:
            QTimer.singleShot(0, self.docks[name], lambda: self._build_dock(name, parts))
            return
        self._incomplete.discard(name)
        self._restore_dock(name)
        self._set_open(name, self._entries[name].action.isChecked())

    def _restore_dock(self, name: str) -> None:
        """Add a dock to the window at its stored position, unless `restoreState` has already done so."""
        dock = self.docks[name]
        name_controls(dock)
        for button in dock.findChildren(QAbstractButton, QRegularExpression(TITLE_BUTTONS)):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if self._window.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea:
            return
        self._add_dock(dock, self._entries[name])
        if self._settings.layout is not None:
            if len(self.docks) == 1:
                self._window.restoreState(self._settings.layout)
            elif self._window.restoreDockWidget(dock):
                self._sized.add(name)

    def _add_dock(self, dock: QDockWidget, entry: _DockEntry) -> None:
        """Add a dock to the window at its default position."""
        self._window.addDockWidget(entry.area, dock)
        if entry.extent or entry.area not in HORIZONTAL_AREAS:  # Qt asks the contents, not the dock, for a size hint
            extent = scaled(entry.extent)
            if entry.area in HORIZONTAL_AREAS:  # large letters leave the view its room
                extent = min(extent, max(entry.extent, round(HIGHEST * self._window.height())))
            self._resize_dock(dock, QSize(extent, extent) if extent else dock.sizeHint())
