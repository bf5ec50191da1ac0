"""Reading of a recording in a thread of its own, which can be cancelled. No Qt."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from core.scene.problem import InputError

if TYPE_CHECKING:
    from core.recording.isolated_file import IsolatedFile
    from core.recording.reader import RecordedRun


class RecordingOpening:
    """A recording that is being read. `result` is None until it is known; after `cancel` it is of no use."""

    def __init__(self, path: Path):
        self.path = path
        self.result: RecordedRun | InputError | None = None
        self._source: IsolatedFile | None = None
        self._cancelled = False
        self._thread = Thread(target=self._read, name="opening", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        """Body of the thread."""
        # The first frame does not wait for the reader.
        from core.recording.reader import RecordedRun, open_source  # noqa: PLC0415

        try:
            self._source = open_source(self.path)
            if self._cancelled:
                self._source.close()
            self.result = RecordedRun(self._source)
        except InputError as error:
            self.result = error

    def cancel(self) -> None:
        """End the process that reads, and so the thread."""
        self._cancelled = True
        if self._source is not None:
            self._source.close()
