"""Special files are refused immediately, under any name, and no more is read than allowed."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from meaning import refuses

from polhode.mesh.mesh import read_mesh
from polhode.recording.reader import read_recording
from polhode.scene.files.file_io import TooLarge, all_bytes, contents
from polhode.scene.problem import InputError
from polhode_app.edit.open_file import open_scene
from polhode_app.sensor.sources import read_recording as read_distances

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")

READERS: dict[str, Callable[[Path], object]] = {
    "scene.toml": open_scene,
    "scene.udf": open_scene,
    "part.stl": read_mesh,
    "part.obj": read_mesh,
    "part.ply": read_mesh,
    "part.glb": read_mesh,
    "part.3mf": read_mesh,
    "part.dae": read_mesh,
    "part.off": read_mesh,
    "part.udf#body0-shape0": read_mesh,
    "run.vtkhdf": read_recording,
    "distances.csv": read_distances,
}


def pipe(path: Path) -> None:
    os.mkfifo(path)


def pipe_with_a_writer(path: Path) -> None:
    os.mkfifo(path)
    end = os.open(path, os.O_RDWR | os.O_NONBLOCK)  # stays open: a reader would wait for ever
    os.write(end, b"x" * 1000)


def bound(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # names of sockets are short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def nothing(path: Path) -> None:
    path.symlink_to("/dev/null")


@pytest.fixture
def soon() -> Iterator[None]:
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < 5.0


@pytest.mark.parametrize("make", [pipe, pipe_with_a_writer, bound, zeros, nothing])
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_regular_file_is_refused_at_once(
    name: str, make: Callable[[Path], None], tmp_path: Path, soon: None
) -> None:
    make(tmp_path / name.split("#")[0])
    with refuses("", "socket"):
        READERS[name](tmp_path / name)


@pytest.mark.parametrize("name", READERS)
def test_a_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name.split("#")[0]).mkdir()
    with pytest.raises(InputError, match=r"folder|[Dd]irectory"):
        READERS[name](tmp_path / name)


def test_a_link_to_a_regular_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "scene.toml").write_text("format = 1\n")
    (tmp_path / "link.toml").symlink_to("scene.toml")
    assert contents(tmp_path / "link.toml", 100) == b"format = 1\n"


def test_no_more_is_read_than_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for size in (0, 1, 99, 100):
        path.write_bytes(b"x" * size)
        assert all_bytes(path, 100) == b"x" * size
    path.write_bytes(b"x" * 101)
    with pytest.raises(TooLarge):
        all_bytes(path, 100)
    endless = Path("/proc/self/maps")  # says that it has no bytes
    if endless.exists():
        assert len(all_bytes(endless, 2**24)) > 1000
        with pytest.raises(TooLarge):
            all_bytes(endless, 100)
