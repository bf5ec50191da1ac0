"""Workbooks (.xls, .xlsx, .ods) by the optional library python-calamine, in a process of its own."""

from __future__ import annotations

import io
import os
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, BinaryIO

import numpy as np

from polhode.data.archive import LARGEST_UNPACKED, choose, note_on_others, open_zip, refused
from polhode.data.measured import LARGEST
from polhode.data.optional_library import missing_library
from polhode.data.text_table import MOST_NUMBERS, RawTable, no_number
from polhode.process.child_process import SINGLE_THREADED, ChildProcess
from polhode.scene.files.zip_archive import packed, unpacked
from polhode.scene.message import Message
from polhode.scene.problem import InputError

LARGEST_FILE = 32 * 2**20  # [bytes]
SERVER = "polhode.data.workbook_server"
PATIENCE = 120.0  # [s] wall time of the process


def read_workbook(source: str, file: BinaryIO, table: str | None) -> tuple[RawTable, tuple[Message, ...]]:
    """The sheet called `table`, by default the first one that is no metadata, and a note on the others.

    Raises InputError, also where the library is missing.
    """
    if find_spec("python_calamine") is None:
        raise missing_library(source, "python-calamine", Message("export the data as CSV"))
    said, numbers = _answer(source, _content(source, file), table)
    names = said["names"]
    chosen = choose(source, names, table)
    if fault := said.get("fault"):
        raise _error(source, *fault)
    values = np.frombuffer(numbers).reshape(-1, said["width"])
    ends, texts = dict(said["ends"]), frozenset(said["words"])
    raw = RawTable(tuple(said["headings"]), values, np.array(said["lines"]), texts, 1, tuple(names), ends)
    return raw, note_on_others(names, chosen)


def _answer(source: str, content: bytes, table: str | None) -> tuple[dict[str, Any], bytes]:
    """The answer of the process (workbook_server.py): its table, and the numbers. Raises InputError."""
    process = ChildProcess(SERVER, environment={**os.environ, **SINGLE_THREADED})
    process.send({"sheet": table or ""}, [content])
    with suppress(TimeoutError):
        if (answer := process.receive(PATIENCE)) is not None:
            head, (numbers,) = answer
            return head, numbers
    rule = Message("is a damaged workbook, one with a password, or one with cells far apart")
    raise InputError.of(source, rule, Message("save it again, or export it as CSV"))


def _error(source: str, kind: str, line: int = 0, column: str = "", cell: str = "") -> InputError:
    """The error for a sheet that holds no table, or for one of its cells."""
    if kind == "words":
        return no_number(source, line, column, cell)
    if kind == "cells":
        rule, remedy = Message("has more than {most} cells", most=MOST_NUMBERS), Message("export it as CSV")
        return InputError.of(source, rule, remedy)
    if kind == "number":
        rule = Message("'{cell}' is no finite number below {most:g}", cell=cell, most=LARGEST)
        return InputError.of(source, rule, Message("correct it"), Message("line {line}", line=line))
    remedy = Message("give a sheet with a line of headings and a row of numbers for each time")
    return InputError.of(source, Message("has no table of numbers"), remedy)


def _content(source: str, file: BinaryIO) -> bytes:
    """The bytes of a workbook, if it unpacks to a bounded size. Raises InputError."""
    content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        rule = Message("is a workbook of more than {most:.0f} MB", most=LARGEST_FILE / 2**20)
        raise InputError.of(source, rule, Message("export it as CSV"))
    if content.startswith(b"PK"):
        return _packed_again(source, content)
    return content


def _packed_again(source: str, content: bytes) -> bytes:
    """A workbook that is a zip, with its members unpacked here: the library reads no others. Raises InputError."""
    archive = open_zip(source, io.BytesIO(content))
    with refused(source):
        return packed(unpacked(archive, archive.infolist(), LARGEST_UNPACKED))
