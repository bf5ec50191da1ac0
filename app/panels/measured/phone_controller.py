"""Connects the row of the phone with the thread that receives from it, and lays what arrives over the run."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.compilation.background_job import BackgroundJob, Breathe
from app.i18n.translation import translate_problem
from app.measured.phone_link import PhoneLink, PhoneState
from app.panels.measured.data_controller import DataController
from app.panels.measured.phone_row import PhoneRow
from app.panels.shell.window_context import WindowContext
from core.data.measured import MeasuredData
from core.data.phyphox.remote import LEAST_ROWS
from core.scene.file_writing import replace_file
from core.scene.problem import InputError, printable

PAUSE = 1.0  # [s] between two comparisons of what arrives with the run


class PhoneController(QObject):
    """Nothing is sent before the button is pressed. What arrived stays when the phone is gone."""

    def __init__(self, context: WindowContext, row: PhoneRow, data: DataController):
        super().__init__(row)
        self._context, self._settings, self._row, self._data = context, context.settings, row, data
        self.link, self._saver = PhoneLink(), BackgroundJob("table of a phone")
        self._shown: tuple[PhoneState, bool] | None = None
        self._taken: MeasuredData | None = None
        self._is_laid = False  # what arrives; not after a file was opened
        self._at = 0.0  # [s] when data were laid over the run last
        row.address.setText(self._settings.phone)
        row.connect_wanted.connect(self.connect_phone)
        row.disconnect_wanted.connect(self.link.disconnect)
        row.table_chosen.connect(self._choose)
        row.measure_wanted.connect(self.link.measure)
        row.save_wanted.connect(self._ask_save)
        data.file_wanted.connect(self._leave)
        data.units_changed.connect(self._change_units)

    def stop(self) -> None:
        """End the threads."""
        self.link.close()
        self._saver.close()

    def connect_phone(self, address: str) -> None:
        """Begin to receive from an address, and remember it."""
        try:
            self.link.connect(address)
        except InputError as error:
            self._show_error(error)
            return
        self.link.units, self._taken, self._is_laid = {}, None, True
        self._settings.phone = address.strip()

    def refresh(self) -> None:
        """Show the phone again in the next frame, as in another language."""
        self._shown = None

    def tick(self, is_busy: bool) -> None:
        """Take what was received, once per frame; while anything is computed from the data before, it waits."""
        self.link.poll()
        self._take_saved()
        state = self.link.state
        if (state, self.link.is_connected) != self._shown:
            self._shown = state, self.link.is_connected
            self._show(state)
        is_new = state.data is not None and state.data is not self._taken
        if self._is_laid and is_new and not is_busy and time.monotonic() - self._at > PAUSE:
            self._take(state.data)

    def _take(self, data: MeasuredData | None) -> None:
        """Lay data over the run."""
        if data is None:
            return
        layer = self._data.layer
        if self._taken is None or (layer is not None and layer.data.source != data.source):
            self._data.units = {}
        self._taken, self._at = data, time.monotonic()
        self._data.take_live(data)

    def _leave(self) -> None:
        """Make room for the data of a file."""
        self.link.disconnect()
        self._is_laid = False

    def _choose(self, table: str) -> None:
        self.link.units = {}
        self.link.choose(table)

    def _change_units(self) -> None:
        """Convert what was received by the units that were chosen, at once where the thread has ended."""
        self.link.units = dict(self._data.units)
        record = self.link.state.record
        if not self.link.is_connected and record is not None:
            try:
                self._take(record.data(self.link.units))
            except InputError as error:
                self._show_error(error)

    def _show(self, state: PhoneState) -> None:
        """Show the phone, what was received from it, and what is wrong."""
        is_connected, row = self.link.is_connected, self._row
        row.show_phone(is_connected, state.tables, state.table, state.is_measuring)
        count, title = len(state.record.rows) if state.record is not None else 0, printable(state.title)
        if is_connected and title and state.problem is not None:
            told = self.tr("Asking '{title}' again; {count} rows stay")
        elif is_connected:
            told = self.tr("Connected to '{title}': {count} rows") if title else self.tr("Connecting...")
        else:
            told = self.tr("Disconnected; {count} rows of '{title}' stay") if title else ""
        problem = "\n".join(map(translate_problem, state.problem.problems)) if state.problem is not None else ""
        row.show_texts(told.format(title=title, count=count), problem, count >= LEAST_ROWS)

    def _show_error(self, error: InputError) -> None:
        """Show what is wrong, beside what was received before."""
        self._show(self.link.state)
        row = self._row
        row.show_texts(row.state.text(), "\n".join(map(translate_problem, error.problems)), row.save.isVisible())

    # Files

    def _ask_save(self) -> None:
        """Ask for a file, and write what was received to it."""
        kinds = self.tr("Tables ({endings})").format(endings="*.csv")
        name, _ = QFileDialog.getSaveFileName(
            self._context.window, self.tr("Save what was received"), str(Path.cwd() / "phone.csv"), kinds
        )
        if name:
            self.save(Path(name))

    def save(self, path: Path) -> None:
        """Write what was received in the background; a name without an ending gets that of CSV."""
        path = path if path.suffix else path.with_name(f"{path.name}.csv")
        record = self.link.state.record

        def work(_breathe: Breathe) -> Path:
            if record is not None:
                replace_file(path, record.text())
            return path

        if record is not None:
            self._saver.start(work)

    def _take_saved(self) -> None:
        """Tell where the file is, or why there is none."""
        saved = self._saver.poll()
        if isinstance(saved, InputError):
            self._show_error(saved)
        elif saved is not None:
            self._context.toast.show_file_saved(self.tr("Table saved: {path}"), saved)
