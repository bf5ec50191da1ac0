"""The docks of the window: made when they are wanted first, and where they stood is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from app.panels.notice import Notice
from app.session import Session
from app.settings import Settings

if TYPE_CHECKING:
    from app.panels.plot_dock import PlotDock

HEIGHT = 290  # [pixel] of the plots when they are seen for the first time


class Docks(QObject):
    """The plots behind their action. While they are closed they cost nothing."""

    def __init__(self, window: QMainWindow, session: Session, settings: Settings, notice: Notice, action: QAction):
        super().__init__(window)
        self._window, self._session, self._settings, self._notice = window, session, settings, notice
        self._action = action
        self.plots: PlotDock | None = None
        action.toggled.connect(self._open)

    def restore(self) -> None:
        """Open what was open when the program ended."""
        self._action.setChecked("plots" in self._settings.docks)

    def remember(self) -> None:
        self._settings.docks = ["plots"] if self._action.isChecked() else []
        if self.plots is not None:
            self._settings.layout = self._window.saveState()

    def tick(self, wall: float) -> None:
        """A frame of the window at a wall time [s]."""
        if self.plots is not None:
            self.plots.tick(wall)

    def dress(self) -> None:
        """Take the colours of the window."""
        if self.plots is not None:
            self.plots.dress()

    def _open(self, on: bool) -> None:
        if on and self.plots is None:
            self._make_plots()
        if self.plots is not None:
            self.plots.setVisible(on)

    def _make_plots(self) -> None:
        from app.panels.plot_dock import PlotDock  # the first frame does not wait for its library

        self.plots = PlotDock(self._session, self._notice, self._window)
        self._window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.plots)
        self._window.resizeDocks([self.plots], [HEIGHT], Qt.Orientation.Vertical)
        if self._settings.layout is not None:
            self._window.restoreState(self._settings.layout)
        self.plots.closed.connect(lambda: self._action.setChecked(False))
