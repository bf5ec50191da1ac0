"""Dock of equilibria: the list, and the potential landscape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QApplication, QTabWidget

from polhode_app.docks.equilibria.equilibria_list import EquilibriaList
from polhode_app.docks.equilibria.landscape_plot import LandscapePlot
from polhode_app.docks.equilibria.landscape_tab import LandscapeTab
from polhode_app.messages import FrameData
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext


class EquilibriaDock(Dock):
    """The equilibria of the session's scene in one tab, its potential energy with them in the other."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context, self._session = context, context.session
        self.tabs = QTabWidget()

    def build(self) -> Iterator[None]:
        """Make the contents in parts, between which the window can work."""
        self.list = EquilibriaList(self._session, self._context.scene_view)
        self.tabs.addTab(self.list, "")
        yield
        plot = LandscapePlot()
        yield from plot.build()
        yield
        self.landscape = LandscapeTab(self._session, self._context.toast, plot)
        yield
        self.tabs.addTab(self.landscape, "")
        self.setWidget(self.tabs)
        self.list.found_changed.connect(self.landscape.show_found)
        self.landscape.mark_chosen.connect(self.list.go_to)
        self._session.scene_changed.connect(lambda _document: self._show_scene())
        self.set_theme()
        self.retranslate()
        yield
        self._show_scene()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Equilibria"))
        self.tabs.setTabText(0, self.tr("Equilibria"))
        self.tabs.setTabText(1, self.tr("Potential landscape"))
        self.list.retranslate()
        self.landscape.retranslate()

    def set_theme(self) -> None:
        """Adopt the colours of the window."""
        self.landscape.set_theme(QApplication.palette())

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Show what has been found, and the preview."""
        if self.isVisible():
            self.list.poll()
            if self.landscape.isVisible():
                self.landscape.tick(wall)
        return self.list.tick(wall)

    def stop(self) -> None:
        """End all threads."""
        self.list.stop()
        self.landscape.stop()

    def hideEvent(self, event: QHideEvent) -> None:
        """End the preview, whose buttons are no longer seen."""
        super().hideEvent(event)
        if self.is_built:
            self.list.end_preview()

    def _show_scene(self) -> None:
        self.list.show_scene()
        self.landscape.show_scene()
