"""Action of the dock of measured data, which is created when it is first opened, or when data are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from polhode_app.panels.files.file_actions import FileActions
from polhode_app.panels.plots.plot_panel import PlotPanel
from polhode_app.panels.shell.dock_manager import DockManager
from polhode_app.panels.shell.window_context import WindowContext

if TYPE_CHECKING:
    from polhode_app.panels.measured.data_controller import (
        DataController,  # with the compiler, which the window does not
    )
    from polhode_app.panels.measured.fit_controller import FitController  # wait for
    from polhode_app.panels.measured.live.phone_controller import PhoneController
    from polhode_app.panels.measured.live.sensor_controller import SensorController
    from polhode_app.panels.measured.measured_dock import MeasuredDock

WIDTH = 400  # [pixel] initial width


class MeasuredPanel(QObject):
    """Registers the dock, makes it, and opens files of data."""

    def __init__(self, context: WindowContext, docks: DockManager, files: FileActions, plots: PlotPanel):
        super().__init__(context.window)
        self._context, self._docks, self._plots = context, docks, plots
        self._action = context.actions["measured"]
        self.data: DataController | None = None
        self.fit: FitController | None = None
        self.phone: PhoneController | None = None
        self.sensor: SensorController | None = None
        self._waiting: Path | None = None  # until the dock is made
        area = Qt.DockWidgetArea.RightDockWidgetArea
        docks.register("measured", self._action, self._make, area, WIDTH, self._build)
        files.data_wanted.connect(self.open)

    @property
    def dock(self) -> MeasuredDock | None:
        """The dock, or None as long as it was never opened."""
        return self._docks.docks.get("measured")

    def open(self, path: Path) -> None:
        """Open the dock, and a file of data in it."""
        self._action.setChecked(True)
        if self.dock is None or self.data is None or self.fit is None:
            self._waiting = path
        else:
            self.dock.raise_()
            self.dock.tabs.setCurrentIndex(0)
            self.data.open(path)

    def tick(self) -> None:
        """Called once per frame."""
        if self.data is not None and self.fit is not None:
            self.data.tick()
            self.fit.tick()
            for live in (self.phone, self.sensor):
                if live is not None:
                    live.tick(self.data.is_busy or self.fit.is_busy)

    def stop(self) -> None:
        """End what computes and what reads."""
        if self.data is not None and self.fit is not None:
            self.data.stop()
            self.fit.stop()
        for live in (self.phone, self.sensor):
            if live is not None:
                live.stop()

    def _make(self) -> MeasuredDock:
        """Create the dock."""
        from polhode_app.panels.measured.measured_dock import MeasuredDock

        return MeasuredDock(self._context.window)

    def _build(self, dock: MeasuredDock) -> Iterator[None]:
        """Fill the dock, and let it work, each part in an event of its own."""
        from polhode_app.panels.measured.data_controller import DataController
        from polhode_app.panels.measured.fit_controller import FitController
        from polhode_app.panels.measured.live.phone_controller import PhoneController
        from polhode_app.panels.measured.live.sensor_controller import SensorController

        yield from dock.build()
        yield
        self.data = DataController(self._context, dock, self._plots)
        yield
        self.fit = FitController(self._context, dock, self.data)
        self.phone = PhoneController(self._context, dock.data.phone, self.data)
        self.sensor = SensorController(self._context, dock.data.sensor, self.data)
        for live in (self.phone, self.sensor):
            dock.retranslated.connect(live.refresh)
        if self._waiting is not None:
            path, self._waiting = self._waiting, None
            self.data.open(path)
