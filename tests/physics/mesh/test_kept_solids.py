"""Rounded solids on the disk: the same bits, and computed again where the file is damaged, foreign or old."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import trimesh

from polhode.jit.storage.code_folder import CodeFolder, with_digest
from polhode.mesh.distance.kept import HEAD, MARK, KeptSolid
from polhode.mesh.distance.rounded import RoundedSolid


def key(size: float = 0.05, rounding: float = 0.002, cells: int = 12, reach: float = 0.001) -> KeptSolid:
    mesh = trimesh.creation.box([size, 0.04, 0.03])
    return KeptSolid.of((mesh.vertices, mesh.faces), rounding, cells, reach)


def numbers_of(solid: RoundedSolid) -> list[np.ndarray | float]:
    field, samples = solid.field, solid.samples
    return [field.low, field.cell, field.coefficients, samples.points, samples.areas, samples.rounding]


def check_same(one: RoundedSolid, other: RoundedSolid) -> None:
    """All numbers have the same bits, and arrays the same shape and type."""
    for a, b in zip(numbers_of(one), numbers_of(other), strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        assert np.shape(a) == np.shape(b)
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


@pytest.fixture
def folder(tmp_path: Path) -> CodeFolder:
    return CodeFolder(tmp_path / "fields" / f"{0:016x}")


def again(folder: CodeFolder, wanted: KeptSolid) -> tuple[RoundedSolid, bool]:
    """A solid as a new process gets it, and whether it was computed: its file was written again."""
    path = folder.path / wanted.name
    os.utime(path, (0, 0), follow_symlinks=False)
    before = path.lstat().st_ino
    found = wanted.made(CodeFolder(folder.path))
    return found, path.lstat().st_ino != before


def test_a_kept_solid_has_the_bits_of_a_new_one(folder: CodeFolder) -> None:
    made = key().made(folder)
    found, computed = again(folder, key())
    assert not computed
    check_same(made, found)
    assert (folder.path / key().name).stat().st_mtime > 0  # it was used, and is not the next to be deleted
    assert KeptSolid.unpacked(KeptSolid.packed(made)) is not None


def test_a_solid_is_found_by_its_mesh_and_by_every_setting() -> None:
    others = [key(0.06), key(rounding=0.003), key(cells=13), key(reach=0.002)]
    assert len({each.name for each in (key(), *others)}) == 5


def with_head(place: int, value: float) -> Callable[[bytes], bytes]:
    """Sets a number of the head."""

    def change(content: bytes) -> bytes:
        numbers = list(HEAD.unpack_from(content))
        numbers[place] = value
        return HEAD.pack(*numbers) + content[HEAD.size :]

    return change


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "short": lambda content: content[:-8],
    "long": lambda content: content + b"\0" * 8,
    "mark": lambda content: b"X" + content[1:],
    "no nodes": with_head(1, 0),
    "negative": lambda content: with_head(2, -HEAD.unpack_from(content)[2])(content),
    "huge": with_head(4, 2**62),
    "first node": with_head(5, np.nan),
    "cell": with_head(8, 0.0),
    "rounding": with_head(9, np.inf),
    "number": lambda content: content[: HEAD.size] + struct.pack("<f", np.nan) + content[HEAD.size + 4 :],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_file_with_a_right_digest_but_a_wrong_content_is_refused(folder: CodeFolder, damage: str) -> None:
    made = key().made(folder)
    content = KeptSolid.packed(made)
    assert content.startswith(MARK)
    assert KeptSolid.unpacked(DAMAGE[damage](content)) is None
    (folder.path / key().name).write_bytes(with_digest(DAMAGE[damage](content)))
    found, computed = again(folder, key())
    assert computed
    check_same(made, found)


def test_a_file_without_its_digest_is_computed_again(folder: CodeFolder) -> None:
    made = key().made(folder)
    path = folder.path / key().name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    found, computed = again(folder, key())
    assert computed
    check_same(made, found)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of folders and links are those of POSIX")
def test_what_others_may_write_is_not_read(folder: CodeFolder, tmp_path: Path) -> None:
    made = key().made(folder)
    path = folder.path / key().name
    kept = path.read_bytes()
    path.chmod(0o666)
    check_same(made, again(folder, key())[0])
    assert CodeFolder(folder.path).read(path.name) is None
    path.unlink()
    (tmp_path / "elsewhere").write_bytes(kept)
    path.symlink_to(tmp_path / "elsewhere")
    assert CodeFolder(folder.path).read(path.name) is None
    folder.path.chmod(0o777)
    assert not CodeFolder(folder.path).usable


def test_files_that_were_not_used_for_longest_make_room(tmp_path: Path) -> None:
    """Those of other versions as well; a folder with another name is nobody's."""
    old, new = (CodeFolder(tmp_path / "fields" / f"{k:016x}") for k in (1, 2))
    for each, name, time in ((old, "a", 10), (new, "b", 20), (old, "c", 30), (new, "d", 40)):
        each.write(name, bytes(1000))
        os.utime(each.path / name, (time, time))
    (tmp_path / "fields" / "notes").mkdir()
    (tmp_path / "fields" / "notes" / "mine").write_bytes(bytes(5000))
    old.touch("a")
    new.limit(2 * 1032)  # two files with their digests
    left = {path.name for path in (tmp_path / "fields").rglob("*") if path.is_file()}
    assert left == {"a", "d", "in-use", "mine"}
