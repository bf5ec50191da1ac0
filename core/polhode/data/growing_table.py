"""A table that grows while something is measured, bounded by leaving rows out."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from io import StringIO
from math import isnan
from typing import Protocol, Self

import numpy as np

from polhode.data.csv_line import csv_line
from polhode.data.measured import MeasuredData
from polhode.data.reading import data_of_raw
from polhode.data.text_table import RawTable
from polhode.scene.message import Message

MOST_NUMBERS = 1_000_000  # kept of a measurement: 8 MB
LEAST_ROWS = 2  # of measured data
NO_TIMES = Message("rows without a time, or whose time goes back, are left out")


class HasHeadings(Protocol):
    """The columns of a table."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Headings with units, such as "Time (s)"."""

    @property
    def time(self) -> int:
        """Index of the column of times."""


@dataclass(frozen=True)
class Headings:
    """The columns of a table: headings with units, and the index of the times."""

    labels: tuple[str, ...]
    time: int = 0


@dataclass(frozen=True, eq=False)
class GrowingTable:
    """The rows that came so far. It is never changed: more rows make another one."""

    source: str  # where they come from, for messages
    table: HasHeadings
    rows: np.ndarray  # (n, columns) in the units of the labels; nan where there was no number
    every: int = 1  # each how many-eth row was kept
    seen: int = 0  # rows that came
    last: float | None = None  # the newest time that came, in the unit of its label
    notes: tuple[Message, ...] = ()

    def data(self, units: Mapping[str, str] | None = None) -> MeasuredData | None:
        """Measured data, as from a file with these labels as headings; None as long as there are too few rows.

        units: units of columns by name, in place of those in the labels. Raises InputError.
        """
        if len(self.rows) < LEAST_ROWS:
            return None
        lines = np.arange(1, len(self.rows) + 1)
        raw = RawTable(self.table.labels, self.rows, lines, frozenset(), self.every)
        data = data_of_raw(self.source, raw, {}, dict(units or {}))
        return replace(data, notes=(*self.notes, *data.notes))

    def text(self) -> str:
        """The rows as CSV that `read_data` reads, as they came; empty cells where there was no number."""
        table = csv.writer(text := StringIO(), lineterminator="\n")
        table.writerows([["" if isnan(value) else value for value in row] for row in self.rows.tolist()])
        return csv_line(self.table.labels) + text.getvalue()

    def with_rows(self, rows: np.ndarray, most: int = MOST_NUMBERS) -> Self:
        """The table and those of further rows (n, columns) that are newer; beyond `most` numbers it is thinned out."""
        times = rows[:, self.table.time]
        if self.last is not None:
            is_known = times <= self.last
            rows, times = rows[~is_known], times[~is_known]
        before = np.maximum.accumulate(np.concatenate(([-np.inf], np.where(np.isnan(times), -np.inf, times))))[:-1]
        is_later = times > before
        notes = self.notes
        if not is_later.all() and NO_TIMES not in notes:
            notes = (*notes, NO_TIMES)
        rows = rows[is_later]
        if not len(rows):
            return self if notes == self.notes else replace(self, notes=notes)
        last = float(rows[-1, self.table.time])
        kept, every = np.concatenate((self.rows, rows[(-self.seen) % self.every :: self.every])), self.every
        while kept.size > most:
            kept, every = kept[::2], every * 2
        return replace(self, rows=kept, every=every, seen=self.seen + len(rows), last=last, notes=notes)
