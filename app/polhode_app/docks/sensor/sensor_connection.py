"""Connects the sensor that a scene asks for, also while the dock of the sensor does not exist."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.docks.sensor.status_text import status_text
from polhode_app.i18n.translation import translate_error
from polhode_app.messages import FrameData
from polhode_app.sensor.port import Address, SerialPort
from polhode_app.sensor.setup import address_text, read_address, read_setup
from polhode_app.sensor.sources import LogPlayback
from polhode_app.session.document import Document
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext

REPORTED_STATES = ("missing", "none", "several", "unplugged", "denied", "taken", "failed", "silent", "unreadable")


class SensorConnection(QObject, WindowPart):
    """Manages the source of the sensor of the window.

    A scene with a serial sensor or a recording connects it when it is opened, unless the user has connected a source.
    The last board is remembered in the settings and preferred the next time.
    """

    def __init__(self, context: WindowContext):
        """Follow the scenes of the session."""
        super().__init__(context.window)
        self._session, self._docks = context.session, context.docks
        self._settings, self._toast = context.settings, context.toast
        self._board: Address | None = None  # board that was connected last
        self._reported_state = ""  # kind of the state that was last reported
        self._session.scene_changed.connect(self._on_scene_changed)
        self._session.refused.connect(lambda _error: self._on_scene_refused())

    def _on_scene_changed(self, document: Document) -> None:
        """Connect the source of a scene that was opened."""
        if not self._session.diff.is_edit:
            self._connect(document.scene)

    def _connect(self, scene: Scene) -> None:
        """Connect the source of a scene, unless another source is connected."""
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
            setup = read_setup(self._settings.sensors, str(board))
            hub.connect(SerialPort(None, setup.baud, setup.unit, preferred=board), by_scene=True)
        self._reported_state = ""

    def _on_scene_refused(self) -> None:
        """Connect the source of the current scene again, if opening the refused scene has disconnected it."""
        if self._session.hub.ended and not self._session.is_pending:
            self._session.hub.ended = False
            self._connect(self._session.document.scene)

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Store the connected board in the settings, apply its set-up, and report failures of the connection.

        Failures are reported as messages only while the dock, which shows them too, is hidden.
        """
        hub = self._session.hub
        source = hub.source
        if not isinstance(source, SerialPort):
            return False
        if source.address is not None and source.address is not self._board:
            self._board = source.address
            self._settings.port = address_text(self._board)
            setup = read_setup(self._settings.sensors, str(self._board))
            hub.calibration, hub.filtering = setup.calibration, setup.filtering
            if hub.by_scene and (source.baud, source.unit) != (setup.baud, setup.unit):
                hub.connect(SerialPort(self._board, setup.baud, setup.unit), by_scene=True)
        kind, dock = hub.state.kind, self._docks.dock("sensor")
        if hub.by_scene and kind != self._reported_state and not (dock is not None and dock.isVisible()):
            self._reported_state = kind
            if kind in REPORTED_STATES:
                self._toast.show_message(status_text(hub, self._session.document.scene), 10.0)
        return False
