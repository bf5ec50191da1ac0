"""A recording that is shown instead of a run, in one of its moments. Lives inside the physics thread; no Qt."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.messages import ColumnSamples
from core.mesh.mesh import Meshes
from core.recording.playback import Playback
from core.recording.reader import RecordedRun
from core.simulation.simulation import Simulation

SAMPLES = 4000  # moments of a recording that plots see; more have no place on a screen
PIECE = 100  # of them at once


class ReplaySource:
    """Moments one after another, in any order. Raises InputError where the recorded scene can't be built."""

    def __init__(self, run: RecordedRun, meshes: Meshes):
        self.run, self.row = run, 0
        self._playback = Playback(run, meshes)
        self.simulation = self._playback.go_to(0)

    @property
    def spacing(self) -> float:
        """Mean time between two moments [s]."""
        return self.run.span / max(1, self.run.rows - 1) or 1.0

    @property
    def is_at_end(self) -> bool:
        """It stands in the last moment."""
        return self.row >= self.run.rows - 1

    @property
    def span(self) -> tuple[float, float]:
        """First and last time [s]."""
        return float(self.run.times[0]), self.run.until

    def move_to(self, row: int) -> Simulation:
        """Stand in a moment, or the nearest that there is."""
        self.row = min(max(row, 0), self.run.rows - 1)
        return self._playback.go_to(self.row)

    def sampled(self, names: tuple[str, ...]) -> Iterator[ColumnSamples]:
        """These columns of the whole recording, piece by piece; those that it does not have are left out."""
        known = [name for name in names if name in self._playback.columns]
        rows = np.unique(np.linspace(0, self.run.rows - 1, min(SAMPLES, self.run.rows)).round().astype(int))
        aside = Playback(self.run, Meshes())  # what is shown stays where it is
        for piece in np.array_split(rows, max(1, len(rows) // PIECE)) if known else ():
            parts = [aside.table("time", *known, start=int(row), stop=int(row) + 1) for row in piece]
            yield ColumnSamples(("time", *known), np.concatenate(parts))
