"""Tables of what plots show: columns with units in their headings, and rows in which all of them are known. No Qt."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from polhode.data.csv_line import csv_line
from polhode.scene.files.file_writing import replacing

if TYPE_CHECKING:
    from polhode.equilibria.landscape import Landscape


@dataclass(frozen=True, eq=False)
class PlotTable:
    """Columns (name, unit) and rows, in full precision; values that do not belong to a row are empty texts."""

    columns: tuple[tuple[str, str], ...]
    rows: Iterable[Sequence[object]]
    late: Mapping[str, int] = field(default_factory=dict)
    """Rows that are left out, because they lack a quantity, by its column."""

    @property
    def headings(self) -> tuple[str, ...]:
        """Names of the columns with their units, such as "time [s]"."""
        return tuple(f"{name} [{unit}]" if unit else name for name, unit in self.columns)

    def save(self, path: Path) -> None:
        """Write a CSV file. Raises OSError."""
        csv.writer(text := StringIO(), lineterminator="\n").writerows(self.rows)
        with replacing(path) as file:
            file.write(f"{csv_line(self.headings)}{text.getvalue()}".encode())


def complete(columns: Sequence[tuple[str, str]], rows: np.ndarray) -> PlotTable:
    """The rows (n, c) in which all columns are known.

    A row of which nothing but the first column is known marks a discontinuity; others are counted by the columns that
    they lack.
    """
    missing = np.isnan(rows)
    partly = missing.any(axis=1) & ~missing[:, 1:].all(axis=1)
    late = {name: int(count) for (name, _), count in zip(columns, missing[partly].sum(axis=0), strict=True) if count}
    return PlotTable(tuple(columns), rows[~missing.any(axis=1)].tolist(), late)


def landscape_table(landscape: Landscape) -> PlotTable:
    """One row for each point of a potential landscape: the coordinates, then the energy."""
    columns = [(axis.name, axis.unit) for axis in landscape.axes]
    points = product(*(values.tolist() for values in landscape.values))
    rows = [(*point, energy) for point, energy in zip(points, landscape.energy.ravel().tolist(), strict=True)]
    return PlotTable((*columns, ("energy", "J")), rows)
