"""The dock of plots behind its action, and the data of the plots as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from app.messages import FrameData
from app.panels.shell.dock_manager import DockManager
from app.panels.shell.window_context import WindowContext

if TYPE_CHECKING:
    from app.panels.plots.plot_dock import PlotDock

HEIGHT = 290  # [pixel] of the plots when they are seen for the first time


class PlotPanel(QObject):
    """Makes the dock when it is wanted first; while it is closed it costs nothing."""

    def __init__(self, context: WindowContext, docks: DockManager):
        super().__init__(context.window)
        self._context, self._docks = context, docks
        self._action = context.actions["plots"]
        docks.register("plots", self._action, self._make, Qt.DockWidgetArea.BottomDockWidgetArea, HEIGHT)
        context.actions["plot_data"].triggered.connect(lambda _checked=False: self._export_data())

    @property
    def dock(self) -> PlotDock | None:
        return self._docks.docks.get("plots")

    def plot(self, names: Sequence[str]) -> None:
        """Open the plots, and show these quantities, too."""
        self._action.setChecked(True)
        if self.dock is not None:
            self.dock.plot(names)

    def tick(self, wall: float, passed: Sequence[FrameData]) -> None:
        """A frame of the window at a wall time [s], after some moments have passed."""
        if self.dock is not None:
            self.dock.tick(wall, passed)

    def _export_data(self) -> None:
        """A table of what is plotted; where nothing has been plotted yet, plots to begin with."""
        self._action.setChecked(True)
        if self.dock is None or self.dock.store.span is None:
            text = self.tr("No plot data yet. Run the simulation with the plots open, then export again")
            self._context.toast.show_message(text)
        else:
            self.dock.export("csv")

    def _make(self) -> PlotDock:
        from app.panels.plots.plot_dock import PlotDock  # the first frame does not wait for its library

        context = self._context
        dock = PlotDock(context.session, context.settings, context.toast, context.window)
        QTimer.singleShot(0, dock, dock.begin)
        return dock
