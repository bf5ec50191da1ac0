"""Reading of recordings in threads of their own, one at a time, which can be cancelled. No Qt."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from polhode.scene.problem import InputError

if TYPE_CHECKING:
    from polhode.recording.checks.isolated_file import IsolatedFile
    from polhode.recording.reader import RecordedRun


class RecordingOpening:
    """At most one recording that is being read."""

    def __init__(self) -> None:
        self._job: _Job | None = None

    def start(self, path: Path) -> None:
        """Read a recording instead of the one before."""
        self.cancel()
        self._job = _Job(path)

    def cancel(self) -> None:
        """Give up reading, and end the process that reads."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def take(self) -> RecordedRun | InputError | None:
        """The recording, or why it can't be read, once; None while it is read, and where there is none."""
        result = self._job.result if self._job is not None else None
        if result is not None:
            self._job = None
        return result


class _Job:
    """One recording and its thread."""

    def __init__(self, path: Path):
        self.result: RecordedRun | InputError | None = None
        self._source: IsolatedFile | None = None
        self._cancelled = False
        Thread(target=self._read, args=(path,), name="opening", daemon=True).start()

    def _read(self, path: Path) -> None:
        """Body of the thread."""
        # The first frame does not wait for the reader.
        from polhode.recording.reader import RecordedRun, open_source  # noqa: PLC0415

        try:
            self._source = open_source(path)
            if self._cancelled:
                self._source.close()
            self.result = RecordedRun(self._source)
        except InputError as error:
            self.result = error

    def cancel(self) -> None:
        self._cancelled = True
        if self._source is not None:
            self._source.close()
