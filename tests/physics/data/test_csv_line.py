"""Names in CSV files: no spreadsheet computes them, and they are read again as they were."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from command_line import polhode

from polhode.data.csv_line import FORMULA, as_text, csv_line, without_apostrophe
from polhode.data.headings import split_heading
from polhode.data.reading import read_data

NAMES = [
    "=1+1",
    "+x",
    "-x",
    "@sum",
    '=cmd|"/c calc"!A1',
    "=a,b",
    "x",
    "'x",
    "a=b",
    "x (mm)",
    'two "quotes"',
    "",
    "磁石",
]


def test_no_cell_begins_as_a_formula():
    (cells,) = csv.reader([csv_line(NAMES)])
    assert not any(cell.startswith(FORMULA) for cell in cells)
    assert [without_apostrophe(cell) for cell in cells] == NAMES
    assert csv_line(["=1+1", "x"]) == '"\'=1+1",x\n'
    assert csv_line(["time", "ball.position.x"]) == "time,ball.position.x\n"  # others stand as they did
    assert as_text("\tx") == "'\tx"


def test_headings_are_read_as_they_were():
    assert split_heading("'=F (N)") == ("=F", "N")
    assert split_heading("'x'") == ("'x'", "")


@pytest.mark.parametrize("name", ["=1+1", "@b", "+b", "-b"])
def test_a_table_of_a_run_is_read_again(name: str, tmp_path: Path):
    (tmp_path / "s.toml").write_text(
        f'format = 1\n[[sphere]]\nname = "{name}"\nradius = 0.1\nmass = 1\nposition = [0, 0, 1]\n'
    )
    assert polhode("run", "s.toml", "--until", "0.05", "--out", "o.csv", "--units", folder=tmp_path).returncode == 0
    for file in ("o.csv", "o.units.csv"):
        with (tmp_path / file).open(newline="") as lines:
            rows = list(csv.reader(lines))
        assert f"'{name}.position.x" in (rows[0] if file == "o.csv" else [row[0] for row in rows])
    data = read_data(tmp_path / "o.csv")
    assert {column.name: column.unit for column in data.columns}[f"{name}.position.x"] == "m"
