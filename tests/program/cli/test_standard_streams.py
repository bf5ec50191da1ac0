"""Scenes on standard input, and tables on standard output."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import polhode, refused
from import_path import IMPORT_PATH
from meaning import Meaning

from polhode.scene import gallery
from polhode.scene.scene_file import LARGEST_FILE

TOP = gallery.path("heavy_top").read_bytes()
ROWS = ("--until", "0.02", "--every", "0.01")


def piped(content: bytes, *words: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """A command with something on its standard input."""
    command = [sys.executable, "-m", "polhode_app", *words]
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    return subprocess.run(command, input=content, cwd=folder, env=environment, capture_output=True, timeout=290)


def test_a_table_on_standard_output_is_that_of_a_file(tmp_path: Path) -> None:
    """With nothing else, of a scene on standard input."""
    done = piped(TOP, "run", "-", *ROWS, "--out", "-", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert polhode("run", "heavy_top", *ROWS, "--out", "a.csv", folder=tmp_path).returncode == 0
    assert done.stdout == (tmp_path / "a.csv").read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", Meaning("standard input", "empty")),
        (b" \n", Meaning("standard input", "empty")),
        (b"a = 1", Meaning("a", "known")),
        (b"a = ", Meaning("standard input: line 1, column 5", "TOML")),
        (b"\xff", Meaning("standard input: line 1", "text")),
        (b"#" * (LARGEST_FILE + 1), Meaning("standard input", most=16)),
    ],
)
def test_what_is_no_scene_is_refused(tmp_path: Path, content: bytes, message: Meaning) -> None:
    done = piped(content, "check", "-", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message.of(done.stderr.decode().strip())


def test_files_of_a_scene_are_in_the_working_folder(tmp_path: Path) -> None:
    content = b'[[body]]\nname = "a"\n[[body.shape]]\nkind = "mesh"\nfile = "b.stl"\ndensity = 1.0\n'
    done = piped(content, "check", "-", folder=tmp_path)
    assert done.returncode == 2
    assert Meaning("body[0].shape[0].file", "b.stl").of(done.stderr.decode().strip())
    assert str(tmp_path) in done.stderr.decode()


def test_a_terminal_is_not_waited_for(tmp_path: Path) -> None:
    terminal, other = pty.openpty()
    command = [sys.executable, "-m", "polhode_app", "check", "-"]
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    done = subprocess.run(
        command, stdin=other, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    os.close(terminal)
    assert done.returncode == 2
    assert Meaning("standard input", "pipe").of(done.stderr.strip())


def test_a_reader_may_leave(tmp_path: Path) -> None:
    """As `head` does: no message, no traceback."""
    command = [sys.executable, "-m", "polhode_app", "run", "heavy_top", "--until", "1e3", "--out", "-", "--force"]
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith(b"time,top.position.x,")
        running.stdout.close()
        assert running.wait(60) == 0
        assert running.stderr is not None
        assert running.stderr.read() == b""


def test_units_have_no_place_beside_standard_output(tmp_path: Path) -> None:
    assert Meaning("--units").of(refused("run", "heavy_top", *ROWS, "--out", "-", "--units", folder=tmp_path))
