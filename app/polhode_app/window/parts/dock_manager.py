"""Docks of the window: created on demand, with a layout that is stored in the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRegularExpression, QSize, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QMainWindow,
    QStyle,
    QStyleOptionDockWidget,
    QStylePainter,
)

from polhode_app.messages import FrameData
from polhode_app.session.settings import Settings
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.accessibility.names import name_controls
from polhode_app.window.parts.dock import Dock
from polhode_app.window.parts.docks import DEFAULT_DOCKS, DOCKS, DockRow
from polhode_app.window.parts.preparing_cover import PreparingCover
from polhode_app.window.parts.window_part import WindowPart

HORIZONTAL_AREAS = (Qt.DockWidgetArea.BottomDockWidgetArea, Qt.DockWidgetArea.TopDockWidgetArea)
VERTICAL_AREAS = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)
TITLE_BUTTONS = "^qt_dockwidget_"  # names that Qt gives the buttons of title bars
HIGHEST = 0.4  # of the height of the window that a dock takes for larger letters
WIDE_WINDOW = 1000  # [pixel] least width of a window in which they open at the first start


class DockManager(QObject, WindowPart):
    """Creates the docks of DOCKS when they are first opened, and restores their layout.

    A dock that was never opened costs nothing, not even its import. `docks` maps names to the docks that exist; the
    hooks of those that are built are called.
    """

    def __init__(
        self,
        window: QMainWindow,
        settings: Settings,
        actions: Mapping[str, QAction],
        make: Callable[[type[Dock]], Dock],
    ):
        """Manage the docks of a window; `make` creates a dock of a class."""
        super().__init__(window)
        self._window, self._settings, self._actions, self._make = window, settings, actions, make
        self._rows = {row.name: row for row in DOCKS}
        self._made: dict[str, Callable[[Any], None]] = {}  # what other parts do with a new dock, by its name
        self._waiting: dict[str, list[Callable[[Any], None]]] = {}  # what is done with a dock once it is built
        self._outdated: set[Dock] = set()  # docks whose first parts have colours or texts of before
        self.docks: dict[str, Any] = {}
        self._covers: dict[str, PreparingCover] = {}  # of docks that show the scene before
        self._coming = ""  # name of the scene that is prepared
        self._extents: dict[str, QSize] = {}  # last sizes of open docks
        self._sized: set[str] = set()  # names of docks that were open before, in this session or the stored layout

    def on_made(self, name: str, call: Callable[[Any], None]) -> None:
        """Let `call` be called with a dock when it has been made, before it is built."""
        self._made[name] = call

    def open(self, name: str, then: Callable[[Any], None] | None = None) -> None:
        """Open a dock; `then` is called with it as soon as it is built."""
        self._actions[name].setChecked(True)
        if then is not None:
            self.when_built(name, then)

    def when_built(self, name: str, call: Callable[[Any], None]) -> None:
        """Call a function with a dock as soon as it is built; no effect if it was never opened."""
        if (dock := self.dock(name)) is not None:
            call(dock)
        elif name in self.docks:
            self._waiting.setdefault(name, []).append(call)

    def dock(self, name: str) -> Any:
        """A dock, or None as long as it is not built."""
        return self.docks[name] if name in self.docks and self.docks[name].is_built else None

    def restore(self, early: bool) -> None:
        """Open the docks that were open at the end of the last session.

        The light ones are opened with `early` before the first frame, the others without it afterwards.
        """
        wide = self._window.width() >= WIDE_WINDOW
        names = (DEFAULT_DOCKS if wide else ()) if self._settings.docks is None else self._settings.docks
        for name in names:
            if name in self._rows and self._rows[name].is_light == early:
                self._actions[name].setChecked(True)
        if self._settings.layout is not None and self.docks:
            self._window.restoreState(self._settings.layout)  # again, because their sizes depend on each other

    def save_layout(self) -> None:
        """Store the names of the open docks and the layout in the settings."""
        self._settings.docks = [name for name in self._rows if self._actions[name].isChecked()]
        if self.docks:
            self._settings.layout = self._window.saveState()

    def reset_layout(self) -> None:
        """Restore the default layout: the docks of DEFAULT_DOCKS, at their default positions."""
        self._settings.layout = None
        self._extents.clear()
        self._sized.clear()
        for dock in self._built():
            dock.setFloating(False)
            self._window.removeDockWidget(dock)
            self._add_dock(dock)
        for name in self._rows:
            self._actions[name].setChecked(name in DEFAULT_DOCKS)
        for dock in self._built():
            if dock.objectName() in DEFAULT_DOCKS:
                dock.show()

    def cover(self, name: str) -> None:
        """Cover the docks that need the compiled scene while one of this name is prepared; "" ends that."""
        self._coming = name
        if not name:
            for cover in self._covers.values():
                cover.lift()
            self._covers = {}
        for dock in self._built() if name else ():
            self._cover_dock(dock)

    def _cover_dock(self, dock: Dock) -> None:
        """Cover a dock, unless it shows the scene that is prepared."""
        key = dock.objectName()
        if not self._rows[key].is_early:
            if key not in self._covers:
                self._covers[key] = PreparingCover(dock)
            self._covers[key].show_name(self._coming)

    def _built(self) -> list[Dock]:
        """The docks that are complete."""
        return [dock for dock in self.docks.values() if dock.is_built]

    def _unfinished(self) -> set[Dock]:
        """The docks of which some parts are made already."""
        return {dock for dock in self.docks.values() if not dock.is_built}

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Update the docks; True if one has changed the view."""
        return sum(dock.tick(wall, passed) for dock in self._built()) > 0

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Show the numbers of a frame in the docks."""
        for dock in self._built():
            dock.show_frame(frame, wall)

    def set_theme(self) -> None:
        """Let all docks adopt the colours of the window."""
        self._outdated = self._unfinished()
        for dock in self._built():
            dock.set_theme()

    def retranslate(self) -> None:
        """Set the texts of all docks in the current language."""
        self._outdated = self._unfinished()
        for dock in self._built():
            dock.retranslate()
            name_controls(dock)

    def stop(self) -> None:
        """End the work of the docks; hide those that float, which Qt leaves on the screen while the window closes."""
        for dock in self.docks.values():
            if dock.isFloating():
                dock.hide()
        for dock in self._built():
            dock.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Paint the title of a dock in its font; Qt 6.12 keeps the one that the application had before."""
        if event.type() != QEvent.Type.Paint or not isinstance(watched, QDockWidget) or watched.isFloating():
            return super().eventFilter(watched, event)
        option, painter = QStyleOptionDockWidget(), QStylePainter(watched)
        watched.initStyleOption(option)
        painter.drawControl(QStyle.ControlElement.CE_DockWidgetTitle, option)
        painter.end()
        return True

    def set_open(self, name: str, on: bool) -> None:
        """Open or close a dock; the docks that stay open keep their sizes."""
        if on and name not in self.docks:
            self._make_dock(self._rows[name])
        if name not in self.docks or not self.docks[name].is_built:
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
        """Put a dock behind the tab of others if all together are higher or wider than the window.

        The docks of both sides become tabs at one side where the window has no room for two.
        """
        area = self._window.dockWidgetArea(dock)
        if self._window.tabifiedDockWidgets(dock):
            QTimer.singleShot(0, dock, dock.raise_)  # otherwise another tab may hide it
            return
        if area in HORIZONTAL_AREAS or dock.isFloating():
            return
        beside = [each for each in self._open_docks(area) if each is not dock]
        below = max((each.minimumSizeHint().height() for each in self._open_docks(*HORIZONTAL_AREAS)), default=0)
        bars = self._window.menuBar().height() + self._window.statusBar().height()
        height = self._window.height() - bars - below
        across = [each for each in self._open_docks(*VERTICAL_AREAS) if each is not dock and each not in beside]
        self._window.layout().activate()
        if beside and sum(each.minimumSizeHint().height() for each in [*beside, dock]) > height:
            self._tab(beside[-1], dock)
        if across and self._window.minimumSizeHint().width() > self._window.width():
            if beside:  # both sides are needed for what is open already
                for each in across:
                    self._tab(beside[-1], each)
                self._tab(beside[-1], dock)
            else:
                self._tab(across[-1], dock)

    def _tab(self, neighbour: QDockWidget, dock: QDockWidget) -> None:
        """Put a dock behind the tab of a neighbour, and show it."""
        self._window.tabifyDockWidget(neighbour, dock)
        self._window.layout().activate()
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

    def _make_dock(self, row: DockRow) -> None:
        """Create a dock, and build and restore it at once or in later events."""
        dock = self.docks[row.name] = self._make(getattr(import_module(row.module), row.class_name))
        dock.setObjectName(row.name)
        dock.closed.connect(lambda: self._actions[row.name].setChecked(False))
        dock.installEventFilter(self)
        if row.name in self._made:
            self._made[row.name](dock)
        parts = dock.build()
        if parts is None:
            self._complete(dock)
        else:
            dock.hide()
            QTimer.singleShot(0, dock, lambda: self._build_dock(dock, parts))

    def _build_dock(self, dock: Dock, parts: Iterator[None]) -> None:
        """Build the next part of a dock; after the last one the dock is shown if it is still wanted."""
        for _ in parts:
            QTimer.singleShot(0, dock, lambda: self._build_dock(dock, parts))
            return
        self._complete(dock)
        if dock in self._outdated:
            self._outdated.remove(dock)
            dock.set_theme()
            dock.retranslate()
            name_controls(dock)
        self.set_open(dock.objectName(), self._actions[dock.objectName()].isChecked())
        for then in self._waiting.pop(dock.objectName(), ()):
            then(dock)

    def _complete(self, dock: Dock) -> None:
        """Add a dock that is built to the window at its stored position, unless `restoreState` has already done so."""
        dock.is_built = True
        name_controls(dock)
        if self._coming:
            self._cover_dock(dock)
        for button in dock.findChildren(QAbstractButton, QRegularExpression(TITLE_BUTTONS)):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if self._window.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea:
            return
        self._add_dock(dock)
        if self._settings.layout is not None:
            if len(self.docks) == 1:
                self._window.restoreState(self._settings.layout)
            elif self._window.restoreDockWidget(dock):
                self._sized.add(dock.objectName())

    def _add_dock(self, dock: Dock) -> None:
        """Add a dock to the window at its default position."""
        row = self._rows[dock.objectName()]
        self._window.addDockWidget(row.area, dock)
        if row.extent or row.area not in HORIZONTAL_AREAS:  # Qt asks the contents, not the dock, for a size hint
            extent = scaled(row.extent)
            if row.area in HORIZONTAL_AREAS:  # large letters leave the view its room
                extent = min(extent, max(row.extent, round(HIGHEST * self._window.height())))
            self._resize_dock(dock, QSize(extent, extent) if extent else dock.sizeHint())
