"""Names of table columns, and of the file of their units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

Columns = Iterable[tuple[str, int, Iterable[tuple[str, str]]]]
"""Owner of adjacent columns, their number, and their names and units."""


def vectors(owners: Iterable[str], units: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Names and units of the components of vectors: OWNER.WHAT.x, .y and .z for every owner and every row of `units`.

    `units` has the unit of each vector by its name, as {"position": "m"}; all vectors of one owner are adjacent.
    """
    return ((f"{owner}.{what}.{x}", unit) for owner in owners for what, unit in units.items() for x in "xyz")


def units_file(path: Path) -> Path:
    """File with the units of the columns of a table: `run.units.csv` for `run.csv`."""
    return path.with_suffix(f".units{path.suffix}")
