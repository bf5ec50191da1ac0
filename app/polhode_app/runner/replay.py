"""Replay of a recording in place of a run. Lives in the physics thread; no Qt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from polhode.mesh.mesh import Meshes
from polhode.simulation.simulation import Simulation
from polhode_app.messages import ColumnSamples

if TYPE_CHECKING:
    from polhode.recording.reader import RecordedRun

SAMPLES = 4000  # states evaluated for plots; a screen cannot resolve more
PIECE = 100  # states evaluated at once


class ReplaySource:
    """Random access to the states of a recording."""

    def __init__(self, run: RecordedRun, meshes: Meshes):
        """Open a recording at its first state. Raises InputError if its scene cannot be compiled."""
        from polhode.recording.playback import Playback  # noqa: PLC0415  # every start would wait for HDF5

        self.run, self.row = run, 0
        self._playback = Playback(run, meshes)
        self.simulation = self._playback.go_to(0)

    @property
    def spacing(self) -> float:
        """Mean time between two states [s]."""
        return self.run.span / max(1, self.run.rows - 1) or 1.0

    @property
    def is_at_end(self) -> bool:
        """Whether the current state is the last one."""
        return self.row >= self.run.rows - 1

    @property
    def span(self) -> tuple[float, float]:
        """First and last time [s]."""
        return float(self.run.times[0]), self.run.until

    def move_to(self, row: int) -> Simulation:
        """Make a state the current one, clamped to the recording; returns the simulation, another one after an edit."""
        self.row = min(max(row, 0), self.run.rows - 1)
        return self._playback.go_to(self.row)

    def sampled(self, names: tuple[str, ...]) -> Iterator[ColumnSamples]:
        """Yield samples of columns over the whole recording, in blocks; unknown columns are left out.

        The work is done between two `next` calls, so that the caller can spread it over many batches.
        """
        known = [name for name in names if name in self._playback.columns]
        rows = np.unique(np.linspace(0, self.run.rows - 1, min(SAMPLES, self.run.rows)).round().astype(int))
        aside = type(self._playback)(self.run, Meshes())  # leaves the state that is shown untouched
        for piece in np.array_split(rows, max(1, len(rows) // PIECE)) if known else ():
            parts = [aside.table("time", *known, start=int(row), stop=int(row) + 1) for row in piece]
            yield ColumnSamples(("time", *known), np.concatenate(parts))
