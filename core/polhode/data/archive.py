"""Zip files with tables, as phyphox exports them: a CSV file for each set of sensors, and a folder `meta`."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import PurePosixPath
from typing import BinaryIO

from polhode.data.text_table import RawTable, read_text_table
from polhode.scene.files import zip_archive
from polhode.scene.files.file_io import TooLarge
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue

LARGEST = 32 * 2**20  # [bytes] packed
LARGEST_UNPACKED = 64 * 2**20  # [bytes] of one member
MOST_MEMBERS = 1000
TABLES = (".csv", ".txt", ".tsv")


def open_zip(source: str, file: BinaryIO) -> zipfile.ZipFile:
    """The directory of a zip. Raises InputError for a damaged or too large one."""
    size = file.seek(0, 2)
    file.seek(0)
    if size > LARGEST:
        rule = Message(
            "is {size:.0f} MB, more than the {most:.0f} of packed data", size=size / 2**20, most=LARGEST / 2**20
        )
        raise InputError.of(source, rule, Message("unpack it and name the table"))
    with refused(source):
        packed = zip_archive.open_zip(file)
    if len(packed.namelist()) > MOST_MEMBERS:
        rule = Message("has {count} files in it, more than {most}", count=len(packed.namelist()), most=MOST_MEMBERS)
        raise InputError.of(source, rule, Message("unpack it and name the table"))
    return packed


@contextmanager
def refused(source: str) -> Iterator[None]:
    """Context manager that raises InputError for a zip that is damaged, or unpacks to more than LARGEST_UNPACKED."""
    try:
        yield
    except InvalidValue as error:
        raise InputError(source, [error.problem]) from error
    except TooLarge:
        raise unpacked_too_large(source) from None


def unpacked_too_large(source: str) -> InputError:
    """The error for a member that unpacks to more than LARGEST_UNPACKED."""
    rule = Message("unpacks to more than {most:.0f} MB", most=LARGEST_UNPACKED / 2**20)
    return InputError.of(source, rule, Message("unpack it and name the table"))


def read_archive(source: str, file: BinaryIO, table: str | None) -> tuple[RawTable, tuple[Message, ...]]:
    """The table called `table`, by default the first one, and a note on the others. Raises InputError."""
    packed = open_zip(source, file)
    infos = [info for info in packed.infolist() if _is_table(info.filename)]
    tables = [PurePosixPath(info.filename).stem for info in infos]
    chosen = choose(source, tables, table)
    with refused(source), zip_archive.member(packed, infos[chosen], LARGEST_UNPACKED) as unpacked:
        raw = read_text_table(source, unpacked)  # type: ignore[arg-type]
    return replace(raw, tables=tuple(tables)), note_on_others(tables, chosen)


def choose(source: str, names: list[str], table: str | None) -> int:
    """Index of the table called `table` among `names`, 0 by default. Raises InputError for an unknown name."""
    if not names:
        rule = Message("has no table in it")
        raise InputError.of(source, rule, Message("name a file with a table, such as CSV"))
    if table is None:
        return 0
    if table not in names:
        rule, remedy = (
            Message("has no table '{name}'", name=table),
            Message("name one of {names}", names=", ".join(names[:20])),
        )
        raise InputError.of(source, rule, remedy)
    return names.index(table)


def note_on_others(names: list[str], chosen: int) -> tuple[Message, ...]:
    """A note on the tables that are not read, if any."""
    others = [name for k, name in enumerate(names) if k != chosen]
    if not others:
        return ()
    words = Message(
        "table '{name}' is read; there are others: {names}", name=names[chosen], names=", ".join(others[:20])
    )
    return (words,)


def _is_table(name: str) -> bool:
    """Whether a member holds measurements: a text, not below a folder of metadata or of the system."""
    path = PurePosixPath(name)
    hidden = any(part.lower() == "meta" or part.startswith(("__MACOSX", ".")) for part in path.parts)
    return path.suffix.lower() in TABLES and not hidden
