"""The dock of the sensor behind its action: made when it is wanted first; what is connected stays so when it closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from app.i18n.translation import translate_error
from app.panels.sensor.status_text import words
from app.panels.shell.dock_manager import DockManager
from app.panels.shell.window_context import WindowContext
from app.sensor.port import Address, SerialPort
from app.sensor.setup import read, read_address, written_address
from app.sensor.sources import LogPlayback
from app.session.document import Document
from core.scene.problem import InputError
from core.scene.scene import Scene

if TYPE_CHECKING:
    from app.panels.sensor.sensor_dock import SensorDock

WIDTH = 350  # [pixel] at first
TOLD = ("missing", "none", "several", "unplugged", "denied", "taken", "failed", "silent", "unreadable")


class SensorPanel(QObject):
    """Makes the dock when it is first opened; connects what a scene asks for, and remembers the board."""

    def __init__(self, context: WindowContext, docks: DockManager):
        super().__init__(context.window)
        self._window, self._session = context.window, context.session
        self._settings, self._toast = context.settings, context.toast
        self._docks = docks
        self._board: Address | None = None  # that was read last
        self._said = ""  # of its state
        docks.register("sensor", context.actions["sensor"], self._make, Qt.DockWidgetArea.RightDockWidgetArea, WIDTH)
        self._session.scene_changed.connect(self._play)
        self._session.refused.connect(lambda _error: self._play_again())

    def tick(self, wall: float) -> None:
        """A frame of the window at a wall time [s]."""
        self._look_at_port()
        if self.dock is not None:
            self.dock.tick(wall)

    @property
    def dock(self) -> SensorDock | None:
        return self._docks.docks.get("sensor")

    def stop(self) -> None:
        """End the thread that looks at ports."""
        if self.dock is not None:
            self.dock.source.watch.stop()

    def _play(self, document: Document) -> None:
        """Connect the sensor that an opened scene asks for."""
        if not self._session.diff.is_edit:
            self._connect(document.scene)

    def _connect(self, scene: Scene) -> None:
        """Connect the sensor that a scene asks for, if no other is connected."""
        hub = self._session.hub
        if hub.source is not None:
            return
        if scene.sensor.source == "recording":
            try:
                hub.connect(LogPlayback(scene.folder / scene.sensor.file), by_scene=True)
            except InputError as error:
                self._toast.show_message(translate_error(error), 10.0)
        if scene.sensor.source == "serial":
            board = read_address(self._settings.port)
            setup = read(self._settings.sensors, str(board))
            hub.connect(SerialPort(None, setup.baud, setup.unit, preferred=board), by_scene=True)
        self._said = ""

    def _play_again(self) -> None:
        """Another scene was refused: this one goes on, and so does its hand."""
        if self._session.hub.ended and not self._session.is_pending:
            self._session.hub.ended = False
            self._connect(self._session.document.scene)

    def _look_at_port(self) -> None:
        """Remember the board that is read, use what is known of it, and say what is wrong where no dock says so."""
        hub = self._session.hub
        source = hub.source
        if not isinstance(source, SerialPort):
            return
        if source.address is not None and source.address is not self._board:
            self._board = source.address
            self._settings.port = written_address(self._board)
            setup = read(self._settings.sensors, str(self._board))
            hub.calibration, hub.filtering = setup.calibration, setup.filtering
            if hub.by_scene and (source.baud, source.unit) != (setup.baud, setup.unit):
                hub.connect(SerialPort(self._board, setup.baud, setup.unit), by_scene=True)
        kind = hub.state.kind
        if hub.by_scene and kind != self._said and not (self.dock is not None and self.dock.isVisible()):
            self._said = kind
            if kind in TOLD:
                self._toast.show_message(words(hub, self._session.document.scene), 10.0)

    def _make(self) -> SensorDock:
        from app.panels.sensor.sensor_dock import SensorDock  # the first frame does not wait for its library

        dock = SensorDock(self._session, self._settings, self._toast, self._window)
        QTimer.singleShot(0, dock, dock.begin)  # both at once would hold the window for long
        return dock
