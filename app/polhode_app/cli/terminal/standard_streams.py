"""Standard input as a scene, and standard output as a table: both are "-" on the command line."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

import numpy as np

from polhode.analysis.table.csv_table import CsvTable, csv_rows
from polhode.analysis.table.parquet_table import ParquetTable
from polhode.analysis.table.table_file import open_table
from polhode.data.csv_line import csv_line
from polhode.scene.message import Message
from polhode.scene.problem import InputError, reason_of
from polhode.scene.scene_file import LARGEST_FILE

STANDARD = "-"
STANDARD_INPUT = "standard input"
"""Name of a scene in place of "-", which the parser takes for an option."""


def named(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command line with STANDARD_INPUT in place of each "-" that is no output."""
    before = ["", *arguments]
    return [
        STANDARD_INPUT if each == STANDARD and last != "--out" else each
        for last, each in zip(before, arguments, strict=False)
    ]


def refuse_standard_streams(source: str, out: str) -> None:
    """Raise InputError if the input or the output of a command that takes files only is a standard stream."""
    if source == STANDARD_INPUT:
        rule = Message("can't be converted")
        raise InputError.of(STANDARD_INPUT, rule, Message("write it to a file, and name the file"))
    if out in (STANDARD, STANDARD_INPUT):  # "-" after a file is no input, but the parser has replaced it
        rule = Message("takes tables only")
        raise InputError.of("standard output", rule, Message("name a file, as in 'model.xml'"))


def is_standard(path: Path) -> bool:
    """Whether an output is standard output."""
    return str(path) == STANDARD


def standard_input() -> bytes:
    """All bytes of standard input, up to its end. Raises InputError where there is none, or too much.

    A terminal is refused, as the program would wait without a word.
    """
    if sys.stdin is None or sys.stdin.isatty():
        rule = Message("there is nothing on standard input")
        raise InputError.of(
            STANDARD_INPUT, rule, Message("pipe a scene file into the command, as in '... < scene.toml'")
        )
    try:
        content = sys.stdin.buffer.read(LARGEST_FILE + 1)
    except OSError as error:
        rule = Message("cannot be read ({reason})", reason=reason_of(error))
        raise InputError.of(STANDARD_INPUT, rule, Message("check what is piped into the command")) from error
    if len(content) > LARGEST_FILE:
        rule = Message("is more than the {most:.0f} MB of any scene", most=LARGEST_FILE / 2**20)
        raise InputError.of(STANDARD_INPUT, rule, Message("is it a scene?"))
    if not content.strip():
        raise InputError.of(STANDARD_INPUT, Message("is empty"), Message("pipe a scene file into the command"))
    return content


class StandardTable:
    """A table in CSV on standard output; a closed pipe raises BrokenPipeError."""

    def __init__(self, columns: Mapping[str, str]):
        """Write the header; `columns` are the units by name."""
        print(csv_line(columns), end="")

    def add_rows(self, rows: np.ndarray) -> None:
        """Write rows (r, c), the time in the first column."""
        print(csv_rows(rows), end="", flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


def table_to(
    out: Path, columns: Mapping[str, str], about: Mapping[str, str], units: bool = False
) -> AbstractContextManager[StandardTable | CsvTable | ParquetTable]:
    """A table to which rows are added: a file as of `open_table`, or standard output."""
    return StandardTable(columns) if is_standard(out) else open_table(out, columns, about, units)
