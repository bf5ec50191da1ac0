"""Dock of equilibria: the list, and the potential landscape."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QHideEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QTabWidget, QWidget

from polhode_app.panels.equilibria.equilibria_list import EquilibriaList
from polhode_app.panels.equilibria.landscape_plot import LandscapePlot
from polhode_app.panels.equilibria.landscape_tab import LandscapeTab
from polhode_app.panels.widgets.toast import Toast
from polhode_app.session.session import Session
from polhode_app.viewport.view import SceneView


class EquilibriaDock(QDockWidget):
    """The equilibria of the session's scene in one tab, its potential energy with them in the other.

    `list` and `landscape` exist when `is_built` is true.
    """

    closed = Signal()  # by the close button of the dock

    def __init__(self, session: Session, scene_view: SceneView, toast: Toast, parent: QWidget):
        """Create the dock; `build` makes its contents."""
        super().__init__(parent)
        self.setObjectName("equilibria")
        self._session, self._scene_view, self._toast = session, scene_view, toast
        self.tabs = QTabWidget()
        self.is_built = False

    def build(self) -> Iterator[None]:
        """Make the contents in parts, between which the window can work."""
        self.list = EquilibriaList(self._session, self._scene_view)
        self.tabs.addTab(self.list, "")
        yield
        plot = LandscapePlot()
        yield from plot.build()
        yield
        self.landscape = LandscapeTab(self._session, self._toast, plot)
        yield
        self.tabs.addTab(self.landscape, "")
        self.setWidget(self.tabs)
        self.list.found_changed.connect(self.landscape.show_found)
        self.landscape.mark_chosen.connect(self.list.go_to)
        self._session.scene_changed.connect(lambda _document: self._show_scene())
        self.is_built = True
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

    def tick(self, now: float) -> bool:
        """Update the dock once per frame, at a wall time [s]; True if the view has changed."""
        if not self.is_built:
            return False
        if self.isVisible():
            self.list.poll()
            if self.landscape.isVisible():
                self.landscape.tick(now)
        return self.list.tick(now)

    def stop(self) -> None:
        """End all threads."""
        if self.is_built:
            self.list.stop()
            self.landscape.stop()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Emit `closed`, so that the action of the dock is unchecked."""
        self.closed.emit()
        super().closeEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """End the preview, whose buttons are no longer seen."""
        super().hideEvent(event)
        if self.is_built:
            self.list.end_preview()

    def _show_scene(self) -> None:
        self.list.show_scene()
        self.landscape.show_scene()
