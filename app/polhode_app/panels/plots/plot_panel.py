"""Actions of the plots; the dock is created when it is first opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from polhode_app.messages import FrameData
from polhode_app.panels.plots.run_table import RunTableExport
from polhode_app.panels.shell.dock_manager import DockManager
from polhode_app.panels.shell.window_context import WindowContext

if TYPE_CHECKING:
    from polhode_app.panels.plots.plot_dock import PlotDock

USUAL_PLOTS = 2  # of the first columns, one for each unit
HEIGHT = 290  # [pixel] of the plots when they are seen for the first time


class PlotPanel(QObject):
    """Registers the plot dock with the dock manager.

    pyqtgraph is imported with the dock, so that neither start nor frames are slowed down while it is closed.
    """

    def __init__(self, context: WindowContext, docks: DockManager):
        super().__init__(context.window)
        self._context, self._docks = context, docks
        self._action = context.actions["plots"]
        area = Qt.DockWidgetArea.BottomDockWidgetArea
        docks.register("plots", self._action, self._make, area, HEIGHT, self._build)
        self.table_export = RunTableExport(context)
        context.actions["plot_data"].triggered.connect(lambda _checked=False: self._export_data())

    @property
    def dock(self) -> PlotDock | None:
        """The dock, or None as long as it was never opened."""
        return self._docks.docks.get("plots")

    def plot(self, names: Sequence[str]) -> None:
        """Open the dock and add these columns."""
        self._action.setChecked(True)
        if self.dock is not None:
            self.dock.plot(names)

    def tick(self, wall: float, passed: Sequence[FrameData]) -> None:
        """Update the dock once per frame, at a wall time [s], with the frames since the last call."""
        if self.dock is not None:
            self.dock.tick(wall, passed)

    def _export_data(self) -> None:
        """Export the samples as CSV; without any, open the dock and explain how to get them."""
        self._action.setChecked(True)
        if self.dock is None or self.dock.store.span is None:
            text = self.tr("No plot data yet. Run the simulation with the plots open, then export again")
            self._context.toast.show_message(text)
        else:
            self.dock.exports.export("csv")

    def _make(self) -> PlotDock:
        """Create the dock."""
        from polhode_app.panels.plots.plot_dock import PlotDock  # the first frame does not wait for its library

        context = self._context
        return PlotDock(context.session, context.settings, context.toast, context.window)

    def _build(self, dock: PlotDock) -> Iterator[None]:
        """Fill the dock, each part in an event of its own."""
        for _ in range(USUAL_PLOTS):
            dock.time_plot.prepare()
            yield
        dock.begin()
        yield
