"""Times of tables as people have them: several series, counts since 1970, dates and clocks, gaps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.data.measured import MeasuredData
from polhode.data.reading import read_data


def table(folder: Path, text: str) -> MeasuredData:
    path = folder / "a.csv"
    path.write_text(text)
    return read_data(path)


def series(data: MeasuredData, name: str) -> tuple[list[float], list[float]]:
    """Times [s] and values of a column where it has values."""
    values = data.column(name).values
    return data.times[np.isfinite(values)].tolist(), values[np.isfinite(values)].tolist()


def test_a_second_column_of_times_belongs_to_the_columns_after_it(tmp_path):
    data = table(tmp_path, "Time,x,Time,y\n0,1,0.01,5\n0.1,2,0.11,6\n0.2,3,0.21,7\n")
    assert series(data, "x") == ([0, 0.1, 0.2], [1, 2, 3])
    assert series(data, "y") == ([0.01, 0.11, 0.21], [5, 6, 7])
    assert [column.name for column in data.columns] == ["x", "y"]
    assert any(Meaning("", "series", count=2).of(note) for note in data.notes)


def test_runs_of_unequal_length_keep_their_own_times_and_units(tmp_path):
    text = "Run 1: Time (s),Run 1: x (mm),Run 2: Time (ms),Run 2: x (mm)\n0,1000,0,5000\n1,2000,500,6000\n2,3000,,\n"
    data = table(tmp_path, text)
    assert series(data, "Run 1: x") == ([0, 1, 2], [1, 2, 3])
    assert series(data, "Run 2: x") == ([0, 0.5], [5, 6])


def test_equal_times_of_two_series_are_common_rows(tmp_path):
    data = table(tmp_path, "Time,x,Time,y\n0,1,0,5\n1,2,1,6\n")
    assert data.times.tolist() == [0, 1]
    assert data.column("y").gaps == 0


def test_faults_of_a_second_series_have_their_line(tmp_path):
    with refuses("line 4", before=1.0, after=0.5):
        table(tmp_path, "Time,x,Time,y\n0,1,0,5\n1,2,1,6\n2,3,0.5,7\n")
    with refuses("line 3", "time"):
        table(tmp_path, "Time,x,Time,y\n0,1,0,5\n1,2,,6\n2,3,3,7\n")


@pytest.mark.parametrize("heading", ["t,lap time (s),x", "t,x,time", "Time (s),System time (s),x"])
def test_another_duration_is_a_column(tmp_path, heading):
    data = table(tmp_path, f"{heading}\n0,9,1\n1,8,2\n")
    assert data.times.tolist() == [0, 1]
    assert [column.values.tolist() for column in data.columns] == [[9, 8], [1, 2]]


@pytest.mark.parametrize(("unit", "count"), [("s", 1), ("ms", 10**3), ("us", 10**6), ("ns", 10**9)])
def test_counts_since_1970_are_found_by_their_size(tmp_path, unit, count):
    start = 1766147454 * count
    rows = "".join(f"{start + k * count},{k}\n" for k in range(4))
    data = table(tmp_path, "timestamp,x\n" + rows)
    assert np.allclose(data.times, [0, 1, 2, 3], atol=1e-6)
    assert [Meaning("", "count", unit=unit).of(note) for note in data.notes] == [True]


def test_nanoseconds_keep_their_steps(tmp_path):
    data = table(tmp_path, "timestamp_ns,x\n1766147454233218075,1\n1766147454243218075,2\n1766147454253218075,3\n")
    assert np.allclose(data.times, [0, 0.01, 0.02], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "unit"), [("time_ms", 1e-3), ("t_us", 1e-6), ("time_ns", 1e-9), ("milliseconds", 1e-3), ("Time_s", 1.0)]
)
def test_the_name_of_the_times_gives_their_unit(tmp_path, name, unit):
    data = table(tmp_path, f"{name},x\n0,1\n20,2\n40,3\n")
    assert np.allclose(data.times, np.array([0, 20, 40]) * unit, rtol=1e-12)
    assert data.notes == ()


@pytest.mark.parametrize("first", ["2026-05-03T10:00:00", "2026-05-03 10:00:00", "2026-12-31T23:59:59"])
@pytest.mark.parametrize("zone", ["", "Z", "+02:00"])
def test_dates_count_from_the_first_row(tmp_path, first, zone):
    rows = f"{first}.020{zone},1\n{first}.040{zone},2\n{first}.070{zone},3\n"
    for heading in ("time,x\n", "date,x\n"):
        data = table(tmp_path, heading + rows)
        assert np.allclose(data.times, [0, 0.02, 0.05], atol=1e-6)
        assert data.column("x").values.tolist() == [1, 2, 3]


def test_clock_times_are_seconds_also_across_midnight(tmp_path):
    assert np.allclose(table(tmp_path, "time,x\n00:00:00.020,1\n00:00:01.040,2\n").times, [0.02, 1.04])
    assert np.allclose(table(tmp_path, "time,x\n23:59:59.5,1\n00:00:00.5,2\n").times, [86399.5, 86400.5])


def test_a_date_that_does_not_exist_is_refused(tmp_path):
    with refuses("line 3", cell="2026-02-30T10:00:00"):
        table(tmp_path, "time,x\n2026-02-28T10:00:00,1\n2026-02-30T10:00:00,2\n")


@pytest.mark.parametrize("cell", ["", "NaN", "nan"])
def test_a_single_missing_value_is_a_gap_with_a_note(tmp_path, cell):
    data = table(tmp_path, f"t,x\n0,1\n1,{cell}\n2,3\n")
    assert np.allclose(data.column("x").values, [1, np.nan, 3], equal_nan=True)
    assert [Meaning("", "gap", name="x", count=1).of(note) for note in data.notes] == [True]


def test_the_column_of_times_may_have_any_name(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("n,x\n0,1\n1,2\n")
    data = read_data(path, time="n")
    assert (data.times.tolist(), data.time_name) == ([0, 1], "n")
    with refuses("a.csv", name="m"):
        read_data(path, time="m")


BACK = "t,x\n0,1\n1,2\n1,3\n0.5,4\n2,5\n1.5,6\n3,7\n"


def test_equal_and_backward_times_are_refused_with_their_line_or_left_out(tmp_path):
    with refuses("line 4", "increase", before=1, after=1):
        table(tmp_path, BACK)
    data = read_data(tmp_path / "a.csv", drop_later=True)
    assert data.times.tolist() == [0, 1, 2, 3]
    assert data.column("x").values.tolist() == [1, 2, 5, 7]
    assert [Meaning("", "left", "times", count=3).of(note) for note in data.notes] == [True]
    (tmp_path / "a.csv").write_text("t,x,t,y\n0,1,0,5\n0,2,1,6\n1,3,1,7\n")
    data = read_data(tmp_path / "a.csv", drop_later=True)
    assert data.times.tolist() == [0, 1]
    assert [column.values.tolist() for column in data.columns] == [[1, 3], [5, 6]]
    assert [Meaning("", "left", "times", count=2).of(note) for note in data.notes][-1]


def test_rows_of_a_film_have_times_by_its_rate(tmp_path):
    (tmp_path / "a.csv").write_text("x (px),y (px)\n1,2\n3,4\n5,6\n")
    data = read_data(tmp_path / "a.csv", rate=240)
    assert np.allclose(data.times, [0, 1 / 240, 2 / 240], rtol=1e-12)
    assert [(column.name, column.unit, *column.values) for column in data.columns] == [
        ("x", "px", 1, 3, 5),
        ("y", "px", 2, 4, 6),
    ]
    (tmp_path / "a.csv").write_text("frame,x\n10,1\n12,3\n13,5\n")
    for data in (read_data(tmp_path / "a.csv", rate=240), read_data(tmp_path / "a.csv", units={"frame": "1/240"})):
        assert np.allclose(data.times, np.array([10, 12, 13]) / 240, rtol=1e-12)
        assert [column.name for column in data.columns] == ["x"]
    with refuses("rate", "frames", rate=0):
        read_data(tmp_path / "a.csv", rate=0)
    (tmp_path / "a.csv").write_text("t,x\n0,1\n1,2\n")
    with refuses("", "rate", name="t"):
        read_data(tmp_path / "a.csv", rate=240)
