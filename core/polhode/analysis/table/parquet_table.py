"""Tables as Parquet files, with the units of the columns as metadata. Needs the optional library pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from polhode.data.optional_library import optional_library
from polhode.scene.files.file_io import regular
from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError

PARQUET = ".parquet"
GROUP = 2**22  # numbers of a row group: large groups are stored and read faster


def parquet_library(out: Path) -> tuple[Any, Any]:
    """The optional modules `pyarrow` and `pyarrow.parquet`. Raises InputError."""
    instead = Message("use .csv")
    return optional_library(str(out), "pyarrow", instead), optional_library(str(out), "pyarrow.parquet", instead)


class ParquetTable:
    """An open Parquet file that grows by rows; `parquet_table` makes it."""

    def __init__(self, arrow: Any, writer: Any, schema: Any):
        self._arrow, self._writer, self._schema = arrow, writer, schema
        self._waiting: list[np.ndarray] = []

    def add_rows(self, rows: np.ndarray) -> None:
        """Append rows (r, c). Raises OSError."""
        if len(rows):
            self._waiting.append(rows)
        if sum(part.size for part in self._waiting) >= GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the rows that are waiting as a row group. Raises OSError."""
        if self._waiting:
            columns = [*np.ascontiguousarray(np.concatenate(self._waiting).T)]
            self._writer.write_table(self._arrow.table(columns, schema=self._schema))
            self._waiting = []


@contextmanager
def parquet_table(path: Path, columns: Mapping[str, str], about: Mapping[str, str]) -> Iterator[ParquetTable]:
    """A file that has all rows at the end, also those before an exception; none where it can't be written.

    columns: units by name; about: metadata of the table

    Raises InputError without the library, and OSError.
    """
    arrow, parquet = parquet_library(path)
    fields = [arrow.field(name, arrow.float64(), metadata={"unit": unit}) for name, unit in columns.items()]
    schema = arrow.schema(fields, metadata=dict(about))
    stopped: BaseException | None = None
    with replacing(path) as file, parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        table = ParquetTable(arrow, writer, schema)
        try:
            yield table
        except OSError:
            raise
        except BaseException as error:  # noqa: BLE001  (raised again below, when the rows before it are in the file)
            stopped = error
        table.flush()
    if stopped is not None:
        raise stopped


def read_parquet(path: Path) -> tuple[dict[str, str], np.ndarray, dict[str, str]]:
    """Units by name, rows (r, c), and metadata, of a table that `parquet_table` has written.

    Raises InputError and OSError.
    """
    arrow, parquet = parquet_library(path)
    with regular(path) as file:
        try:
            table = parquet.read_table(file)
            rows = np.array([column.to_numpy() for column in table.columns], dtype=float).T
        except (arrow.ArrowException, ValueError) as error:
            reason = str(error).partition("\n")[0]
            remedy = Message("name a table that Polhode has written")
            raise InputError.of(str(path), Message("is damaged ({reason})", reason=reason), remedy) from None
    units = {field.name: (field.metadata or {}).get(b"unit", b"").decode() for field in table.schema}
    about = {key.decode(): text.decode(errors="replace") for key, text in (table.schema.metadata or {}).items()}
    if "time" not in units:
        raise InputError.of(str(path), Message("has no column '{name}'", name="time"), Message("name a table of a run"))
    return units, rows, about
