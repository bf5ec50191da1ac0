"""Tables of runs: CSV files with a row for each state, in full precision."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from math import floor
from pathlib import Path
from typing import Self

import numpy as np

from polhode.analysis.columns import columns
from polhode.data.csv_line import csv_line
from polhode.engine.compiled_scene import CompiledScene
from polhode.scene.column_names import units_file
from polhode.scene.file_writing import RowFile, replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.simulation.snapshot import Snapshot

WHOLE = 1e-9  # of an interval: smaller remainders are rounding errors and give no further row


def times(until: float, every: float) -> Iterator[float]:
    """Times of the rows [s]: the multiples of the decimal number `every`, without rounding errors, and `until` as the
    last one.
    """
    interval = Decimal(repr(every))
    whole = floor(until / every + WHOLE)
    count = whole + 1 if until - whole * every > WHOLE * every else whole
    for number in range(max(count, 1 if until > 0 else 0)):
        yield float(number * interval)
    yield until


def decimal_times(values: np.ndarray) -> np.ndarray:
    """Times (t,) [s] of a recording, which are steps times the time step, as decimal numbers of 15 digits.

    0.30000000000000004, the product of 3 and 0.1 as floats, is 0.3, as `times` has it.
    """
    return np.array([float(f"{value:.15g}") for value in values.tolist()])


def check_columns(option: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise InputError if a name that an option of the command line states is not one of the known columns."""
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            remedy = (
                Message("did you mean '{near}'?", near=near[0])
                if near
                else Message("the first row of a table names the columns")
            )
            raise InputError("polhode", [Problem(option, Message("'{name}' is not a column", name=name), remedy)])


def write_units(path: Path, units: Mapping[str, str]) -> None:
    """Write the units of the columns of the table `path` beside it, by column; "1" for pure numbers. Raises OSError."""
    rows = [("column", "unit"), *((name, unit or "1") for name, unit in units.items())]
    with replacing(units_file(path)) as file:
        file.write("".join(map(csv_line, rows)).encode())


class TableFile:
    """A CSV file that is written row by row. It has whole rows alone whenever the run stops, also on a full disk."""

    def __init__(self, path: Path, compiled: CompiledScene, more: Sequence[str] = (), units: bool = False):
        """Create the file and write the header; `more` are names of additional columns, which are times [s].

        With `units` these are written to a file beside it. Raises OSError.
        """
        if units:
            write_units(path, columns(compiled) | dict.fromkeys(more, "s"))
        self._file = RowFile(path, csv_line([*columns(compiled), *more]))

    def add(self, time: float, snapshot: Snapshot, more: Sequence[float] = ()) -> None:
        """Append a snapshot, with the requested time in place of its clock, which differs by rounding errors.

        `more` are the values of the additional columns. Raises CutShort.
        """
        numbers = [time, *snapshot.numbers[1:].tolist(), *more]
        self._file.add(",".join(map(repr, numbers)) + "\n")

    def add_rows(self, rows: np.ndarray) -> None:
        """Append rows (r, c), the time in the first column. Raises CutShort."""
        self._file.add("".join(",".join(map(repr, row)) + "\n" for row in rows.tolist()))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
