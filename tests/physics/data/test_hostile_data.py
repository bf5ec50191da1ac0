"""Packed measurements that are damaged on purpose: one message, bounded time and memory, and no end of this process."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path
from struct import pack

import pytest
from made_data import workbook
from meaning import Meaning, refuses
from understated_zip import understated

from polhode.data.reading import read_data
from polhode.scene.files.xml_tree import read_xml
from polhode.scene.problem import InputError

TABLE = "time (s),x (m)\n" + "".join(f"{k / 10},{k * k}\n" for k in range(40))
READ = """
import sys
from polhode.data.reading import read_data
from polhode.scene.problem import InputError
try:
    read_data(sys.argv[1])
except InputError as error:
    sys.exit(f"refused: {error}")
"""


def packed(method: int = zipfile.ZIP_DEFLATED, name: str = "a.csv", text: str = TABLE) -> bytearray:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", method) as archive:
        archive.writestr(name, text)
    return bytearray(buffer.getvalue())


def entry(content: bytearray) -> int:
    """Where the entry of the first member stands in the directory of a zip."""
    return content.index(b"PK\x01\x02")


def refusal(folder: Path, name: str, content: bytes) -> InputError:
    (folder / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        read_data(folder / name)
    return error.value


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
@pytest.mark.parametrize("at", [0, 2, 4, 12, 14])
def test_only_deflated_members_are_unpacked(tmp_path: Path, method: int, at: int):
    """Python unpacks a piece of the others whole, whatever it grows to, and they have errors of their own."""
    content = packed(method)
    start = content.index(b"a.csv") + len(b"a.csv")
    content[start + at] ^= 0xA5
    assert Meaning("", "deflate").of(refusal(tmp_path, "a.zip", content))


@pytest.mark.parametrize("back", [0, 5, 29])
def test_a_member_beyond_the_end_of_a_zip_is_damage(tmp_path: Path, back: int):
    content = packed()
    content[entry(content) + 42 : entry(content) + 46] = pack("<I", len(content) - back)
    assert Meaning("", "damaged", "zip").of(refusal(tmp_path, "a.zip", content))


def test_a_name_in_a_zip_that_is_no_utf_8_is_damage(tmp_path: Path):
    content = packed(name="ä.csv")
    content[content.index("ä".encode()) + 1] = 0xFF  # of the member; that in the directory stays
    assert Meaning("", "damaged", "zip").of(refusal(tmp_path, "a.zip", content))


@pytest.mark.parametrize("name", ["../../../a.csv", "/tmp/a.csv", "C:\\a.csv", "a\x00/b.csv", "..\\a.csv"])
def test_names_in_a_zip_are_no_places(tmp_path: Path, name: str):
    """A table is read from the zip or refused, and nothing is written."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/a.zip").write_bytes(packed(name=name))
    if name.endswith(".csv") and "\x00" not in name and not name.startswith(".."):
        assert read_data(tmp_path / "inner/a.zip").columns[0].values[2] == 4.0
    else:  # hidden, or cut off at the zero
        with refuses("", "no", "table"):
            read_data(tmp_path / "inner/a.zip")
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == ["inner", "a.zip"]


def cells(*places: str) -> bytes:
    """An .xlsx file whose only sheet has a number in each of the cells."""
    return workbook("".join(f'<row><c r="{place}"><v>1</v></c></row>' for place in places))


@pytest.mark.parametrize(
    "places", [("A1", "XFD1048576"), ("A1", "XFD60000"), ("A1", "A4294967295"), ("A0", "ZZZZZZZ1")]
)
def test_a_workbook_with_two_cells_far_apart_does_not_end_the_program(tmp_path: Path, places: tuple[str, ...]):
    """The library makes an array of all cells between, and aborts the process that has no memory for it."""
    (tmp_path / "a.xlsx").write_bytes(cells(*places))
    command = [sys.executable, "-c", READ, str(tmp_path / "a.xlsx")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.startswith("refused:")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("piece", ["a\n", "a<!-- -->"])
def test_the_text_of_an_element_is_read_in_linear_time(tmp_path: Path, piece: str):
    """Half a million pieces of text in one element; added one by one, they would take minutes."""
    path = tmp_path / "a.trk"
    path.write_text(f"<object>{piece * 500_000}</object>")
    program = (
        "import sys; from pathlib import Path; from polhode.scene.files.xml_tree import read_xml; "
        "read_xml(Path(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True, timeout=30)
    path.write_text("<object>a\n<b/> c</object>")
    assert read_xml(path).content == "a c"


@pytest.mark.parametrize("name", ["a.csv", "xl/workbook.xml"])
def test_a_member_that_states_less_than_it_unpacks_to_costs_what_it_states(tmp_path: Path, name: str):
    """2 GB of spaces behind a table: read without a size, a library unpacks them all before it cuts them off."""
    path = tmp_path / ("a.zip" if name == "a.csv" else "a.xlsx")
    path.write_bytes(understated(TABLE.encode(), zipfile.ZIP_DEFLATED, 2**31, name))
    tracemalloc.start()
    try:
        if name == "a.csv":
            assert read_data(path).columns[0].values[2] == 4.0
        else:
            with pytest.raises(InputError):
                read_data(path)
        assert tracemalloc.get_traced_memory()[1] < 2**26
    finally:
        tracemalloc.stop()


def test_archives_are_unpacked_in_one_place():
    """Uses of zip, tar or stream readers; recordings are packed by HDF5, and read by a process with limits."""
    unpacks = re.compile(r"ZipFile\(|import (?:tarfile|gzip|bz2|lzma)|decompress(?:obj)?\(|\.testzip\(|trimesh\.load")
    root = Path(__file__).parents[3]
    found = {
        str(path.relative_to(root))
        for path in [*root.glob("core/polhode/**/*.py"), *root.glob("app/polhode_app/**/*.py")]
        if unpacks.search(path.read_text(encoding="utf-8"))
    }
    own = "core/polhode/jit/storage/shipped_code.py"  # machine code that is part of the program
    arrays = "core/polhode/lessons/records.py"  # of a hand-in, within a budget of bytes
    assert found == {"core/polhode/scene/files/zip_archive.py", "core/polhode/mesh/files/formats.py", own, arrays}
