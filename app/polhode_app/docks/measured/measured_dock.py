"""Dock of measured data: the data on the run in one tab, the fit in the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtWidgets import QTabWidget

from polhode_app.docks.measured.data_controller import DataController
from polhode_app.docks.measured.data_tab import DataTab
from polhode_app.docks.measured.fit_controller import FitController
from polhode_app.docks.measured.fit_tab import FitTab
from polhode_app.docks.measured.live.camera_controller import CameraController
from polhode_app.docks.measured.live.phone_controller import PhoneController
from polhode_app.docks.measured.live.sensor_controller import SensorController
from polhode_app.docks.measured.models_box import ModelsBox
from polhode_app.docks.measured.pose_controller import PoseController
from polhode_app.docks.measured.profile_box import ProfileBox
from polhode_app.docks.measured.result_table import ResultTable
from polhode_app.docks.measured.rows.camera_row import CameraRow
from polhode_app.docks.measured.rows.phone_row import PhoneRow
from polhode_app.docks.measured.rows.pose_row import PoseRow
from polhode_app.docks.measured.rows.sensor_row import SensorRow
from polhode_app.edit.open_file import FILM_ENDINGS
from polhode_app.messages import FrameData
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext


class MeasuredDock(Dock):
    """The tabs and their controllers, which exist once the dock is built."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context

    def build(self) -> Iterator[None]:
        """Make the tabs, then their controllers."""
        phone, sensor = PhoneRow(), SensorRow()
        yield
        camera, pose = CameraRow(), PoseRow()
        yield
        self.data_tab = DataTab(phone, sensor, camera, pose)
        yield
        table, profile, models = ResultTable(), ProfileBox(), ModelsBox()
        yield
        self.fit_tab = FitTab(table, profile, models)
        yield
        self.tabs = QTabWidget()
        self.tabs.addTab(self.data_tab, "")
        self.tabs.addTab(self.fit_tab, "")
        yield
        self.setWidget(self.tabs)
        yield
        self.data_tab.retranslate()
        yield
        self.fit_tab.retranslate()
        self._set_titles()
        yield
        self.data = DataController(self._context, self.data_tab)
        yield
        self.fit = FitController(self._context, self.fit_tab, self.data)
        yield
        self.phone = PhoneController(self._context, self.data_tab.phone, self.data)
        yield
        self.sensor = SensorController(self._context, self.data_tab.sensor, self.data)
        yield
        self.camera = CameraController(self._context, self.data_tab.camera, self.data)
        yield
        self.pose = PoseController(self._context, self.data_tab.pose, self.data, self.camera)
        yield

    def open(self, path: Path) -> None:
        """Open a file of data, or show a film as a source of them."""
        self.raise_()
        self.tabs.setCurrentIndex(0)
        if path.suffix.lower() in FILM_ENDINGS:
            self.data_tab.from_camera.setChecked(True)
            self.camera.open(path)
        else:
            self.data.open(path)

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Show what was read, received and computed."""
        self.data.tick()
        self.fit.tick()
        for live in (self.phone, self.sensor, self.camera):
            live.tick(self.data.is_busy or self.fit.is_busy)
        self.pose.tick()
        return False

    def stop(self) -> None:
        """End what computes and what reads."""
        for controller in (self.data, self.fit, self.phone, self.sensor, self.camera, self.pose):
            controller.stop()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.data_tab.retranslate()
        self.fit_tab.retranslate()
        self._set_titles()
        for controller in (self.data, self.fit, self.phone, self.sensor, self.camera):
            controller.refresh()

    def _set_titles(self) -> None:
        """Set the titles of dock and tabs in the current language."""
        self.setWindowTitle(self.tr("Measured data"))
        self.tabs.setTabText(0, self.tr("Data"))
        self.tabs.setTabText(1, self.tr("Fit"))

    def set_theme(self) -> None:
        """Adopt the colours of the window."""
        self.fit_tab.set_theme()
