"""A recording as the library hands it out: its frames, its table, and its playback."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.recording import reader
from core.recording.events import Event

if TYPE_CHECKING:
    from core.recording.playback import Playback


class Recording(reader.RecordedRun):
    """A recorded run with its table (core.analysis.columns), which needs the compiled core."""

    @cached_property
    def playback(self) -> Playback:
        """Its frames as snapshots and as a table, and a repetition of the run."""
        # It imports the compiler, which a program that asks for times and scenes does not wait for.
        from core.recording.playback import Playback  # noqa: PLC0415

        return Playback(self)

    @property
    def action_table(self) -> tuple[Event, ...]:
        """The events."""
        return self.events

    @property
    def columns(self) -> dict[str, str]:
        """Units of the table's columns by name."""
        return self.playback.columns

    def table(self, *names: str, start: int = 0, stop: int | None = None) -> np.ndarray:
        """(t, c) the named columns, or all, at frames start ... stop - 1, in SI units. Raises InputError."""
        return self.playback.table(*names, start=start, stop=stop)

    def __getitem__(self, name: str) -> np.ndarray:
        """(t,) one column, such as "bob.position.x" [m] or "energy.total" [J]."""
        return self.table(name)[:, 0]


def read_recording(path: Path | str) -> Recording:
    """Open a recording (.vtkhdf) for reading. Raises InputError for other or damaged files."""
    return reader.read_recording(path, Recording)
