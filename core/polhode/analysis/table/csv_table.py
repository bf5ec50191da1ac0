"""Tables as CSV files: a row for each time, numbers with all digits."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import Self

import numpy as np

from polhode.data.csv_line import csv_line, without_apostrophe
from polhode.scene.column_names import units_file
from polhode.scene.files.file_io import regular
from polhode.scene.files.file_writing import RowFile, replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError


def write_units(path: Path, units: Mapping[str, str]) -> None:
    """Write the units of the columns of the table `path` beside it, by column; "1" for pure numbers. Raises OSError."""
    rows = [("column", "unit"), *((name, unit or "1") for name, unit in units.items())]
    with replacing(units_file(path)) as file:
        file.write("".join(map(csv_line, rows)).encode())


def csv_rows(rows: np.ndarray) -> str:
    """Lines of rows (r, c), with all digits."""
    return "".join(",".join(map(repr, row)) + "\n" for row in rows.tolist())


class CsvTable:
    """A CSV file that grows by rows. It has whole rows alone whenever the run stops, also on a full disk."""

    def __init__(self, path: Path, columns: Mapping[str, str], units: bool = False):
        """Create the file and write the header; `columns` are the units by name.

        With `units` these are written to a file beside it. Raises OSError.
        """
        if units:
            write_units(path, columns)
        self._file = RowFile(path, csv_line(columns))

    def add_rows(self, rows: np.ndarray) -> None:
        """Append rows (r, c), the time in the first column. Raises CutShort."""
        if len(rows):
            self._file.add(csv_rows(rows))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def read_csv(path: Path) -> tuple[dict[str, str], np.ndarray]:
    """Units by name, and rows (r, c), of a table that CsvTable has written. Raises InputError and OSError.

    Units come from the file beside it; without that file they are "", but for the time.
    """
    with TextIOWrapper(regular(path), "utf-8", newline="") as file:
        try:
            lines = csv.reader(file)
            names = [without_apostrophe(cell) for cell in next(lines, [])]
            rows = _numbers(str(path), names, file)
        except (UnicodeDecodeError, csv.Error):
            raise InputError.of(str(path), Message("is not a text in UTF-8"), Message("name a table")) from None
    stated = _units_beside(path)
    return {name: stated.get(name, "s" if name == "time" else "") for name in names}, rows


def _numbers(source: str, names: list[str], file: TextIOWrapper) -> np.ndarray:
    """(r, c) the rows below the heading. Raises InputError."""
    remedy = Message("read measured data of other programs with polhode.read_data")
    if "time" not in names or len({*names}) != len(names):
        raise InputError.of(source, Message("is not a table of a run: its heading has no names of columns"), remedy)
    try:
        rows = np.loadtxt(file, delimiter=",", comments=None, ndmin=2)
    except ValueError as error:
        reason = str(error).partition(".")[0].partition("; ")[0]
        raise InputError.of(source, Message("is damaged ({reason})", reason=reason), remedy) from None
    if rows.size == 0:
        return np.empty((0, len(names)))
    if rows.shape[1] != len(names):
        rule = Message("has {count} numbers in a row below {names} names", count=rows.shape[1], names=len(names))
        raise InputError.of(source, rule, remedy)
    return rows


def _units_beside(path: Path) -> dict[str, str]:
    """Units by name from the file beside a table; {} without one."""
    try:
        with TextIOWrapper(regular(units_file(path)), "utf-8", newline="") as file:
            rows = [row for row in csv.reader(file) if len(row) == 2][1:]
    except (OSError, UnicodeDecodeError, csv.Error):
        return {}
    return {without_apostrophe(name): "" if unit == "1" else unit for name, unit in rows}
