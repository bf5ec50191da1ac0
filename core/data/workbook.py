"""Workbooks (.xls, .xlsx, .ods) by the optional library python-calamine."""

from __future__ import annotations

import io
from array import array
from dataclasses import replace
from math import isfinite
from typing import Any, BinaryIO

import numpy as np

from core.data.archive import DAMAGED, LARGEST_UNPACKED, choose, note_on_others, open_zip, unpacked_too_large
from core.data.layout import MOST_COLUMNS
from core.data.measured import LARGEST
from core.data.text_table import MOST_NUMBERS, RawTable
from core.scene.message import Message
from core.scene.problem import InputError, Problem

LARGEST_FILE = 32 * 2**20  # [bytes]


def read_workbook(source: str, file: BinaryIO, table: str | None) -> tuple[RawTable, tuple[Message, ...]]:
    """The sheet called `table`, by default the first one that is no metadata, and a note on the others.

    Raises InputError, also where the library is missing.
    """
    calamine = _library(source)
    content = _content(source, file)
    try:
        book = calamine.load_workbook(io.BytesIO(content))
        names = [name for name in book.sheet_names if not name.lower().startswith("metadata")]
        chosen = choose(source, names, table)
        sheet = book.get_sheet_by_name(names[chosen])
        if sheet.total_width > MOST_COLUMNS or sheet.total_height * sheet.total_width > MOST_NUMBERS:
            rule = Message("has more than {most} cells", most=MOST_NUMBERS)
            raise InputError(source, [Problem("", rule, Message("export it as CSV"))])
        rows = sheet.to_python(skip_empty_area=False)
    except InputError:
        raise
    except BaseException as error:  # a panic of calamine is no Exception, and its type cannot be imported
        if isinstance(error, calamine.CalamineError | OSError | ValueError) or type(error).__name__ == "PanicException":
            rule = Message("is a damaged workbook, or one with a password")
            raise InputError(source, [Problem("", rule, Message("save it again, or export it as CSV"))]) from None
        raise
    return replace(_table(source, rows), tables=tuple(names)), note_on_others(names, chosen)


def _library(source: str) -> Any:
    """The optional library. Raises InputError where it is not installed."""
    try:
        import python_calamine  # noqa: PLC0415  (optional)
    except ImportError:
        rule = Message("needs the library python-calamine, which is not installed")
        remedy = Message("install it with 'pip install python-calamine', or export the data as CSV")
        raise InputError(source, [Problem("", rule, remedy)]) from None
    return python_calamine


def _content(source: str, file: BinaryIO) -> bytes:
    """The bytes of a workbook, if it unpacks to a bounded size. Raises InputError."""
    content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        rule = Message("is a workbook of more than {most:.0f} MB", most=LARGEST_FILE / 2**20)
        raise InputError(source, [Problem("", rule, Message("export it as CSV"))])
    if content.startswith(b"PK"):
        _check_unpacked(source, content)
    return content


def _check_unpacked(source: str, content: bytes) -> None:
    """Unpack all members and drop them: what a zip states of its sizes proves nothing. Raises InputError."""
    left = LARGEST_UNPACKED
    packed = open_zip(source, io.BytesIO(content))
    for name in packed.namelist():
        try:
            with packed.open(name) as member:
                while piece := member.read(2**20):
                    left -= len(piece)
                    if left < 0:
                        raise unpacked_too_large(source)
        except DAMAGED:
            rule = Message("is a damaged workbook, or one with a password")
            raise InputError(source, [Problem("", rule, Message("save it again, or export it as CSV"))]) from None


def _table(source: str, rows: list[list[Any]]) -> RawTable:
    """Headings and numbers of a sheet: from the first row that begins with a number on. Raises InputError."""
    first = next((k for k, row in enumerate(rows) if _begins_with_number(row)), None)
    if first is None:
        rule = Message("has no table of numbers")
        remedy = Message("give a sheet with a line of headings and a row of numbers for each time")
        raise InputError(source, [Problem("", rule, remedy)])
    width = max(len(row) for row in rows)
    headings = tuple(str(cell) for cell in rows[first - 1]) if first else ()
    numbers, lines = array("d"), []
    for line, row in enumerate(rows[first:], first + 1):
        if all(cell == "" for cell in row):
            continue
        lines.append(line)
        numbers.extend(_number(source, line, cell) for cell in row)
    return RawTable(headings, np.array(numbers).reshape(-1, width), np.array(lines), frozenset(), 1)


def _begins_with_number(row: list[Any]) -> bool:
    cells = [cell for cell in row if cell != ""]
    return bool(cells) and isinstance(cells[0], int | float) and not isinstance(cells[0], bool)


def _number(source: str, line: int, cell: Any) -> float:
    """The number of a cell; nan for an empty one and one of words. Raises InputError for one that is not finite."""
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return float("nan")
    if not isfinite(cell) or abs(cell) > LARGEST:
        rule = Message("'{cell}' is no finite number below {most:g}", cell=cell, most=LARGEST)
        raise InputError(source, [Problem(Message("line {line}", line=line), rule, Message("correct it"))])
    return float(cell)
