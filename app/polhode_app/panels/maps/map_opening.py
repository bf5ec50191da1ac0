"""Reading of the files of maps in the background, one at a time."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from polhode.scene.problem import InputError
from polhode_app.jobs import CheckCancelled, Job

POLL = 50  # [ms]


class MapOpening(QObject):
    """Reads a file; `opened` carries the map and the argument `own` of `start`, `failed` an InputError."""

    opened = Signal(object, bool)
    failed = Signal(object)

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self._job = Job("map")
        self._timer = QTimer(self, interval=POLL)
        self._timer.timeout.connect(self._poll)

    def start(self, path: Path, own: bool) -> None:
        """Read a file instead of the one before."""

        def work(check_cancelled: CheckCancelled) -> tuple[object, bool]:
            from polhode.sweep.maps.map_file import read_map  # noqa: PLC0415  (with the compiler, which the window does not wait for)

            return read_map(path, check_cancelled), own

        self._job.start(work)
        self._timer.start()

    def stop(self) -> None:
        """Give up what is being read."""
        self._job.cancel()
        self._timer.stop()

    def _poll(self) -> None:
        result = self._job.poll()
        if result is None:
            return
        self._timer.stop()
        if isinstance(result, InputError):
            self.failed.emit(result)
        else:
            self.opened.emit(*result)
