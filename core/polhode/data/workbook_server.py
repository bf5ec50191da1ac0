"""Reads a workbook in a process of its own, with limits of memory and time, for workbook.py.

The library makes an array of all cells between the first and the last one: two cells that are far apart let it abort
the process. The request is the name of a sheet, "" for the first one, with the content of the file; the answer comes
with the numbers of the table as float64, row by row (core/polhode/process/messages.py):

    {"sheet": NAME}, [content]
    {"names": [...]}                                    the sheets, where none is called NAME
    {"names": [...], "chosen": k, "headings": [...],    the sheet k, with the line of each row,
     "lines": [...], "width": columns,
     "words": [column, ...],                            columns of words, which are all nan,
     "ends": [[column, line], ...]}                     and the first line of the padding of columns that end early
    {"names": [...], "chosen": k, "fault": [...]}       why it has none: "cells" or "none"; or "words" or "number",
                                                        line, column, text
"""

from __future__ import annotations

import io
import sys
from array import array
from math import isfinite
from typing import Any

import python_calamine as calamine

from polhode.data.layout import MOST_COLUMNS
from polhode.data.measured import LARGEST
from polhode.data.text_table import MOST_NUMBERS, NO_NUMBER
from polhode.process.limits import allow_time, ignore_interrupts, limit_memory
from polhode.process.messages import receive, send

MEMORY = 3 * 2**30  # [bytes] of the process: a sheet of MOST_NUMBERS cells as objects of Python
TIME = 60  # [s] of processor time


def answer(content: bytes, wanted: str) -> tuple[dict[str, Any], array[float]]:
    """The answer about a workbook: its line, and the numbers (n * width,) of the table."""
    book = calamine.load_workbook(io.BytesIO(content))
    names = [name for name in book.sheet_names if not name.lower().startswith("metadata")]
    said: dict[str, Any] = {"names": names}
    if not names or (wanted and wanted not in names):
        return said, array("d")
    said["chosen"] = names.index(wanted) if wanted else 0
    sheet = book.get_sheet_by_name(names[said["chosen"]])
    if sheet.total_width > MOST_COLUMNS or sheet.total_height * sheet.total_width > MOST_NUMBERS:
        return said | {"fault": ["cells"]}, array("d")
    made, numbers = _table(sheet.to_python(skip_empty_area=False))
    return said | made, numbers


def _table(rows: list[list[Any]]) -> tuple[dict[str, Any], array[float]]:
    """Headings, lines and numbers of a sheet, from the first row that begins with a number on."""
    first = next((k for k, row in enumerate(rows) if _begins_with_number(row)), None)
    if first is None:
        return {"fault": ["none"]}, array("d")
    width = max(len(row) for row in rows)
    headings = [str(cell) for cell in rows[first - 1]] if first else []
    words = _columns_of_words(rows[first:], width)
    numbers, lines, ends = array("d"), [], dict[int, int]()
    for line, row in enumerate(rows[first:], first + 1):
        if all(cell == "" for cell in row):
            continue
        lines.append(line)
        for column, cell in enumerate(row):
            if _is_gap(cell) and cell != "" and column not in words:
                ends.setdefault(column, line)
            if column in words or _is_gap(cell):
                numbers.append(float("nan"))
            elif kind := _fault(cell):
                named = headings[column] if column < len(headings) else str(column + 1)
                return {"fault": [kind, line, named, str(cell)]}, array("d")
            else:
                numbers.append(float(cell))
                ends.pop(column, None)  # single gaps, not the end of the column
    table = {"headings": headings, "lines": lines, "width": width, "words": sorted(words), "ends": sorted(ends.items())}
    return table, numbers


def _is_gap(cell: Any) -> bool:
    """Whether a cell is empty, or NaN as a word."""
    return isinstance(cell, str) and (cell == "" or cell.lower() == NO_NUMBER)


def _fault(cell: Any) -> str:
    """The fault of a cell of a column of numbers, or ""."""
    if not _is_number(cell):
        return "words"
    return "" if isfinite(cell) and abs(cell) <= LARGEST else "number"


def _columns_of_words(rows: list[list[Any]], width: int) -> set[int]:
    """Columns with words in more than half of the rows that have anything there."""
    found = set()
    for column in range(width):
        filled = [row[column] for row in rows if not _is_gap(row[column])]
        if 2 * sum(not _is_number(cell) for cell in filled) > len(filled):
            found.add(column)
    return found


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _begins_with_number(row: list[Any]) -> bool:
    """Whether the first cell that is not empty is a number."""
    return _is_number(next((cell for cell in row if cell != ""), ""))


def main() -> None:
    """Answer about the workbook of the request on stdin. An exception of the library ends the process."""
    ignore_interrupts()
    limit_memory(MEMORY)
    allow_time(TIME)
    request = receive(sys.stdin.buffer)
    if request is not None:
        head, (content,) = request
        found, numbers = answer(content, head["sheet"])
        send(sys.stdout.buffer, found, [numbers.tobytes()])


if __name__ == "__main__":
    main()
