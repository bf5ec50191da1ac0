"""Files of tables: the format by the ending of the name."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from polhode.analysis.table.csv_table import CsvTable
from polhode.analysis.table.parquet_table import PARQUET, ParquetTable, parquet_table

TABLES = (".csv", PARQUET)


def open_table(
    path: Path, columns: Mapping[str, str], about: Mapping[str, str], units: bool = False
) -> AbstractContextManager[CsvTable | ParquetTable]:
    """A table to which rows are added, one of TABLES by its ending; columns: units by name.

    about: metadata, which CSV files don't have; units: write these beside a CSV file

    Raises InputError and OSError.
    """
    if path.suffix.lower() == PARQUET:
        return parquet_table(path, columns, about)
    return CsvTable(path, columns, units)
