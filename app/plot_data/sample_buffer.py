"""What plots have heard of a run: chosen columns against time, in bounded memory. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from app.messages import ColumnSamples
from core.analysis.peaks import maxima

ROWS = 2**17
TOPS = 2**14  # maxima of a column


class SampleBuffer:
    """Rows of samples in order of time. When there is no more room, the older half loses every second one.

    So the newest stay as fine as they came, and the first ones are never forgotten.
    """

    def __init__(self, columns: Iterable[str] = (), rows: int = ROWS):
        self.columns = tuple(columns)  # beside the time
        self._rows = np.empty((rows, 1 + len(self.columns)))
        self._count = 0
        self._tops = {name: np.empty((0, 2)) for name in self.columns}
        self.cuts = 0  # how often something was forgotten

    @property
    def rows(self) -> np.ndarray:
        """(n, 1 + columns) times [s] and values."""
        return self._rows[: self._count]

    @property
    def times(self) -> np.ndarray:
        """(n,) [s]"""
        return self._rows[: self._count, 0]

    def column(self, name: str) -> np.ndarray:
        """(n,) values at `times`, in SI; nan where they were not asked for yet."""
        return self._rows[: self._count, 1 + self.columns.index(name)]

    def known(self, *names: str, among: slice = slice(None)) -> np.ndarray:
        """(n,) bool: rows that say something of all these columns, and those that say that one run has ended.

        The others are of columns that were asked for earlier: a line passes them by.
        """
        missing = np.isnan([self.column(name)[among] for name in names]).any(axis=0)
        if missing.any():  # seldom, and what follows looks at all columns
            missing &= ~np.isnan(self.rows[among, 1:]).all(axis=1)
        return np.asarray(~missing)

    def series(self, name: str, among: slice = slice(None)) -> tuple[np.ndarray, np.ndarray]:
        """Times (m,) [s] and values of one column, nan where a run has ended, among some rows."""
        kept = self.known(name, among=among)
        return self.times[among][kept], self.column(name)[among][kept]

    def at(self, times: np.ndarray, name: str) -> np.ndarray:
        """(n,) a column at other times (n,) [s], on lines between what is known; nan outside."""
        known, values = self.series(name)
        return np.interp(times, known, values, left=np.nan, right=np.nan) if len(known) else np.full(len(times), np.nan)

    def table(self, names: Iterable[str]) -> np.ndarray:
        """(n, c) these columns at `times`."""
        return np.column_stack([self.column(name) for name in names])

    def maxima(self, name: str, begin: float = -np.inf, end: float = np.inf) -> np.ndarray:
        """(k, 2) times [s] and values of the maxima of a column in between, whatever has become of the samples."""
        tops = self._tops[name]
        return tops[np.searchsorted(tops[:, 0], begin) : np.searchsorted(tops[:, 0], end, side="right")]

    def choose(self, columns: Iterable[str]) -> None:
        """Hold other columns from now on. Those that it has keep their past, others have none."""
        chosen = SampleBuffer(columns, len(self._rows))
        chosen._count = self._count
        chosen._rows[: self._count] = np.nan
        chosen._rows[: self._count, 0] = self.times
        for place, name in enumerate(chosen.columns, start=1):
            if name in self._tops:
                chosen._rows[: self._count, place] = self.column(name)
                chosen._tops[name] = self._tops[name]
        self.columns, self._rows, self._tops = chosen.columns, chosen._rows, chosen._tops
        self.cuts += 1

    def clear(self) -> None:
        self._cut(-np.inf)

    def interrupt(self) -> None:
        """What comes next does not follow from what there is: no line and no maximum lies between them."""
        if self._count:
            self._add(np.array([[self.times[-1], *(np.nan for _ in self.columns)]]))

    def take(self, sampled: ColumnSamples) -> None:
        """Add samples. What was later than the first of them has not happened: the run has been taken back.

        Those that were recalled fill what is not known, and take nothing back.
        """
        numbers = np.full((len(sampled.numbers), len(self.columns) + 1), np.nan)
        for place, name in enumerate(("time", *self.columns)):
            if name in sampled.columns:
                numbers[:, place] = sampled.numbers[:, sampled.columns.index(name)]
        if sampled.recalled:
            self._fill(numbers)
            return
        if self._count and numbers[0, 0] <= self.times[-1]:
            self._cut(numbers[0, 0])
        for begin in range(0, len(numbers), len(self._rows) // 4):
            self._add(numbers[begin : begin + len(self._rows) // 4])

    def _add(self, numbers: np.ndarray) -> None:
        if self._count + len(numbers) > len(self._rows):
            self._thin()
        joined = np.concatenate([self._rows[max(0, self._count - 2) : self._count], numbers])
        for place, name in enumerate(self.columns, start=1):
            found = np.column_stack(maxima(joined[:, 0], joined[:, place]))
            if len(found):
                self._tops[name] = np.concatenate([self._tops[name], found])[-TOPS:]
        self._rows[self._count : self._count + len(numbers)] = numbers
        self._count += len(numbers)

    def _fill(self, numbers: np.ndarray) -> None:
        """Complete what there is: where not all is known, or nothing, these coarser rows stand between the others."""
        times = numbers[:, 0]
        ended = np.isnan(self.rows[:, 1:]).all(axis=1) & (self.times >= times[0]) & (self.times <= times[-1])
        rows = self.rows[~ended]  # it has gone on there, as is known now
        at = np.searchsorted(rows[:, 0], times)
        same = np.isin(times, rows[:, 0])
        here = at[same]
        rows[here] = np.where(np.isnan(rows[here]), numbers[same], rows[here])
        known = np.concatenate([[-np.inf], rows[~np.isnan(rows).any(axis=1), 0], [np.inf]])
        after = np.searchsorted(known, times)
        apart = np.diff(times).max(initial=0.0)
        far = np.minimum(times - known[after - 1], known[after] - times) > apart / 2
        whole = np.concatenate([rows, numbers[far & ~same]])
        whole = whole[np.argsort(whole[:, 0], kind="stable")]
        while len(whole) > len(self._rows):
            whole = np.concatenate([whole[: len(whole) // 2 : 2], whole[len(whole) // 2 :]])
        self.cuts += 1
        self._count = len(whole)
        self._rows[: self._count] = whole
        for name in self.columns:
            self._tops[name] = np.column_stack(maxima(*self.series(name)))[-TOPS:]

    def _thin(self) -> None:
        half = len(self._rows) // 2
        kept = np.concatenate([self._rows[:half:2], self._rows[half : self._count]])
        self._rows[: len(kept)] = kept
        self._count = len(kept)

    def _cut(self, time: float) -> None:
        """Forget what is not earlier than a time [s]."""
        self.cuts += 1
        self._count = int(np.searchsorted(self.times, time))
        self._tops = {name: tops[tops[:, 0] < time] for name, tops in self._tops.items()}


def joined(batches: Iterable[ColumnSamples]) -> Iterator[ColumnSamples]:
    """The same samples in as few batches as can be: each of them costs as much as all of its rows."""
    waiting: list[ColumnSamples] = []
    for batch in batches:
        if waiting and not _follows(batch, waiting[-1]):
            yield _one(waiting)
            waiting = []
        waiting.append(batch)
    if waiting:
        yield _one(waiting)


def _follows(batch: ColumnSamples, other: ColumnSamples) -> bool:
    same = batch.columns == other.columns and not (batch.recalled or other.recalled)
    return same and bool(batch.numbers[0, 0] > other.numbers[-1, 0])


def _one(batches: list[ColumnSamples]) -> ColumnSamples:
    if len(batches) == 1:
        return batches[0]
    return ColumnSamples(batches[0].columns, np.vstack([each.numbers for each in batches]))
