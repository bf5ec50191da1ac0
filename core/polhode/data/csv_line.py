"""Lines of names in CSV files, which spreadsheets must not take as formulas.

A spreadsheet computes a cell that begins with =, +, - or @, whether it is in quotes or not, and formulas may run
programs. Names come from scenes and devices of other people, so such a name is written in quotes behind an apostrophe,
the spreadsheets' own sign of a text; `read_data` leaves it out.
"""

from __future__ import annotations

from collections.abc import Iterable

FORMULA = ("=", "+", "-", "@", "\t", "\r")
SPECIAL = frozenset(',"\r\n')


def as_text(name: str) -> str:
    """A name as a spreadsheet shows it, whatever it begins with."""
    return f"'{name}" if name.startswith(FORMULA) else name


def without_apostrophe(cell: str) -> str:
    """The name of which `as_text` has made a cell."""
    return cell[1:] if cell.startswith("'") and cell.startswith(FORMULA, 1) else cell


def csv_line(names: Iterable[str]) -> str:
    """A line of a CSV file with these names, and its line end."""
    return ",".join(map(_cell, names)) + "\n"


def _cell(name: str) -> str:
    text = as_text(name)
    return name if text == name and SPECIAL.isdisjoint(name) else '"' + text.replace('"', '""') + '"'
