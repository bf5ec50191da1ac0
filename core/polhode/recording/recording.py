"""Recordings of the library: frames, tables and playback; the compiled core is imported at first use."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from polhode.analysis.table.row_times import decimal_times
from polhode.analysis.table.run import Run
from polhode.recording import reader
from polhode.scene.checks.arguments import checked
from polhode.scene.display.notebook import html_of

if TYPE_CHECKING:
    from polhode.recording.playback import Playback
    from polhode.simulation.snapshot import Snapshot


class Recording(reader.RecordedRun):
    """A recorded run with its table (polhode.analysis.columns).

        from polhode import read_recording

        with read_recording("run.vtkhdf") as recording:
            recording.times, recording.columns             # (t,) [s]; units by name
            recording["energy.total"]                      # (t,) [J]
            recording["bob.position"]                      # (t, 3) [m]
            recording.table("time", "energy.total")        # (t, 2)
            recording.run().to_pandas()                    # all columns as named arrays (Run)
            for snapshot in recording:
                print(snapshot.time, snapshot.bodies.position)

    Times, scenes and events (RecordedRun) are there at once; the table and the playback need the compiled core. For one
    thread at a time.
    """

    @cached_property
    def playback(self) -> Playback:
        """Its frames as snapshots and as a table, and a repetition of the run."""
        # imports the compiler, which times and scenes do not need
        from polhode.recording.playback import Playback  # noqa: PLC0415

        return Playback(self)

    @property
    def columns(self) -> dict[str, str]:
        """Units of the table's columns by name, such as {"time": "s"}."""
        return self.playback.columns

    @checked
    def table(self, *names: str, start: int = 0, stop: int | None = None) -> np.ndarray:
        """(t, c) the named columns, or all, at frames start ... stop - 1, in the units of `columns`.

        Computed from the states; c = len(names), or the number of all columns. Raises InputError for an unknown name.
        """
        return self.playback.table(*names, start=start, stop=stop)

    def _repr_html_(self) -> str | None:
        """HTML of the recording for notebooks."""
        return html_of(self)

    def run(self) -> Run:
        """All columns at all frames as named arrays; times are decimal, as in tables."""
        numbers, scene = self.table(), self.scene
        numbers[:, 0] = decimal_times(numbers[:, 0])
        about = {"title": self.about.title, "program": self.about.program, "scene": self.text}
        return Run(numbers, self.columns, self.path.name, scene, about)

    @checked
    def __getitem__(self, name: str) -> np.ndarray:
        """(t,) one column at all frames, such as "energy.total" [J], or a vector, such as "bob.position" (t, 3) [m].

        Names are those of Run. Raises InputError for unknown ones.
        """
        return self.playback[name]

    def __iter__(self) -> Iterator[Snapshot]:
        """The snapshots of all frames, one after the other."""
        return (self.playback.snapshot(row) for row in range(self.rows))

    def _ipython_key_completions_(self) -> list[str]:
        """Names that a notebook completes in recording["..."]."""
        return [*self.playback.named.all_units]


@checked
def read_recording(path: Path | str) -> Recording:
    """Open a recording (.vtkhdf) for reading, also one that is still being written: with the frames up to now.

    Raises InputError for files that are missing, damaged, unsafe to read, of another program, or of a newer format.
    """
    return reader.read_recording(path, Recording)
