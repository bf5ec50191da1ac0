"""Measured data from files: layouts, units, formats, and one message for each kind of fault."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import tracemalloc
import zipfile
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from made_data import workbook
from meaning import Meaning, refuses

from polhode.data import text_table
from polhode.data.measured import MeasuredData, measured
from polhode.data.reading import read_data
from polhode.data.text_table import read_text_table
from polhode.scene.files.file_io import TooLarge
from polhode.scene.files.zip_archive import Counted
from polhode.scene.message import Message
from polhode.scene.problem import InputError

TIMES = np.array([0.0, 0.25, 0.5, 1.0])
VALUES = np.array([1.5, -2.25, 3e-4, 12345.678])


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refused(folder: Path, name: str, content: str | bytes) -> InputError:
    with pytest.raises(InputError) as error:
        read_data(written(folder, name, content))
    for problem in error.value.problems:
        assert isinstance(problem.rule, Message)
        assert problem.remedy
    return error.value


@pytest.mark.parametrize(("separator", "comma"), [*product(["\t", ";", " ", "  "], [False, True]), (",", False)])
@pytest.mark.parametrize("has_headings", [True, False])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_the_layout_of_a_table_is_found(tmp_path, separator, comma, has_headings, encoding):
    lines = ["t", "Weg_ö"] if has_headings else []
    rows = [separator.join(lines)] if lines else []
    rows += [separator.join((repr(float(t)), repr(float(x)))) for t, x in zip(TIMES, VALUES, strict=True)]
    text = "\r\n".join(rows)
    path = written(tmp_path, "a.txt", (text.replace(".", ",") if comma else text).encode(encoding))
    data = read_data(path)
    assert np.array_equal(data.times, TIMES)
    assert np.array_equal(data.columns[0].values, VALUES)
    assert data.columns[0].name == ("Weg_ö" if has_headings else "column 2")


@pytest.mark.parametrize(
    ("heading", "name", "unit", "factor"),
    [
        ("x (m)", "x", "m", 1.0),
        ("x [mm]", "x", "m", 1e-3),
        ("Weg / cm", "Weg", "m", 1e-2),
        ("Winkel (°)", "Winkel", "rad", np.pi / 180),
        ("Linear Acceleration x (m/s^2)", "Linear Acceleration x", "m/s^2", 1.0),
        ("a (m·s⁻²)", "a", "m/s^2", 1.0),
        ("B (µT)", "B", "T", 1e-6),
        ("v/(mm/s)", "v/", "m/s", 1e-3),
        ("x", "x", "", 1.0),
        ("速さ (m/s)", "速さ", "m/s", 1.0),
        ("M (J)", "M", "J", 1.0),
        ("M (kg m^2/s^2)", "M", "kg m^2/s^2", 1.0),
        ("M [g·cm²/s²]", "M", "kg m^2/s^2", 1e-7),
        ("k (N/mm)", "k", "N/m", 1e3),
        ("a (deg/s^2)", "a", "rad/s^2", np.pi / 180),
    ],
)
def test_units_in_headings_become_si(tmp_path, heading, name, unit, factor):
    data = read_data(written(tmp_path, "a.csv", f'"Zeit (ms)";"{heading}"\n0;2\n250;4\n'))
    assert np.allclose(data.times, [0.0, 0.25], rtol=1e-15)
    column = data.columns[0]
    assert (column.name, column.unit) == (name, unit)
    assert np.allclose(column.values, [2 * factor, 4 * factor], rtol=1e-15)


def test_units_of_the_caller_come_first_and_unknown_ones_are_told(tmp_path):
    path = written(tmp_path, "a.csv", "t,x (furlong)\n0,1\n20,2\n")
    data = read_data(path)
    assert data.column("x").values.tolist() == [1.0, 2.0]
    assert ["furlong" in note for note in data.notes] == [False, True]  # the first: milliseconds?
    again = read_data(path, units={"t": "ms", "x": "mm"})
    assert again.times.tolist() == [0.0, 0.02]
    assert again.column("x").values.tolist() == [0.001, 0.002]
    assert again.notes == ()
    with refuses("x", unit="mmm", near="mm"):
        read_data(path, units={"x": "mmm"})
    with refuses("", "column", name="y"):
        read_data(path, units={"y": "mm"})


def test_a_product_of_other_names_is_no_unit(tmp_path):
    path = written(tmp_path, "a.csv", "t,x\n0,1\n1,2\n")
    for unit in ("kg m^2/x", "kg/", "/", "kg^12", "m//s"):
        with refuses("x", unit=unit):
            read_data(path, units={"x": unit})


def test_a_single_table_has_no_name(tmp_path):
    path = written(tmp_path, "a.csv", "t,x\n0,1\n1,2\n")
    with refuses("table", name="Light"):
        read_data(path, table="Light")


def test_columns_of_the_same_name_are_told(tmp_path):
    (note,) = read_data(written(tmp_path, "a.csv", "t,M,M\n0,1,2\n1,1,2\n")).notes
    assert note.values == {"name": "M", "names": "'M', 'M.2'"}
    assert read_data(written(tmp_path, "b.csv", "t,M,N\n0,1,2\n1,1,2\n")).notes == ()


def test_units_beside_a_table_of_a_run_are_read(tmp_path):
    path = written(tmp_path, "run.csv", "time,bob.position.x,bob.angle\n0.0,1.0,2.0\n0.1,1.5,2.5\n")
    assert [column.unit for column in read_data(path).columns] == ["", ""]
    written(tmp_path, "run.units.csv", "column,unit\ntime,s\nbob.position.x,m\nbob.angle,rad\n")
    assert [(column.name, column.unit) for column in read_data(path).columns] == [
        ("bob.position.x", "m"),
        ("bob.angle", "rad"),
    ]


def test_failed_measurements_of_a_sensor_log_are_gaps(tmp_path):
    rows = "time,raw,distance,filtered,velocity,status\n0.0,200.25,,,,ok\n0.02,,,,,far\n0.04,201.0,,,,ok\n"
    data = read_data(written(tmp_path, "log.csv", rows))
    assert np.allclose(data.column("raw").values, [0.20025, np.nan, 0.201], equal_nan=True)
    assert data.column("raw").gaps == 1


def test_a_text_of_tracker_has_its_headings_below_the_name_of_the_mass(tmp_path):
    data = read_data(written(tmp_path, "a.txt", "mass A\t\t\nt\tx\ty\n0.0\t1.0\t2.0\n0.1\t\t2.5\n"))
    assert [column.name for column in data.columns] == ["x", "y"]
    assert data.column("y").values.tolist() == [2.0, 2.5]


def phyphox_zip(**tables: str) -> bytes:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("meta/device.csv", '"property","value"\n"version",1\n')
        for name, text in tables.items():
            packed.writestr(f"{name}.csv", text)
    return buffer.getvalue()


def test_the_tables_of_a_phyphox_zip_are_read_by_name(tmp_path):
    text = '"Time (s)","Gyroscope x (rad/s)"\n0.0E0,1.25E-1\n1.0E-2,2.5E-1\n'
    path = written(tmp_path, "a.zip", phyphox_zip(Gyroscope=text, Accelerometer=text.replace("1.25", "7")))
    data = read_data(path)
    assert data.column("Gyroscope x").values.tolist() == [0.125, 0.25]
    assert "Accelerometer" in data.notes[0]
    assert read_data(path, table="Accelerometer").columns[0].values[0] == 0.7
    with refuses("", "table", name="Light"):
        read_data(path, table="Light")


def test_a_workbook_gives_the_same_data_as_its_table_in_text(tmp_path):
    cells = "".join(
        f'<row r="{k + 2}"><c r="A{k + 2}"><v>{t}</v></c><c r="B{k + 2}"><v>{x}</v></c></row>'
        for k, (t, x) in enumerate(zip(TIMES, VALUES, strict=True))
    )
    text = '<c r="{}1" t="inlineStr"><is><t>{}</t></is></c>'
    heads = f'<row r="1">{text.format("A", "Time (ms)")}{text.format("B", "x (cm)")}</row>'
    kept = written(tmp_path, "a.xlsx", workbook(heads + cells))
    data = read_data(kept)
    assert np.allclose(data.times, TIMES * 1e-3, rtol=1e-15)
    assert np.allclose(data.column("x").values, VALUES * 1e-2, rtol=1e-15)
    assert Meaning("", "damaged").of(refused(tmp_path, "b.xlsx", workbook(heads + cells)[:-200]))
    assert Meaning("", "damaged").of(refused(tmp_path, "c.xls", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("t,x\n0,1\n1\n", Meaning("line 3", count=1, columns=2)),
        ("t,x\n0,1\n1,inf\n", Meaning("line 3", "column", cell="inf")),
        ("t,x\n0,1\n1,1_0\n", Meaning("line 3", "column", cell="1_0")),
        ("t,x\n0,1\n1,2e40\n", Meaning("line 3", "beyond", name="x", value=2e40)),
        ("t,x\n0,1\n2,1\n1,3\n", Meaning("line 4", before=2, after=1)),
        ("t,x\n0,1\n0,1\n", Meaning("line 3", before=0, after=0)),
        ("t,x\n0,1\n,1\n2,1\n", Meaning("line 3", "no", "time")),
        ("t,x\n0,1\n", Meaning("", "numbers", count=1)),
        ("t,x\n0,\n1,\n", Meaning("", "column", "time")),
        ("a,x\n0,1\n1,2\n", Meaning("", "column", "times")),
        ("t (kg),x\n0,1\n1,2\n", Meaning("", "column", "times")),
        ("", Meaning("", "empty")),
        ("nothing\nhere\n", Meaning("", "table", count=2)),
        ("1\n2\n", Meaning("", "table", count=2)),
        (b"\0\1\2\3", Meaning("", "no", "text")),
        ("t,x\n0,1\n" + "\n" * 10_001, Meaning("line 10003", "follows", most=10000)),
        ("t,x\n0,1\n1," + "1" * 70_000, Meaning("line 3", "characters", most=65536)),
        (b"PK\x03\x04" + bytes(100), Meaning("", "damaged", "zip")),
        (phyphox_zip(), Meaning("", "no", "table")),
        ('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', Meaning("line 1", "document", "files")),
        ("<object/>", Meaning("", "XML", "project")),
        ("<a>", Meaning("line 1", "well-formed", reason="no element found")),
    ],
)
def test_a_faulty_file_is_refused_with_its_place(tmp_path, content, said):
    assert said.of(refused(tmp_path, "a.csv", content))


def test_special_files_are_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(tmp_path / "socket"))
    for name, said in (
        (str(tmp_path / "pipe"), Meaning("", "device", "file")),
        (str(tmp_path / "socket"), Meaning("", "device", "file")),
        ("/dev/zero", Meaning("", "device", "file")),
        (str(tmp_path), Meaning("", "folder", "not")),
        (str(tmp_path / "none"), Meaning("", "such", "file")),
        ("a\0b", Meaning("", "name", "can")),
    ):
        with refuses(said):
            read_data(name)
    bound.close()


def test_a_zip_bomb_is_refused_in_bounded_memory(tmp_path):
    """100 MB of a table in less than 1 MB."""
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as packed, packed.open("a.csv", "w") as file:
        file.write(b"t,x\n0,1\n")
        comments = (b"#" * 60_000 + b"\n") * 10
        for k in range(170):
            file.write(comments + b"%d,1\n" % (k + 1))
    assert (tmp_path / "bomb.zip").stat().st_size < 2**20
    with refuses("", "unpacks", most=64):
        read_data(tmp_path / "bomb.zip")


def test_a_member_that_states_to_be_too_large_is_refused_unread(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as packed, packed.open("a.csv", "w") as file:
        file.write(b"t,x\n0,1\n")
        for _ in range(65):
            file.write(b"1,1\n" * 2**18)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it is unpacked"))
    with refuses("", "unpacks", most=64):
        read_data(tmp_path / "bomb.zip")


def test_a_member_is_counted_as_it_is_unpacked():
    member = Counted(io.BytesIO(bytes(100)), 64)
    assert len(member.read(60)) == 60
    with pytest.raises(TooLarge):
        member.read(60)


def test_long_tables_are_thinned_out_in_bounded_memory(monkeypatch):
    """A stream of 30 000 rows with room for 1000: rows of one even distance are left, and the memory stays small."""
    monkeypatch.setattr(text_table, "HEAD", 2**10)
    monkeypatch.setattr(text_table, "PIECE", 2**12)

    class Stream(io.RawIOBase):
        row = 0

        def read(self, size=-1):
            if self.row >= 30_000:
                return b""
            self.row += 20
            return b"".join(b"%d,%d\n" % (k, 3 * k) for k in range(self.row - 20, self.row))[:size]

    tracemalloc.start()
    table = read_text_table("a", Stream(), most_numbers=3000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert table.every == 32
    assert np.array_equal(table.values[:, 0], np.arange(0, 30_000, 32))
    assert np.array_equal(table.values[:, 1], 3.0 * table.values[:, 0])
    assert np.array_equal(table.lines, table.values[:, 0] + 1)
    assert peak < 2**20


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory from /proc")
@pytest.mark.timeout(1800)
def test_a_file_of_200_mb_is_read_in_bounded_memory(tmp_path):
    """In a process of its own, for its peak of memory: 64 MB of numbers, twice while they are halved, and libraries."""
    path, rows = tmp_path / "large.csv", 6_000_000
    with path.open("w") as file:
        file.write("t (s),w (rad/s),x (mm)\n")
        for first in range(0, rows, 100_000):
            file.write(
                "".join(f"{k / 1000:.3f},{k % 89}.123456,-{k % 97}.654321\n" for k in range(first, first + 100_000))
            )
    assert path.stat().st_size > 160e6
    code = (
        # ru_maxrss would include this process
        "import sys; from polhode import read_data; data = read_data(sys.argv[1]);"
        "peak = next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM'));"
        "print(len(data.times), data.times[1], peak, *data.notes)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    count, second, peak, *note = done.stdout.split()
    assert 1_000_000 < int(count) <= text_table.MOST_NUMBERS / 4
    assert float(second) == pytest.approx(rows / int(count) / 1000, rel=0.01)
    assert int(peak) < 300 * 1024
    assert Meaning("", "used", every="4th").of(" ".join(note))


def test_the_reading_of_a_text_tells_how_far_it_is_and_can_be_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(text_table, "PIECE", 2**12)
    path, parts = tmp_path / "a.csv", []
    path.write_text("t,x\n" + "".join(f"{k},{k}\n" for k in range(20_000)))
    read_data(path, progress=parts.append)
    assert parts == sorted(parts)
    assert parts[-1] == 1.0
    assert len(set(parts)) > 2

    def stop(part):
        if part > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_data(path, progress=stop)


def test_arrays_of_unequal_length_are_refused():
    with refuses("x", count=3, times=4):
        measured("a", TIMES, {"x": VALUES[:3], "y": VALUES})


def test_measured_data_are_shown_in_two_lines() -> None:
    times = np.linspace(0.0, 8.0, 5000)
    shown = repr(measured("swing", times, {"angle": np.sin(times), "x": times}, {"x": "mm"}))
    assert shown.splitlines() == ["MeasuredData of 'swing': t = 0 ... 8 s, 5000 rows", "  angle, x [m]"]


def test_arrays_become_data_in_si() -> None:
    made = MeasuredData.of_arrays([0.0, 0.1, 0.2], {"angle": [1.0, np.nan, 3.0]}, {"angle": "deg"})
    assert made.times.tolist() == [0.0, 0.1, 0.2]
    assert made.column("angle").unit == "rad"
    assert made.column("angle").values == pytest.approx(np.radians([1.0, np.nan, 3.0]), nan_ok=True)
