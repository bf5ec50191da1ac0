"""Table of a live source: its rows are compared with the run periodically, and can be written to a file."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from polhode.data.growing_table import GrowingTable
from polhode.data.measured import MeasuredData
from polhode.scene.files.file_writing import replace_file
from polhode.scene.problem import InputError
from polhode_app.docks.measured.data_controller import DataController
from polhode_app.jobs import CheckCancelled, Job
from polhode_app.window.shell.window_context import WindowContext

PAUSE = 1.0  # [s] between two comparisons of what arrives with the run


class LiveTable(QObject):
    """One source is laid over the run at a time: another one, or a file, makes the one before leave."""

    left = Signal()  # something else takes the place of these rows
    failed = Signal(InputError)  # a file could not be written
    saved = Signal(Path)

    def __init__(self, context: WindowContext, data: DataController, file_name: str, parent: QObject):
        """file_name: of a table that is saved, unless another one is given"""
        super().__init__(parent)
        self._context, self._data, self._file_name = context, data, file_name
        self._saver = Job(f"table of {file_name}")
        self.is_laid = False  # what arrives; not after another source took its place
        self._is_beginning = False
        self._taken: MeasuredData | None = None
        self._at = 0.0  # [s] when data were laid over the run last
        data.source_wanted.connect(self._leave)

    def stop(self) -> None:
        """End the thread."""
        self._saver.close()

    def begin(self) -> None:
        """Take the place of the file or the source before."""
        self._is_beginning = True
        self._data.source_wanted.emit()
        self._is_beginning = False
        self._taken, self.is_laid = None, True

    def _leave(self) -> None:
        """Discard the rows for other data."""
        if not self._is_beginning:
            self.is_laid = False
            self.left.emit()

    def offer(self, data: MeasuredData | None, is_busy: bool) -> None:
        """Lay data over the run if they are new; while anything is computed from those before, they wait."""
        is_new = data is not None and data is not self._taken
        if self.is_laid and is_new and not is_busy and time.monotonic() - self._at > PAUSE:
            self.take(data)

    def take(self, data: MeasuredData | None) -> None:
        """Lay data over the run at once."""
        if data is None:
            return
        layer = self._data.layer
        if self._taken is None or (layer is not None and layer.data.source != data.source):
            self._data.forget_units()
        self._taken, self._at = data, time.monotonic()
        self._data.take_live(data)

    # Files

    def ask_save(self, table: GrowingTable | None) -> bool:
        """Ask for a file, and write the rows to it; whether it does, so that `saved` or `failed` follows."""
        kinds = self.tr("Tables ({endings})").format(endings="*.csv")
        name, _ = QFileDialog.getSaveFileName(
            self._context.window, self.tr("Save what was received"), str(Path.cwd() / self._file_name), kinds
        )
        if name and table is not None:
            self.save(Path(name), table)
            return True
        return False

    def save(self, path: Path, table: GrowingTable) -> None:
        """Write the rows in the background; a name without an ending gets that of CSV."""
        path = path if path.suffix else path.with_name(f"{path.name}.csv")

        def work(_check: CheckCancelled) -> Path:
            replace_file(path, table.text())
            return path

        self._saver.add(work)

    def tick(self) -> None:
        """Show the written file, or the error, once per frame."""
        saved = self._saver.poll()
        if isinstance(saved, InputError):
            self.failed.emit(saved)
        elif saved is not None:
            self.saved.emit(saved)
            self._context.toast.show_file_saved(self.tr("Table saved: {path}"), saved)
