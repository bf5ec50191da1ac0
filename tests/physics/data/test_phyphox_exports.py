"""Files as phyphox exports them: five kinds of CSV, alone or in a zip with metadata, and workbooks.

phyphox fills columns that are shorter than others, such as computed ones, with "NaN" up to the last row.
"""

from __future__ import annotations

import zipfile
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from made_data import workbook
from meaning import Meaning, refuses

from polhode.data.measured import MeasuredData
from polhode.data.reading import read_data

KINDS = [(",", "."), ("\t", "."), (";", "."), ("\t", ","), (";", ",")]  # separator and sign of decimals
HEADINGS = ("Time (s)", "Gyroscope x (rad/s)", "Absolute (rad/s)")
TIMES = np.array([0.0, 0.0101, 0.0202, 0.0303])
SPEEDS = np.array([0.125, -2.5e-3, 1.5, 12.0])


def cell(value: float, decimal: str) -> str:
    """A number in the manner of Java's format 0.000000000E0."""
    if np.isnan(value):
        return "NaN"
    mantissa, exponent = f"{value:.9E}".split("E")
    return f"{mantissa.replace('.', decimal)}E{int(exponent)}"


def table(separator: str, decimal: str, *columns: np.ndarray) -> str:
    lines = [separator.join(f'"{heading}"' for heading in HEADINGS)]
    lines += [separator.join(cell(value, decimal) for value in row) for row in zip(*columns, strict=True)]
    return "\n".join(lines) + "\n"


def packed(path: Path, separator: str, text: str) -> Path:
    """A zip of one set, with the folder of metadata."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("Raw Data.csv", text)
        file.writestr("meta/device.csv", f'"property"{separator}"value"\n"version"{separator}"1.1.16"\n')
        file.writestr("meta/time.csv", f'"event"{separator}"experiment time"\n"START"{separator}0.000000000E0\n')
    return path


def exported(folder: Path, kind: tuple[str, str], is_packed: bool, *columns: np.ndarray) -> MeasuredData:
    text = table(*kind, *columns)
    if is_packed:
        return read_data(packed(folder / "Gyroscope 2026-01-01.zip", kind[0], text))
    (folder / "Raw Data.csv").write_text(text)
    return read_data(folder / "Raw Data.csv")


@pytest.mark.parametrize(("kind", "is_packed"), [*product(KINDS, [False, True])])
def test_columns_that_end_early_are_read_up_to_their_end(tmp_path, kind, is_packed):
    shorter = np.where(np.arange(4) < 3, np.abs(SPEEDS), np.nan)
    data = exported(tmp_path, kind, is_packed, TIMES, SPEEDS, shorter)
    assert np.allclose(data.times, TIMES)
    assert np.allclose(data.column("Gyroscope x").values, SPEEDS)
    assert np.allclose(data.column("Absolute").values, shorter, equal_nan=True)
    (note,) = data.notes
    assert Meaning("", "gaps", column="Absolute", line=5).of(str(note))


@pytest.mark.parametrize("is_packed", [False, True])
def test_rows_after_the_end_of_the_times_are_left_out_with_a_note(tmp_path, is_packed):
    times = np.where(np.arange(4) < 3, TIMES, np.nan)
    data = exported(tmp_path, (",", "."), is_packed, times, SPEEDS, np.abs(SPEEDS))
    assert np.allclose(data.times, TIMES[:3])
    assert np.allclose(data.column("Absolute").values, np.abs(SPEEDS[:3]))
    (note,) = data.notes
    assert Meaning("", "times", "rows", line=5).of(str(note))


def test_nan_before_other_numbers_of_its_column_is_a_gap(tmp_path):
    shorter = np.where(np.arange(4) == 1, np.nan, SPEEDS)
    data = exported(tmp_path, (";", ","), False, TIMES, SPEEDS, shorter)
    assert np.allclose(data.column("Absolute").values, shorter, equal_nan=True)
    (note,) = data.notes
    assert Meaning("", "gap", name="Absolute", count=1).of(note)


def excel_file(path: Path, shorter: list[object]) -> Path:
    """An .xlsx file with a sheet of data; words are inline strings."""

    def written(place: str, value: object) -> str:
        if isinstance(value, str):
            return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
        return f'<c r="{place}"><v>{value}</v></c>'

    rows: list[tuple[object, ...]] = [HEADINGS, *zip(TIMES.tolist(), SPEEDS.tolist(), shorter, strict=True)]
    cells = "".join(
        f'<row r="{k}">{"".join(written(f"{name}{k}", value) for name, value in zip("ABC", row, strict=True))}</row>'
        for k, row in enumerate(rows, 1)
    )
    path.write_bytes(workbook(cells))
    return path


def test_a_workbook_tells_of_columns_that_end_early(tmp_path):
    data = read_data(excel_file(tmp_path / "a.xlsx", [1.0, 2.0, 3.0, "NaN"]))
    assert data.column("Absolute").gaps == 1
    (note,) = data.notes
    assert Meaning("", "gaps", column="Absolute", line=5).of(str(note))


def test_a_word_among_the_numbers_of_a_workbook_is_refused_with_its_place(tmp_path):
    with refuses("line 3", cell="broken", column="Absolute (rad/s)"):
        read_data(excel_file(tmp_path / "a.xlsx", [1.0, "broken", 3.0, 4.0]))


def test_nan_among_the_numbers_of_a_workbook_is_a_gap(tmp_path):
    data = read_data(excel_file(tmp_path / "a.xlsx", [1.0, "NaN", 3.0, 4.0]))
    assert np.allclose(data.column("Absolute").values, [1.0, np.nan, 3.0, 4.0], equal_nan=True)


def test_a_column_of_words_of_a_workbook_is_left_out_with_a_note(tmp_path):
    data = read_data(excel_file(tmp_path / "a.xlsx", ["ok", "ok", "far", "ok"]))
    assert [column.name for column in data.columns] == ["Gyroscope x"]
    assert Meaning("", "columns", names="Absolute").of(data.notes[0])
