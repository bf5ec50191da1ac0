"""Bounded buffer of sampled columns against time. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from polhode.analysis.peaks import maxima
from polhode_app.messages import ColumnSamples

ROWS = 2**17  # default capacity
TOPS = 2**14  # maxima kept for each column


class SampleBuffer:
    """Rows of samples in order of time. When the buffer is full, every second row of the older half is dropped.

    So recent data keep their resolution and the first row is never lost. NaN marks values that are not known; a row of
    NaN alone marks a discontinuity.
    """

    def __init__(self, columns: Iterable[str] = (), rows: int = ROWS):
        """`rows` is the capacity."""
        self.columns = tuple(columns)  # names, without the time
        self._rows = np.empty((rows, 1 + len(self.columns)))
        self._count = 0
        self._tops = {name: np.empty((0, 2)) for name in self.columns}  # (k, 2) times [s] and values of maxima
        self.cuts = 0  # revision counter: increased when data are removed or changed

    @property
    def rows(self) -> np.ndarray:
        """(n, 1 + columns) times [s] and values; a view of the buffer."""
        return self._rows[: self._count]

    @property
    def times(self) -> np.ndarray:
        """(n,) [s]; a view of the buffer."""
        return self._rows[: self._count, 0]

    def column(self, name: str) -> np.ndarray:
        """(n,) values at `times`, in SI units; NaN where unknown. A view of the buffer."""
        return self._rows[: self._count, 1 + self.columns.index(name)]

    def known(self, *names: str, among: slice = slice(None)) -> np.ndarray:
        """(n,) bool: rows in which all these columns are known, and rows that mark a discontinuity.

        Other rows are samples of further columns; lines are drawn across them.
        """
        missing = np.isnan([self.column(name)[among] for name in names]).any(axis=0)
        if missing.any():  # rare; the next line reads all columns
            missing &= ~np.isnan(self.rows[among, 1:]).all(axis=1)
        return np.asarray(~missing)

    def series(self, name: str, among: slice = slice(None)) -> tuple[np.ndarray, np.ndarray]:
        """Times (m,) [s] and values (m,) of one column among some rows; NaN marks discontinuities."""
        kept = self.known(name, among=among)
        return self.times[among][kept], self.column(name)[among][kept]

    def at(self, times: np.ndarray, name: str) -> np.ndarray:
        """(n,) a column interpolated linearly at other times (n,) [s]; NaN outside of the data."""
        known, values = self.series(name)
        return np.interp(times, known, values, left=np.nan, right=np.nan) if len(known) else np.full(len(times), np.nan)

    def table(self, names: Iterable[str]) -> np.ndarray:
        """(n, c) values of c columns at `times`."""
        return np.column_stack([self.column(name) for name in names])

    def maxima(self, name: str, begin: float = -np.inf, end: float = np.inf) -> np.ndarray:
        """(k, 2) times [s] and values of the maxima of a column between two times [s].

        Maxima are detected when samples are added, so they are not affected by thinning.
        """
        tops = self._tops[name]
        return tops[np.searchsorted(tops[:, 0], begin) : np.searchsorted(tops[:, 0], end, side="right")]

    def choose(self, columns: Iterable[str]) -> None:
        """Set the stored columns. Data of columns that stay are kept, those of new ones are NaN."""
        chosen = SampleBuffer(columns, len(self._rows))
        chosen._count = self._count
        chosen._rows[: self._count] = np.nan
        chosen._rows[: self._count, 0] = self.times
        for column, name in enumerate(chosen.columns, start=1):
            if name in self._tops:
                chosen._rows[: self._count, column] = self.column(name)
                chosen._tops[name] = self._tops[name]
        self.columns, self._rows, self._tops = chosen.columns, chosen._rows, chosen._tops
        self.cuts += 1

    def clear(self) -> None:
        """Discard all rows."""
        self._cut(-np.inf)

    def interrupt(self) -> None:
        """Mark a discontinuity: neither lines nor maxima connect later samples with the present ones."""
        if self._count:
            self._add(np.array([[self.times[-1], *(np.nan for _ in self.columns)]]))

    def take(self, sampled: ColumnSamples) -> None:
        """Add samples.

        Rows at or after the first new time are discarded, since the run was rewound; samples that were recalled
        complete unknown values instead.
        """
        numbers = np.full((len(sampled.numbers), len(self.columns) + 1), np.nan)
        for column, name in enumerate(("time", *self.columns)):
            if name in sampled.columns:
                numbers[:, column] = sampled.numbers[:, sampled.columns.index(name)]
        if sampled.recalled:
            self._fill(numbers)
            return
        if self._count and numbers[0, 0] <= self.times[-1]:
            self._cut(numbers[0, 0])
        for begin in range(0, len(numbers), len(self._rows) // 4):
            self._add(numbers[begin : begin + len(self._rows) // 4])

    def _add(self, numbers: np.ndarray) -> None:
        """Append rows (n, 1 + columns) and detect maxima in them."""
        if self._count + len(numbers) > len(self._rows):
            self._thin()
        joined = np.concatenate([self._rows[max(0, self._count - 2) : self._count], numbers])
        for column, name in enumerate(self.columns, start=1):
            found = np.column_stack(maxima(joined[:, 0], joined[:, column]))
            if len(found):
                self._tops[name] = np.concatenate([self._tops[name], found])[-TOPS:]
        self._rows[self._count : self._count + len(numbers)] = numbers
        self._count += len(numbers)

    def _fill(self, numbers: np.ndarray) -> None:
        """Complete unknown values with recalled rows (n, 1 + columns), and insert those that lie in gaps of the data.

        Recalled rows are coarser than samples: they are inserted only where the next known row is far away, compared
        with their own spacing.
        """
        times = numbers[:, 0]
        ended = np.isnan(self.rows[:, 1:]).all(axis=1) & (self.times >= times[0]) & (self.times <= times[-1])
        rows = self.rows[~ended]  # discontinuities inside the recalled span are resolved
        at = np.searchsorted(rows[:, 0], times)
        same = np.isin(times, rows[:, 0])
        here = at[same]
        rows[here] = np.where(np.isnan(rows[here]), numbers[same], rows[here])
        known = np.concatenate([[-np.inf], rows[~np.isnan(rows).any(axis=1), 0], [np.inf]])
        after = np.searchsorted(known, times)
        interval = np.diff(times).max(initial=0.0)
        far = np.minimum(times - known[after - 1], known[after] - times) > interval / 2
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
        """Drop every second row of the older half, in place."""
        half = len(self._rows) // 2
        kept = np.concatenate([self._rows[:half:2], self._rows[half : self._count]])
        self._rows[: len(kept)] = kept
        self._count = len(kept)

    def _cut(self, time: float) -> None:
        """Discard rows and maxima at or after a time [s]."""
        self.cuts += 1
        self._count = int(np.searchsorted(self.times, time))
        self._tops = {name: tops[tops[:, 0] < time] for name, tops in self._tops.items()}


def joined(batches: Iterable[ColumnSamples]) -> Iterator[ColumnSamples]:
    """Merge consecutive batches where possible, since adding a batch has a cost that does not depend on its size."""
    waiting: list[ColumnSamples] = []
    for batch in batches:
        if waiting and not _follows(batch, waiting[-1]):
            yield _one(waiting)
            waiting = []
        waiting.append(batch)
    if waiting:
        yield _one(waiting)


def _follows(batch: ColumnSamples, other: ColumnSamples) -> bool:
    """Whether two batches can be merged: same columns, increasing times, none recalled."""
    same = batch.columns == other.columns and not (batch.recalled or other.recalled)
    return same and bool(batch.numbers[0, 0] > other.numbers[-1, 0])


def _one(batches: list[ColumnSamples]) -> ColumnSamples:
    """Merge batches into one."""
    if len(batches) == 1:
        return batches[0]
    return ColumnSamples(batches[0].columns, np.vstack([each.numbers for each in batches]))
