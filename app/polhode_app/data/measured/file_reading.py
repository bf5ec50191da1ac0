"""A file of measured data, and how it is read. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from polhode.data.measured import MeasuredData
from polhode.data.reading import read_data
from polhode.data.times import TimeOptions


@dataclass(frozen=True)
class Reading:
    """A file of data, and how it is read."""

    path: Path | None = None  # None for live data
    units: dict[str, str] = field(default_factory=dict)  # in place of those of the file, by column
    table: str | None = None
    times: TimeOptions = TimeOptions()  # noqa: RUF009  # it is immutable

    def data(self, progress: Callable[[float], None]) -> MeasuredData:
        """The data of the file. Raises InputError."""
        assert self.path is not None
        times = self.times
        return read_data(self.path, self.units, self.table, progress, times.column, times.rate, times.drop_later)
