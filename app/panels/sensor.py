"""The dock of the sensor behind its action: made when it is wanted first; what is connected stays so when it closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from app.panels.notice import Notice
from app.sensor.sources import Recording
from app.session import Document, Session
from app.settings import Settings
from core.problem import InputError

if TYPE_CHECKING:
    from app.panels.sensor_dock import SensorDock

WIDTH = 350  # [pixel] at first


class SensorPanel(QObject):
    """Opens and closes the dock."""

    def __init__(self, window: QMainWindow, session: Session, settings: Settings, notice: Notice, action: QAction):
        super().__init__(window)
        self._window, self._session, self._settings, self._notice = window, session, settings, notice
        self._action = action
        self.dock: SensorDock | None = None
        action.toggled.connect(self._open)
        session.shown.connect(self._play)

    def tick(self, wall: float) -> None:
        """A frame of the window at a wall time [s]."""
        if self.dock is not None:
            self.dock.tick(wall)

    def dress(self) -> None:
        """Take the colours of the window."""
        if self.dock is not None:
            self.dock.dress()

    def stop(self) -> None:
        """End the thread that looks at ports."""
        if self.dock is not None:
            self.dock.source.watch.stop()

    def _play(self, document: Document) -> None:
        """The recording that a scene asks for, when it is opened and nothing else is connected."""
        scene = document.scene
        if scene.sensor.source != "recording" or document.undo or document.redo or self._session.hub.source is not None:
            return
        try:
            self._session.hub.connect(Recording(scene.folder / scene.sensor.file))
        except InputError as error:
            self._notice.say(f"{error.source}: {error.problems[0]}", 10.0)

    def _open(self, on: bool) -> None:
        if on and self.dock is None:
            from app.panels.sensor_dock import SensorDock  # the first frame does not wait for its library

            self.dock = SensorDock(self._session, self._settings, self._notice, self._window)
            self.dock.closed.connect(lambda: self._action.setChecked(False))
            self._window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
            self._window.resizeDocks([self.dock], [WIDTH], Qt.Orientation.Horizontal)
        if self.dock is not None:
            self.dock.setVisible(on)
