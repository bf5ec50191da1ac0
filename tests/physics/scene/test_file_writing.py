"""Files are replaced in one step, under names that nobody can foresee; tables end with a whole row on a full disk."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from meaning import Meaning

from polhode.scene.files import file_writing
from polhode.scene.files.file_io import NotRegular
from polhode.scene.files.file_writing import CutShort, RowFile, create_beside, replacing, temporary_name

if sys.platform != "win32":
    import fcntl
    import resource

unix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and limits of Unix")


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """A limit [bytes] for the size of files, as of a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_an_error_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "scene.toml"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), replacing(path) as file:
        file.write(b"new" if list(tmp_path.iterdir()) == [path] else "not bytes")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@unix
def test_a_link_stays_and_the_file_that_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    path, target = tmp_path / "link", tmp_path / "folder" / "file"
    target.write_bytes(b"old")
    path.symlink_to(target)
    with replacing(path) as file:
        file.write(b"new")
    assert path.is_symlink()
    assert target.read_bytes() == b"new"


@unix
def test_permissions_are_those_of_the_old_file_or_those_that_are_stated(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(0o640)
    with replacing(path):
        (unfinished,) = (each for each in tmp_path.iterdir() if each != path)
        assert mode_of(unfinished) == 0o640
    assert mode_of(path) == 0o640
    with replacing(path, 0o600):
        pass
    assert mode_of(path) == 0o600
    umask = os.umask(0o027)
    try:
        with replacing(tmp_path / "new"):
            pass
    finally:
        os.umask(umask)
    assert mode_of(tmp_path / "new") == 0o640


def test_names_of_unfinished_files_differ(tmp_path: Path) -> None:
    names = {temporary_name(tmp_path / "file").name for _ in range(100)}
    assert len(names) == 100
    assert not any("file" in name for name in names)


@unix
def test_an_unfinished_file_is_not_written_through_a_link_or_over_a_file(tmp_path: Path) -> None:
    path, victim = tmp_path / "file", tmp_path / "victim"
    for begin in (victim.touch, lambda: temporary_name(path, "known").symlink_to(victim)):
        begin()
    with pytest.raises(FileExistsError):
        create_beside(path, token="known")
    assert victim.read_bytes() == b""


@unix
@pytest.mark.parametrize("kind", ["pipe", "folder", "link to a device"])
def test_what_is_no_regular_file_is_not_replaced(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    {
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
        "link to a device": lambda: path.symlink_to("/dev/null"),
    }[kind]()
    with pytest.raises(IsADirectoryError if kind == "folder" else NotRegular), replacing(path):
        pass
    assert list(tmp_path.iterdir()) == [path]
    assert Path("/dev/null").is_char_device()


@unix
@pytest.mark.parametrize("room", [20, 21, 22, 23, 24])
@pytest.mark.parametrize("at_once", [1, 5])
def test_a_table_on_a_full_disk_ends_with_a_whole_row(tmp_path: Path, room: int, at_once: int) -> None:
    table = RowFile(tmp_path / "table.csv", "time,x\n")  # 7 bytes, and 4 of each row
    pieces = ("".join(f"{n},0\n" for n in range(k, k + at_once)) for k in range(0, 10, at_once))
    with disk_of(room), pytest.raises(CutShort) as stop:
        [*map(table.add, pieces)]
    table.close()
    rows = (room - 7) // 4
    assert (tmp_path / "table.csv").read_text() == "time,x\n" + "".join(f"{n},0\n" for n in range(rows))
    assert stop.value.rows == table.rows == rows
    assert Meaning("", "rows", rows=rows).of(stop.value)


@unix
def test_a_table_whose_heading_does_not_fit_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b"old")
    with disk_of(5), pytest.raises(OSError, match="File too large"):
        RowFile(path, "time,x\n")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


KILLED = """
import os, signal, sys
from pathlib import Path
from polhode.scene.files.file_writing import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    if sys.argv[2] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    print("writes", flush=True)
    sys.stdin.readline()
"""


def leftovers(folder):
    return sorted(folder.glob(".polhode-*.part"))


@unix
def test_what_a_killed_program_left_is_removed_by_the_next_one_that_writes_there(tmp_path):
    """Only regular files of its own with such a name; a real program, killed while it writes."""
    program = [sys.executable, "-c", KILLED, str(tmp_path / "scene.toml"), "killed"]
    assert subprocess.run(program, check=False).returncode == -signal.SIGKILL
    assert len(leftovers(tmp_path)) == 1
    kept = [tmp_path / ".polhode-mine.part", tmp_path / f".polhode-{'0' * 16}.part.txt"]
    for path in kept:
        path.touch()
    link = tmp_path / f".polhode-{'1' * 16}.part"
    link.symlink_to(tmp_path / "elsewhere")
    pipe = tmp_path / f".polhode-{'2' * 16}.part"
    os.mkfifo(pipe)
    file_writing.remove_leftovers.cache_clear()
    file_writing.replace_file(tmp_path / "other.toml", "text")
    assert sorted(tmp_path.iterdir()) == sorted([*kept, link, pipe, tmp_path / "other.toml"])


@unix
def test_what_a_running_program_writes_is_not_removed(tmp_path):
    program = [sys.executable, "-c", KILLED, str(tmp_path / "scene.toml"), "runs"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "writes\n"
        (written,) = leftovers(tmp_path)
        os.utime(written, (1e9, 1e9))  # its age says nothing
        file_writing.remove_leftovers.cache_clear()
        file_writing.replace_file(tmp_path / "other.toml", "text")
        assert leftovers(tmp_path) == [written]
        other.communicate("\n")
    assert (tmp_path / "scene.toml").read_bytes() == b"half"
    assert leftovers(tmp_path) == []


@unix
def test_a_file_is_held_until_it_has_its_name(tmp_path, monkeypatch):
    """Another program looks for leftovers at each moment: after the creation, before and after the renaming."""
    path, real = tmp_path / "scene.toml", Path.replace

    def look():
        file_writing.remove_leftovers.cache_clear()
        file_writing.remove_leftovers(str(tmp_path))

    def renamed(self, target):
        look()
        real(self, target)
        look()

    monkeypatch.setattr(Path, "replace", renamed)
    with replacing(path) as file:
        look()
        file.write(b"whole")
    assert path.read_bytes() == b"whole"


@unix
def test_a_file_that_is_removed_before_it_is_held_is_made_again(tmp_path, monkeypatch):
    real, removed = fcntl.flock, []

    def late(descriptor, flags):
        if flags == fcntl.LOCK_EX and not removed:
            removed.extend(leftovers(tmp_path))
            removed[0].unlink()
        real(descriptor, flags)

    monkeypatch.setattr(fcntl, "flock", late)
    file_writing.replace_file(tmp_path / "scene.toml", "text")
    assert len(removed) == 1
    assert (tmp_path / "scene.toml").read_text() == "text"


@unix
def test_where_files_cannot_be_locked_a_day_decides(tmp_path, monkeypatch):
    def refused(descriptor, flags):
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "flock", refused)
    old, new = (tmp_path / f".polhode-{digit * 16}.part" for digit in "12")
    old.touch()
    new.touch()
    os.utime(old, (1e9, 1e9))
    file_writing.remove_leftovers.cache_clear()
    file_writing.replace_file(tmp_path / "scene.toml", "text")
    assert leftovers(tmp_path) == [new]
