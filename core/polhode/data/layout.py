"""The layout of a table in a text: separator of its columns, sign of decimals, headings, and where its rows begin."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

from polhode.data.clock import clock_seconds
from polhode.scene.message import Message, plural
from polhode.scene.problem import InputError

SEPARATORS = ("\t", ";", ",", None)  # in order of preference; None: white space
NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,4})?", re.ASCII)
COMMA_NUMBER = re.compile(r"[-+]?\d*,\d+([eE][-+]?\d{1,4})?", re.ASCII)
MOST_COLUMNS = 1000
SAMPLE = 60  # lines at the beginning that the layout is found from


@dataclass(frozen=True)
class Layout:
    """How the lines of a table are read."""

    separator: str | None  # None: white space
    has_decimal_comma: bool
    headings: tuple[str, ...]  # () without any
    first: int  # index in the sample of the first row
    columns: int
    texts: frozenset[int]  # indices of columns that hold words

    def cells(self, line: str) -> list[str]:
        """The cells of a line, without the quotes."""
        return cells_of(line, self.separator)


def cells_of(line: str, separator: str | None) -> list[str]:
    """The cells of a line, stripped; quotes as in CSV files."""
    if separator is None:
        return line.split()
    if '"' not in line:
        return [cell.strip() for cell in line.rstrip("\r\n").split(separator)]
    try:
        return [cell.strip() for cell in next(csv.reader([line.rstrip("\r\n")], delimiter=separator), [])]
    except csv.Error:
        return [line.strip()]


def is_number(cell: str) -> bool:
    """Whether a cell is a number with a decimal point or a decimal comma."""
    return NUMBER.fullmatch(cell) is not None or COMMA_NUMBER.fullmatch(cell) is not None


def _is_value(cell: str) -> bool:
    """Whether a cell is a number, or a time of a clock or calendar."""
    return is_number(cell) or clock_seconds(cell) is not None


def find_layout(source: str, lines: Sequence[str]) -> Layout:
    """The layout of a table whose first lines are `lines`. Raises InputError where they are no table of numbers."""
    separator = _separator(source, lines)
    split = [cells_of(line, separator) for line in lines]
    first = next(k for k, cells in enumerate(split) if is_row(cells))
    rows = [cells for cells in split[first:] if is_row(cells)]
    columns = max(len(_without_end(cells)) for cells in rows)
    if first > 0 and not is_row(split[first - 1]):
        columns = max(columns, len(_without_end(split[first - 1])))
    if columns > MOST_COLUMNS:
        rule = Message("has {count} columns, more than {most}", count=columns, most=MOST_COLUMNS)
        raise InputError.of(source, rule, Message("check the separator of the columns"))
    headings = _headings(split[:first], columns)
    has_comma = separator != "," and any(COMMA_NUMBER.fullmatch(cell) for cells in rows for cell in cells)
    return Layout(separator, has_comma, headings, first, columns, _text_columns(rows, columns))


def is_row(cells: Sequence[str]) -> bool:
    """Whether cells are a row of numbers: the first one that is not empty is a number, or a time before a number."""
    filled = [cell for cell in cells if cell]
    if not filled:
        return False
    return is_number(filled[0]) or (clock_seconds(filled[0]) is not None and any(map(is_number, filled[1:])))


def _headings(above: Sequence[list[str]], columns: int) -> tuple[str, ...]:
    """The headings: the nearest of the lines above the numbers that has a cell for each column, else the last line."""
    for cells in reversed(above):
        if len(_without_end(cells)) == columns:
            return tuple(_without_end(cells))
    if above and len(above[-1]) > 1:
        return tuple((above[-1] + [""] * columns)[:columns])
    return ()


def _separator(source: str, lines: Sequence[str]) -> str | None:
    """The separator by which most cells of the lines that are rows are numbers."""
    best, chosen = 0.0, ""
    for separator in SEPARATORS:
        split = [cells_of(line, separator) for line in lines]
        rows = [cells for cells in split if is_row(cells) and len(cells) > 1]
        filled = [cell for cells in rows for cell in cells if cell]
        share = sum(map(_is_value, filled)) / max(len(filled), 1) * min(1.0, len(rows) / max(1, len(lines) // 2))
        if share > best:
            best, chosen = share, separator or " "
    if best == 0.0:
        rule = plural(
            "has no table of numbers with at least two columns in its only line",
            "has no table of numbers with at least two columns in its first {count} lines",
            count=len(lines),
        )
        remedy = Message("give a text with a line of headings and a row of numbers for each time")
        raise InputError.of(source, rule, remedy)
    return None if chosen == " " else chosen


def _text_columns(rows: Sequence[list[str]], columns: int) -> frozenset[int]:
    """Columns with words in more than half of the rows that have anything there, such as the status of a sensor."""
    found = set()
    for column in range(columns):
        filled = [cells[column] for cells in rows if column < len(cells) and cells[column]]
        words = [cell for cell in filled if not _is_value(cell) and cell.lower() not in ("nan", "inf", "-nan", "-inf")]
        if len(words) * 2 > len(filled):
            found.add(column)
    return frozenset(found)


def _without_end(cells: list[str]) -> list[str]:
    """The cells without empty ones at the end, which a separator at the end of each line makes."""
    count = len(cells)
    while count and not cells[count - 1]:
        count -= 1
    return cells[:count]
