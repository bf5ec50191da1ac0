"""Selects and connects the source of distances: a serial port, the simulated target, or a recording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QInputDialog, QPushButton, QWidget

from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.docks.sensor.status_text import status_text
from polhode_app.i18n.translation import translate_error
from polhode_app.sensor.hub import SensorHub
from polhode_app.sensor.port import BAUDS, Address, Device, PortWatch, SerialPort
from polhode_app.sensor.setup import Setup, read_setup, with_setup
from polhode_app.sensor.sources import LogPlayback, SimulatedSensor, Source, Wave
from polhode_app.session.settings import Settings
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of
from polhode_app.window.widgets.plain_label import PlainLabel
from polhode_app.window.widgets.toast import Toast
from polhode_app.window.widgets.wheel import ComboBox

SIMULATED, RECORDING, OTHER = "simulated", "recording", "other"


class SourcePanel(QWidget):
    """Connects the hub to the selected source, and shows its state.

    Ports appear and disappear as devices are plugged in; one that the system does not list, such as a pseudo-terminal
    or a radio link, is typed. Calibration, filter, baud rate and unit are stored in the
    settings for each source.
    """

    chosen = Signal()
    """Another source was selected, or its set-up has changed."""

    def __init__(self, hub: SensorHub, settings: Settings, toast: Toast, scene: Callable[[], Scene]):
        """Create the panel; `scene` returns the current scene, which the state text refers to."""
        super().__init__()
        self._scene = scene
        self._hub, self._settings, self._toast = hub, settings, toast
        self.watch = PortWatch()
        self._shown_source: Source | None = None  # source of the hub that the list shows
        self.simulated = SimulatedSensor()
        self.path: Path | None = None  # selected recording
        self._listed_devices: tuple[Device, ...] = ()
        self._typed: list[Address] = []  # ports that are not listed by the system
        self._before: Address | str = SIMULATED  # the source before the one that is being chosen
        self.choice, self.baud, self.unit = ComboBox(), ComboBox(), ComboBox()
        self.connect_button, self.state = QPushButton(), PlainLabel()
        self._lay_out()
        self.choice.activated.connect(lambda _row: self._on_source_chosen())
        self.baud.activated.connect(lambda _row: self._change_port())
        self.unit.activated.connect(lambda _row: self._change_port())
        self.connect_button.clicked.connect(self._toggle_connection)
        self._update_setup()

    def _lay_out(self) -> None:
        """Set up and place the widgets."""
        self.choice.addItem("", SIMULATED)
        self.choice.addItem("", RECORDING)
        self.choice.addItem("", OTHER)
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for baud in BAUDS:
            self.baud.addItem(f"{baud} baud", baud)
        for unit in ("mm", "cm"):
            self.unit.addItem(unit, unit)
        for widget in (self.baud, self.unit):  # else the button beside them would move
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            widget.setSizePolicy(policy)
        focus_by_tab(self.choice, self.baud, self.unit, self.connect_button)
        self.state.setWordWrap(True)
        self.state.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = row_of((self.baud, 2), (self.unit, 1), (self.connect_button, 2))
        column_of(self.choice, row, self.state, on=self, margins=0)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language; the state follows with the next frame."""
        self.choice.setItemText(self.choice.findData(SIMULATED), self.tr("Simulated target"))
        self.choice.setItemText(self.choice.findData(RECORDING), self.tr("Recording..."))
        self.choice.setItemText(self.choice.findData(OTHER), self.tr("Other port..."))
        self.baud.setToolTip(self.tr("As in Serial.begin(...) of the sketch"))
        self.unit.setToolTip(self.tr("Unit of plain numbers; the sketches that come with Polhode send millimetres"))

    # State

    def tick(self) -> None:
        """Update ports and state; called several times per second while the dock is visible."""
        if self.watch.found != self._listed_devices:
            self._update_ports(self.watch.found)
        if self._hub.source is not self._shown_source:
            self._show_source()
        connected = self._hub.source is not None
        self.connect_button.setText(self.tr("Disconnect") if connected else self.tr("Connect"))
        is_port = self._selected_address() is not None
        for widget in (self.baud, self.unit):
            widget.setVisible(is_port)
        self.state.setText(status_text(self._hub, self._scene()))

    def _show_source(self) -> None:
        """Select the source that the scene has connected."""
        source = self._hub.source
        if isinstance(source, SerialPort):
            if source.address is None:
                return  # not found yet
            self._select(source.address)
        elif isinstance(source, LogPlayback):
            self.path = source.path
            self._select(RECORDING)
        self._shown_source = source

    def _select(self, data: Address | str) -> None:
        """Select a source; a board that is not plugged in gets a row of its own."""
        row = self._row_of(data)
        if row < 0 and isinstance(data, Address):
            self.choice.insertItem(0, data.path, data)
            row = 0
        if row != self.choice.currentIndex():
            self.choice.setCurrentIndex(row)
            self._update_setup()

    def _row_of(self, data: object) -> int:
        """Row of a source in the list, or -1."""
        rows = range(self.choice.count())
        return next((row for row in rows if _is_same_source(self.choice.itemData(row), data)), -1)

    def _update_ports(self, devices: tuple[Device, ...]) -> None:
        """List the serial ports above the other sources.

        The selected port stays in the list while it is unplugged.
        """
        self._listed_devices = devices
        chosen = self.choice.currentData()
        while isinstance(self.choice.itemData(0), Address):
            self.choice.removeItem(0)
        rows = {device.address: f"{device.address.path}  {device.description}".strip() for device in devices}
        rows |= {address: address.path for address in self._typed if address not in rows}
        gone = isinstance(chosen, Address) and not any(address.is_of(chosen) for address in rows)
        for address in reversed(rows):
            self.choice.insertItem(0, rows[address], address)
        if gone:
            self.choice.insertItem(0, self.tr("{path}  (not plugged in)").format(path=chosen.path), chosen)
        self.choice.setCurrentIndex(max(self._row_of(chosen), 0))

    def _selected_address(self) -> Address | None:
        """Address of the selected port; None for other sources."""
        data = self.choice.currentData()
        return data if isinstance(data, Address) else None

    @property
    def name(self) -> str:
        """Key of the selected source in the settings."""
        address = self._selected_address()
        return str(address) if address is not None else str(self.choice.currentData())

    @property
    def setup(self) -> Setup:
        """Stored set-up of the selected source."""
        return read_setup(self._settings.sensors, self.name)

    def store_setup(self, **changes: object) -> None:
        """Change fields of the set-up of the selected source, store it, and use it."""
        with self._settings.exclusive():
            self._settings.sensors = with_setup(self._settings.sensors, self.name, replace(self.setup, **changes))
        self._apply_setup()

    def _apply_setup(self) -> None:
        """Use calibration and filter of the selected source."""
        setup = self.setup
        if setup.calibration != self._hub.calibration:
            self._hub.calibration = setup.calibration
        if setup.filtering != self._hub.filtering:
            self._hub.filtering = setup.filtering

    def _update_setup(self) -> None:
        """Show and use the set-up of the selected source, and emit `chosen`."""
        setup = self.setup
        self.baud.setCurrentIndex(self.baud.findData(setup.baud))
        self.unit.setCurrentIndex(self.unit.findData(setup.unit))
        self._apply_setup()
        self.chosen.emit()

    # User actions

    def _on_source_chosen(self) -> None:
        """Switch to another source; it is connected if the previous one was."""
        data = self.choice.currentData()
        if data == OTHER:
            self._ask_port()
            return
        self._before = data
        connected = self._hub.source is not None
        if data == RECORDING:
            self.path = self._ask_file()
        self._update_setup()
        if connected:
            self._connect()

    def _ask_port(self) -> None:
        """Ask for the path of a port, and select it; the former source is selected meanwhile."""
        self.choice.setCurrentIndex(max(self._row_of(self._before), 0))
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Other port"))
        dialog.setLabelText(self.tr("Path or name of the port, such as /dev/rfcomm0 or COM7"))
        dialog.setTextValue(self._settings.other_port)
        dialog.textValueSelected.connect(self._take_port)
        dialog.open()

    def _take_port(self, text: str) -> None:
        """Select a port that was typed, and remember it."""
        path = text.strip()
        if not path:
            return
        listed = [device.address for device in self._listed_devices if device.address.path == path]
        address = listed[0] if listed else Address(path)
        self._settings.other_port = path
        if address.vendor is None and address not in self._typed:
            self._typed.append(address)
            self._update_ports(self._listed_devices)
        self.choice.setCurrentIndex(self._row_of(address))
        self._on_source_chosen()

    def _change_port(self) -> None:
        """Store baud rate and unit, and reconnect with them."""
        self.store_setup(baud=self.baud.currentData(), unit=self.unit.currentData())
        if isinstance(self._hub.source, SerialPort):
            self._connect()

    def _toggle_connection(self) -> None:
        """Connect or disconnect."""
        if self._hub.source is None:
            self._connect()
        else:
            self._hub.connect(None)

    def _connect(self) -> None:
        """Connect the selected source."""
        source = self._make_source()
        self._hub.connect(source)

    def _make_source(self) -> Source | None:
        """Create the selected source; None if the user chose no file, or an invalid one."""
        address, setup = self._selected_address(), self.setup
        if address is not None:
            return SerialPort(address, setup.baud, setup.unit)
        if self.choice.currentData() == SIMULATED:
            self.simulated = SimulatedSensor(self.simulated.wave)
            return self.simulated
        self.path = self.path or self._ask_file()
        if self.path is None:
            return None
        try:
            return LogPlayback(self.path)
        except InputError as error:
            self._toast.show_message(translate_error(error), 10.0)
            self.path = None
            return None

    def _ask_file(self) -> Path | None:
        """Ask for a recording; None if the dialog was cancelled."""
        kinds = self.tr("Recordings (*.csv)")
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Play a recording"), str(Path.cwd()), kinds)
        return Path(name) if name else None

    def play(self, path: Path) -> None:
        """Select and connect the playback of a recording."""
        self.path = path
        self.choice.setCurrentIndex(self.choice.findData(RECORDING))
        self._update_setup()
        self._connect()

    def take_over(self, wave: Wave) -> None:
        """Select the simulated sensor, and connect it with a motion in place of any other source."""
        self._select(SIMULATED)
        self.simulated.wave = wave
        if self._hub.source is not self.simulated:
            self._connect()

    def simulate(self, wave: Wave) -> None:
        """Set the motion of the simulated sensor, and connect it if it is selected and nothing is connected."""
        self.simulated.wave = wave
        if self._hub.source is None and self.choice.currentData() == SIMULATED:
            self._connect()


def _is_same_source(data: object, chosen: object) -> bool:
    """Whether two entries of the list are the same source; boards are compared by identity, not by path."""
    if isinstance(data, Address) and isinstance(chosen, Address):
        return data.is_of(chosen)
    return data == chosen
