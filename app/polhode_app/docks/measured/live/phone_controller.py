"""Connects the row of the phone with the thread that receives from it, and lays what arrives over the run."""

from __future__ import annotations

from PySide6.QtCore import QObject

from polhode.data.growing_table import LEAST_ROWS
from polhode.scene.message import printable
from polhode.scene.problem import InputError
from polhode_app.data.measured.live.phone_link import PhoneLink, PhoneState
from polhode_app.docks.measured.data_controller import DataController
from polhode_app.docks.measured.live.live_table import LiveTable
from polhode_app.docks.measured.rows.phone_row import PhoneRow
from polhode_app.i18n.translation import translate_problem
from polhode_app.window.shell.window_context import WindowContext


class PhoneController(QObject):
    """Nothing is sent before the button is pressed. What arrived stays when the phone is gone."""

    def __init__(self, context: WindowContext, row: PhoneRow, data: DataController):
        super().__init__(row)
        self._settings, self._row, self._data = context.settings, row, data
        self.link, self.live = PhoneLink(), LiveTable(context, data, "phone.csv", self)
        self._shown: tuple[PhoneState, bool] | None = None
        row.address.setText(self._settings.phone)
        row.connect_wanted.connect(self.connect_phone)
        row.disconnect_wanted.connect(self.link.disconnect)
        row.table_chosen.connect(self._choose)
        row.measure_wanted.connect(self.link.measure)
        row.save_wanted.connect(lambda: self.live.ask_save(self.link.state.record))
        self.live.left.connect(self.link.disconnect)
        self.live.failed.connect(self._show_error)
        data.units_changed.connect(self._change_units)

    def stop(self) -> None:
        """End the threads."""
        self.link.close()
        self.live.stop()

    def connect_phone(self, address: str) -> None:
        """Begin to receive from an address, and remember it."""
        try:
            self.link.connect(address)
        except InputError as error:
            self._show_error(error)
            return
        self.link.units = {}
        self.live.begin()
        self._settings.phone = address.strip()

    def refresh(self) -> None:
        """Show the phone again in the next frame, as in another language."""
        self._shown = None

    def tick(self, is_busy: bool) -> None:
        """Take received data, once per frame; they wait while the previous data are evaluated."""
        self.link.poll()
        self.live.tick()
        state = self.link.state
        if (state, self.link.is_connected) != self._shown:
            self._shown = state, self.link.is_connected
            self._show(state)
        self.live.offer(state.data, is_busy)

    def _choose(self, table: str) -> None:
        self.link.units = {}
        self.link.choose(table)

    def _change_units(self) -> None:
        """Convert the received data to the chosen units, at once if the thread has ended."""
        if not self.live.is_laid:
            return
        self.link.units = dict(self._data.units)
        record = self.link.state.record
        if not self.link.is_connected and record is not None:
            try:
                self.live.take(record.data(self.link.units))
            except InputError as error:
                self._show_error(error)

    def _show(self, state: PhoneState) -> None:
        """Show the phone, the received data, and a problem."""
        is_connected, row = self.link.is_connected, self._row
        row.show_phone(is_connected, state.tables, state.table, state.is_measuring)
        count, title = len(state.record.rows) if state.record is not None else 0, printable(state.title)
        if is_connected and title and state.problem is not None:
            text = self.tr("Reconnecting to '{title}'; {count} rows kept")
        elif is_connected:
            text = self.tr("Connected to '{title}': {count} rows") if title else self.tr("Connecting...")
        else:
            text = self.tr("Disconnected; {count} rows of '{title}' kept") if title else ""
        problem = "\n".join(map(translate_problem, state.problem.problems)) if state.problem is not None else ""
        row.show_texts(text.format(title=title, count=count), problem, count >= LEAST_ROWS)

    def _show_error(self, error: InputError) -> None:
        """Show a problem, beside the data received before."""
        self._show(self.link.state)
        row = self._row
        row.show_texts(row.state.text(), "\n".join(map(translate_problem, error.problems)), row.save.isVisible())
