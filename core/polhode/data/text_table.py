"""Tables in text: CSV and its relatives, line by line, with bounded memory however long the file is.

Of a table of more than MOST_NUMBERS numbers every second row is dropped, as often as needed: a file of gigabytes is
read through, but does not have to fit into memory. NO_NUMBER is a gap; phyphox fills columns that end early with it.
"""

from __future__ import annotations

import codecs
import io
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from math import isfinite
from typing import IO, BinaryIO

import numpy as np

from polhode.data.clock import clock_seconds
from polhode.data.layout import NUMBER, SAMPLE, Layout, find_layout
from polhode.scene.message import Message
from polhode.scene.problem import InputError

LONGEST_LINE = 2**16  # characters
PIECE = 2**20  # characters that are read at once
MOST_EMPTY = 10_000  # lines without a row after each other
MOST_NUMBERS = 8_000_000  # kept of a table: 64 MB
HEAD = 2**16  # [bytes] from which the encoding is found
COMMENTS = ("#", "//", "%")
NO_NUMBER = "nan"  # in any case of its letters


@dataclass(frozen=True, eq=False)
class RawTable:
    """The numbers of a table in the units of its file."""

    headings: tuple[str, ...]  # of all columns; () without any
    values: np.ndarray  # (n, columns); nan for empty cells
    lines: np.ndarray  # (n,) lines of the file
    texts: frozenset[int]  # columns that hold words: all nan
    every: int  # each how many-eth row was kept
    tables: tuple[str, ...] = ()  # of the file, if it can have several
    ends: Mapping[int, int] = field(default_factory=dict)  # first line of the padding of columns that end early
    clocks: frozenset[int] = frozenset()  # columns with times of a clock or calendar


def read_text_table(
    source: str,
    file: BinaryIO | IO[bytes],
    most_numbers: int = MOST_NUMBERS,
    progress: Callable[[int], None] = lambda _read: None,
) -> RawTable:
    """The table in an open file. Raises InputError with the line, and OSError.

    progress: called with the number of bytes that are read, after each piece; may raise to end the reading
    """
    numbered = _lines(source, file, progress)
    sample = list(islice(numbered, SAMPLE))
    if not sample:
        raise InputError.of(source, Message("is empty"), Message("name a file with a table of numbers"))
    layout = find_layout(source, [text for _, text in sample])
    rows = _Rows(source, layout, most_numbers)
    for number, text in chain(sample[layout.first :], numbered):
        rows.add(number, text)
    return rows.table()


