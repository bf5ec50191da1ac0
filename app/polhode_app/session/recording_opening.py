"""Reading of recordings in the background, one at a time, which can be cancelled. No Qt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from polhode_app.jobs import CheckCancelled, Job

if TYPE_CHECKING:
    from polhode.recording.reader import RecordedRun


class RecordingOpening(Job):
    """A Job whose result is a RecordedRun, or the InputError of a file that can't be read."""

    def __init__(self) -> None:
        super().__init__("opening")

    def open(self, path: Path) -> None:
        """Read a recording instead of the one before."""

        def work(check_cancelled: CheckCancelled) -> RecordedRun:
            # The first frame does not wait for the reader.
            from polhode.recording.reader import RecordedRun, open_source  # noqa: PLC0415

            return RecordedRun(open_source(path), check_cancelled)

        self.start(work)
