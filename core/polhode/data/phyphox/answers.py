"""Answers of phyphox, checked field by field: the tables of an experiment, and the values of its buffers.

The interface is described at https://phyphox.org/wiki/index.php/Remote-interface_communication.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polhode.data.headings import split_heading, time_column
from polhode.scene.message import Message
from polhode.scene.problem import InputError

MOST_TABLES = 100
MOST_COLUMNS = 100
LONGEST_NAME = 200  # characters
LARGEST_NUMBER = 1e30


@dataclass(frozen=True)
class PhoneTable:
    """A set of columns that phyphox exports together."""

    name: str
    labels: tuple[str, ...]  # headings with units, such as "Time (s)"
    buffers: tuple[str, ...]  # where phyphox keeps the values, one for each label
    time: int  # index of the column of times


@dataclass(frozen=True)
class PhoneConfig:
    """The experiment that is open in phyphox."""

    title: str
    tables: tuple[PhoneTable, ...]


@dataclass(frozen=True, eq=False)
class PhoneValues:
    """The values of some buffers, and the state of the phone."""

    rows: np.ndarray  # (n, columns) in the units of the labels; nan where the phone has no number
    session: str  # another one after the experiment was opened again
    is_measuring: bool
    buffer_size: int = 0  # rows that the phone keeps, the newest ones; 0 for all


def config_of(source: str, answer: Any) -> PhoneConfig:
    """The experiment by the answer to /config. Raises InputError."""
    title = _text(source, answer, "title")
    sets = _list(source, answer, "export", MOST_TABLES)
    tables = []
    for number, each in enumerate(sets):
        path = f"export[{number}]"
        name = _text(source, each, "set", path)
        sources = _list(source, each, "sources", MOST_COLUMNS, path)
        spots = [f"{path}.sources[{k}]" for k in range(len(sources))]
        labels = [_text(source, column, "label", spot) for column, spot in zip(sources, spots, strict=True)]
        buffers = [_text(source, column, "buffer", spot) for column, spot in zip(sources, spots, strict=True)]
        at = time_column([split_heading(label) for label in labels])
        if at is not None and len(labels) > 1:
            tables.append(PhoneTable(name, tuple(labels), tuple(buffers), at))
    if not tables:
        rule = Message("the experiment '{title}' has no table with a column of times", title=title)
        raise InputError.of(source, rule, Message("open another experiment in phyphox"), source)
    return PhoneConfig(title, tuple(tables))


def values_of(source: str, answer: Any, buffers: Sequence[str]) -> PhoneValues:
    """The values of buffers by the answer to /get, as many rows as all of them have. Raises InputError."""
    status = _field(source, answer, "status", dict)
    session = _field(source, status, "session", (str, int), "status")
    is_measuring = _field(source, status, "measuring", bool, "status")
    given = _field(source, answer, "buffer", dict)
    columns, sizes = [], []
    for name in buffers:
        path = f"buffer.{name[:40]}"
        entry = _field(source, given, name, dict, "buffer")
        size = entry.get("size")  # 0 for a buffer that grows, and in older versions
        sizes += [size] if isinstance(size, int) and size > 0 else []
        columns.append(_numbers(source, _field(source, entry, "buffer", list, path), path))
    count = min(map(len, columns))
    rows = np.column_stack([column[:count] for column in columns])
    return PhoneValues(rows, str(session)[:LONGEST_NAME], is_measuring, min(sizes, default=0))


def result_of(source: str, answer: Any) -> bool:
    """Whether phyphox has done what /control asked for. Raises InputError."""
    return bool(_field(source, answer, "result", bool))


def _numbers(source: str, values: list[Any], path: str) -> np.ndarray:
    """The numbers of a buffer (n,), nan for null. Raises InputError for anything else."""
    for number, value in enumerate(values):
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER
        if value is not None and not is_number:
            shown = str(value)[:40]
            rule = Message("'{value}' is no finite number up to {most:g}", value=shown, most=LARGEST_NUMBER)
            raise _fault(source, f"{path}[{number}]", rule)
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def _field(source: str, answer: Any, name: str, kind: type | tuple[type, ...], path: str = "") -> Any:
    """A field of an object in the answer, of a kind. Raises InputError."""
    found = answer.get(name) if isinstance(answer, dict) else None
    if not isinstance(found, kind):
        spot = f"{path}.{name[:40]}" if path else name[:40]
        raise _fault(source, spot, Message("is missing in the answer, or of another kind"))
    return found


def _text(source: str, answer: Any, name: str, path: str = "") -> str:
    """A text, without single surrogates: JSON can hold them, but no file and no address can."""
    found: str = _field(source, answer, name, str, path)[:LONGEST_NAME]
    if any("\ud800" <= character <= "\udfff" for character in found):
        raise _fault(source, f"{path}.{name}" if path else name, Message("has a character that is not complete"))
    return found


def _list(source: str, answer: Any, name: str, most: int, path: str = "") -> list[Any]:
    found: list[Any] = _field(source, answer, name, list, path)
    if len(found) > most:
        rule = Message("has {count} entries, more than {most}", count=len(found), most=most)
        raise _fault(source, f"{path}.{name}" if path else name, rule)
    return found


def _fault(source: str, path: str, rule: Message) -> InputError:
    remedy = Message("is it phyphox that answers there, and is it up to date?")
    return InputError.of(source, rule, remedy, f"{source}: {path}")
