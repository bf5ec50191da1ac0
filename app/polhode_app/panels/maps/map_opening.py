"""Reading of the files of maps in a thread, one at a time."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from polhode.scene.problem import InputError

if TYPE_CHECKING:
    from polhode.sweep.maps.map_file import StoredMap

POLL = 50  # [ms]


class MapOpening(QObject):
    """Reads a file; `opened` carries the map and the argument `own` of `start`, `failed` an InputError."""

    opened = Signal(object, bool)
    failed = Signal(object)

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self._job: _Job | None = None
        self._timer = QTimer(self, interval=POLL)
        self._timer.timeout.connect(self._poll)

    def start(self, path: Path, own: bool) -> None:
        """Read a file instead of the one before."""
        self._job = _Job(path, own)
        self._timer.start()

    def stop(self) -> None:
        """Cancel the reading."""
        self._job = None
        self._timer.stop()

    def _poll(self) -> None:
        job = self._job
        if job is None or job.result is None:
            return
        self.stop()
        if isinstance(job.result, InputError):
            self.failed.emit(job.result)
        else:
            self.opened.emit(job.result, job.own)


class _Job:
    """One file and its thread."""

    def __init__(self, path: Path, own: bool):
        self.result: StoredMap | InputError | None = None
        self.own = own
        Thread(target=self._read, args=(path,), name="map", daemon=True).start()

    def _read(self, path: Path) -> None:
        """Body of the thread."""
        from polhode.sweep.maps.map_file import read_map  # noqa: PLC0415  (with the compiler, which the window does not wait for)

        try:
            self.result = read_map(path)
        except InputError as error:
            self.result = error
