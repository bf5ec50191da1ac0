"""Tables of maps: one row for each cell, as CSV, Parquet or numpy arrays."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np

from polhode.analysis.table.parquet_table import parquet_library
from polhode.data.csv_line import csv_line
from polhode.run.status import STATUS
from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.sweep.maps.map_file import StoredMap
from polhode_app.data.maps.cell import attractor_name, axis_titles, status_name, value_title
from polhode_app.i18n.translation import translate

TABLES = (".csv", ".parquet", ".npz")
ROWS = 65_536  # of a CSV file that are made at once


def columns(stored: StoredMap, cells: np.ndarray) -> dict[str, np.ndarray]:
    """Columns of the table for some cells (n,): the parameters by name [SI], label, value, time [s] and status.

    Label is -1 of a cell without an attractor; value and time are nan where there is none. Of sections point0, point1
    ... follow, nan beyond the last point, and of Lyapunov exponents exponent0, exponent1 ..., the largest first.
    """
    made = stored.map
    values = stored.variation.values(cells)
    table = {axis.parameter: values[:, k] for k, axis in enumerate(made.sweep.axes)}
    for name in ("label", "value", "time"):
        table[name] = getattr(made, name).reshape(-1)[cells]
    table["status"] = np.array(STATUS)[made.status.reshape(-1)[cells]]
    numbers = made.features.reshape(made.status.size, made.features.shape[-1])[cells]
    name = made.sweep.outcome.row.numbers
    return table | {f"{name}{k}": numbers[:, k] for k in range(numbers.shape[1]) if name}


def titled(stored: StoredMap, table: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """A table for people: columns (n,) by the titles of the axes and of the value, words for labels and statuses.

    Labels of cells without an attractor are empty. Columns without any value are left out.
    """
    made, outcome = stored.map, stored.map.sweep.outcome
    titles = dict(zip(table, axis_titles(stored.scene, made), strict=False))
    titles |= {"time": translate(Message("end of the run [s]")), "status": translate(Message("status"))}
    found = {title: table[name] for name, title in titles.items() if name in table}
    if outcome.kind == "attractor":
        names = ["" if label < 0 else attractor_name(outcome, label) for label in table["label"].tolist()]
        found[translate(Message("attractor"))] = np.array(names)
    else:
        found[value_title(outcome)] = table["value"]
    found[titles["status"]] = np.array([status_name(STATUS.index(status)) for status in table["status"].tolist()])
    return found | {name: table[name] for name in table if name.startswith(outcome.row.numbers or "\0")}


def write_table(stored: StoredMap, out: Path, has_titles: bool = False) -> None:
    """Write the table of a map; the ending of `out` decides on the format, one of TABLES.

    A CSV file `has_titles` with units and names in the current language instead of the names of the columns. .npz holds
    the arrays in the shape of the sweep, and the values of each axis. Raises InputError for another ending,
    and OSError.
    """
    ending = out.suffix.lower()
    if ending not in TABLES:
        rule = Message("can't be made from a map")
        raise InputError(
            str(out), [Problem("", rule, Message("choose an ending out of {endings}", endings=", ".join(TABLES)))]
        )
    count = stored.map.status.size
    with replacing(out) as file:
        if ending == ".npz":
            np.savez_compressed(file, allow_pickle=False, **_arrays(stored))
        elif ending == ".parquet":
            arrow, parquet = parquet_library(out)
            parquet.write_table(arrow.table(columns(stored, np.arange(count))), file)
        else:
            for first in range(0, count, ROWS):
                text = io.StringIO()
                writer = csv.writer(text, lineterminator="\n")
                table = columns(stored, np.arange(first, min(first + ROWS, count)))
                table = titled(stored, table) if has_titles else table
                if first == 0:
                    file.write(csv_line(table).encode())
                writer.writerows(zip(*(column.tolist() for column in table.values()), strict=True))
                file.write(text.getvalue().encode())


def _arrays(stored: StoredMap) -> dict[str, np.ndarray]:
    """Results in the shape of the sweep, values of the axes, and the names of their parameters."""
    made = stored.map
    results = {name: getattr(made, name) for name in ("label", "value", "time", "status")}
    axes = {f"axis{k}": values for k, values in enumerate(made.axis_values)}
    if name := made.sweep.outcome.row.numbers:
        results[f"{name}s"] = made.features
    return results | axes | {"parameters": np.array([axis.parameter for axis in made.sweep.axes])}