class _Rows:
    """Collects rows, each as its line number and its numbers."""

    def __init__(self, source: str, layout: Layout, most: int):
        self._source, self._layout = source, layout
        self._width = layout.columns + 1
        self._most = max(most // self._width, 2)  # rows
        self._kept = array("d")
        self._every, self._count = 1, 0
        self._ends: dict[int, int] = {}
        self._clocks: set[int] = set()

    def add(self, number: int, text: str) -> None:
        """Add the row in line `number`, or skip it where rows are thinned out. Raises InputError."""
        self._count += 1
        if self._every > 1 and (self._count - 1) % self._every:
            return
        cells = self._layout.cells(text)
        if len(cells) != self._layout.columns:
            cells = self._fitted(number, cells)
        self._kept.append(number)
        self._kept.extend(self._numbers(number, text, cells))
        if len(self._kept) > self._most * self._width:
            rows = np.frombuffer(self._kept, dtype=float).reshape(-1, self._width)[::2].copy()
            self._kept = array("d", rows.tobytes())
            self._every *= 2

    def table(self) -> RawTable:
        """The table of all rows."""
        layout = self._layout
        rows = np.frombuffer(self._kept, dtype=float).reshape(-1, self._width)
        lines = rows[:, 0].astype(int)
        return RawTable(
            layout.headings,
            rows[:, 1:].copy(),
            lines,
            layout.texts,
            self._every,
            (),
            self._ends,
            frozenset(self._clocks),
        )

    def _fault(self, number: int, rule: Message, remedy: Message) -> InputError:
        return InputError.of(self._source, rule, remedy, Message("line {line}", line=number))

    def _fitted(self, number: int, cells: list[str]) -> list[str]:
        """Cells of a line with another count, where those that are too many are empty. Raises InputError."""
        wanted = self._layout.columns
        if len(cells) > wanted and not any(cells[wanted:]):
            return cells[:wanted]
        rule = Message("has {count} cells, the table has {columns} columns", count=len(cells), columns=wanted)
        remedy = Message("complete the line; where nothing was measured, leave a cell empty between its separators")
        raise self._fault(number, rule, remedy)

    def _numbers(self, number: int, text: str, cells: list[str]) -> list[float]:
        """The numbers of a row; nan for empty cells and words. Raises InputError for a cell that is not a number."""
        if self._layout.has_decimal_comma:
            cells = [cell.replace(",", ".") for cell in cells]
        try:
            values = list(map(float, cells))
            if isfinite(sum(values)) and "_" not in text and not self._ends:
                return values
        except ValueError:
            pass
        return [self._number(number, column, cell) for column, cell in enumerate(cells)]

    def _number(self, number: int, column: int, cell: str) -> float:
        """The number of a cell; nan for an empty one, and in columns of words. Raises InputError."""
        if not cell or column in self._layout.texts:
            return float("nan")
        if cell.lower() == NO_NUMBER:
            self._ends.setdefault(column, number)
            return float("nan")
        self._ends.pop(column, None)  # single gaps, not the end of the column
        if NUMBER.fullmatch(cell) is not None and isfinite(float(cell)):
            return float(cell)
        seconds = clock_seconds(cell)
        if seconds is None:
            raise self._no_number(number, column, cell)
        self._clocks.add(column)
        return seconds

    def _no_number(self, line: int, column: int, cell: str) -> InputError:
        named = self._layout.headings[column] if self._layout.headings else str(column + 1)
        return no_number(self._source, line, named, cell)


def no_number(source: str, line: int, column: str, cell: str) -> InputError:
    """The error for a cell of words among numbers."""
    rule = Message("'{cell}' in column '{column}' is no finite number", cell=cell[:40], column=column[:80])
    remedy = Message("correct it, or leave the cell empty where nothing was measured")
    return InputError.of(source, rule, remedy, Message("line {line}", line=line))


def _lines(source: str, file: BinaryIO | IO[bytes], progress: Callable[[int], None]) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without empty ones and comments. Raises InputError if it is no text."""
    head = file.read(HEAD)
    joined = _Joined(head, file)
    text = io.TextIOWrapper(io.BufferedReader(joined), _encoding(source, head), errors="replace")
    number, last, rest = 0, 0, ""
    while piece := text.read(PIECE):
        lines = (rest + piece).split("\n")
        rest = lines.pop()
        for line in lines:
            number += 1
            if _is_of_table(source, number, line):
                last = number
                yield number, line
            elif number - last > MOST_EMPTY:
                rule = Message("follows more than {most} lines without numbers", most=MOST_EMPTY)
                raise InputError.of(source, rule, Message("remove them"), Message("line {line}", line=number))
        if len(rest) > LONGEST_LINE:
            _is_of_table(source, number + 1, rest)
        progress(joined.given)
    if _is_of_table(source, number + 1, rest):
        yield number + 1, rest


def _is_of_table(source: str, number: int, line: str) -> bool:
    """Whether a line is neither empty nor a comment. Raises InputError for one that is too long."""
    if len(line) > LONGEST_LINE:
        rule = Message("has more than {most} characters", most=LONGEST_LINE)
        raise InputError.of(source, rule, Message("is it a table?"), Message("line {line}", line=number))
    begin = line.lstrip()
    return begin != "" and not begin.startswith(COMMENTS)


class _Joined(io.RawIOBase):
    """The bytes `head`, and after them those of a file."""

    def __init__(self, head: bytes, rest: BinaryIO | IO[bytes]):
        self._head, self._rest = head, rest
        self.given = 0  # bytes

    def readable(self) -> bool:
        """True: it is read only."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer with the next bytes; returns the number of bytes, 0 at the end."""
        piece = self._head[: len(buffer)] if self._head else self._rest.read(len(buffer))
        self._head = self._head[len(piece) :]
        buffer[: len(piece)] = piece
        self.given += len(piece)
        return len(piece)


def _encoding(source: str, head: bytes) -> str:
    """The encoding of a text by its beginning: UTF-16 with its mark, UTF-8, else Latin 1. Raises InputError."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in head:
        rule = Message("is no text")
        raise InputError.of(source, rule, Message("export it as CSV from the program that made it"))
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # a character may be cut at the end
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig"
