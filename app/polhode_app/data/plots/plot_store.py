"""Store of all data shown in plots: quantities sampled at steps, and quantities read from frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter

import numpy as np

from polhode_app.data.plots.frame_quantities import Reading
from polhode_app.data.plots.plot_table import PlotTable, complete
from polhode_app.data.plots.sample_buffer import SampleBuffer
from polhode_app.messages import ColumnSamples, FrameData


class PlotStore:
    """The chosen quantities against time, each at its own resolution. No Qt."""

    def __init__(self) -> None:
        self.steps, self.frames = SampleBuffer(), SampleBuffer()  # quantities of steps, and of frames
        self._readings: Mapping[str, tuple[str, Reading]] = {}

    def know(self, readings: Mapping[str, tuple[str, Reading]]) -> None:
        """Set the quantities that are read from frames; to be followed by `choose`."""
        self._readings = readings

    def choose(self, names: Iterable[str]) -> None:
        """Set the stored quantities. Data of quantities that stay are kept."""
        names = tuple(names)
        self.steps.choose(name for name in names if name not in self._readings)
        self.frames.choose(name for name in names if name in self._readings)

    def clear(self) -> None:
        """Discard all data."""
        self.steps.clear()
        self.frames.clear()

    def interrupt(self) -> None:
        """Mark a discontinuity: later data do not continue the present ones."""
        self.steps.interrupt()
        self.frames.interrupt()

    def take(self, sampled: ColumnSamples) -> None:
        """Add samples of steps."""
        self.steps.take(sampled)

    def see(self, frame: FrameData) -> bool:
        """Add a frame, unless the run was rewound to it; True if the data have changed."""
        if not self.frames.columns:
            return False
        time, known = frame.snapshot.time, self.frames.times
        if len(known) and time <= known[-1] and frame.past[1] >= known[-1]:
            return False  # the run was rewound, and later states are still available
        values = (self._readings[name][1](frame) for name in self.frames.columns)
        self.frames.take(ColumnSamples(("time", *self.frames.columns), np.array([[time, *values]])))
        return True

    @property
    def cuts(self) -> int:
        """Revision counter; consumers discard derived data when it changes."""
        return self.steps.cuts + self.frames.cuts

    @property
    def span(self) -> tuple[float, float] | None:
        """First and last time [s] of the data; None if there are none."""
        ends = [(history.times[0], history.times[-1]) for history in self._used if len(history.times)]
        return (float(min(first for first, _ in ends)), float(max(last for _, last in ends))) if ends else None

    @property
    def _used(self) -> list[SampleBuffer]:
        """The buffers that store any column."""
        return [history for history in (self.steps, self.frames) if history.columns]

    def of(self, name: str) -> SampleBuffer:
        """The buffer of a chosen quantity."""
        return self.frames if name in self._readings else self.steps

    def together(self, *names: str) -> tuple[np.ndarray, ...]:
        """Times (n,) [s] and values (n,) of each named quantity, at the times of the coarser buffer.

        Quantities of the finer buffer are interpolated linearly.
        """
        coarse = any(self.of(name) is self.frames for name in names)
        history = self.frames if coarse else self.steps
        kept = history.known(*(name for name in names if self.of(name) is history))
        times = history.times[kept]
        of_it = {name: history.column(name)[kept] for name in names if self.of(name) is history}
        return times, *(of_it[name] if name in of_it else self.of(name).at(times, name) for name in names)

    def maxima(self, name: str, begin: float = -np.inf, end: float = np.inf) -> np.ndarray:
        """(k, 2) times [s] and values of the maxima of a quantity between two times [s]."""
        return self.of(name).maxima(name, begin, end)

    def table(self, units: Mapping[str, str]) -> PlotTable:
        """All samples, with the units of the quantities by column.

        If there are quantities of steps and of frames, a row has values for those known at its time; the others are
        empty. Rows that lack a quantity, since it was chosen later, are left out.
        """
        used = self._used or [self.steps]
        parts = [complete([("time", "s"), *_with_units(each.columns, units)], each.rows) for each in used]
        width = [len(part.columns) - 1 for part in parts]
        rows: list[list[object]] = []
        for number, part in enumerate(parts):
            left, right = [""] * sum(width[:number]), [""] * sum(width[number + 1 :])
            rows += [[time, *left, *values, *right] for time, *values in part.rows]
        columns = ("time", "s"), *(column for part in parts for column in part.columns[1:])
        late = {name: count for part in parts for name, count in part.late.items()}
        return PlotTable(columns, sorted(rows, key=itemgetter(0)), late)


def _with_units(columns: Iterable[str], units: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name, units.get(name, "")) for name in columns]
