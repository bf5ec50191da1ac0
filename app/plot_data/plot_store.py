"""Store of all data shown in plots: quantities sampled at steps, and quantities read from frames."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path

import numpy as np

from app.messages import ColumnSamples, FrameData
from app.plot_data.moment_quantities import Reading
from app.plot_data.sample_buffer import SampleBuffer
from core.data.csv_line import csv_line
from core.scene.file_writing import replacing


class PlotStore:
    """The chosen quantities against time, each at its own resolution. No Qt."""

    def __init__(self) -> None:
        self.steps, self.moments = SampleBuffer(), SampleBuffer()  # quantities of steps, and of frames
        self._readings: Mapping[str, tuple[str, Reading]] = {}

    def know(self, readings: Mapping[str, tuple[str, Reading]]) -> None:
        """Set the quantities that are read from frames; to be followed by `choose`."""
        self._readings = readings

    def choose(self, names: Iterable[str]) -> None:
        """Set the stored quantities. Data of quantities that stay are kept."""
        names = tuple(names)
        self.steps.choose(name for name in names if name not in self._readings)
        self.moments.choose(name for name in names if name in self._readings)

    def clear(self) -> None:
        """Discard all data."""
        self.steps.clear()
        self.moments.clear()

    def interrupt(self) -> None:
        """Mark a discontinuity: later data do not continue the present ones."""
        self.steps.interrupt()
        self.moments.interrupt()

    def take(self, sampled: ColumnSamples) -> None:
        """Add samples of steps."""
        self.steps.take(sampled)

    def see(self, moment: FrameData) -> bool:
        """Add a frame, unless the run was rewound to it; True if the data have changed."""
        if not self.moments.columns:
            return False
        time, known = moment.snapshot.time, self.moments.times
        if len(known) and time <= known[-1] and moment.past[1] >= known[-1]:
            return False  # the run was rewound, and later states are still available
        values = (self._readings[name][1](moment) for name in self.moments.columns)
        self.moments.take(ColumnSamples(("time", *self.moments.columns), np.array([[time, *values]])))
        return True

    @property
    def cuts(self) -> int:
        """Revision counter; consumers discard derived data when it changes."""
        return self.steps.cuts + self.moments.cuts

    @property
    def span(self) -> tuple[float, float] | None:
        """First and last time [s] of the data; None if there are none."""
        ends = [(history.times[0], history.times[-1]) for history in self._used if len(history.times)]
        return (float(min(first for first, _ in ends)), float(max(last for _, last in ends))) if ends else None

    @property
    def _used(self) -> list[SampleBuffer]:
        """The buffers that store any column."""
        return [history for history in (self.steps, self.moments) if history.columns]

    def of(self, name: str) -> SampleBuffer:
        """The buffer of a chosen quantity."""
        return self.moments if name in self._readings else self.steps

    def together(self, *names: str) -> tuple[np.ndarray, ...]:
        """Times (n,) [s] and values (n,) of each named quantity, at the times of the coarser buffer.

        Quantities of the finer buffer are interpolated linearly.
        """
        coarse = any(self.of(name) is self.moments for name in names)
        history = self.moments if coarse else self.steps
        kept = history.known(*(name for name in names if self.of(name) is history))
        times = history.times[kept]
        of_it = {name: history.column(name)[kept] for name in names if self.of(name) is history}
        return times, *(of_it[name] if name in of_it else self.of(name).at(times, name) for name in names)

    def maxima(self, name: str, begin: float = -np.inf, end: float = np.inf) -> np.ndarray:
        """(k, 2) times [s] and values of the maxima of a quantity between two times [s]."""
        return self.of(name).maxima(name, begin, end)

    def save(self, path: Path) -> None:
        """Write a CSV table in the format of `polhode run`. Raises OSError.

        If there are quantities of steps and of frames, a row has values for those known at its time; the others are
        empty.
        """
        used = self._used or [self.steps]
        width = [len(history.columns) for history in used]
        rows: list[tuple[float, list[object]]] = []
        for number, history in enumerate(used):
            left, right = [""] * sum(width[:number]), [""] * sum(width[number + 1 :])
            rows += [(time, [time, *left, *values, *right]) for time, *values in history.rows.tolist()]
        with replacing(path) as file:
            file.write(csv_line(self.columns).encode())
            table = csv.writer(text := StringIO(), lineterminator="\n")
            table.writerows(row for _, row in sorted(rows, key=lambda row: row[0]))
            file.write(text.getvalue().encode())

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the table that `save` writes."""
        return ("time", *(name for history in self._used or [self.steps] for name in history.columns))
